"""Some rows of a run or of qrels, as a run or qrels of their own."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from denominator import ids
from denominator.model import Labels, Qrels, Run

if TYPE_CHECKING:
    from denominator.model import I64, Bool

__all__ = ["subset"]

Rows = TypeVar("Rows", bound=Run | Qrels)

FEW = 1 << 16
"""Up to so many ids are taken one by one: loading Arrow's own way to do it costs more."""


def subset(rows: Rows, keep: Bool) -> Rows:
    """Return the rows where `keep` holds, in their order; queries left without a row are gone from `queries`."""
    if keep.all():
        return rows
    at = np.flatnonzero(keep)
    kept, first, code = np.unique(rows.query[at], return_index=True, return_inverse=True)
    order = np.argsort(first)
    new = np.empty(len(kept), dtype=np.int32)
    new[order] = np.arange(len(kept), dtype=np.int32)
    changes: dict[str, Any] = {
        "queries": tuple(rows.queries[old] for old in kept[order].tolist()),
        "query": new[code],
        "doc_id": _taken(rows.doc_id, at),
        "line": rows.line[at] if rows.line is not None else at + 1 if rows.has_lines else None,
    }
    if isinstance(rows, Run):
        rank = rows.rank
        changes["score"] = rows.score[at]
        changes["tag"] = _labels(rows.tag, at)
        changes["rank"] = tuple(itertools.compress(rank, keep.tolist())) if isinstance(rank, tuple) else rank
        if isinstance(rank, np.ndarray):
            changes["rank"] = rank[at]
    else:
        changes["relevance"] = rows.relevance[at]
        changes["iteration"] = _labels(rows.iteration, at)
    return replace(rows, **changes)


def _taken(column: Any, at: I64) -> Any:
    import pyarrow as pa

    if len(at) <= FEW:
        return pa.array(ids.strings_at(column, at), type=pa.large_string())
    return column.take(pa.array(at))


def _labels(labels: Labels | None, at: I64) -> Labels | None:
    return None if labels is None else Labels(labels.values, labels.code[at])
