"""What is the same for every format: rows from a table, what is wrong across rows, and what happens then.

Reading strictly refuses every fault of severity ERROR at once. A leniency forgives one kind of fault in one way and
leaves a note with its count. Nothing here knows a format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.errors import FormatError
from denominator.formats import repeats
from denominator.formats.faults import Faults, lines_words, listed, show
from denominator.formats.lenient import forgiving, without_options
from denominator.formats.subset import subset
from denominator.model import Fault, Note, Qrels, Run, Severity, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from denominator.formats.table import Options, Table
    from denominator.model import F64, I64, Bool

__all__ = ["accept", "examine"]

QUIET = frozenset({"padded-lines", "delimiters", "final-newline"})
"""Faults of form that mean nothing for a score: kept for the audit, not printed as notes."""

WITH_NULLS = frozenset({"arrow", "frame", "parquet"})
"""Formats in which a score that is not there is read as NaN, as pandas writes it."""

IN_PYTHON = frozenset({"frame", "rows"})
"""Formats of what only a program can hand over: no option of the command line is of use there."""

FORGIVEN = {
    ("header", "skip"): frozenset({"header"}),
    ("fields", "skip"): frozenset({"field-count", "extra-fields", "missing-tag"}),
    ("numbers", "drop"): frozenset({"score-number", "score-overflow", "grade-number", "grade-overflow"}),
}
"""(leniency, choice) → the kinds of fault of severity ERROR that it turns into a note."""


def examine(table: Table, options: Options, name: str, format: str) -> tuple[Run | Qrels, tuple[Fault, ...]]:
    """Return the rows of a table as they stand, and every fault; raise where a line could not become a row.

    A leniency lets a line be skipped that is no row; its fault is listed all the same.
    """
    rows = _rows(table, options, name, format)
    notes = _forgiven(table, options.lenient)[1]
    faults = Faults(found=list(table.faults))
    _tell_across_rows(rows, faults)
    if isinstance(rows, Run):
        _tell_merged(rows, table.wide, faults)
        _tell_nan(rows, _nan_rows(table), faults)
        repeats.tell_duplicates(rows, repeats.repeated_pairs(rows), faults)
    else:
        repeats.tell_judgments(rows, repeats.repeated_pairs(rows), faults)
    told = _named(faults, name, format)
    if table.lost > sum(note.count for note in notes) or not len(rows):
        raise FormatError(name, [fault for fault in told if fault.severity is Severity.ERROR])
    return _noted(rows, told, notes), told


def accept(table: Table, options: Options, name: str, format: str) -> Run | Qrels:
    """Return the rows of a table, clean and with their notes; raise :class:`FormatError` for what is not forgiven."""
    rows = _rows(table, options, name, format)
    lenient = options.lenient
    reading, notes = _forgiven(table, lenient)
    faults = Faults(found=reading)
    keep = np.ones(len(rows), dtype=np.bool_)
    if lenient.get("numbers") == "drop" and table.unusable is not None:
        keep[table.unusable] = False
    if isinstance(rows, Run):
        _tell_merged(rows, table.wide, faults)
        nan = _nan_rows(table)
        if len(nan) and "nan" in lenient:
            notes.append(_nan_note(lenient["nan"], len(nan)))
            keep[nan[: len(nan) if lenient["nan"] == "drop" else 0]] = False
        else:
            _tell_nan(rows, nan, faults)
    rows = subset(rows, keep)
    _tell_across_rows(rows, faults)
    rows, told = repeats.settled(rows, lenient, faults)
    everything = _named(faults, name, format)
    wrong = [fault for fault in everything if fault.severity is Severity.ERROR]
    if wrong:
        raise FormatError(name, wrong)
    return _noted(rows, everything, [*notes, *told])


def _rows(table: Table, options: Options, name: str, format: str) -> Run | Qrels:
    """Return the rows of a table as they stand."""
    n = len(table.query)
    source = Source(name, format, f"{table.read_as}, {n:,} {'row' if n == 1 else 'rows'}")
    first = (table.queries, table.query, table.doc_id, source)
    where: dict[str, Any] = {"line": table.line, "has_lines": table.has_lines}
    if options.kind == "run":
        score = np.asarray(table.value, dtype=np.float64)
        return Run(*first, score=score, rank=table.rank, tag=table.tag, **where)
    return Qrels(*first, relevance=table.value, iteration=table.iteration, **where)


def _forgiven(table: Table, lenient: Mapping[str, str]) -> tuple[list[Fault], list[Note]]:
    """Return the reader's faults that stand, and notes about those that a leniency forgives."""
    faults, notes = list(table.faults), []
    for (name, choice), kinds in FORGIVEN.items():
        if lenient.get(name) == choice:
            gone = [fault for fault in faults if fault.kind in kinds and fault.severity is Severity.ERROR]
            count = sum(fault.count for fault in gone)
            faults = [fault for fault in faults if fault.kind not in kinds or fault.severity is not Severity.ERROR]
            if count:
                skipped = ", ".join(dict.fromkeys(fault.kind for fault in gone))
                what = "rows without a number left out" if name == "numbers" else f"lines skipped ({skipped})"
                notes.append(Note(f"lenient-{name}", f"{name}={choice}: {count:,} {what}", count))
    return faults, notes


