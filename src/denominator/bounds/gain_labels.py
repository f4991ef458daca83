"""The lowest and highest nDCG over all labellings of the unjudged documents in a ranking.

A label moves numerator and denominator: DCG grows with it where the document stands inside the cutoff, and the ideal
DCG grows with it wherever it stands. So nDCG with every unjudged document taken as 0 is **not** the lowest value, and
with all of them taken as gmax not the highest.

For a given set of labels the DCG is highest with the higher ones further up, and lowest with them further down. So a
labelling is known by nested counts: how many labels gain at least v, for each gain v there can be. Then

- DCG is a sum over the gains v of (v - the gain below it) x (discounts of as many unjudged places),
- the ideal DCG is a sum over the gains v of (v - the gain below it) x (discounts of the first ranks, as many as there
  are judged documents and labels that gain at least v).

**Highest**: DCG / ideal is greater than λ where DCG - λ·ideal is greater than 0; that difference is a sum over the
gains, and is made as great as it can be gain by gain, the counts nested. λ is then raised to the quotient found, until
it stays (Dinkelbach, On nonlinear fractional programming, Management Science 13 (1967) 492-498). Between the gains of
judged documents the difference is linear in each label, so that no gains but theirs, and the ends, need be tried.

**Lowest**: DCG - λ·ideal is concave in the labels, so that each is at one of its ends, the least gain or the greatest;
the number of greatest ones is tried out. Labels outside the cutoff cost nothing and are all greatest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.bounds.gains import discounts_before, gain_of
from denominator.bounds.open_places import entries
from denominator.cached import cached_property
from denominator.engines.columnar import sums
from denominator.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.bounds.open_places import Block, OpenPlaces
    from denominator.measures import Measure
    from denominator.model import F64, I64, Bool

__all__ = ["ndcg_bounds"]

MOST_GAINS = 16
"""With more different gains than this, queries are looked at one by one, each with its own gains only."""
LARGEST_EXPONENT = 500
"""With a higher grade than this as an exponent, queries are looked at one by one: their gains differ beyond floats."""
MOST_GRADES = 1000
"""With gains of one's own, every grade from 0 to gmax is looked up; so many at most."""
MOST_ROUNDS = 100


def ndcg_bounds(places: OpenPlaces, measure: Measure, gmax: float) -> tuple[F64, F64]:
    """Return the lowest and the highest value of each query, (q,) each.

    Raises:
        UsageError: gains= with fractions among the grades, or with a gmax above 1,000.
    """
    hits = places.hits
    if measure["gains"] and (hits.judged_grade.dtype.kind == "f" or gmax > MOST_GRADES):
        raise UsageError(
            f"unjudged bounds of {measure}: with gains= the grades must be whole numbers, and gmax at most "
            f"{MOST_GRADES:,}; found {'grades with fractions' if gmax <= MOST_GRADES else f'gmax={gmax:,g}'}"
        )
    judged = hits.judged_grade[hits.judged_grade > 0]
    alone = len(judged) > 0 and measure["dcg"] == "exp-log2" and max(judged.max(), gmax) > LARGEST_EXPONENT
    alone = bool(alone) or len(np.unique(judged)) > MOST_GAINS
    longest = int(np.diff(hits.judged_offsets).max(initial=0) + hits.retrieved.max(initial=0)) + places.outside
    if measure.cutoff is not None:
        longest = min(longest, int(measure.cutoff))
    table = discounts_before(longest).astype(np.float64)
    low, high = np.zeros(len(places.inside)), np.zeros(len(places.inside))
    for block in places.blocks(alone=alone, closed=True):
        found = _Labelled.of(block, measure, gmax, table)
        low[block.queries] = found.lowest()
        high[block.queries] = found.highest()
    return low, high


