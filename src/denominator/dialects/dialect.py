"""A dialect: a named, frozen set of choices, with overrides where a tool treats one measure unlike the others."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from denominator.dialects.choices import CHOICES, checked
from denominator.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denominator.measures import Measure

__all__ = ["Choices", "Dialect"]


class Choices(NamedTuple):
    """One value for every choice; the defaults are those of trec_eval with ``-c``."""

    order: str = "score64"
    ties: str = "id-descending"
    queries: str = "judged"
    no_relevant: str = "0"
    recall: str = "rel"
    precision: str = "k"
    ap: str = "rel"
    gain: str = "linear"
    ideal: str = "judged"
    duplicates: str = "refuse"
    unjudged: str = "nonrelevant"
    negative: str = "pooled"
    rbp: str = "binary"
    level: float = 1
    trec_eval: str = "9"


@dataclass(frozen=True)
class Dialect:
    """The choices behind a number, named after the tool that makes them.

    >>> from denominator.dialects import dialect
    >>> dialect("trec_eval-c").using(gain="exp", recall="capped")
    <Dialect trec_eval-c, recall=capped, gain=exponential>

    Raises:
        UsageError: a choice or a value of one that does not exist.
    """

    name: str
    order: str = "score64"
    ties: str = "id-descending"
    queries: str = "judged"
    no_relevant: str = "0"
    recall: str = "rel"
    precision: str = "k"
    ap: str = "rel"
    gain: str = "linear"
    ideal: str = "judged"
    duplicates: str = "refuse"
    unjudged: str = "nonrelevant"
    negative: str = "pooled"
    rbp: str = "binary"
    level: float = 1
    trec_eval: str = "9"
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Family or name of a measure → the choices that are others for it; ``RR@`` is RR with a cutoff."""
    held: str = "source"
    """``run``: tests hold it to the library itself. ``source``: the rule as published, not run."""
    source: str = ""
    """Where the rule is published: a file of the tool, with the version or commit that was read."""
    summary: str = ""
    common: int = 99
    """How widespread the tool is, 1 the most: explanations that are equally good are given in this order."""
    measures: tuple[str, ...] | None = None
    """The names of the measures that the tool has, where it has few; None where it has no such limit."""
    beyond: Mapping[str, str] = field(default_factory=dict)
    """Measures that the tool has and no choices lead to, with the reason; ``RBP@`` is RBP with a cutoff."""
    changed: tuple[str, ...] = ()
    """The choices that :meth:`using` made another than the tool's."""

    def __post_init__(self) -> None:
        """Check every choice, and keep the overrides from being changed."""
        for name in CHOICES:
            object.__setattr__(self, name, checked(name, getattr(self, name)))
        frozen = {
            key: MappingProxyType({name: checked(name, value) for name, value in some.items()})
            for key, some in self.overrides.items()
        }
        object.__setattr__(self, "overrides", MappingProxyType(frozen))
        object.__setattr__(self, "beyond", MappingProxyType(dict(self.beyond)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled by the fields: a read-only view of a dictionary cannot be."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        given["overrides"] = {key: dict(some) for key, some in self.overrides.items()}
        given["beyond"] = dict(self.beyond)
        return partial(Dialect, **given), ()

    @property
    def choices(self) -> Choices:
        """The choices that hold for a measure without overrides."""
        return Choices(*(getattr(self, name) for name in Choices._fields))

    @property
    def is_trec_eval(self) -> bool:
        """Whether only the query set, the level and the version are other than trec_eval's with ``-c``."""
        plain = self.choices._replace(queries="judged", level=1, trec_eval="9")
        return plain == Choices() and not self.overrides and self.measures is None

    def using(self, **choices: Any) -> Dialect:
        """Return a dialect with single choices changed for every measure; one that changes nothing is the same one.

        Raises:
            UsageError: a choice or a value of one that does not exist.
        """
        wanted = {name: checked(name, value) for name, value in choices.items()}
        changed = {name: value for name, value in wanted.items() if self._says_otherwise(name, value)}
        if not changed:
            return self
        overrides = {
            key: {name: value for name, value in some.items() if name not in changed}
            for key, some in self.overrides.items()
        }
        own = tuple(name for name in CHOICES if name in {*self.changed, *changed})
        base = self.name.split(", ")[0]
        values = {name: changed.get(name, getattr(self, name)) for name in own}
        fields: dict[str, Any] = dict(
            changed,
            name=", ".join([base, *(f"{name}={_typed(value)}" for name, value in values.items())]),
            overrides={key: some for key, some in overrides.items() if some},
            changed=own,
        )
        return replace(self, **fields)

    def _says_otherwise(self, name: str, value: Any) -> bool:
        """Return whether any measure has another value for a choice."""
        here = [getattr(self, name), *(some[name] for some in self.overrides.values() if name in some)]
        return any(one != value for one in here)

    def for_measure(self, measure: Measure) -> Choices:
        """Return the choices that hold for a measure: the dialect's, its family's and its own, the last one first."""
        chosen = self.choices
        for key in _keys(measure):
            if key in self.overrides:
                chosen = chosen._replace(**self.overrides[key])
        return chosen

    def check(self, measures: tuple[Measure, ...]) -> None:
        """Refuse measures that the tool does not have, or has in a way that no choices lead to.

        Raises:
            UsageError: with the measures that it has, or with the reason.
        """
        for measure in measures:
            for key in _keys(measure):
                if key in self.beyond:
                    raise UsageError(f"the dialect {self.name} cannot say {measure}: {self.beyond[key]}")
        lacking = [str(one) for one in measures if self.measures is not None and one.name not in self.measures]
        if lacking:
            known = ", ".join(self.measures or ())
            raise UsageError(f"the dialect {self.name} has no {', '.join(lacking)}: its measures are {known}")

    def over(self, measures: Iterable[Measure]) -> str:
        """Return in words which queries the means of some measures are over."""
        by_words: dict[str, list[str]] = {}
        for measure in measures:
            chosen = self.for_measure(measure)
            words = CHOICES["queries"].values[chosen.queries]
            left_out = {"dropped": "relevant", "unfound": "retrieved relevant"}.get(chosen.no_relevant)
            words += f", but for those without a {left_out} document" if left_out else ""
            by_words.setdefault(words, []).append(str(measure))
        if len(by_words) == 1:
            return next(iter(by_words))
        return "; ".join(f"{', '.join(names)}: {words}" for words, names in by_words.items())

    def leaves_counts(self, measure: Measure) -> bool:
        """Return whether a value is still the fraction, and has the ceiling, that the registry gives for the measure.

        Its rows and their order must be those of the dialect without overrides, from which the counts are taken.
        """
        chosen, base = self.for_measure(measure), self.choices
        rows = ("order", "ties", "duplicates", "negative", "unjudged", "level", "trec_eval")
        if any(getattr(chosen, name) != getattr(base, name) for name in rows):
            return False
        own = {"R": ("recall",), "P": ("precision",), "AP": ("ap",), "RBP": ("rbp",), "nDCG": ("gain", "ideal")}
        kept = all(getattr(chosen, name) == CHOICES[name].default for name in own.get(measure.name, ()))
        whole = chosen.ties in ("id-descending", "id-ascending", "file", "unstable")
        return kept and whole and chosen.duplicates != "positional" and chosen.no_relevant != "1"

    def __repr__(self) -> str:
        """Return ``<Dialect beir, gain=exponential>``."""
        return f"<Dialect {self.name}>"

    def __hash__(self) -> int:
        """Return a hash of the name and the choices."""
        return hash((self.name, self.choices))


def _keys(measure: Measure) -> tuple[str, ...]:
    """Return the names under which a measure may be spoken of, the widest first."""
    own = (measure.spec.family, measure.name)
    return own if measure.cutoff is None else (*own, f"{measure.name}@")


def _typed(value: str | float) -> str:
    """Return the value of a choice as it is typed."""
    return value if isinstance(value, str) else f"{value:g}"
