"""Which documents of a ranking share their score, and what a ranking would be if their ties were broken otherwise.

All is by position in the ranked order: a group of ties is a stretch of it. A run has millions of rows and a few
thousand judged ones, and only groups that hold a judged document can change a number: only those are sorted again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import ids

if TYPE_CHECKING:
    from denominator.audit.evidence import RunEvidence
    from denominator.hits import Hits
    from denominator.model import F64, I64, Bool, Run

__all__ = ["Groups", "Ties", "by_name", "by_row", "first_places", "hit_places", "rearranged"]


@dataclass(frozen=True, eq=False)
class Groups:
    """Stretches of two or more neighbours in the ranked order that share their score. Shapes: (g,)."""

    first: I64
    last: I64
    """The first and the last position of each, ascending."""

    @classmethod
    def of(cls, same: Bool) -> Groups:
        """Return the groups, given for each position but the last whether its score is that of the next. (n - 1,)."""
        tied = np.flatnonzero(same)
        apart = np.flatnonzero(tied[1:] != tied[:-1] + 1)
        ends = np.append(apart, len(tied) - 1) if len(tied) else apart
        starts = np.append(0, apart + 1) if len(tied) else apart
        return cls(tied[starts], tied[ends] + 1)

    @property
    def size(self) -> I64:
        """How many documents each holds."""
        return self.last - self.first + 1

    @property
    def pairs(self) -> int:
        """How many pairs of documents are tied, neighbours or not."""
        return int((self.size * (self.size - 1) // 2).sum())

    def holding(self, places: I64) -> I64:
        """Return for each position the number of its group, or -1."""
        if not len(self.first):
            return np.full(len(places), -1)
        group = np.searchsorted(self.first, places, side="right") - 1
        return np.where((group >= 0) & (places <= self.last[group]), group, -1)


@dataclass(frozen=True, eq=False)
class Ties:
    """The ties of one ranking."""

    equal: Groups
    """Scores that are equal."""
    single: Groups
    """Scores that are equal as 32-bit floats."""
    apart: I64
    """The positions whose score is that of the next as a 32-bit float, and not as a 64-bit one."""
    neighbours: int
    """How many pairs of neighbours there are in all rankings, tied or not."""

    @classmethod
    def of(cls, run: Run) -> Ties:
        """Return the ties of a run that holds each document once a query."""
        score, within = in_order(run), _within_queries(run)
        equal = (score[1:] == score[:-1]) & within
        with np.errstate(over="ignore"):  # beyond the largest 32-bit float all scores are infinite there
            short = score.astype(np.float32)
        single = (short[1:] == short[:-1]) & within
        return cls(Groups.of(equal), Groups.of(single), np.flatnonzero(single & ~equal), int(within.sum()))


def in_order(run: Run) -> F64:
    """Return the scores in ranked order."""
    rows = run.ranking.rows
    return run.score if rows is None else run.score[rows]


def _within_queries(run: Run) -> Bool:
    """Return for each position but the last whether the next belongs to the same query."""
    within = np.ones(max(len(run) - 1, 0), dtype=np.bool_)
    ends = run.ranking.offsets[1:-1] - 1
    within[ends[(ends >= 0) & (ends < len(within))]] = False
    return within


def first_places(run: RunEvidence) -> I64:
    """Return where the ranking of each judged query begins in the ranked order, -1 where it is not answered. (q,)."""
    number = {query: index for index, query in enumerate(run.ranked.queries)}
    offsets = run.ranked.ranking.offsets
    return np.array([offsets[number[query]] if query in number else -1 for query in run.hits.queries], dtype=np.int64)


def hit_places(run: RunEvidence) -> I64:
    """Return the position in the ranked order of each judged document that was retrieved. (h,)."""
    return first_places(run)[run.hits.query] + run.hits.position


Keys = Callable[["Run", "I64"], list[Any]]
"""The sort keys of some rows of a run, least significant first."""


def by_name(run: Run, rows: I64) -> list[Any]:
    """Order by document id descending, as trec_eval breaks ties."""
    return [~word for word in reversed(ids.order_words(run.doc_id, rows))]


def by_row(run: Run, rows: I64) -> list[Any]:
    """Order as the rows stand in the file."""
    return [rows]


def rearranged(run: RunEvidence, groups: Groups, keys: Keys) -> Hits:
    """Return the judged part of the ranking with the documents of each group in another order."""
    hits, places = run.hits, hit_places(run)
    touched = np.unique(groups.holding(places))
    touched = touched[touched >= 0]
    size = groups.size[touched]
    group = np.repeat(np.arange(len(touched)), size)
    members = np.arange(len(group)) + np.repeat(groups.first[touched] - (np.cumsum(size) - size), size)
    if not len(members):
        return hits
    ranking = run.ranked.ranking
    rows = ranking.rows_at(members)
    moved = np.empty_like(members)
    moved[np.lexsort((*keys(run.ranked, rows), group))] = members
    at = np.minimum(np.searchsorted(members, places), len(members) - 1)
    new = np.where(members[at] == places, moved[at], places)
    position = hits.position + new - places
    arrange = np.lexsort((position, hits.query))
    return replace(hits, query=hits.query[arrange], position=position[arrange], grade=hits.grade[arrange])
