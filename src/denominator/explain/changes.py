"""What people change without saying so: choices of a dialect, and readings of a measure's name. Tables, with words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from denominator.dialects import CHOICES, DIALECTS
from denominator.errors import MeasureError
from denominator.measures import Measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denominator.dialects import Dialect
    from denominator.model import Qrels, Run

__all__ = ["FOR", "RARE", "Change", "Reading", "changes_for", "changes_of", "readings_of"]

RARE = 30
"""How common a choice is that no tool with a name makes: compare ``Dialect.common``."""
CUTOFFS = (1, 3, 5, 10, 20, 100, 1000)
"""The cutoffs that people report."""
OFF_BY_ONE, WHOLE, ANOTHER, TYPICAL, UNUSUAL = 12, 18, 20, 25, 40
"""How common: a cutoff that is one off, none at all, another usual one; statistics other than the mean over queries."""

FOR = MappingProxyType(
    {
        "recall": ("R",),
        "precision": ("P",),
        "ap": ("AP",),
        "gain": ("nDCG",),
        "ideal": ("nDCG",),
        "rbp": ("RBP",),
        "trec_eval": ("IPrec", "11pt_avg"),
    }
)
"""Choices that concern some measures only."""
_NOT_TRIED = frozenset({("ties", "unstable"), ("no_relevant", "error"), ("duplicates", "refuse")})
"""Values without a number of their own."""

_ALONE = MappingProxyType(
    {
        ("recall", "capped"): "recall capped at k",
        ("recall", "k"): "precision at k, called recall",
        ("recall", "hit"): "the hit rate, called recall",
        ("recall", "micro"): "micro recall: all that was found over all that is relevant",
        ("recall", "retrieved"): "precision over the documents returned, called recall",
    }
)
"""What a change makes of a measure, where that has a name of its own."""
_WITH = MappingProxyType(
    {
        ("recall", "capped"): "the denominator min(|Rel|, k)",
        ("recall", "k"): "the denominator k",
        ("recall", "hit"): "a hit counted as all",
        ("recall", "micro"): "|Rel| summed over queries",
        ("recall", "retrieved"): "the documents returned as denominator",
        ("precision", "returned"): "the documents returned as denominator, not k",
        ("ap", "capped"): "the denominator min(|Rel|, k)",
        ("ap", "retrieved"): "the relevant documents retrieved as denominator, not |Rel|",
        ("gain", "exponential"): "the exponential gain 2^grade - 1",
        ("gain", "binary"): "binary gain",
        ("ideal", "retrieved"): "an ideal made of the retrieved documents only",
        ("ideal", "top"): "an ideal made of the first k documents only",
        ("queries", "answered"): "the mean over the answered queries only",
        ("queries", "answerable"): "the mean over the queries that have a relevant document",
        ("queries", "run"): "the mean over the queries of the run, judged or not",
        ("no_relevant", "1"): "1 for queries without a relevant document",
        ("no_relevant", "dropped"): "queries without a relevant document left out",
        ("duplicates", "positional"): "positional counting: a document that stands there twice counts twice",
        ("duplicates", "first"): "each document counted once, where it first stands",
        ("duplicates", "last"): "each document counted once, in its last row",
        ("duplicates", "best"): "each document counted once, where it ranks best",
        ("unjudged", "removed"): "unjudged documents taken out of the rankings",
        ("order", "rank"): "documents ordered by the rank column",
        ("order", "file"): "documents in the order of the file",
        ("order", "score32"): "scores compared as 32-bit floats",
        ("ties", "id-ascending"): "ties in ascending order of document ids",
        ("ties", "file"): "ties in the order of the file",
        ("ties", "averaged"): "the mean over all orders of ties",
        ("ties", "together"): "tied documents taken together",
        ("ties", "middle"): "tied documents all in the middle of their places",
        ("no_relevant", "unfound"): "queries left out that have no relevant document, or none in their ranking",
        ("ideal", "returned"): "an ideal no longer than what was returned",
        ("ideal", "full"): "an ideal with a relevant document at every place",
        ("rbp", "graded"): "grades as gains",
        ("negative", "zero"): "grades below 0 taken for judged, as 0",
        ("negative", "removed"): "grades below 0 taken out of the judgments",
        ("trec_eval", "10"): "trec_eval 10's ranks of recall points",
    }
)
"""A change behind ``with``."""
_KNOWN_AS = MappingProxyType({("recall", "capped"): ("beir recall_cap", "beir", "RCap")})
"""Where a tool has a change under another measure's name: that name, the dialect, and the measure."""

_NAMES: Mapping[str, Mapping[str, int]] = MappingProxyType(
    {
        "R": {"RR": 45, "AP": 45, "Rprec": 40, "SetF": 45, "nDCG": 45},
        "P": {"R": 21, "Success": 22, "RCap": 23, "Rprec": 35, "AP": 35},
        "Success": {"R": 19, "P": 22, "RCap": 23, "RR": 35},
        "RR": {"Success": 24, "AP": 26, "P": 35, "nDCG": 45},
        "AP": {"RR": 22, "P": 28, "Rprec": 35, "SetAP": 40, "nDCG": 45, "gm_map": 40},
        "nDCG": {"AP": 45, "R": 45, "RR": 45, "Rndcg": 45},
        "RCap": {"R": 22, "P": 23, "Success": 23},
    }
)
"""Measure → others that are printed under its name, and how common that is."""
_WHOLE = MappingProxyType({"R": "SetR", "P": "SetP"})
"""What a measure is called without its cutoff, where that is another name."""


