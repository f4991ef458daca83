"""One ranking as a measure sees it, with what several measures share worked out once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from denominator.cached import cached_property
from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.model import F64, I64, Bool

__all__ = ["Gains", "Relevant", "View", "exponential_gain"]


@dataclass(frozen=True, eq=False)
class Relevant:
    """The relevant documents at one relevance level: those retrieved, r of them, and the counts of each query.

    A level below 0 is taken as 0: a document that was not judged is never relevant.
    """

    query: I64
    """(r,) index of the query."""
    position: I64
    """(r,) position in the ranking, from 0."""
    found: I64
    """(r,) how many relevant documents the ranking holds up to and with this one."""
    starts: I64
    """(q + 1,) where each query begins."""
    count: I64
    """(q,) |Rel|, retrieved or not."""
    retrieved: I64
    """(q,) how many relevant documents were retrieved."""
    hit: I64
    """(r,) index of the document among the hits."""

    @cached_property
    def precision(self) -> F64:
        """(r,) the precision at each relevant document retrieved."""
        return self.found / (self.position + 1)

    @cached_property
    def interpolated(self) -> F64:
        """(r,) the highest precision at this relevant document or a later one."""
        return sums.running(np.maximum, self.precision[::-1], len(self.query) - self.starts[::-1])[::-1]

    def within(self, depth: int | float | I64) -> I64:
        """Return how many relevant documents stand at positions below `depth`, one number or one per query."""
        limit = depth if isinstance(depth, (int, float)) else depth[self.query]
        return np.bincount(self.query[self.position < limit], minlength=len(self.count))


@dataclass(frozen=True, eq=False)
class Gains:
    """What each retrieved document is worth, and the ideal ranking that the judgments allow.

    The ideal ranking holds every judged document with a gain above 0, highest gain first: i of them over all queries.
    """

    hit: F64
    """(h,) the gain of each hit; 0 for a document in the pool that was not judged."""
    ideal: F64
    """(i,) the gains of the ideal ranking, grouped by query, descending."""
    ideal_query: I64
    """(i,) index of the query."""
    ideal_starts: I64
    """(q + 1,) where each query's ideal ranking begins."""

    @cached_property
    def ideal_position(self) -> I64:
        """(i,) position in the ideal ranking, from 0."""
        return sums.ordinals(self.ideal_query, self.ideal_starts)

    @cached_property
    def ideal_discounted(self) -> F64:
        """(i,) each gain of the ideal ranking, divided by the logarithm of its rank + 1."""
        return self.ideal / sums.log2_of(self.ideal_position + 2)

    @cached_property
    def ideal_dcg(self) -> F64:
        """(i,) the ideal DCG up to and with each position."""
        return sums.running(np.add, self.ideal_discounted, self.ideal_starts)

    @cached_property
    def ideal_size(self) -> I64:
        """(q,) the length of each ideal ranking."""
        return np.diff(self.ideal_starts)


@dataclass(frozen=True, eq=False)
class View:
    """A ranking after ``-M`` and ``-J``, under one evaluation's settings."""

    hits: Hits
    settings: Settings
    _relevant: dict[float, Relevant] = field(default_factory=dict, repr=False)
    _gains: dict[object, Gains] = field(default_factory=dict, repr=False)

    @property
    def queries(self) -> int:
        """The number of judged queries, q."""
        return len(self.hits.queries)

    @cached_property
    def starts(self) -> I64:
        """(q + 1,) where each query's hits begin."""
        return sums.starts_of(self.hits.query, self.queries)

    @cached_property
    def judged_before(self) -> tuple[I64, I64]:
        """(h,) twice: how many judged, and how many pooled but unjudged, documents stand above each hit."""
        return self._before(self.hits.grade >= 0), self._before(self.hits.grade < 0)

    def _before(self, mask: Bool) -> I64:
        """Count, per hit, the masked hits of its query above it. Counts are whole: subtracting an offset is exact."""
        running = np.concatenate([[0], np.cumsum(mask)])
        out: I64 = running[:-1] - running[self.starts[self.hits.query]]
        return out

    @cached_property
    def top_grade(self) -> F64 | I64:
        """(q,) the highest grade that the judgments of each query hold, at least 0."""
        first = self.hits.judged_offsets[:-1]
        grades = np.append(self.hits.judged_grade, 0)
        top: F64 | I64 = np.where(first < self.hits.judged_offsets[1:], np.maximum(grades[first], 0), 0)
        return top

    @cached_property
    def discount(self) -> F64:
        """(h,) the logarithm of each hit's rank + 1."""
        return sums.log2_of(self.hits.position + 2)

    def relevant(self, level: float | None = None) -> Relevant:
        """Return the relevant documents at a level; None is the evaluation's level."""
        at = max(self.settings.level if level is None else level, 0)
        if at not in self._relevant:
            hits = self.hits
            hit = np.flatnonzero(hits.grade >= at)
            query = hits.query[hit]
            starts = sums.starts_of(query, self.queries)
            self._relevant[at] = Relevant(
                query,
                hits.position[hit],
                sums.ordinals(query, starts) + 1,
                starts,
                hits.relevant(at),
                np.diff(starts),
                hit,
            )
        return self._relevant[at]

    def gains(self, gains: Mapping[int, float] | None = None, *, exponential: bool = False) -> Gains:
        """Return the gain of every hit and the ideal ranking.

        A gain is the grade itself, or 2**grade - 1 when `exponential`, unless `gains` names another for the grade. It
        may be 0 or less, and grade 0 may have one. A document that was not judged is always worth 0.
        """
        key = (tuple(sorted(gains.items())) if gains else None, exponential)
        if key not in self._gains:
            self._gains[key] = self._worth(gains, exponential)
        return self._gains[key]

    def _worth(self, gains: Mapping[int, float] | None, exponential: bool) -> Gains:
        hits = self.hits
        ideal, query = hits.judged_grade, hits.judged_query
        if exponential:
            top = self.top_grade
            return self._ordered(
                exponential_gain(hits.grade, top[hits.query]), exponential_gain(ideal, top[query]), query
            )
        if not gains:
            return self._ordered(np.maximum(hits.grade, 0).astype(np.float64), ideal.astype(np.float64), query)
        worth = _mapped(ideal, gains)
        order = np.lexsort((-worth, query))
        return self._ordered(_mapped(hits.grade, gains), worth[order], query[order])

    def _ordered(self, hit: F64, ideal: F64, query: I64) -> Gains:
        positive = ideal > 0
        query = query[positive]
        return Gains(hit, ideal[positive], query, sums.starts_of(query, self.queries))


def exponential_gain(grade: F64 | I64, top: F64 | I64 | int) -> F64:
    """Return (2**grade - 1) / 2**top: a power of two leaves every ratio as it is, and keeps large grades finite."""
    none = np.zeros_like(grade)
    return _power_of_two(np.subtract(np.maximum(grade, 0), top)) - _power_of_two(np.subtract(none, top))


def _power_of_two(exponent: F64 | I64) -> F64:
    """Return 2**exponent, exact where the exponent is whole, and infinite where no float is as large."""
    with np.errstate(over="ignore"):
        return np.exp2(exponent) if exponent.dtype.kind == "f" else np.ldexp(1.0, exponent)


def _mapped(grade: F64 | I64, gains: Mapping[int, float]) -> F64:
    worth = np.maximum(grade, 0).astype(np.float64)
    for level, gain in gains.items():
        worth[grade == level] = gain
    return worth
