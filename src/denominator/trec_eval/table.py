"""The numbers of trec_eval's printout: what each row holds, and what the summary is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.averages import average
from denominator.hits import match
from denominator.measures import NumRet
from denominator.trec_eval import intcast, slips
from denominator.trec_eval.queries import standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.hits import Hits
    from denominator.model import F64, I64, Qrels, Run
    from denominator.trec_eval.columns import Column
    from denominator.trec_eval.options import Options
    from denominator.trec_eval.queries import Standing

__all__ = ["Table", "tabulate"]


@dataclass(frozen=True, eq=False)
class Table:
    """A printout before it is text: q queries with a row, in byte order of their ids."""

    queries: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Sequence[float] | Sequence[str], ...]
    """Per column its q values; none where trec_eval prints the measure only in the summary."""
    summary: tuple[float | str | None, ...]
    """Per column its summary; None where trec_eval prints the measure only for single queries."""
    notes: tuple[str, ...] = ()
    """Where trec_eval's own value is wrong and printed all the same, or is not a number and ours stands in for it."""


def tabulate(qrels: Qrels, run: Run, columns: Sequence[Column], options: Options) -> Table:
    """Return what trec_eval prints for these columns.

    Raises:
        NoCommonQueriesError: no query is in both files (trec_eval 9).
        MissingQueryError: a judged query is not in the run (trec_eval 10 without ``-c``).
    """
    notes: list[str] = []
    stand = standing(qrels, run, options, notes)
    hits = match(qrels, run)
    values = _values(qrels, hits, columns, options, stand, notes)
    rows: list[Sequence[float] | Sequence[str]] = []
    summary: list[float | str | None] = []
    for column in columns:
        if column.family == "relstring":
            rows.append(_relevance_strings(_cut(hits, options), int(column.measure.cutoff or 0), stand.row))
        else:
            rows.append(values[column].tolist() if column.in_queries else ())
        if column.family == "runid":
            summary.append(_run_id(run))
        elif column.family == "num_rel" and options.complete:
            summary.append(slips.summary_num_rel(qrels, options, notes))
        elif column.in_summary:
            summary.append(_summary(column, values[column], stand, options))
        else:
            summary.append(None)
    return Table(stand.queries, tuple(columns), tuple(rows), tuple(summary), tuple(notes))


def _values(
    qrels: Qrels, hits: Hits, columns: Sequence[Column], options: Options, stand: Standing, notes: list[str]
) -> dict[Column, F64]:
    """Return the value of every row, for each column of numbers."""
    from denominator.engines.columnar import score_hits

    asked = {
        column: column.measure(docs=options.collection) if column.family == "utility" else column.measure
        for column in columns
        if not column.measure.spec.text_valued
    }
    scored = score_hits(hits, tuple(dict.fromkeys([*asked.values(), NumRet])), options.settings)
    if options.judged_only:
        slips.note_nan(columns, np.nan_to_num(scored[NumRet][stand.row]), notes)
    relevant = hits.relevant(options.level)[stand.row]
    values: dict[Column, F64] = {}
    for column, measure in asked.items():
        value = scored[measure]
        if column.family in intcast.MEASURES and column.pairs:
            value = slips.miscompared(column, value, _cut(hits, options), options, notes)
        value = value[stand.row]
        if not stand.answered.all():
            value = np.where(stand.answered, value, slips.unanswered(column, relevant, options, notes))
        values[column] = value
    return values


def _summary(column: Column, value: F64, stand: Standing, options: Options) -> float:
    """Return the sum, mean or geometric mean of the rows.

    Under ``-c`` it is over all judged queries: trec_eval 9 has no rows for those that the run lacks, and adds what they
    are worth in one go (meas_avg.c).
    """
    lacking = stand.judged - len(stand.queries) if options.complete else 0
    worth = np.zeros(lacking)
    worth[:1] = lacking * (column.measure.spec.unanswered or 0.0)
    return average(np.concatenate([value, worth]), column.measure.spec.aggregate) or 0.0


def _cut(hits: Hits, options: Options) -> Hits:
    """Return the judged part of the ranking after ``-M`` and ``-J``."""
    if options.depth is not None:
        hits = hits.truncated(options.depth)
    return hits.condensed() if options.judged_only else hits


def _run_id(run: Run) -> str:
    """Return the tag of the last line: the C program overwrites the name with every line (get_trec_results.c)."""
    return run.tag.text(len(run) - 1) if run.tag is not None else run.name


def _relevance_strings(hits: Hits, length: int, rows: I64) -> list[str]:
    """Return per row the grades of the first documents, in quotes (m_relstring.c).

    ``-`` is not in the pool, ``.`` in the pool and not judged, ``>`` a grade above 9.
    """
    shown = np.minimum(hits.retrieved, length)
    starts = np.concatenate([[0], np.cumsum(shown)])
    letters = np.full(int(starts[-1]), ord("-"), dtype=np.uint8)
    top = hits.position < length
    grade = hits.grade[top]
    letters[starts[hits.query[top]] + hits.position[top]] = np.where(
        grade < 0, ord("."), np.where(grade > 9, ord(">"), ord("0") + np.clip(grade, 0, 9))
    )
    text = letters.tobytes().decode("ascii")
    return [f"'{text[starts[row] : starts[row + 1]]}'" for row in rows.tolist()]
