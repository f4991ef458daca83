"""What the registry holds for each measure: data, the trec_eval spellings, and the words that explain it."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from denominator.hits import Hits
    from denominator.measures.measure import Measure
    from denominator.measures.params import Param, Value
    from denominator.model import F64, I64

    Fraction = Callable[[Hits, Measure, float], tuple[I64, I64, I64]]
    Highest = Callable[[Hits, Measure, float], F64]

__all__ = ["CUTOFFS", "LOWEST_LOG", "RECALLS", "Spec", "Trec", "Worked"]

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cutoffs trec_eval uses where none is given."""
RECALLS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""The recall points trec_eval uses where none is given."""
OPTIONS = ("rel", "judged_only", "docs")
"""The parameters that are options of trec_eval (-l, -J, -N), which its names do not show."""
LOWEST_LOG = math.log(1e-5)
"""The lowest value of gm_map and gm_bpref: trec_eval takes the logarithm of max(value, 0.00001)."""


class Trec(NamedTuple):
    """One name of trec_eval, which may stand for several measures (``P`` stands for P_5, P_10, …)."""

    name: str
    takes: Literal["nothing", "cutoffs", "reals", "numbers", "gains", "length"] = "nothing"
    """What may follow the name: ranks, real cutoffs, a list of numbers that are one parameter set, grade=gain pairs."""
    defaults: tuple[float, ...] = ()
    """The cutoffs or numbers used where none is given."""
    fills: tuple[str, ...] = ()
    """The parameters that numbers fill in turn (one name: it takes the whole list), or that pairs may name."""
    fixed: Mapping[str, Value] = MappingProxyType({})
    """Parameters this name implies."""
    since: Literal["9", "10"] = "9"


class Worked(NamedTuple):
    """A number worked by hand, which a test lets the engines compute."""

    measure: str
    ranking: str
    """The grades of the retrieved documents in rank order; ``-`` is a document without a judgment."""
    others: str
    """The grades of the judged documents that were not retrieved."""
    by_hand: str
    """How it comes about, as arithmetic."""
    value: float


class Spec(NamedTuple):
    """One row of the registry."""

    name: str
    family: str
    title: str
    """The measure in words."""
    formula: str
    denominator: str
    ceiling: str
    undefined: str
    distrust: str
    """When not to trust it."""
    source: str
    params: Mapping[str, Param] = MappingProxyType({})
    cutoff: Literal["none", "optional", "required"] = "none"
    cutoff_word: Literal["cutoff", "recall", "multiple"] = "cutoff"
    """What the number after @ is: a rank, a recall between 0 and 1, or a multiple of |Rel|."""
    default_cutoff: int | None = None
    aliases: Mapping[str, Mapping[str, Value]] = MappingProxyType({})
    """Other names, with the parameters they imply."""
    at_cutoff: str | None = None
    """The measure somebody who writes a cutoff behind this one means."""
    turns_into: Mapping[str, str] = MappingProxyType({})
    """Parameters that make it another measure: NumRet(rel=1) is NumRelRet(rel=1)."""
    refuses: Callable[[Mapping[str, Value]], str | None] | None = None
    """Returns what is wrong with a combination of parameters, or None."""
    aggregate: Literal["mean", "sum", "geometric"] = "mean"
    unanswered: float | None = 0.0
    """What an unanswered judged query is worth; None where no number is right (0 would be perfect, or it is a text)."""
    of_judgments: bool = False
    """Whether the value depends on the judgments alone, so that it exists for unanswered queries too."""
    better: Literal["higher", "lower", "neither"] = "higher"
    text_valued: bool = False
    """Whether the value is a text, which only trec_eval's own layout prints."""
    engines: frozenset[str] = frozenset({"pytrec_eval", "columnar"})
    trec: tuple[Trec, ...] = ()
    needs: Literal["relevant", "gain", None] = None
    """What a query must have for the definition to have a value: a relevant document, or one with a positive gain."""
    fraction: Fraction | None = None
    """(hits, measure, level) → numerator, denominator and best reachable numerator per query, as whole numbers."""
    highest: Highest | None = None
    """(hits, measure, level) → the highest value any ranking could get; None where `fraction` says it."""
    worked: Worked | None = None
    """A number worked by hand; only a text has none."""

    @property
    def example(self) -> str:
        """The measure as one would type it."""
        if self.cutoff == "none":
            return self.name
        return f"{self.name}@{ {'cutoff': 10, 'recall': 0.1, 'multiple': 0.5}[self.cutoff_word] }"

    def trec_name(self, measure: Measure) -> str | None:
        """Return the name trec_eval prints for this measure, or None if it has no such measure.

        The name does not show ``rel=``, ``judged_only=`` and ``docs=``: these are trec_eval's options -l, -J and -N,
        which hold for all its measures (see :func:`denominator.measures.trec_options`).
        """
        for trec in self.trec:
            name = _name_of(trec, measure, self)
            if name is not None:
                return name
        return None


def _name_of(trec: Trec, measure: Measure, spec: Spec) -> str | None:
    """Return the printed name if this trec_eval family holds the measure."""
    given = {name: value for name, value in measure.params if name not in OPTIONS}
    for name, value in trec.fixed.items():
        if given.pop(name, None) != value:
            return None
    if not set(given) <= set(trec.fills):
        return None
    if trec.takes == "length":
        return trec.name if measure.cutoff == spec.default_cutoff else f"{trec.name}_{measure.cutoff}"
    if trec.takes in ("cutoffs", "reals"):
        if measure.cutoff is None:
            return None
        return f"{trec.name}_{measure.cutoff}" if trec.takes == "cutoffs" else f"{trec.name}_{measure.cutoff:.2f}"
    if measure.cutoff is not None:
        return None
    if not given:
        return trec.name
    if trec.takes == "gains":
        # gains= was held to pairs
        pairs = [f"{grade}={gain}" for grade, gain in dict(given.pop("gains", None) or ()).items()]  # type: ignore[arg-type]
        return f"{trec.name}_" + ",".join([f"{name}={value}" for name, value in given.items()] + pairs)
    first = given.get(trec.fills[0])
    values = first if isinstance(first, tuple) else tuple(measure[name] for name in trec.fills)
    return f"{trec.name}_" + ",".join(map(_digits, values))


def _digits(value: float) -> str:
    """Return the shortest text that reads back as the same number: 2 for 2.0."""
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
