"""The same document twice for a query: what it is called, and what a leniency makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from denominator import ids
from denominator.formats.faults import Faults, show
from denominator.formats.lenient import forgiving
from denominator.formats.subset import subset
from denominator.model import Note, Qrels, Run, Severity

if TYPE_CHECKING:
    from denominator.model import F64, I64

Rows = TypeVar("Rows", bound=Run | Qrels)

__all__ = ["CHOICES", "Pair", "repeated_pairs", "settled", "tell_duplicates", "tell_judgments"]


class Pair(NamedTuple):
    """A (query, document) pair that occurs more than once, and its rows in order."""

    query_id: str
    doc_id: str
    rows: tuple[int, ...]

    def __str__(self) -> str:
        """Return ``query/document`` as a message shows it."""
        return f"{show(self.query_id)}/{show(self.doc_id)}"


def repeated_pairs(rows: Run | Qrels) -> list[Pair]:
    """Return the pairs that occur more than once, in the order of their first row.

    An id that is empty stands for one that could not be used, and is told already: it repeats nothing.
    """
    which = rows.repeated_rows
    groups: dict[tuple[int, str], list[int]] = {}
    docs = ids.strings_at(rows.doc_id, which)
    for row, query, doc in zip(which.tolist(), rows.query[which].tolist(), docs, strict=True):
        if doc and rows.queries[query]:
            groups.setdefault((query, doc), []).append(row)
    return [Pair(rows.queries[query], doc, tuple(group)) for (query, doc), group in groups.items()]


def tell_duplicates(run: Run, pairs: list[Pair], faults: Faults) -> None:
    """Tell of every row of a run that names a document again."""
    hint = ". A run names a document once for a query"
    remedy = forgiving("duplicates=best", "keeps the copy with the higher score")
    again = sorted((row, pair) for pair in pairs for row in pair.rows[1:])
    for row, pair in again:
        where = _where(run, pair.rows[0])
        message = f"{pair} already appeared {where}{hint}"
        faults.add(
            "duplicate",
            message if run.has_lines else f"row {row + 1:,}: {message}",
            line=run.line_of(row),
            query_id=pair.query_id,
            doc_id=pair.doc_id,
            remedy=remedy,
        )
        hint = remedy = ""


def tell_judgments(qrels: Qrels, pairs: list[Pair], faults: Faults) -> None:
    """Tell of exact repeats, of pairs graded twice and differently, and of diversity judgments."""
    exact = [pair for pair in pairs if not _differ(qrels, pair)]
    if exact:
        count = sum(len(pair.rows) - 1 for pair in exact)
        words = f"{count:,} {'judgments repeat' if count > 1 else 'judgment repeats'} an earlier one exactly"
        words = f"{words} and {'count' if count > 1 else 'counts'} once ({exact[0]}, {_where(qrels, exact[0].rows[1])})"
        faults.add("repeats", words, severity=Severity.INFO, count=count)
    different = [pair for pair in pairs if _differ(qrels, pair)]
    by_subtopic = [pair for pair in different if _has_subtopics(qrels, pair)]
    if by_subtopic:
        _tell_subtopics(qrels, by_subtopic, faults)
    for pair in different:
        if not _has_subtopics(qrels, pair):
            _tell_conflict(qrels, pair, faults)


def settled(rows: Run | Qrels, lenient: Mapping[str, str], faults: Faults) -> tuple[Run | Qrels, list[Note]]:
    """Return rows that hold each pair once, where a leniency says which; what it does not settle becomes faults."""
    pairs = repeated_pairs(rows)
    if not pairs:
        return rows, []
    if isinstance(rows, Run):
        choice = lenient.get("duplicates")
        if choice is None:
            tell_duplicates(rows, pairs, faults)
            return rows, []
        return _kept(rows, rows.score, pairs, choice), [_note("duplicates", choice, pairs)]
    different = [pair for pair in pairs if _differ(rows, pair)]
    choice = lenient.get("conflicts")
    if choice is None or not different:
        tell_judgments(rows, pairs, faults)
        return _kept(rows, rows.relevance, pairs, "first"), []
    tell_judgments(rows, [pair for pair in pairs if not _differ(rows, pair)], faults)
    return _kept(rows, rows.relevance, pairs, choice), [_note("conflicts", choice, different)]


CHOICES: Mapping[str, Callable[[F64 | I64], int]] = {
    "first": lambda values: 0,
    "last": lambda values: len(values) - 1,
    "best": lambda values: max(range(len(values)), key=lambda at: (not np.isnan(values[at]), values[at])),
    "max": lambda values: int(np.argmax(values)),
    "min": lambda values: int(np.argmin(values)),
}
"""The choice of a leniency → which of the values of a pair's rows is kept."""


