"""The judged part of a ranking in which some documents share a place: the input of all that is about orders.

A group of ties is a stretch of positions that its documents can take in any order. Only groups that hold a judged
document can change a value, so a group is known by its judged documents, its first position and its size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from denominator.cached import cached_property
from denominator.errors import UsageError
from denominator.quoting import plain, quoted

if TYPE_CHECKING:
    from denominator.hits import Hits
    from denominator.model import F64, I64, Run

__all__ = ["Tied", "drawn", "shuffled"]


@dataclass(frozen=True, eq=False)
class Tied:
    """Hits, each with the stretch of positions that its group holds. Shapes: q queries, h hits."""

    hits: Hits
    first: I64
    """(h,) the first position of the group, from 0; the hit's own where it is tied with nothing."""
    size: I64
    """(h,) how many documents the group holds, judged or not."""
    length: I64 | None = None
    """(q,) how many documents are looked at, where the ranking is longer than what is retrieved of it; else None."""

    @classmethod
    def of(cls, hits: Hits, run: Run) -> Tied:
        """Return the ties of a run: documents of one query whose scores are equal as 64-bit floats, or all NaN."""
        start = run.numbers_of(hits.queries)[hits.query]
        low, high = run.ranking.offsets[start], run.ranking.offsets[start + 1]
        place = low + hits.position
        score = _score(run, place)
        before = _first_place(run, low, place, score)
        after = _first_place(run, place, high, score, past=True)
        return cls(hits, before - low, after - before)

    @cached_property
    def group(self) -> I64:
        """(h,) the number of each hit's group; groups are counted in the order of the hits."""
        new = np.ones(len(self.first), dtype=np.bool_)
        new[1:] = (self.hits.query[1:] != self.hits.query[:-1]) | (self.first[1:] != self.first[:-1])
        number: I64 = np.cumsum(new) - 1
        return number

    @cached_property
    def condensed(self) -> Tied:
        """The same without the documents that are not judged."""
        hits = self.hits.condensed()
        kept = np.flatnonzero(self.hits.grade >= 0)
        _, begins, group, size = np.unique(self.group[kept], return_index=True, return_inverse=True, return_counts=True)
        return Tied(hits, hits.position[begins][group], size[group])

    def ordered(self, worth: F64 | I64, best: bool) -> Hits:
        """Return the ranking in which the hits of each group stand first, most worth on top, or last, most worth below.

        `worth` (h,): what each hit gains. Documents without a judgment fill the rest of the group.
        """
        order = np.lexsort((-worth if best else worth, self.group))
        begins = np.flatnonzero(np.diff(self.group, prepend=-1))
        counts = np.diff(np.append(begins, len(order)))
        nth = np.arange(len(order)) - np.repeat(begins, counts)
        free = 0 if best else self.size - np.repeat(counts, counts)
        return replace(self.hits, position=self.first + free + nth, grade=self.hits.grade[order])


def shuffled(hits: Hits) -> Tied:
    """Return a ranking in which every retrieved document of a query is tied with every other."""
    return Tied(hits, np.zeros_like(hits.position), hits.retrieved[hits.query])


def drawn(hits: Hits, documents: int, name: str) -> Tied:
    """Return a ranking of a whole corpus, all tied, of which as many documents are looked at as the run retrieved.

    Raises:
        UsageError: more documents are judged or retrieved for a query than the corpus holds.
    """
    for counts, what in ((np.diff(hits.judged_offsets), "judged"), (hits.retrieved, f"retrieved by {plain(name)}")):
        at = int(np.argmax(counts))
        if counts[at] > documents:
            raise UsageError(
                f"corpus_size={documents:,}: query {quoted(hits.queries[at])} alone has {int(counts[at]):,} documents "
                f"{what}; give the number of documents in the collection"
            )
    query = hits.judged_query
    every = replace(
        hits, query=query, position=np.arange(len(query)) - hits.judged_offsets[query], grade=hits.judged_grade
    )
    return Tied(every, np.zeros_like(query), np.full_like(query, documents), hits.retrieved)


def _score(run: Run, place: I64) -> F64:
    """Return the scores at some places of the ranked order."""
    return run.score[run.ranking.rows_at(place)]


def _first_place(run: Run, low: I64, high: I64, score: F64, past: bool = False) -> I64:
    """Return, in each stretch low to high of falling scores, the first place at or `past` a score; high if none is.

    NaN ranks after everything, and is equal to NaN.
    """
    low, high = low.copy(), high.copy()
    nan = np.isnan(score)
    while (open_ := low < high).any():
        middle = (low + high) // 2
        found = _score(run, np.where(open_, middle, low - (low > 0)))
        at, beyond = ~(found > score) & (~nan | np.isnan(found)), ~(found >= score) & ~nan
        reached = beyond if past else at
        high = np.where(open_ & reached, middle, high)
        low = np.where(open_ & ~reached, middle + 1, low)
    return low
