"""Scores as flat records, the rows of jsonl, csv, tsv and parquet.

=================  ==============================================================================================
row                ``mean``, ``group`` (a group's mean), ``macro`` (mean over groups) or ``query``
run                the run's name
group              the group, in a ``group`` row
query_id           the query, in a ``query`` row
measure            as it is typed: ``nDCG@10``
value              null where there is none
numerator          of a ``query`` row, as the next one: the counts behind a fraction
denominator
ceiling            the highest value that any ranking could have
share_of_ceiling   value / ceiling
n                  how many values are in the mean: queries, or groups in a ``macro`` row
judged             how many judged queries the row is about; the next three are counted among them
answered           held by the run
undefined          without a value by definition
answerable         with a relevant document
queries            the query set of the mean
level              the grade from which a document is relevant, where the measure does not say rel=
depth              how many documents of a query were looked at; null for all
judged_only        whether unjudged documents were taken out of the rankings first
collapse           what stood between document and chunk, where documents were scored by their best chunk
trec_eval          whose rules hold where the two differ: 9 or 10
dialect            the choices behind the number
engine             who computed it
ties_low           only with --ties, as the next two: the lowest, expected and highest value over all orders of ties
ties_expected
ties_high
unjudged_low       only with --unjudged bounds, as the next one: the lowest and highest value over all labels that the
unjudged_high      unjudged documents could have
floor              only with --floor: what a random order would be expected to score
=================  ==============================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.bounds.means import Interval
    from denominator.scores import Mean, Scores

__all__ = ["COLUMNS", "bounds_of", "columns", "records"]

COLUMNS = {
    "row": "text",
    "run": "text",
    "group": "text",
    "query_id": "text",
    "measure": "text",
    "value": "real",
    "numerator": "count",
    "denominator": "count",
    "ceiling": "real",
    "share_of_ceiling": "real",
    "n": "count",
    "judged": "count",
    "answered": "count",
    "undefined": "count",
    "answerable": "count",
    "queries": "text",
    "level": "real",
    "depth": "count",
    "judged_only": "flag",
    "collapse": "text",
    "trec_eval": "text",
    "dialect": "text",
    "engine": "text",
}
"""Column → what it holds."""

BOUNDS = {
    "ties": ("ties_low", "ties_expected", "ties_high"),
    "unjudged": ("unjudged_low", "unjudged_high"),
    "floor": ("floor",),
}
"""What can be asked for → its columns, after the others; null for a measure that is not bounded."""


def columns(scores: Scores) -> dict[str, str]:
    """Return the columns of these scores: those of bounds only if they were asked for."""
    asked = [name for part, names in BOUNDS.items() if getattr(scores.asked, part) for name in names]
    return {**COLUMNS, **dict.fromkeys(asked, "real")}


def bounds_of(
    scores: Scores, ties: Interval | None, unjudged: Interval | None, floor: float | None
) -> dict[str, float | None]:
    """Return the bounds that were asked for, under the names of their columns."""
    cells: dict[str, float | None] = {}
    if ties is not None:
        cells |= zip(BOUNDS["ties"], ties, strict=True)
    if unjudged is not None:
        cells |= zip(BOUNDS["unjudged"], (unjudged.low, unjudged.high), strict=True)
    return {**cells, "floor": floor} if scores.asked.floor else cells


def records(scores: Scores, per_query: bool) -> Iterator[dict[str, Any]]:
    """Yield a record for every mean, then for every group and macro mean, then for every query if asked for."""
    engine = {
        (run.name, measure): scores.engines_of(run, measure) for run in scores.runs for measure in scores.measures
    }
    for row, means in (("mean", scores.means()), ("group", scores.group_means()), ("macro", scores.macro_means())):
        for mean in means:
            bounds = bounds_of(scores, mean.ties, mean.unjudged, mean.floor)
            yield {**_mean(row, mean), **_choices(scores), "engine": engine[mean.run, mean.measure], **bounds}
    if per_query:
        yield from _queries(scores)


def _choices(scores: Scores) -> dict[str, Any]:
    """Return the columns that are the same in every row."""
    settings = scores.settings
    return {
        "level": float(settings.level),
        "depth": settings.depth,
        "judged_only": settings.judged_only,
        "collapse": scores.collapse,
        "trec_eval": settings.trec_eval,
        "dialect": scores.dialect,
    }


def _mean(row: str, mean: Mean) -> dict[str, Any]:
    """Return the columns of a mean that are its own."""
    return {
        "row": row,
        "run": mean.run,
        "group": mean.group,
        "query_id": None,
        "measure": str(mean.measure),
        "value": mean.value,
        "numerator": mean.numerator,
        "denominator": mean.denominator,
        "ceiling": mean.ceiling,
        "share_of_ceiling": mean.share_of_ceiling,
        "n": mean.n,
        "judged": mean.judged,
        "answered": mean.answered,
        "undefined": mean.undefined,
        "answerable": mean.answerable,
        "queries": mean.queries,
    }


def _queries(scores: Scores) -> Iterator[dict[str, Any]]:
    """Yield the record of every row."""
    choices = _choices(scores)
    bounds = (each for run in scores.runs for measure in scores.measures for each in scores.bounds(run, measure))
    for score, entry, bound in zip(scores.rows(), scores.ledger(), bounds, strict=True):
        yield {
            "row": "query",
            "run": score.run,
            "group": None,
            "query_id": score.query_id,
            "measure": str(score.measure),
            "value": score.value,
            "numerator": entry.numerator,
            "denominator": entry.denominator,
            "ceiling": entry.ceiling,
            "share_of_ceiling": entry.share_of_ceiling,
            "n": int(score.value is not None),
            "judged": 1,
            "answered": int(score.answered),
            "undefined": int(score.undefined),
            "answerable": None,
            "queries": scores.query_set.name,
            **choices,
            "engine": score.engine,
            **bounds_of(scores, *bound),
        }