class Change(NamedTuple):
    """One choice made otherwise."""

    choice: str
    value: str | float
    common: int
    """As ``Dialect.common``: that of the most widespread tool which makes it."""

    @property
    def known_as(self) -> tuple[str, str, str] | None:
        """What a tool calls it that has it under another name, the tool's dialect, and the measure."""
        return _KNOWN_AS.get((self.choice, str(self.value)))

    def of(self, measure: Measure) -> str:
        """Return what the change makes of a measure."""
        return _ALONE.get((self.choice, str(self.value))) or f"{measure} with {self.words}"

    @property
    def words(self) -> str:
        """The change behind ``with``."""
        if self.choice == "level":
            return f"relevance from grade {self.value:g} up"
        words = _WITH.get((self.choice, str(self.value)))
        return words or f"{self.choice}={self.value}: {CHOICES[self.choice].values[str(self.value)]}"


class Reading(NamedTuple):
    """What else a measure's name may have stood for."""

    kind: str
    """``name``: another measure; ``cutoff``: another or no cutoff; ``statistic``: not the mean over all queries."""
    measure: Measure
    words: str
    common: int
    statistic: str = "mean"
    """``mean``, ``median``, or ``found``: the mean over the queries whose value is above 0."""


def changes_for(measure: Measure, qrels: Qrels, run: Run) -> tuple[Change, ...]:
    """Return the single changes that can make another number of a measure over these files."""
    found: list[Change] = []
    for choice in CHOICES.values():
        if not _matters(choice.name, measure, qrels, run):
            continue
        values = choice.values if choice.name != "level" else _levels(qrels)
        for value in values:
            if value != choice.default and (choice.name, value) not in _NOT_TRIED:
                found.append(Change(choice.name, value, _common(measure, choice.name, value)))
    return tuple(found)


def changes_of(spoken: Dialect, measure: Measure, base: Dialect) -> tuple[Change, ...]:
    """Return what a dialect does otherwise than another one, for a measure."""
    theirs, ours = spoken.for_measure(measure), base.for_measure(measure)
    return tuple(
        Change(name, getattr(theirs, name), spoken.common)
        for name in CHOICES
        if getattr(theirs, name) != getattr(ours, name) and measure.name in FOR.get(name, (measure.name,))
    )


def readings_of(measure: Measure) -> tuple[Reading, ...]:
    """Return what else a measure's name may have stood for."""
    return (*_other_names(measure), *_other_cutoffs(measure), *_other_statistics(measure))


def _matters(choice: str, measure: Measure, qrels: Qrels, run: Run) -> bool:
    """Return whether a choice can change a measure over these files."""
    if choice in FOR:
        return measure.name in FOR[choice]
    if choice == "duplicates":
        return bool(len(run.repeated_rows) or len(qrels.repeated_rows))
    if choice == "negative":
        return bool((qrels.relevance < 0).any())
    return True


def _levels(qrels: Qrels) -> list[float]:
    """Return the grades from which a document could be relevant, but for the least."""
    import numpy as np

    grades = np.unique(qrels.relevance[qrels.relevance > 1])[:9]
    return [int(grade) if float(grade).is_integer() else float(grade) for grade in grades.tolist()]


def _common(measure: Measure, choice: str, value: str | float) -> int:
    """Return how common the most widespread tool is that makes a choice for a measure."""
    tools = [
        one.common
        for one in DIALECTS.values()
        if getattr(one.for_measure(measure), choice) == value and (one.measures is None or measure.name in one.measures)
    ]
    known = _KNOWN_AS.get((choice, str(value)))
    return min([*tools, RARE] if known is None else [*tools, DIALECTS[known[1]].common])


def _made(name: str, cutoff: float | None, measure: Measure) -> Measure | None:
    """Return a measure with the relevance level of another; None if there is no such measure."""
    level = dict(measure.params).get("rel")
    try:
        other = Measure(name, cutoff)
        if level is not None and "rel" in other.spec.params:
            other = other(rel=level)
    except MeasureError:
        return None
    return other if other.complete else None


def _other_names(measure: Measure) -> Iterator[Reading]:
    """Yield the other measures that are printed under a measure's name."""
    for name, common in _NAMES.get(measure.name, {}).items():
        takes = Measure(name).spec.cutoff != "none"
        other = _made(name, measure.cutoff if takes else None, measure)
        if other is not None:
            yield Reading("name", other, f"{other}, called {measure}", common)


def _other_cutoffs(measure: Measure) -> Iterator[Reading]:
    """Yield a measure at the cutoffs it may have been computed at instead."""
    spec, k = measure.spec, measure.cutoff
    if spec.cutoff == "none" or spec.cutoff_word != "cutoff":
        return
    beside = () if k is None else (int(k) - 1, int(k) + 1)
    for cutoff in dict.fromkeys((*beside, *CUTOFFS)):
        if cutoff >= 1 and cutoff != k:
            common = OFF_BY_ONE if cutoff in beside else ANOTHER
            yield Reading("cutoff", measure @ cutoff, _cut(measure @ cutoff, measure), common)
    if k is not None:
        whole = _made(_WHOLE.get(measure.name, measure.name), None, measure)
        if whole is not None:
            yield Reading("cutoff", whole, f"{whole} of the whole ranking, not cut at {k}", WHOLE)


def _cut(other: Measure, measure: Measure) -> str:
    """Return the words for another cutoff."""
    if measure.cutoff is None:
        return f"{other}: the ranking cut at {other.cutoff}"
    return f"{other}: the cutoff {other.cutoff}, not {measure.cutoff}"


def _other_statistics(measure: Measure) -> Iterator[Reading]:
    """Yield what may have been taken instead of the mean over all queries."""
    if measure.spec.aggregate == "mean":
        yield Reading("statistic", measure, f"{measure} over the queries with a hit only", TYPICAL, "found")
        yield Reading("statistic", measure, f"the median of {measure}, not the mean", UNUSUAL, "median")
