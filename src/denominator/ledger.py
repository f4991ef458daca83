"""What a number was divided by, and how high it could have been: numerators, denominators and ceilings.

``R@5 0.500 = 4/8, ceiling 0.625 (5/8), 80% of ceiling``: four of eight relevant documents are among the first five, and
no ranking of five could hold more than five of the eight.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator.engines.columnar import score_hits
from denominator.measures import ceiling, fraction

if TYPE_CHECKING:
    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64

__all__ = ["LedgerRow", "as_seen", "ceilings", "fractions"]


class LedgerRow(NamedTuple):
    """One value of one query with the counts behind it; counts are None for a measure that is no fraction of counts."""

    run: str
    query_id: str
    measure: Measure
    value: float | None
    numerator: int | None
    denominator: int | None
    best: int | None
    """The highest numerator that any ranking could have."""
    ceiling: float | None
    """The highest value that any ranking could have; None where higher is not better."""

    @property
    def share_of_ceiling(self) -> float | None:
        """The value as a share of its ceiling; None where there is none, or it is 0."""
        return self.value / self.ceiling if self.ceiling and self.value is not None else None

    def __str__(self) -> str:
        """Return ``R@5 0.500 = 4/8, ceiling 0.625 (5/8), 80% of ceiling``."""
        text = f"{self.measure} " + ("has no value" if self.value is None else f"{self.value:.3f}")
        if self.denominator is not None and self.value is not None:
            text += f" = {self.numerator}/{self.denominator}"
        if self.ceiling is not None:
            text += f", ceiling {self.ceiling:.3f}"
            if self.denominator is not None:
                text += f" ({self.best}/{self.denominator})"
        if self.share_of_ceiling is not None:
            text += f", {self.share_of_ceiling:.0%} of ceiling"
        return text


def as_seen(hits: Hits, settings: Settings) -> Hits:
    """Return a ranking as the evaluation sees it: cut to the depth, and condensed where that is asked for."""
    if settings.depth is not None:
        hits = hits.truncated(settings.depth)
    return hits.condensed() if settings.judged_only else hits


def fractions(hits: Hits, measure: Measure, settings: Settings) -> tuple[I64, I64, I64] | None:
    """Return numerator, denominator and best numerator per query, or None for a measure that is no such fraction."""
    found = fraction(as_seen(hits, settings), measure, settings.level)
    if found is None or settings.depth is None or measure.spec.better != "higher":
        return found
    numerator, denominator, best = found
    return numerator, denominator, np.minimum(best, settings.depth)


def ceilings(hits: Hits, measure: Measure, settings: Settings) -> F64 | None:
    """Return the highest value that any ranking could get, per judged query; None where higher is not better.

    Measures of a whole returned set are compared with the best set of the size that was returned. Under a depth
    (``-M``) the registry's formula is only an upper bound; the ideal ranking, cut there, says what can be had.
    """
    spec = measure.spec
    if spec.better != "higher" or (spec.highest is None and spec.fraction is None):
        return None
    wanted = hits.relevant(measure.level(settings.level))
    hits = replace(hits, retrieved=np.where(hits.answered, hits.retrieved, wanted))
    counts = fractions(hits, measure, settings)
    if counts is not None:
        _, denominator, best = counts
        return best / np.maximum(denominator, 1)
    highest = ceiling(as_seen(hits, settings), measure, settings.level)
    if settings.depth is None or spec.family == "sets":
        return highest
    return np.minimum(highest, score_hits(_ideal(hits, measure), [measure], settings)[measure])


def _ideal(hits: Hits, measure: Measure) -> Hits:
    """Return the best ranking that the judgments allow: every judged document, the most worth first."""
    query, grade = hits.judged_query, hits.judged_grade
    worth = grade.astype(np.float64)
    for own, gain in dict(measure["gains"] or {}).items() if "gains" in measure.spec.params else ():
        worth[grade == own] = gain
    order = np.lexsort((-worth, grade < 0, query))
    everyone = np.ones(len(hits.queries), dtype=np.bool_)
    every = replace(
        hits,
        answered=everyone,
        retrieved=np.diff(hits.judged_offsets),
        query=query,
        position=np.arange(len(query)) - hits.judged_offsets[query],
        grade=grade[order],
    )
    return replace(every.condensed(), answered=everyone)