def _tell_across_rows(rows: Run | Qrels, faults: Faults) -> None:
    """Tell what only all rows together show and every reading wants to know."""
    if not len(rows):
        if not any(fault.severity is Severity.ERROR for fault in faults.found):
            faults.add("empty", "there are no rows in it")
        return
    _tell_split_queries(rows, faults)
    if not isinstance(rows, Run):
        return
    infinite = _rows_where(np.isinf, rows.score)
    if len(infinite):
        where = _places(rows, infinite)
        words = f"{len(infinite):,} infinite {'scores' if len(infinite) > 1 else 'score'} kept ({where})"
        row = int(infinite[0])
        faults.add("infinite-score", words, severity=Severity.INFO, line=rows.line_of(row), count=len(infinite))
    tags = [tag for tag in rows.tag.values if tag] if rows.tag is not None else []
    if len(tags) > 1:
        words = f"{len(tags):,} run tags in one file: {listed([show(tag) for tag in tags[:4]], 3)}"
        if len(tags) > 4:
            words = f"{len(tags):,} run tags in one file: {', '.join(show(tag) for tag in tags[:3])} …"
        faults.add("several-tags", words, severity=Severity.INFO, count=len(tags))


def _tell_merged(run: Run, wide: Mapping[int, str], faults: Faults) -> None:
    """Tell of scores of a query that differ as they are written and are one float: nothing then says which is higher.

    `wide` holds what stood in the rows whose scores may be such, by row; the others have few enough digits to be told
    by their floats.
    """
    if not wide:
        return
    from decimal import Decimal  # few files have such scores

    rows = np.array(list(wide), dtype=np.int64)
    tied = np.flatnonzero(np.isin(run.score, run.score[rows]) & np.isin(run.query, run.query[rows]))
    groups: dict[tuple[int, float], dict[Decimal, list[int]]] = {}
    for row, query, score in zip(tied.tolist(), run.query[tied].tolist(), run.score[tied].tolist(), strict=True):
        groups.setdefault((query, score), {}).setdefault(Decimal(wide.get(row, repr(score))), []).append(row)
    merged = [group for group in groups.values() if len(group) > 1]
    if not merged:
        return
    first, other = min((sorted(found[0] for found in group.values())[:2] for group in merged), key=lambda pair: pair[1])
    every = sorted(row for group in merged for found in group.values() for row in found)
    a, b = (show(wide.get(row, repr(float(run.score[row])))) for row in (first, other))
    faults.add(
        "scores-merged",
        f"scores {a} and {b} of query {show(run.query_of(first))} are one 64-bit float, so they tie "
        f"({len(every):,} rows tie with a row whose score differs in the input)",
        severity=Severity.WARNING,
        line=run.line_of(other),
        query_id=run.query_of(first),
        count=len(every),
        lines=[line for row in every if (line := run.line_of(row)) is not None],
    )


