"""The order in which a finding shows its places: worst first, and the same however the rows of a file are shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import ids

if TYPE_CHECKING:
    from denominator.model import I64, Qrels, Run

__all__ = ["worst_queries", "worst_rows"]


def worst_queries(queries: tuple[str, ...], which: I64, *badness: Any) -> I64:
    """Return some queries of a run, lowest badness first, then in byte order of their ids.

    Shapes: `which` (m,) indices into `queries`; each badness (m,).
    """
    order = np.lexsort((_rank(queries)[which], *reversed(badness)))
    return which[order]


def worst_rows(table: Run | Qrels, rows: I64, *badness: Any) -> I64:
    """Return how to arrange some rows of a table: lowest badness first, then by query, by document, and as they stand.

    Shapes: `rows` (m,), each badness (m,); the result (m,) holds indices into `rows`.
    """
    names = [] if not len(rows) else list(reversed(ids.order_words(table.doc_id, rows)))
    order: I64 = np.lexsort((rows, *names, _rank(table.queries)[table.query[rows]], *reversed(badness)))
    return order


def _rank(queries: tuple[str, ...]) -> I64:
    """Return the place of each query in byte order."""
    rank = np.empty(len(queries), dtype=np.int64)
    rank[sorted(range(len(queries)), key=queries.__getitem__)] = np.arange(len(queries))
    return rank