@dataclass(frozen=True, eq=False)
class _Labelled:
    """The labels of some queries. Shapes: b queries, w unjudged places, z gains."""

    block: Block
    table: F64
    """The discounts of the first 0, 1, … ranks, added up, as far as the ideal ranking can go."""
    dcg: F64
    """(b,) the DCG of the judged documents inside."""
    labels: F64
    """The gains that a label can have, ascending."""
    gains: F64
    """(z,) all gains above 0 that judged documents or labels have, ascending."""
    at_least: I64
    """(b, z) how many judged documents gain at least as much."""

    @classmethod
    def of(cls, block: Block, measure: Measure, gmax: float, table: F64) -> _Labelled:
        """Return the labels of a block of queries."""
        places, hits = block.open, block.open.hits
        row, at = entries(hits.judged_offsets, block.queries)
        grade = hits.judged_grade[at]
        top = max(grade.max(initial=0).item(), gmax)
        ideal = gain_of(grade, measure, top)
        labels = _label_gains(grade, measure, gmax, top)
        gains = np.unique(np.concatenate([ideal, labels]))
        gains = gains[gains > 0]
        positive = ideal > 0
        cell = row[positive] * len(gains) + np.searchsorted(gains, ideal[positive])
        counted = np.bincount(cell, minlength=len(block.queries) * len(gains)).reshape(len(block.queries), len(gains))
        at_least = np.cumsum(counted[:, ::-1], axis=1)[:, ::-1]
        worth = gain_of(places.grade[block.at], measure, top) / sums.log2_of(places.place[block.at] + 2)
        return cls(block, table, sums.total(block.row, worth, len(block.queries)), labels, gains, at_least)

    @cached_property
    def discount(self) -> F64:
        """(b, w) the discount of each unjudged place inside, from the top down; 0 where there is none."""
        discount: F64 = self.block.there / sums.log2_of(self.block.position + 2)
        return discount

    @cached_property
    def unjudged(self) -> I64:
        """(b, 1) how many labels are inside."""
        count: I64 = self.block.open.unjudged[self.block.queries, None]
        return count

    @cached_property
    def every(self) -> I64:
        """(b, 1) how many labels there are."""
        count: I64 = self.unjudged + self.block.open.free[self.block.queries, None]
        return count

    def ideal(self, which: Bool, count: I64) -> F64:
        """Return what some gains add to the ideal DCG, if `count` labels (b, n) gain as much. Shape (b, n)."""
        part = np.zeros(np.broadcast_shapes(count.shape, (len(self.at_least), 1)))
        steps = np.diff(self.gains, prepend=0.0)
        for number in np.flatnonzero(which).tolist():
            ranks = np.minimum(self.at_least[:, number, None] + count, len(self.table) - 1)
            part += steps[number] * self.table[ranks]
        return part

    @cached_property
    def fixed(self) -> tuple[F64, F64]:
        """(b, 1) twice: DCG and ideal DCG as far as they are the same for all labels between the ends."""
        dcg = self.dcg[:, None] + self.labels[0] * self.discount.sum(axis=1, keepdims=True)
        none = np.zeros_like(self.every)
        ideal = self.ideal(self.gains <= self.labels[0], self.every) + self.ideal(self.gains > self.labels[-1], none)
        return dcg, ideal

    def lowest(self) -> F64:
        """Return the lowest value of each query: some bottom labels have the greatest gain, the rest the least."""
        fixed_dcg, fixed_ideal = self.fixed
        count = np.arange(self.block.width + 1)
        down = np.cumsum(self.discount[:, ::-1], axis=1)
        # Places that a query does not have come first, with discount 0: they stand for no further label.
        missing = self.block.width - self.unjudged
        dcg = fixed_dcg + (self.labels[-1] - self.labels[0]) * np.pad(down, ((0, 0), (1, 0)))
        between = (self.gains > self.labels[0]) & (self.gains <= self.labels[-1])
        free = self.block.open.free[self.block.queries, None]
        ideal = fixed_ideal + self.ideal(between, free + np.maximum(count - missing, 0))
        lowest: F64 = _quotient(dcg, ideal).min(axis=1)
        return lowest

    def highest(self) -> F64:
        """Return the highest value of each query; labels outside have the least gain."""
        fixed_dcg, fixed_ideal = self.fixed
        parts = list(self._steps())
        if not parts:
            return _quotient(fixed_dcg, fixed_ideal)[:, 0]
        there = np.arange(self.block.width + 1) <= self.unjudged
        if len(parts) == 1:
            quotient = _quotient(fixed_dcg + parts[0][0], fixed_ideal + parts[0][1])
            highest: F64 = np.where(there, quotient, 0.0).max(axis=1)
            return highest
        best = _quotient(fixed_dcg, fixed_ideal + sum(part[1][:, :1] for part in parts))
        rows = np.arange(len(best))
        for _ in range(MOST_ROUNDS):
            picked = _nested(parts, best[rows], rows, there[rows])
            dcg, ideal = (
                fixed[rows] + sum(part[which][rows, count][:, None] for part, count in zip(parts, picked, strict=True))
                for which, fixed in enumerate((fixed_dcg, fixed_ideal))
            )
            better = _quotient(dcg, ideal)
            more = better[:, 0] > best[rows, 0]
            rows = rows[more]
            best[rows] = better[more]
            if not len(rows):
                break
        return best[:, 0]

    def _steps(self) -> Iterator[tuple[F64, F64]]:
        """Yield, for each gain a label can have but the least, what 0, 1, … labels of it add: to the DCG and the ideal.

        Shapes (b, w + 1). The labels that gain more are counted among those that gain as much.
        """
        up = np.pad(np.cumsum(self.discount, axis=1), ((0, 0), (1, 0)))
        count = np.arange(self.block.width + 1)[None, :]
        for lower, upper in zip(self.labels[:-1], self.labels[1:], strict=True):
            yield (upper - lower) * up, self.ideal((self.gains > lower) & (self.gains <= upper), count)


def _nested(parts: list[tuple[F64, F64]], least: F64, rows: I64, there: Bool) -> list[I64]:
    """Return the counts, none greater than the one before, that make DCG - least x ideal greatest. Shapes (rows,)."""
    worth = [np.where(there, dcg[rows] - least * ideal[rows], -np.inf) for dcg, ideal in parts]
    for lower, upper in zip(worth[-2::-1], worth[:0:-1], strict=True):
        lower += np.maximum.accumulate(upper, axis=1)
    picked: list[I64] = []
    columns = np.arange(there.shape[1])
    for one in worth:
        allowed = one if not picked else np.where(columns <= picked[-1][:, None], one, -np.inf)
        picked.append(allowed.argmax(axis=1))
    return picked


def _label_gains(grade: F64 | I64, measure: Measure, gmax: float, top: float) -> F64:
    """Return the gains that labels can have and need be tried, ascending: the ends, and those of judged documents."""
    if measure["gains"]:
        return np.unique(gain_of(np.arange(int(gmax) + 1), measure))
    own = grade[(grade > 0) & (grade < gmax)]
    return np.unique(gain_of(np.concatenate([[0], own, [gmax]]), measure, top))


def _quotient(dcg: F64, ideal: F64) -> F64:
    """Return DCG / ideal, 0 where nothing can be gained."""
    return np.divide(dcg, ideal, out=np.zeros(np.broadcast_shapes(dcg.shape, ideal.shape)), where=ideal > 0)
