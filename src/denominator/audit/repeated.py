"""The (query, document) pairs that are judged more than once, as columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from denominator.model import F64, I64, Bool, Qrels

__all__ = ["Repeats"]


@dataclass(frozen=True, eq=False)
class Repeats:
    """Rows whose pair occurs more than once, grouped by pair. Shapes: m rows, p pairs."""

    rows: I64
    """(m,) rows of the qrels, grouped by pair, in row order within a pair."""
    pair: I64
    """(m,) the number of the pair."""
    first: I64
    """(p,) where each pair begins in `rows`."""
    lowest: F64
    """(p,) its lowest grade."""
    highest: F64
    last: F64
    """(p,) the grade of its last judgment."""
    by_subtopic: Bool
    """(p,) whether each of its judgments has a second column of its own, as diversity judgments have."""

    @classmethod
    def of(cls, qrels: Qrels) -> Repeats:
        """Return the repeated pairs of some qrels; a grade that is no number is no judgment."""
        rows = qrels.repeated_rows
        rows = rows[~np.isnan(qrels.relevance[rows].astype(np.float64))]
        # repeated_rows compared the ids; among them one hash is one pair but for a chance of 1 in 2**64 within a query
        hashes = qrels.pair_hash[rows]
        order = np.lexsort((rows, hashes, qrels.query[rows]))
        rows, hashes = rows[order], hashes[order]
        new = np.ones(len(rows), dtype=np.bool_)
        new[1:] = (hashes[1:] != hashes[:-1]) | (qrels.query[rows][1:] != qrels.query[rows][:-1])
        alone = new & np.append(new[1:], True)
        rows, new = rows[~alone], new[~alone]
        first, pair = np.flatnonzero(new), np.cumsum(new) - 1
        grade = qrels.relevance[rows].astype(np.float64)
        ends = np.append(first[1:], len(rows))[: len(first)] - 1
        none = np.zeros(0)
        return cls(
            rows,
            pair,
            first,
            np.minimum.reduceat(grade, first) if len(first) else none,
            np.maximum.reduceat(grade, first) if len(first) else none,
            grade[ends],
            _all_differ(qrels, rows, pair, len(first)),
        )

    @property
    def differ(self) -> Bool:
        """(p,) whether a pair is graded differently."""
        unequal: Bool = self.lowest != self.highest
        return unequal

    def again(self, pairs: Bool) -> I64:
        """Return the positions in `rows` of every judgment but the first of the pairs that are masked."""
        later = np.ones(len(self.rows), dtype=np.bool_)
        later[self.first] = False
        return np.flatnonzero(later & pairs[self.pair])

    def regraded(self, raw: Qrels, judged: Qrels, grade: F64) -> Qrels:
        """Return `judged`, which holds the first judgment of each pair, with another grade for each pair. (p,)."""
        kept = ~np.isnan(raw.relevance.astype(np.float64))
        kept[np.delete(self.rows, self.first)] = False
        relevance = judged.relevance.copy()
        relevance[np.cumsum(kept)[self.rows[self.first]] - 1] = grade
        return replace(judged, relevance=relevance)


def _all_differ(qrels: Qrels, rows: I64, pair: I64, pairs: int) -> Bool:
    """Return for each pair whether no two of its judgments have the same second column."""
    if qrels.iteration is None:
        return np.zeros(pairs, dtype=np.bool_)
    code = qrels.iteration.code[rows]
    order = np.lexsort((code, pair))
    same = (code[order][1:] == code[order][:-1]) & (pair[order][1:] == pair[order][:-1])
    out = np.ones(pairs, dtype=np.bool_)
    out[pair[order][1:][same]] = False
    return out
