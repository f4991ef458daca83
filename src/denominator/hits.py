"""The judged part of a ranking: all that a measure needs to know of a run.

Almost every measure depends only on the positions and grades of the *judged* documents that were retrieved, on how many
documents were retrieved, and on the judgments themselves. That is a few thousand rows where a run has millions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.cached import cached_property

if TYPE_CHECKING:
    from denominator.model import F64, I64, Bool, Qrels, Run

__all__ = ["Hits", "match"]


@dataclass(frozen=True, eq=False, repr=False)
class Hits:
    """The one canonical input of every measure. Shapes: q judged queries, h judged retrieved documents.

    Hits are grouped by query in the order of `queries`, and by ascending position within a query.
    """

    queries: tuple[str, ...]
    """The judged queries, in the order of ``qrels.queries``."""
    answered: Bool
    """(q,) whether the run holds the query."""
    retrieved: I64
    """(q,) how many documents the run holds for the query."""
    query: I64
    """(h,) index into `queries`."""
    position: I64
    """(h,) position in the ranking, from 0."""
    grade: I64 | F64
    """(h,) the grade of the document; below 0 it is in the pool but not judged."""
    judged_offsets: I64
    """(q + 1,) where each query's judgments begin in `judged_grade`."""
    judged_grade: I64 | F64
    """The grades of all distinct judged documents, grouped by query, descending within a query."""

    def __repr__(self) -> str:
        """Return ``<Hits: 43 queries, 1,204 hits>``."""
        queries, hits = len(self.queries), len(self.query)
        return (
            f"<Hits: {queries:,} {'query' if queries == 1 else 'queries'}, {hits:,} {'hit' if hits == 1 else 'hits'}>"
        )

    @cached_property
    def judged_query(self) -> I64:
        """Per entry of `judged_grade`, the index of its query."""
        return np.repeat(np.arange(len(self.queries)), np.diff(self.judged_offsets))

    def count(self, mask: Bool) -> I64:
        """Return, per query, how many of its hits are in the mask. Shape (q,)."""
        return np.bincount(self.query[mask], minlength=len(self.queries))

    def relevant(self, level: float = 1) -> I64:
        """Return |Rel| per query: the distinct judged documents with a grade of at least `level`. Shape (q,)."""
        return np.bincount(self.judged_query[self.judged_grade >= level], minlength=len(self.queries))

    def judged(self) -> I64:
        """Return the number of judged documents (grade 0 or more) per query. Shape (q,)."""
        return np.bincount(self.judged_query[self.judged_grade >= 0], minlength=len(self.queries))

    def ordered(self, order: I64) -> Hits:
        """Return the same with the queries in another order. `order` (q,)."""
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        query = place[self.query]
        arrange = np.argsort(query, kind="stable")
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(np.diff(self.judged_offsets)[order])])
        return Hits(
            tuple(map(self.queries.__getitem__, order.tolist())),
            self.answered[order],
            self.retrieved[order],
            query[arrange],
            self.position[arrange],
            self.grade[arrange],
            offsets,
            self.judged_grade[np.argsort(place[self.judged_query], kind="stable")],
        )

    def truncated(self, depth: int) -> Hits:
        """Return the same ranking cut to its first `depth` documents (trec_eval ``-M``)."""
        keep = self.position < depth
        return Hits(
            self.queries,
            self.answered,
            np.minimum(self.retrieved, depth),
            self.query[keep],
            self.position[keep],
            self.grade[keep],
            self.judged_offsets,
            self.judged_grade,
        )

    def condensed(self) -> Hits:
        """Return the condensed list: every document without a grade of 0 or more is removed (trec_eval ``-J``)."""
        keep = self.grade >= 0
        query = self.query[keep]
        retrieved = np.bincount(query, minlength=len(self.queries))
        first = np.cumsum(retrieved) - retrieved
        return Hits(
            self.queries,
            self.answered,
            retrieved,
            query,
            np.arange(len(query)) - first[query],
            self.grade[keep],
            self.judged_offsets,
            self.judged_grade,
        )


