"""Rows whose values have types (JSON, mappings, Python objects): what a text file never has to ask.

A text that looks like a number is not one here: whoever wrote ``"0.5"`` into JSON had a typed value to write.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.formats.columns import from_columns
from denominator.formats.faults import Faults, show
from denominator.model import Fault, Severity

if TYPE_CHECKING:
    from denominator.formats.table import Options, Table

__all__ = ["SCORES_FROM_POSITIONS", "SCORES_FROM_RANKS", "Gathered", "NotText", "minus_rank", "tell_integer_ids"]


SCORES_FROM_RANKS = Fault("scores-from-ranks", Severity.INFO, "no scores: the score is minus the rank")

SCORES_FROM_POSITIONS = Fault(
    "scores-from-positions",
    Severity.INFO,
    "no scores: the score is minus the position in the list, -1 for the first",
)


class NotText:
    """A value that is no number, with the words a message has for it."""

    __slots__ = ("words",)

    def __init__(self, words: str) -> None:
        """Keep the words."""
        self.words = words

    def __repr__(self) -> str:
        """Return the words."""
        return self.words


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
    noted: set[Fault] = field(default_factory=set)

    def extend(self, query: Any, docs: Iterable[Any], values: Iterable[Any]) -> None:
        """Append the rows of one query."""
        start = len(self.doc)
        self.doc.extend(docs)
        self.value.extend(values)
        self.query.extend([query] * (len(self.doc) - start))

    def take_ranks(self, ranks: Iterable[Any]) -> None:
        """Make the scores of all rows from their ranks, and say so."""
        self.value = [minus_rank(rank) for rank in ranks]
        self.note_ranks()

    def note_ranks(self) -> None:
        """Note, once, that scores were made from ranks."""
        self.note_once(SCORES_FROM_RANKS)

    def lose(self, kind: str, message: str, line: int | None = None, **where: str | None) -> None:
        """Name something that cannot become a row."""
        self.faults.add(kind, message, line=line, **where)  # type: ignore[arg-type]
        self.lost += 1

    def note_once(self, note: Fault) -> None:
        """Name a choice that was made for many rows, once."""
        if note not in self.noted:
            self.noted.add(note)
            self.faults.keep(note)

    def table(self, options: Options, read_as: str) -> Table:
        """Make the table of what was gathered."""
        n = len(self.doc)
        queries = _texts(self.query, "query id", self.faults)
        docs = _texts(self.doc, "document id", self.faults)
        return from_columns(
            queries,
            docs,
            _numbers(self.value, options),
            options=options,
            read_as=read_as,
            line=self.line or None,
            iteration=self.iteration if n and len(self.iteration) == n else None,
            rank=self.rank if n and len(self.rank) == n else None,
            tag=self.tag if n and len(self.tag) == n else None,
            faults=self.faults.listing(),
            lost=self.lost,
        )


def minus_rank(rank: Any) -> Any:
    """Return the score that a rank stands for; what is no number stays, for `from_columns` to refuse."""
    return -rank if isinstance(rank, Real) and not isinstance(rank, bool) else rank


def tell_integer_ids(what: str, count: int, faults: Faults) -> None:
    """Note that ids came as whole numbers: what was lost before is past mending, but not past mentioning."""
    faults.add(
        "integer-ids",
        f"{count:,} {what}s are numbers and were taken as their decimal text; zeros in front, if there were any, were "
        "lost before",
        severity=Severity.INFO,
        count=count,
    )


def _texts(column: list[Any], what: str, faults: Faults) -> list[Any]:
    """Return ids with whole numbers as exact decimal text; anything else stays, for `from_columns` to refuse."""
    if set(map(type, column)) <= {str}:
        return column
    out, integers = [], 0
    for cell in column:
        if isinstance(cell, Integral) and not isinstance(cell, bool):
            out.append(str(int(cell)))
            integers += 1
        else:
            out.append(str(cell) if isinstance(cell, str) else cell)
    if integers:
        tell_integer_ids(what, integers, faults)
    return out


def _numbers(column: list[Any], options: Options) -> Sequence[Any]:
    """Return values with every text marked as no number, as one array of floats where all are numbers."""
    types = set(map(type, column))
    if options.kind == "run" and types <= {float, int}:
        try:
            return np.array(column, dtype=np.float64)  # type: ignore[return-value]
        except OverflowError:
            return column
    if any(issubclass(kind, str) for kind in types):
        return [NotText(f'the text "{show(cell)}"') if isinstance(cell, str) else cell for cell in column]
    return column
