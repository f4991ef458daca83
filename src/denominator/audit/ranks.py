"""The rank column of a run, in the order of its scores: what it says, query by query, and where it contradicts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.cached import cached_property
from denominator.formats import numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.model import F64, I64, Bool, Run

__all__ = ["Ranks", "contradicting", "is_number", "per_query_sum"]

SPARSE = 4
"""Ranks that span more than so many times the rows of their query are sorted; others are counted in a table."""


EXACT = 2.0**53
"""Up to here every whole number is a float."""


def is_number(text: str) -> bool:
    """Return whether a rank is a number: not a word, not infinite and not NaN."""
    value = numbers.real(text)
    return value is not None and bool(np.isfinite(value))


@dataclass(frozen=True, eq=False)
class Ranks:
    """A rank column of numbers, grouped by query in ranked order. Shapes: n rows, q queries of the run."""

    value: Any
    """(n,) int64, or float64 where some rank is a fraction."""
    offsets: I64
    """(q + 1,) where each query begins."""

    @classmethod
    def of(cls, run: Run) -> Ranks | None:
        """Return the rank column of a run, or None where there is none, or a text in it is no number."""
        rank: Any = run.rank
        if isinstance(rank, tuple):
            if not all(map(is_number, set(rank))):
                return None
            rank = np.array([float(text) for text in rank])
            if (np.abs(rank) < EXACT).all() and (rank == np.trunc(rank)).all():
                rank = rank.astype(np.int64)
        if rank is None or not len(rank):
            return None
        rows = run.ranking.rows
        return cls(rank if rows is None else rank[rows], run.ranking.offsets)

    @property
    def is_whole(self) -> bool:
        """Whether all ranks are whole numbers."""
        return bool(self.value.dtype.kind == "i")

    @cached_property
    def size(self) -> I64:
        """(q,) how many rows each query has."""
        size: I64 = np.diff(self.offsets)
        return size

    @cached_property
    def low(self) -> Any:
        """(q,) the smallest rank."""
        return np.minimum.reduceat(self.value, self.offsets[:-1])

    @cached_property
    def high(self) -> Any:
        """(q,) the largest rank."""
        return np.maximum.reduceat(self.value, self.offsets[:-1])

    @cached_property
    def is_constant(self) -> bool:
        """Whether the column says nothing: one rank for all rows of each query, and some query has several."""
        return bool((self.low == self.high).all() and self.size.max() > 1)

    @cached_property
    def is_label(self) -> bool:
        """Whether there are zeros and ones only, both, and more rows than that in some query."""
        return bool(
            self.is_whole
            and not self.is_constant
            and self.low.min() == 0
            and self.high.max() == 1
            and self.size.max() > 2
        )

    @property
    def counts(self) -> bool:
        """Whether the column may be what it is called: whole numbers, and neither constant nor a label."""
        return self.is_whole and not self.is_constant and not self.is_label

    @cached_property
    def distinct(self) -> I64:
        """(q,) how many different ranks each query has; whole ranks only."""
        rises = self.value[1:] > self.value[:-1]
        rises[self.offsets[1:-1] - 1] = True
        if rises.all():
            return self.size
        out = np.zeros(len(self.size), dtype=np.int64)
        for low, high in _chunks(self.offsets):
            out[low:high] = self._distinct_among(low, high)
        return out

    def _distinct_among(self, first: int, last: int) -> I64:
        """Return :attr:`distinct` of the queries from `first` to before `last`: ranks are counted in a table."""
        size, low = self.size[first:last], self.low[first:last]
        span = self.high[first:last].astype(np.float64) - low + 1  # as floats: whole numbers of 64 bits may overflow
        dense = span <= SPARSE * (size + 4)
        step = np.where(dense, span, 0).astype(np.int64)
        base = np.cumsum(step) - step
        rows = slice(int(self.offsets[first]), int(self.offsets[last]))
        query = np.repeat(np.arange(len(size)), size)
        here = dense[query]
        filled = np.zeros(int(step.sum()) + 1, dtype=np.int64)
        filled[1:][(self.value[rows] - (low - base)[query])[here]] = 1
        filled = np.cumsum(filled)
        out: I64 = filled[base + step] - filled[base]
        for one in np.flatnonzero(~dense).tolist():
            out[one] = len(np.unique(self.value[self.offsets[first + one] : self.offsets[first + one + 1]]))
        return out

    @property
    def missing(self) -> I64:
        """(q,) how many ranks between the smallest and the largest no row has; whole ranks only."""
        span = self.high.astype(np.float64) - self.low + 1
        out: I64 = np.minimum(span - self.distinct, EXACT).astype(np.int64)
        return out

    def up_to(self, k: int) -> I64:
        """(q,) how many documents a tool that keeps ranks of at most `k` would keep."""
        return per_query_sum(self.value <= k, self.offsets)


def per_query_sum(mask: Bool, offsets: I64) -> I64:
    """Return how many rows of each query are in a mask that is in ranked order. (q,)."""
    count: I64 = np.add.reduceat(mask, offsets[:-1], dtype=np.int64)
    return count


def contradicting(run: Run, value: Any) -> Bool:
    """Return in which queries a column contradicts the scores: a document with a higher score has the larger number.

    `value` (n,) is in ranked order. Among equal scores any order is fine. One pass where the column is in order; only
    queries in which nothing but equal scores are out of order are sorted.
    """
    rows, offsets = run.ranking.rows, run.ranking.offsets
    out = np.zeros(len(offsets) - 1, dtype=np.bool_)
    fall = value[1:] < value[:-1]
    fall[offsets[1:-1] - 1] = False
    falls = np.flatnonzero(fall)
    if not len(falls):
        return out
    score = run.score if rows is None else run.score[rows]
    tied = _equal(score[falls], score[falls + 1])
    query = np.searchsorted(offsets, falls, side="right") - 1
    out[query[~tied]] = True
    unsure = np.zeros(len(out), dtype=np.bool_)
    unsure[query[tied]] = True
    unsure &= ~out
    for low, high in _chunks(offsets) if unsure.any() else ():
        code = np.repeat(np.arange(low, high), np.diff(offsets[low : high + 1]))
        at = np.flatnonzero(unsure[code])
        code, at = code[at], at + offsets[low]
        same = code[1:] == code[:-1]
        group = np.cumsum(np.append(False, ~_equal(score[at][1:], score[at][:-1]) | ~same)) if len(at) else at
        in_groups = value[at][np.lexsort((value[at], group))]
        out[code[1:][(in_groups[1:] < in_groups[:-1]) & same]] = True
    return out


def _equal(left: F64, right: F64) -> Bool:
    """Return which scores are tied; NaN ranks last and is tied with NaN."""
    same: Bool = (left == right) | (np.isnan(left) & np.isnan(right))
    return same


def _chunks(offsets: I64, rows: int = 1 << 20) -> Iterator[tuple[int, int]]:
    """Yield ranges of queries that have about so many rows together."""
    low, queries = 0, len(offsets) - 1
    while low < queries:
        high = max(int(np.searchsorted(offsets, offsets[low] + rows)), low + 1)
        yield low, min(high, queries)
        low = high
