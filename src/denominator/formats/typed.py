"""Rows whose values have types (JSON, mappings, Python objects): what a text file never has to ask.

A text that looks like a number is not one here: whoever wrote ``"0.5"`` into JSON had a typed value to write.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.formats import numbers
from denominator.formats.columns import from_columns
from denominator.formats.described import described
from denominator.formats.faults import LIMITS, Faults, listed, show
from denominator.model import Fault, Severity
from denominator.native import text

if TYPE_CHECKING:
    from denominator.formats.table import Options, Table

__all__ = [
    "SCORES_FROM_POSITIONS",
    "SCORES_FROM_RANKS",
    "Gathered",
    "Named",
    "NotText",
    "minus_rank",
    "tell_integer_ids",
]


SCORES_FROM_RANKS = Fault("scores-from-ranks", Severity.INFO, "no scores: the score is minus the rank")

SCORES_FROM_POSITIONS = Fault(
    "scores-from-positions",
    Severity.INFO,
    "no scores: the score is minus the position in the list, -1 for the first",
)


class Named(float):
    """A number that a JSON text names: NaN, Infinity, -Infinity. An infinity without a name was too large."""


class NotText:
    """A value that cannot be a number, with the words a message has for it."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        """Keep the words."""
        self.words = words


@dataclass(slots=True)
class Gathered:
    """Columns of rows as a reader finds them, each cell with the type it had; append to all or to none."""

    query: list[Any] = field(default_factory=list)
    doc: list[Any] = field(default_factory=list)
    value: list[Any] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    """The line of each row, where there are lines; else empty."""
    iteration: list[str] = field(default_factory=list)
    """The iteration of each row, where every row has one; else shorter, and left out."""
    rank: list[Any] = field(default_factory=list)
    tag: list[str] = field(default_factory=list)
    """As `iteration`."""
    faults: Faults = field(default_factory=Faults)
    lost: int = 0
    written: bool = False
    """Whether the numbers were read from JSON: infinity is then what is `Named` so."""
    empty: list[str] = field(default_factory=list)
    """Queries that hold no document."""
    noted: set[Fault] = field(default_factory=set)

    def extend(self, query: Any, docs: Iterable[Any], values: Iterable[Any]) -> None:
        """Append the rows of one query."""
        start = len(self.doc)
        self.doc.extend(docs)
        self.value.extend(values)
        self.query.extend([query] * (len(self.doc) - start))
        if len(self.doc) == start:
            self.empty.append(str(query))

    def take_ranks(self, ranks: Iterable[Any]) -> None:
        """Make the scores of all rows from their ranks, and say so."""
        self.value = [minus_rank(rank) for rank in ranks]
        self.note_ranks()

    def note_ranks(self) -> None:
        """Note, once, that scores were made from ranks."""
        self.note_once(SCORES_FROM_RANKS)

    def lose(self, kind: str, message: str, line: int | None = None, **where: str) -> None:
        """Name something that cannot become a row."""
        # where holds the names of a fault's own fields
        self.faults.add(kind, message, line=line, **where)  # type: ignore[arg-type]
        self.lost += 1

    def note_once(self, note: Fault) -> None:
        """Name a choice that was made for many rows, once."""
        if note not in self.noted:
            self.noted.add(note)
            self.faults.keep(note)

    def table(self, options: Options, read_as: str, *, texts_are_numbers: bool = False) -> Table:
        """Make the table of what was gathered; `texts_are_numbers` where the format has no numbers but in text."""
        n = len(self.doc)
        self._tell_empty()
        queries = _texts(self.query, "query id", self.faults)
        docs = _texts(self.doc, "document id", self.faults)
        value, wrong = _numbers(self.value, options, texts_are_numbers)
        for row, words in wrong.items():
            self._tell_wrong(row, words, options)
        if self.written and (beyond := _unnamed_infinities(self.value)):
            wrong |= dict.fromkeys(beyond, "beyond")
            value = [0 if row in wrong else cell for row, cell in enumerate(self.value)]
            self._tell_beyond(beyond, options)
        table = from_columns(
            queries,
            docs,
            value,
            options=options,
            read_as=read_as,
            line=self.line or None,
            iteration=self.iteration if n and len(self.iteration) == n else None,
            rank=self.rank if n and len(self.rank) == n else None,
            tag=self.tag if n and len(self.tag) == n else None,
            faults=self.faults.listing(),
            lost=self.lost,
        )
        if options.kind == "run" and not set(map(type, self.value)) <= {float, np.float64}:
            table = replace(table, wide={**table.wide, **numbers.wide(self.value, table.value.astype(np.float64))})
        return _without_values(table, list(wrong)) if wrong else table

    def _tell_beyond(self, rows: list[int], options: Options) -> None:
        """Name numbers that no float can hold."""
        noun = "score" if options.kind == "run" else "grade"
        for row in rows:
            query, doc = str(self.query[row]), str(self.doc[row])
            message = f"query {show(query)}, document {show(doc)}: the {noun} is beyond {LIMITS[options.kind]}"
            line = self.line[row] if self.line else None
            self.faults.add(f"{noun}-overflow", message, line=line, query_id=query, doc_id=doc)

    def _tell_wrong(self, row: int, words: str, options: Options) -> None:
        """Name a value that is no number."""
        query, doc = str(self.query[row]), str(self.doc[row])
        noun = "score" if options.kind == "run" else "grade"
        message = f"query {show(query)}, document {show(doc)}: the {noun} is {words}; a number is expected"
        line = self.line[row] if self.line else None
        self.faults.add(f"{noun}-number", message, line=line, query_id=query, doc_id=doc)

    def _tell_empty(self) -> None:
        """Name the queries that hold nothing: no row can stand for them."""
        if self.empty:
            which = listed([show(query) for query in self.empty])
            words = (
                f"{len(self.empty):,} {'queries hold' if len(self.empty) > 1 else 'query holds'} no document ({which})"
            )
            self.faults.add(
                "empty-query", words, severity=Severity.WARNING, count=len(self.empty), query_ids=self.empty
            )


def minus_rank(rank: Any) -> Any:
    """Return the score that a rank stands for; what is no number stays, for `from_columns` to refuse."""
    return -rank if isinstance(rank, Real) and not isinstance(rank, bool) else rank


def tell_integer_ids(what: str, count: int, faults: Faults) -> None:
    """Note that ids came as whole numbers: what was lost before is past mending, but not past mentioning."""
    faults.add(
        "integer-ids",
        f"{count:,} {what}{'s are numbers' if count > 1 else ' is a number'}, taken as decimal text; zeros in front, "
        "if there were any, were lost before",
        severity=Severity.INFO,
        count=count,
    )


def _texts(column: list[Any], what: str, faults: Faults) -> list[Any]:
    """Return ids with whole numbers as exact decimal text; anything else stays, for `from_columns` to refuse."""
    if set(map(type, column)) <= {str}:
        return column
    out, integers = [], 0
    for cell in column:
        if isinstance(cell, Integral) and not isinstance(cell, bool) and abs(int(cell)) < 10**4000:
            out.append(str(int(cell)))
            integers += 1
        else:
            out.append(text(cell) if isinstance(cell, str) else cell)
    if integers:
        tell_integer_ids(what, integers, faults)
    return out


def _numbers(column: list[Any], options: Options, texts_are_numbers: bool) -> tuple[Any, dict[int, str]]:
    """Return the values, 0 for those that are no numbers, and these rows with the words for what is there."""
    types = set(map(type, column))
    if options.kind == "run" and types <= {float, int}:
        with contextlib.suppress(OverflowError):  # a whole number beyond all floats: told with its row
            return np.array(column, dtype=np.float64), {}
    if types <= ({str} if texts_are_numbers else {float, int}):
        return column, {}
    wrong = {row: words for row, cell in enumerate(column) if (words := _why_no_number(cell, texts_are_numbers))}
    return [0 if row in wrong else cell for row, cell in enumerate(column)] if wrong else column, wrong


def _why_no_number(value: Any, texts_are_numbers: bool) -> str:
    """Return what a value is that is no number, or nothing."""
    if isinstance(value, NotText):
        return value.words
    if isinstance(value, str):
        return "" if texts_are_numbers else described(value)
    is_number = isinstance(value, Real) or hasattr(value, "__float__")
    return "" if is_number and not isinstance(value, (bool, np.bool_)) else described(value)


def _unnamed_infinities(column: list[Any]) -> list[int]:
    """Return the rows whose number, read from JSON, became infinite without being called so."""
    if math.inf not in column and -math.inf not in column:
        return []
    return [row for row, cell in enumerate(column) if type(cell) is float and math.isinf(cell)]


def _without_values(table: Table, rows: list[int]) -> Table:
    """Return a table in which some rows have no value; their faults are told."""
    value = table.value.astype(np.float64)
    value[rows] = np.nan
    known = table.unusable if table.unusable is not None else np.zeros(0, dtype=np.int64)
    return replace(table, value=value, unusable=np.union1d(known, np.array(rows, dtype=np.int64)))