def match(qrels: Qrels, run: Run) -> Hits:
    """Find the judged documents in a ranking.

    Both inputs must hold a (query, document) pair once: the readers and `evaluate` see to it. Costs one vectorised pass
    over the run's hashes; only rows that may be judged are compared as strings.
    """
    nq = len(qrels.queries)
    qrels_query_of = qrels.numbers_of(run.queries)
    sizes = np.diff(run.ranking.offsets)
    retrieved = np.zeros(nq, dtype=np.int64)
    answered = np.zeros(nq, dtype=np.bool_)
    both = qrels_query_of >= 0
    retrieved[qrels_query_of[both]] = sizes[both]
    answered[qrels_query_of[both]] = True

    order_of_judged, judged_hash = qrels.by_hash
    rows, at = _maybe_judged(run, judged_hash)
    found = order_of_judged[at]
    exact = _same_pair(qrels, found, run, rows, qrels_query_of)
    for miss in np.flatnonzero(~exact).tolist():  # two pairs with one hash: look at the neighbours as well
        found[miss] = _among_equal_hashes(qrels, order_of_judged, judged_hash, int(at[miss]), run, int(rows[miss]))
        exact[miss] = found[miss] >= 0
    rows, found = rows[exact], found[exact]

    position = run.ranking.positions(rows, run.query[rows])
    hit_query = qrels.query[found].astype(np.int64)
    arrange = np.lexsort((position, hit_query))
    judged_offsets = np.zeros(nq + 1, dtype=np.int64)
    np.cumsum(np.bincount(qrels.query, minlength=nq), out=judged_offsets[1:])
    return Hits(
        qrels.queries,
        answered,
        retrieved,
        hit_query[arrange],
        position[arrange],
        qrels.relevance[found][arrange],
        judged_offsets,
        qrels.grades_by_query,
    )


def _maybe_judged(run: Run, judged_hash: ids.U64) -> tuple[I64, I64]:
    """Return the rows of the run whose hash is among the judged ones, and the first place where it is among them.

    Through a small table that fits the cache. Shapes (m,).
    """
    bits = min(max(len(judged_hash).bit_length() + 4, 12), 24)
    shift = np.uint64(64 - bits)
    table = np.zeros(1 << bits, dtype=np.bool_)
    table[judged_hash >> shift] = True
    found = [np.zeros((2, 0), dtype=np.int64)]
    for low in range(0, len(run), ids.BLOCK):
        part = run.pair_hash[low : low + ids.BLOCK]
        some = np.flatnonzero(table[part >> shift])
        if len(some):
            wanted = part[some]
            at = np.minimum(np.searchsorted(judged_hash, wanted), len(judged_hash) - 1)
            found.append(np.stack([some + low, at])[:, judged_hash[at] == wanted])
    rows, places = np.concatenate(found, axis=1)
    return rows, places


def _same_pair(qrels: Qrels, judged: I64, run: Run, rows: I64, qrels_query_of: I64) -> Bool:
    """Return, pair by pair, whether a judgment and a row of the run hold the same query and document."""
    same: Bool = qrels_query_of[run.query[rows]] == qrels.query[judged]
    same &= ids.same_ids(qrels.doc_id, judged, run.doc_id, rows)
    return same


def _among_equal_hashes(qrels: Qrels, order_of_judged: I64, judged_hash: ids.U64, at: int, run: Run, row: int) -> int:
    """Return the judgment equal to a row of the run among those that share its hash, or -1."""
    key = judged_hash[at]
    while at < len(judged_hash) and judged_hash[at] == key:
        judgment = int(order_of_judged[at])
        if qrels.query_of(judgment) == run.query_of(row) and qrels.doc_of(judgment) == run.doc_of(row):
            return judgment
        at += 1
    return -1
