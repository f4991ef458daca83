"""The measure: a frozen value that prints as it is typed, ``nDCG@10``, ``P(rel=2)@5``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from denominator.errors import MeasureError
from denominator.measures.registry import REGISTRY, resolve
from denominator.native import native
from denominator.quoting import shown

if TYPE_CHECKING:
    from denominator.measures.params import Value
    from denominator.measures.spec import Spec

__all__ = ["Measure"]

_LARGEST = (1 << 63) - 1  # ranks are 64-bit integers, here and in trec_eval


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Measure:
    """A measure with its cutoff and parameters, equal to every other spelling of the same measure.

    `params` holds what differs from the defaults; ``measure["rel"]`` reads one parameter, default included.

    >>> from denominator.measures import P, nDCG
    >>> nDCG @ 10
    nDCG@10
    >>> P(rel=2) @ 5
    P(rel=2)@5
    >>> (P(rel=2) @ 5)["rel"]
    2

    Raises:
        MeasureError: the name is unknown, or the cutoff or a parameter is one the measure cannot have.
    """

    name: str
    cutoff: int | float | None
    params: tuple[tuple[str, Value], ...]

    def __init__(self, name: str, cutoff: float | None = None, /, **params: Any) -> None:
        """Build a measure from its name, cutoff and parameters; all are checked here."""
        spec, implied = resolve(name)
        given = {**implied, **params}
        for parameter, other in spec.turns_into.items():
            if given.get(parameter) is not None:
                spec = REGISTRY[other]
        if spec.cutoff_word in given:
            if cutoff is not None:
                raise MeasureError(f"{name}: the {spec.cutoff_word} is given twice, after @ and as {spec.cutoff_word}=")
            cutoff = given.pop(spec.cutoff_word)
        object.__setattr__(self, "name", spec.name)
        object.__setattr__(self, "cutoff", _checked_cutoff(spec, spec.default_cutoff if cutoff is None else cutoff))
        object.__setattr__(self, "params", _checked_params(spec, given))

    @property
    def spec(self) -> Spec:
        """The registry's row for this measure."""
        return REGISTRY[self.name]

    @property
    def complete(self) -> bool:
        """Whether it can be computed: P is incomplete, P@5 is complete."""
        return self.cutoff is not None or self.spec.cutoff != "required"

    def level(self, default: float) -> float:
        """Return the relevance level: the measure's own ``rel``, or else `default`, the evaluation's."""
        # rel= was held to a number
        own: float | None = dict(self.params).get("rel")  # type: ignore[assignment]
        return default if own is None else own

    def __getitem__(self, parameter: str) -> Any:
        """Return a parameter's value, default included; KeyError if the measure has no such parameter."""
        spec = self.spec
        if parameter == spec.cutoff_word and spec.cutoff != "none":
            return self.cutoff
        known = spec.params[parameter]
        return known.gives(dict(self.params).get(parameter, known.default))

    def __call__(self, **params: Any) -> Measure:
        """Return the same measure with other parameters; None resets one to its default."""
        word = self.spec.cutoff_word
        cutoff = params.pop(word) if word in params else self.cutoff
        return Measure(self.name, cutoff, **{**dict(self.params), **params})

    def __matmul__(self, cutoff: float) -> Measure:
        """Return the same measure at a cutoff: ``P @ 5``."""
        return Measure(self.name, cutoff, **dict(self.params))

    def __str__(self) -> str:
        """Return the measure as it is typed."""
        mine = dict(self.params)
        shown = [
            f"{name}={param.prints(mine.get(name, param.default))}"
            for name, param in self.spec.params.items()
            if name in mine or param.shown
        ]
        text = f"{self.name}({','.join(shown)})" if shown else self.name
        return text if self.cutoff is None else f"{text}@{self.cutoff}"

    __repr__ = __str__


def _checked_cutoff(spec: Spec, cutoff: object) -> int | float | None:
    """Return the cutoff as stored, or say what is wrong with it."""
    cutoff = native(cutoff)
    if cutoff is None:
        return None
    if spec.cutoff == "none":
        hint = f"; did you mean {spec.at_cutoff}@{shown(cutoff)}?" if spec.at_cutoff else ""
        raise MeasureError(f"{spec.name} takes no cutoff, found @{shown(cutoff)}{hint}")
    if isinstance(cutoff, bool) or not isinstance(cutoff, int | float):
        raise MeasureError(
            f"{spec.name}: the {spec.cutoff_word} is {shown(cutoff)}, expected a number, as in {spec.example}"
        )
    if spec.cutoff_word == "cutoff":
        if not isinstance(cutoff, int) or not 1 <= cutoff <= _LARGEST:
            most = f"at most {_LARGEST}" if cutoff > _LARGEST else "1 or more"
            expected = f"expected a whole number, {most}, as in {spec.example}"
            raise MeasureError(f"{spec.name}@{shown(cutoff)}: a cutoff is a number of documents; {expected}")
        return cutoff
    low, high = (0.0, 1.0) if spec.cutoff_word == "recall" else (0.0, float("inf"))
    if not low <= cutoff <= high or (spec.cutoff_word == "multiple" and not 0 < cutoff < high):
        expected = "a recall from 0 to 1" if spec.cutoff_word == "recall" else "a multiple of |Rel| above 0"
        raise MeasureError(f"{spec.name}@{shown(cutoff)}: expected {expected}, as in {spec.example}")
    return abs(float(cutoff))


def _checked_params(spec: Spec, given: dict[str, Any]) -> tuple[tuple[str, Value], ...]:
    """Return the parameters that differ from their defaults, in the registry's order."""
    for name in given:
        if name not in spec.params:
            known = ", ".join(spec.params) or "none"
            raise MeasureError(f"{spec.name} has no parameter {name!r}; its parameters: {known}")
    kept: dict[str, Value] = {}
    for name, param in spec.params.items():
        value = given.get(name)
        if value is None:
            continue
        try:
            checked = param.check(value)
        except ValueError as error:
            raise MeasureError(f"{spec.name}: {name}={shown(value)} is not possible, expected {error}") from None
        if checked != param.default:
            kept[name] = checked
    wrong = spec.refuses(kept) if spec.refuses is not None else None
    if wrong is not None:
        raise MeasureError(f"{spec.name}: {wrong}")
    return tuple(kept.items())