def _tell_split_queries(rows: Run | Qrels, faults: Faults) -> None:
    """Tell of queries whose rows are not in one block."""
    if rows.is_grouped:
        return
    starts = rows.query[rows.begins]
    row = int(rows.begins[np.flatnonzero(starts[1:] < starts[:-1])[0] + 1])  # codes count first appearances
    again = int((np.bincount(starts) > 1).sum())  # queries with more than one block, wherever the code steps back
    query = rows.query_of(row)
    words = (
        f"query {show(query)} comes back after other queries; {again:,} queries do, so rows are not grouped by query"
    )
    if again == 1:
        words = f"query {show(query)} comes back after other queries: rows are not grouped by query"
    faults.add("split-query", words, severity=Severity.WARNING, line=rows.line_of(row), query_id=query, count=again)


def _nan_rows(table: Table) -> I64:
    """Return the rows whose score was NaN in the input, not for want of a number."""
    nan = _rows_where(np.isnan, table.value)
    return nan if table.unusable is None else nan[~np.isin(nan, table.unusable)]


def _rows_where(odd: Callable[[Any], Bool], values: F64 | I64) -> I64:
    """Return the rows whose value is NaN or infinite, as `odd` says; a sum that is a number has neither in it."""
    with np.errstate(all="ignore"):
        if np.isfinite(values.sum()):
            return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(odd(values))


def _tell_nan(rows: Run, nan: I64, faults: Faults) -> None:
    if not len(nan):
        return
    row, queries = int(nan[0]), len(np.unique(rows.query[nan]))
    what = "missing or NaN" if rows.source.format in WITH_NULLS else "NaN"
    where = f"{_places(rows, nan)}; {queries:,} {'queries' if queries > 1 else 'query'}"
    faults.add(
        "nan-score",
        f"score is {what} ({where}), which has no place in an order: mend the run",
        line=rows.line_of(row),
        query_id=rows.query_of(row),
        doc_id=rows.doc_of(row),
        count=len(nan),
        remedy=f"or {forgiving('nan=last', 'ranks such rows last')}, nan=drop leaves them out",
    )


def _nan_note(choice: str, count: int) -> Note:
    what = "ranked last" if choice == "last" else "left out"
    return Note("lenient-nan", f"nan={choice}: {count:,} rows whose score is NaN {what}", count)


def _places(rows: Run | Qrels, which: I64) -> str:
    """Return the lines of some rows as words, or how many rows they are."""
    if not rows.has_lines:
        return f"{len(which):,} {'rows' if len(which) > 1 else 'row'}"
    few = [rows.line_of(row) or 0 for row in which[:3].tolist()]
    return lines_words(few + [0] * (len(which) - len(few)))


def _named(faults: Faults, name: str, format: str) -> tuple[Fault, ...]:
    """Return the faults with the name of their source, in the order of its lines."""
    told = [replace(fault, source=name) for fault in faults.listing()]
    if format in IN_PYTHON:
        told = [replace(fault, remedy=without_options(fault.remedy)) if fault.remedy else fault for fault in told]
    return tuple(sorted(told, key=lambda fault: fault.line or 0))


def _at(fault: Fault) -> str:
    """Return the words of a fault with its line."""
    return f"line {fault.line:,}: {fault.words}"


def _noted(rows: Run | Qrels, faults: tuple[Fault, ...], notes: list[Note]) -> Run | Qrels:
    """Return the rows with what was noticed about them as notes of their source."""
    noticed = [
        Note(fault.kind, fault.words if not fault.line or "(line" in fault.words else _at(fault), fault.count)
        for fault in faults
        if fault.severity is not Severity.ERROR and fault.kind not in QUIET
    ]
    out = replace(rows, source=replace(rows.source, notes=(*noticed, *notes)))
    for worked_out in ("begins", "pair_hash", "repeated_rows"):  # of the same rows: much of the time of reading them
        if worked_out in vars(rows):
            vars(out)[worked_out] = vars(rows)[worked_out]
    return out