def _kept(rows: Rows, values: F64 | I64, pairs: list[Pair], choice: str) -> Rows:
    """Return one row of each pair; it stays where it stands."""
    keep = np.ones(len(rows), dtype=np.bool_)
    for pair in pairs:
        which = np.array(pair.rows)
        keep[which] = False
        keep[which[CHOICES[choice](values[which])]] = True
    return subset(rows, keep)


def _note(name: str, choice: str, pairs: list[Pair]) -> Note:
    count = sum(len(pair.rows) - 1 for pair in pairs)
    what = "repeated" if name == "duplicates" else "contradictory"
    words = f"{name}={choice}: {count:,} {what} {'rows' if count > 1 else 'row'} left out (such as {pairs[0]})"
    return Note(f"lenient-{name}", words, count)


def _differ(qrels: Qrels, pair: Pair) -> bool:
    return len({float(qrels.relevance[row]) for row in pair.rows}) > 1


def _has_subtopics(qrels: Qrels, pair: Pair) -> bool:
    """Return whether each judgment of a pair has a second column of its own."""
    if qrels.iteration is None:
        return False
    return len({int(qrels.iteration.code[row]) for row in pair.rows}) == len(pair.rows)


def _tell_subtopics(qrels: Qrels, pairs: list[Pair], faults: Faults) -> None:
    """Tell once of diversity judgments: a grade for each subtopic, where this evaluation has one for each document."""
    pair = pairs[0]
    first = pair.rows[0]
    other = next(row for row in pair.rows if qrels.relevance[row] != qrels.relevance[first])
    found = " and ".join(f"{_grade(qrels, row)} {_where(qrels, row)}" for row in (first, other))
    faults.add(
        "subtopics",
        f"{pair} is graded {found}, with another second column ({len(pairs):,} such pairs): these look like diversity "
        "judgments (ndeval), which grade each subtopic. Give the track's plain qrels",
        line=qrels.line_of(other),
        query_id=pair.query_id,
        doc_id=pair.doc_id,
        count=len(pairs),
        remedy=f"or {forgiving('conflicts=max', 'takes what is relevant to any subtopic for relevant')}",
    )


def _tell_conflict(qrels: Qrels, pair: Pair, faults: Faults) -> None:
    first = pair.rows[0]
    earlier = f"{_subject(qrels, first)} graded it {_grade(qrels, first)}"
    for row in pair.rows[1:]:
        if qrels.relevance[row] != qrels.relevance[first]:
            message = f"{pair} graded {_grade(qrels, row)}, but {earlier}"
            faults.add(
                "conflict",
                message if qrels.has_lines else f"row {row + 1:,}: {message}",
                line=qrels.line_of(row),
                query_id=pair.query_id,
                doc_id=pair.doc_id,
            )


def _grade(qrels: Qrels, row: int) -> str:
    """Return the grade of a row, a whole one without decimals."""
    return str(qrels.relevance[row]).removesuffix(".0")


def _subject(rows: Run | Qrels, row: int) -> str:
    line = rows.line_of(row)
    return f"row {row + 1:,}" if line is None else f"line {line:,}"


def _where(rows: Run | Qrels, row: int) -> str:
    return f"{'on' if rows.has_lines else 'in'} {_subject(rows, row)}"
