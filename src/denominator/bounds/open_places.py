"""Where the unjudged documents of a ranking stand, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.cached import cached_property
from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.hits import Hits
    from denominator.model import F64, I64, Bool

__all__ = ["Block", "OpenPlaces", "entries"]

BLOCK = 1 << 16
"""How many unjudged documents are looked at in one go: the arrays of a block stay in the cache."""


@dataclass(frozen=True, eq=False)
class OpenPlaces:
    """The judged and the unjudged documents among the first `inside` of each ranking, and the unjudged below.

    A document in the pool with a grade below 0 is unjudged. Shapes: q queries, j judged documents retrieved.
    """

    hits: Hits
    inside: I64
    """(q,) how many documents the measure looks at."""
    outside: int
    """How many unjudged documents could be labelled that were not retrieved."""

    @cached_property
    def judged(self) -> I64:
        """(j,) the hits that are judged."""
        return np.flatnonzero(self.hits.grade >= 0)

    @cached_property
    def query(self) -> I64:
        """(j,) their query."""
        return self.hits.query[self.judged]

    @cached_property
    def place(self) -> I64:
        """(j,) their position, from 0."""
        return self.hits.position[self.judged]

    @cached_property
    def grade(self) -> I64 | F64:
        """(j,) their grade."""
        return self.hits.grade[self.judged]

    @cached_property
    def starts(self) -> I64:
        """(q + 1,) where each query's judged documents begin."""
        return sums.starts_of(self.query, len(self.hits.queries))

    @cached_property
    def seen(self) -> Bool:
        """(j,) whether they are inside."""
        return self.place < self.inside[self.query]

    @cached_property
    def unjudged_above(self) -> I64:
        """(j,) how many unjudged documents stand above each."""
        above: I64 = self.place - sums.ordinals(self.query, self.starts)
        return above

    @cached_property
    def unjudged(self) -> I64:
        """(q,) how many unjudged documents are inside."""
        return self.inside - np.bincount(self.query[self.seen], minlength=len(self.inside))

    @cached_property
    def free(self) -> I64:
        """(q,) how many unjudged documents a label costs nothing: those below `inside`, and those not retrieved."""
        all_: I64 = self.hits.retrieved - np.diff(self.starts)
        return all_ - self.unjudged + self.outside

    @cached_property
    def first_unjudged(self) -> I64:
        """(q,) the position of the first unjudged document: below an unbroken row of judged ones."""
        return np.bincount(self.query[self.unjudged_above == 0], minlength=len(self.inside))

    def blocks(self, alone: bool = False, closed: bool = False) -> Iterator[Block]:
        """Yield the answered queries with an unjudged document inside, some at a time, or each `alone`.

        With `closed` also those without one, in blocks of width 0.
        """
        order = np.argsort(-self.unjudged, kind="stable")
        order = order[self.hits.answered[order]]
        some = int(np.searchsorted(-self.unjudged[order], 0))
        low = 0
        while low < (len(order) if closed else some):
            width = int(self.unjudged[order[low]])
            high = low + (1 if alone else max(BLOCK // max(width, 1), 1))
            if low < some:
                high = min(high, some)
            yield Block.of(self, order[low:high], width)
            low = high


@dataclass(frozen=True, eq=False)
class Block:
    """Some queries side by side. Shapes: b queries, w the most unjudged documents that one of them has inside."""

    open: OpenPlaces
    queries: I64
    """(b,) their indices."""
    width: int
    row: I64
    """Per judged document of theirs that is inside, its query's row."""
    at: I64
    """Per judged document of theirs that is inside, its index among all judged documents retrieved."""

    @classmethod
    def of(cls, places: OpenPlaces, queries: I64, width: int) -> Block:
        """Return the block of some queries."""
        row, at = entries(places.starts, queries)
        kept = places.seen[at]
        return cls(places, queries, width, row[kept], at[kept])

    @cached_property
    def there(self) -> Bool:
        """(b, w) whether the query has as many unjudged documents inside."""
        there: Bool = np.arange(self.width) < self.open.unjudged[self.queries, None]
        return there

    @cached_property
    def position(self) -> I64:
        """(b, w) the position of each unjudged document, from 0, from the top down."""
        return np.arange(self.width) + np.cumsum(self.counted(self.open.unjudged_above[self.at]), axis=1)

    def counted(self, column: I64, which: Bool | None = None, weight: F64 | None = None) -> F64 | I64:
        """Return how many of the judged documents inside, or of `which`, fall in each column. Shape (b, w).

        Columns beyond the last are left out; with `weight` weights are added up.
        """
        kept = (column >= 0) & (column < self.width)
        if which is not None:
            kept &= which
        flat = self.row[kept] * self.width + column[kept]
        added = np.bincount(flat, None if weight is None else weight[kept], len(self.queries) * self.width)
        return added.reshape(len(self.queries), self.width)


def entries(starts: I64, queries: I64) -> tuple[I64, I64]:
    """Return the entries of some queries in an array grouped by query: for each its query's row, and its index."""
    sizes = starts[queries + 1] - starts[queries]
    row = np.repeat(np.arange(len(queries)), sizes)
    at: I64 = np.arange(len(row)) + np.repeat(starts[queries] - (np.cumsum(sizes) - sizes), sizes)
    return row, at
