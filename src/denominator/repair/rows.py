"""Repairs of the rows of a file: which stay, in which order, with which rank, score or grade."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.counted import number
from denominator.audit.evidence import QrelsEvidence
from denominator.audit.ranks import Ranks
from denominator.audit.repeated import Repeats
from denominator.errors import UsageError
from denominator.formats import numbers
from denominator.formats.repeats import CHOICES, repeated_pairs
from denominator.formats.trec_exact import VALUE_FIELD
from denominator.repair.text import Mended, fields_of

if TYPE_CHECKING:
    from denominator.model import F64, I64, Bool, Qrels, Run
    from denominator.repair.text import Keep, Lines

__all__ = [
    "collapse_repeats",
    "collapse_subtopics",
    "drop_all_negative",
    "drop_nan",
    "drop_nothing_relevant",
    "drop_overflows",
    "drop_words",
    "group_queries",
    "keep_one_copy",
    "negate_scores",
    "places",
    "raise_to_zero",
    "rank_rows",
    "scores_from_lines",
    "scores_from_places",
    "scores_from_ranks",
    "settle_conflicts",
]


def keep_one_copy(file: Lines, keep: Keep | None) -> Mended:
    """Of a document that a run names again for a query, leave one row: the best-scored one unless told otherwise."""
    run: Run = file.reading.rows
    chosen: Keep = keep or "best"
    gone: list[int] = []
    for pair in repeated_pairs(run):
        rows = np.array(pair.rows)
        gone += np.delete(rows, CHOICES[chosen](run.score[rows])).tolist()
    return _without(file, gone, f"the {chosen} copy of each document stays")


def drop_nan(file: Lines, keep: Keep | None) -> Mended:
    """Leave out rows whose score is NaN, and was written so."""
    return _without(file, _odd(file, lambda text: numbers.real(text) is not None, np.isnan))


def drop_words(file: Lines, keep: Keep | None) -> Mended:
    """Leave out rows whose score or grade is no number."""
    return _without(file, _odd(file, lambda text: bool(_values(file, text).not_numbers), np.isnan))


def drop_overflows(file: Lines, keep: Keep | None) -> Mended:
    """Leave out rows whose score or grade is a number that is too large."""
    return _without(file, _odd(file, lambda text: bool(_values(file, text).overflows), lambda value: abs(value) > 1e15))


def _values(file: Lines, text: str) -> numbers.Values:
    return numbers.scores([text]) if file.kind == "run" else numbers.grades([text])


def _odd(file: Lines, is_odd: Callable[[str], bool], may_be: Callable[[F64], Bool]) -> list[int]:
    """Return the rows whose score or grade is odd as it is written; `may_be` says by their values which to look at."""
    rows = file.reading.rows
    value = np.asarray(rows.score if file.kind == "run" else rows.relevance, dtype=np.float64)
    field = VALUE_FIELD[file.kind]
    some = np.flatnonzero(may_be(value)).tolist()
    return [row for row in some if is_odd(fields_of(file.lines[file.line_at(row)])[field])]


def negate_scores(file: Lines, keep: Keep | None) -> Mended:
    """Turn distances into scores: every number with the other sign, to the last digit as it was written."""
    run: Run = file.reading.rows
    texts = {}
    for row in range(len(run)):
        text = fields_of(file.lines[file.line_at(row)])[VALUE_FIELD["run"]]
        if numbers.real(text) is not None:
            texts[row] = text[1:] if text.startswith("-") else f"-{text.removeprefix('+')}"
    return Mended(file.with_fields(VALUE_FIELD["run"], texts), len(texts), frozenset(run.queries))


def scores_from_places(file: Lines, keep: Keep | None) -> Mended:
    """Write whole numbers that fall with the ranking, n - place, instead of the scores: the ranking stays as it is."""
    run: Run = file.reading.rows
    return _rescored(file, places(run), np.ones(len(run.queries), dtype=np.bool_))


def scores_from_lines(file: Lines, keep: Keep | None) -> Mended:
    """Let equal scores fall with the order of the lines: n - place, in queries where that is another ranking."""
    run: Run = file.reading.rows
    ranked = places(run)
    within = np.where(np.isnan(run.score), ranked, np.arange(len(run)))  # no score equals another: NaN stays as ranked
    place = _places_in(run, np.lexsort((within, -run.score, run.query)))
    other = np.bincount(run.query[place != ranked], minlength=len(run.queries)) > 0
    return replace(_rescored(file, place, other), queries=frozenset(_names(run, other)))


def scores_from_ranks(file: Lines, keep: Keep | None) -> Mended:
    """Where all scores of a query are equal write minus the rank; if the column is no rank, let the lines decide."""
    run: Run = file.reading.rows
    ends = [run.ranking.offsets[:-1], run.ranking.offsets[1:] - 1]
    first, last = (run.score[run.ranking.rows_at(at)] for at in ends)
    equal = (first == last) & (np.diff(run.ranking.offsets) > 1)
    ranks = Ranks.of(run)
    if ranks is not None and ranks.counts:
        rank = np.asarray(run.rank, dtype=np.int64)
        texts = {row: str(-rank[row]) for row in np.flatnonzero(equal[run.query]).tolist()}
        mended = Mended(file.with_fields(VALUE_FIELD["run"], texts), len(texts))
    else:
        mended = _rescored(file, _places_in(run, np.argsort(run.query, kind="stable")), equal)
    return replace(mended, queries=frozenset(_names(run, equal)))


def _rescored(file: Lines, place: I64, which: Bool) -> Mended:
    """Write n - place as the score of every row of the queries that are masked."""
    run: Run = file.reading.rows
    falling = np.diff(run.ranking.offsets)[run.query] - place
    rows = np.flatnonzero(which[run.query]).tolist()
    return Mended(file.with_fields(VALUE_FIELD["run"], {row: str(falling[row]) for row in rows}), len(rows))


def _names(run: Run, which: Bool) -> list[str]:
    return [run.queries[query] for query in np.flatnonzero(which).tolist()]


def group_queries(file: Lines, keep: Keep | None) -> Mended:
    """Bring the rows of each query together, in the order in which the queries first appear."""
    return _in_order(file, np.argsort(file.reading.rows.query, kind="stable"))


def rank_rows(file: Lines, keep: Keep | None) -> Mended:
    """Put the rows in ranked order: scores descending, ties by document id descending, query by query."""
    ranking = file.reading.rows.ranking
    return Mended(file, 0) if ranking.rows is None else _in_order(file, ranking.rows)


def collapse_repeats(file: Lines, keep: Keep | None) -> Mended:
    """Leave out judgments that repeat an earlier one exactly."""
    repeats = Repeats.of(file.reading.rows)
    which = repeats.again(~repeats.differ & ~repeats.by_subtopic)
    return Mended(file.without(file.line_at(row) for row in repeats.rows[which].tolist()), len(which))


def settle_conflicts(file: Lines, keep: Keep | None) -> Mended:
    """Of judgments that contradict each other leave one; which one must be said."""
    repeats = Repeats.of(file.reading.rows)
    wrong = repeats.differ & ~repeats.by_subtopic
    count = int(wrong.sum())
    if count and keep is None:
        raise UsageError(
            f"{file.name}: Q102: {number(count, 'documents')} {'has' if count == 1 else 'have'} different grades for "
            "one query; say which one counts: --keep first, --keep last, or --keep best for the highest"
        )
    return _settled(file, repeats, wrong, keep or "best")


def collapse_subtopics(file: Lines, keep: Keep | None) -> Mended:
    """Of judgments for several subtopics leave one, the highest unless told otherwise: relevant to any subtopic."""
    repeats = Repeats.of(file.reading.rows)
    return _settled(file, repeats, repeats.by_subtopic, keep or "best")


def _settled(file: Lines, repeats: Repeats, pairs: Bool, keep: Keep) -> Mended:
    """Return the file with one judgment of each pair that is masked."""
    qrels: Qrels = file.reading.rows
    gone: list[int] = []
    ends = np.append(repeats.first, len(repeats.rows))
    for pair in np.flatnonzero(pairs).tolist():
        rows = repeats.rows[ends[pair] : ends[pair + 1]]
        stays = CHOICES["max" if keep == "best" else keep](qrels.relevance[rows])
        gone += np.delete(rows, stays).tolist()
    return _without(file, gone, f"the {'highest' if keep == 'best' else keep} grade of each document stays")


def raise_to_zero(file: Lines, keep: Keep | None) -> Mended:
    """Write 0 for negative grades: judged, and not relevant."""
    qrels: Qrels = file.reading.rows
    rows = np.flatnonzero(qrels.relevance < 0).tolist()
    queries = frozenset(qrels.query_of(row) for row in rows)
    return Mended(file.with_fields(VALUE_FIELD["qrels"], dict.fromkeys(rows, "0")), len(rows), queries)


def drop_nothing_relevant(file: Lines, keep: Keep | None) -> Mended:
    """Leave out queries whose highest grade is 0."""
    return _without_queries(file, lambda highest: highest == 0)


def drop_all_negative(file: Lines, keep: Keep | None) -> Mended:
    """Leave out queries whose grades are all below 0."""
    return _without_queries(file, lambda highest: highest < 0)


def _without_queries(file: Lines, are_gone: Callable[[F64], Bool]) -> Mended:
    """Leave out the queries that a function picks by their highest grades."""
    qrels: Qrels = file.reading.rows
    judged = QrelsEvidence(qrels, ()).judged  # of contradictory grades the first counts, as for the check
    highest = np.full(len(judged.queries), -np.inf)
    np.fmax.at(highest, judged.query, judged.relevance)
    gone = {query for query, one in zip(judged.queries, are_gone(highest).tolist(), strict=True) if one}
    return _without(file, [row for row in range(len(qrels)) if qrels.query_of(row) in gone])


def _without(file: Lines, rows: Iterable[int], remark: str = "") -> Mended:
    """Leave out some rows."""
    gone = list(rows)
    queries = frozenset(file.reading.rows.query_of(row) for row in gone)
    return Mended(file.without(file.line_at(row) for row in gone), len(gone), queries, remark if gone else "")


def _in_order(file: Lines, rows: I64) -> Mended:
    """Put the rows into an order; lines that are no rows stay where they are."""
    lines = [file.line_at(row) for row in range(len(rows))]
    moved = {
        lines[place]: file.lines[lines[row]].removesuffix(b"\n") + b"\n"  # the last line may have had no end
        for place, row in enumerate(rows.tolist())
        if place != row
    }
    return Mended(file.with_lines(moved), len(moved))


def places(run: Run) -> I64:
    """Return, per row, its place in its query's ranking, from 0."""
    return _places_in(run, run.ranking.in_order())


def _places_in(run: Run, order: I64) -> I64:
    """Return, per row, its place within its query, from 0, in an order of all rows that is grouped by query."""
    place = np.empty(len(run), dtype=np.int64)
    place[order] = np.arange(len(run))
    out: I64 = place - run.ranking.offsets[run.query]
    return out
