"""From texts and files to what is searched: reported numbers, and every row of judgments and of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from denominator import noticed
from denominator.errors import FormatError, MeasureError, NoCommonQueriesError, UsageError
from denominator.explain.reported import Reported, read_reported
from denominator.explain.searching import explain
from denominator.formats import examine_qrels, examine_run
from denominator.model import Severity
from denominator.quoting import shown

if TYPE_CHECKING:
    from denominator.explain.explanation import Explanation
    from denominator.formats import Reading, Rows

__all__ = ["explained"]

REPEATS = frozenset({"duplicate", "conflict"})
"""Faults that a dialect decides on: a document twice in a ranking, or judged twice."""


def explained(
    reported: str | Reported | Sequence[str | Reported],
    qrels: Any,
    run: Any,
    *,
    k: int | None = None,
    pairs: bool | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
) -> Explanation:
    """Read everything, and search: see :func:`denominator.explain.explain`."""
    several = [reported] if isinstance(reported, str | Reported) else reported
    if not isinstance(several, Sequence) or not all(isinstance(one, str | Reported) for one in several):
        raise UsageError(f"reported={shown(reported)}: expected a reported number, as in recall@5=0.70, or several")
    numbers = [one if isinstance(one, Reported) else read_reported(one, k) for one in several]
    for one in numbers:
        if one.measure.spec.text_valued:
            raise MeasureError(f"{one.said} is a text, not a number")
    judged = _rows(examine_qrels(qrels, format=qrels_format))
    ranked = _rows(examine_run(run, format=run_format))
    if judged.number_of.keys().isdisjoint(ranked.queries):
        raise NoCommonQueriesError(noticed.no_common_queries(judged, ranked))
    return explain(numbers, judged, ranked, pairs=pairs)


def _rows(reading: Reading[Rows]) -> Rows:
    """Return the rows that were read, documents that repeat included, or refuse what else is wrong with them."""
    wrong = [fault for fault in reading.faults if fault.severity is Severity.ERROR and fault.kind not in REPEATS]
    if wrong:
        raise FormatError(reading.rows.source.name, wrong)
    return reading.rows
