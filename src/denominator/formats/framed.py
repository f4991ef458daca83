"""Runs and judgments as tables of Arrow, pandas and polars, which :mod:`denominator.formats.frames` reads back.

=========================  ==============  =======================================================================
ir_datasets, ir_measures   pyterrier
=========================  ==============  =======================================================================
query_id                   qid             string
doc_id                     docno           string
score                      score           float64; of a run
rank                       rank            of a run: int64, or string where one is not a whole number
tag                        tag             string; of a run
relevance                  label           int64, or float64 where real grades were asked for; of judgments
iteration                  iteration       string; of judgments
=========================  ==============  =======================================================================

Rows stay in their order. `rank`, `tag` and `iteration` are there where the rows hold them; with PyTerrier's names
`rank` always is, and counts from 0 in the order of the ranking, as PyTerrier's own results do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.errors import InputError, UsageError
from denominator.formats import frames, read_qrels, read_run
from denominator.model import Run
from denominator.quoting import shown

if TYPE_CHECKING:
    from denominator.model import I64

__all__ = ["NAMES", "from_frame", "places", "to_arrow"]

NAMES: dict[str, dict[str, str]] = {
    "ir_datasets": {},
    "ir_measures": {},
    "pyterrier": {"query_id": "qid", "doc_id": "docno", "relevance": "label"},
}
"""Whose names of columns → what differs there from ours."""


def to_arrow(rows: Any, names: str = "ir_datasets") -> Any:
    """Return qrels or a run as a pyarrow Table, ids as ``large_string``.

    Raises:
        UsageError: nobody's names.
    """
    import pyarrow as pa

    if names not in NAMES:
        raise UsageError(f"names={shown(names)}: expected {', '.join(NAMES)}")
    columns = {"query_id": _decoded(rows.queries, rows.query), "doc_id": rows.doc_id}
    if isinstance(rows, Run):
        columns["score"] = pa.array(rows.score)
        rank = places(rows) if names == "pyterrier" else rows.rank
        if rank is not None:
            texts = isinstance(rank, tuple)
            columns["rank"] = pa.array(rank, pa.large_string()) if texts else pa.array(np.asarray(rank, np.int64))
        labels, label = rows.tag, "tag"
    else:
        columns["relevance"] = pa.array(rows.relevance)
        labels, label = rows.iteration, "iteration"
    if labels is not None:
        columns[label] = _decoded(labels.values, labels.code)
    fields = [pa.field(NAMES[names].get(name, name), array.type, nullable=False) for name, array in columns.items()]
    return pa.Table.from_arrays(list(columns.values()), schema=pa.schema(fields))


def places(run: Run) -> I64:
    """Return, per row, its place in its query's ranking, from 0. Shape (n,)."""
    ranking = run.ranking
    place = np.arange(len(run))
    if ranking.rows is not None:
        place[ranking.rows] = np.arange(len(run))
    among: I64 = place - ranking.offsets[run.query]
    return among


def from_frame(kind: type, frame: Any, library: str, options: dict[str, Any]) -> Any:
    """Read a frame of one library, and of no other.

    Raises:
        InputError: something else, or a frame that cannot be read.
        FormatError: rows that are wrong, each named.
    """
    if not frames.accepts(frame) or not frames.name(frame).startswith(library):
        found = frames.name(frame) if frames.accepts(frame) else type(frame).__name__
        reader = "read_run" if issubclass(kind, Run) else "read_qrels"
        raise InputError(f"{found}: expected a frame of {library}; denominator.{reader} reads everything else")
    return (read_run if issubclass(kind, Run) else read_qrels)(frame, **options)


def _decoded(values: tuple[str, ...], code: Any) -> Any:
    """Return a column of texts from its distinct values and codes."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(code), pa.array(values, pa.large_string())).dictionary_decode()
