"""Blocks of lines as columns, put end to end without a second copy of the whole.

A run of seven million lines is some 300 MB of columns. Blocks are appended to columns that grow in place by an eighth
(large allocations are moved by the operating system, not copied), so reading peaks at the columns plus one block.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.formats.faults import KEPT, Faults, Place, lines_words, tell_values
from denominator.formats.numbers import Values
from denominator.formats.table import Table
from denominator.model import Labels, Severity

if TYPE_CHECKING:
    from denominator.formats.table import Kind
    from denominator.model import I32, I64, Fault

__all__ = ["COLUMNS", "Growing", "Part", "Seen", "Whole", "numbering"]

SPARE = 1.1
"""How much more room is made than the first block of a file lets expect."""

COLUMNS = {"run": ("query", "Q0", "doc", "rank", "score", "tag"), "qrels": ("query", "iteration", "doc", "relevance")}
"""The columns of TREC's formats."""

SHORT_RANK = 1 << 30
"""Ranks nearer to 0 than this are kept in 32 bits: the difference of two of them still fits."""

Coded = tuple[Sequence[str], "I32"]
"""Distinct texts, and per row the index of its text."""


@dataclass(slots=True)
class Seen:
    """What was seen in a block of lines that is odd and harmless: how many lines of each kind."""

    crlf: int = 0
    blank: int = 0
    padded: int = 0
    """Lines with blanks or tabs at an end."""
    by_blank: int = 0
    by_tab: int = 0
    by_runs: int = 0
    """Lines whose fields are parted by something else than one blank each or one tab each."""
    first: dict[str, int] = field(default_factory=dict)
    """The first line of each way in which fields are parted."""
    padded_lines: list[int] = field(default_factory=list)
    """The first of the padded lines."""
    tagless: int = 0
    """Lines of a run that have no tag and were read all the same."""
    tagless_lines: list[int] = field(default_factory=list)
    """The first of them."""
    comments: list[int] = field(default_factory=list)
    final_newline: bool = True

    def add(self, other: Seen, first_line: int) -> None:
        """Add what a block that begins at a line has seen."""
        self.crlf += other.crlf
        self.blank += other.blank
        self.padded += other.padded
        self.by_blank += other.by_blank
        self.by_tab += other.by_tab
        self.by_runs += other.by_runs
        self.tagless += other.tagless
        for way, line in other.first.items():
            self.first.setdefault(way, line + first_line - 1)
        for own, more in (
            (self.padded_lines, other.padded_lines),
            (self.tagless_lines, other.tagless_lines),
        ):
            own.extend(line + first_line - 1 for line in more[: KEPT - len(own)])
        self.comments.extend(line + first_line - 1 for line in other.comments)
        self.final_newline = other.final_newline


@dataclass(eq=False, repr=False)
class Part:
    """A block of lines as columns; lines and rows are counted from the block's beginning."""

    lines: int
    """How many lines the block has."""
    query: Coded
    doc_offsets: Any
    """(n + 1,) where each document id begins in `doc_bytes`."""
    doc_bytes: Any
    values: Values
    second: Coded | None = None
    """Qrels: the iteration column."""
    rank: I32 | I64 | Sequence[str] | None = None
    tag: Coded | None = None
    row_line: I64 | None = None
    """(n,) the line of each row, from 1; None when each line is a row."""
    seen: Seen = field(default_factory=Seen)
    faults: tuple[Fault, ...] = ()
    lost: int = 0
    octets: int = 0
    """How many bytes the block has, where the room for the whole may be estimated from it."""


class Growing:
    """A column that grows at its end, in place."""

    def __init__(self, dtype: Any) -> None:
        """Begin an empty column."""
        self._array: Any = np.empty(0, dtype=dtype)
        self.size = 0

    def reserve(self, size: int) -> None:
        """Make room for `size` values in all; room that stays unused is never touched and takes no memory."""
        if size > len(self._array):
            array = np.empty(size, dtype=self._array.dtype)
            array[: self.size] = self._array[: self.size]
            self._array = array

    def extend(self, values: Any) -> None:
        """Append values."""
        end = self.size + len(values)
        if end > len(self._array):
            self._array.resize(max(end, len(self._array) + len(self._array) // 8), refcheck=False)
        self._array[self.size : end] = values
        self.size = end

    def become(self, dtype: Any) -> None:
        """Change the type of the column."""
        if self._array.dtype != dtype:
            self._array = self._array[: self.size].astype(dtype)

    def done(self) -> Any:
        """Return the column."""
        array, self._array = self._array, None
        array.resize(self.size, refcheck=False)
        return array


def numbering() -> dict[Any, int]:
    """Return a dictionary in which a key that is asked for gets the next number, from 0."""
    return defaultdict(itertools.count().__next__)


def _numbers(index: dict[str, int], texts: Sequence[str]) -> I32:
    """Return the numbers of texts in such a dictionary. Shape (n,)."""
    return np.fromiter(map(index.__getitem__, texts), dtype=np.int32, count=len(texts))


class _Texts:
    """A column of texts with few distinct values; one value for all rows takes no memory."""

    def __init__(self) -> None:
        self._index = numbering()
        self._codes: Growing | None = None
        self._rows = 0

    def extend(self, part: Coded) -> None:
        texts, codes = part
        known = _numbers(self._index, texts)
        if self._codes is None and len(self._index) > 1:
            self._codes = Growing(np.int32)
            self._codes.extend(np.zeros(self._rows, dtype=np.int32))
        if self._codes is not None:
            self._codes.extend(known[codes])
        self._rows += len(codes)

    def done(self) -> Labels:
        if self._codes is None:
            return Labels(tuple(self._index), np.broadcast_to(np.int32(0), (self._rows,)))
        return Labels(tuple(self._index), self._codes.done())


class Whole:
    """The parts of a file put end to end."""

    def __init__(self, kind: Kind) -> None:
        """Begin with nothing."""
        self._kind = kind
        self._lines = 0
        self._query = numbering()
        self._codes = Growing(np.int32)
        self._offsets, self._bytes = Growing(np.int64), Growing(np.uint8)
        self._offsets.extend([0])
        self._values = Growing(np.float64 if kind == "run" else np.int64)
        self._trouble = Values(np.zeros(0))
        self._second, self._tag = _Texts(), _Texts()
        self._rank: Growing | list[str] = Growing(np.int32)
        self._row_line: Growing | None = None
        self._faults = Faults()
        self._lost = 0
        self.seen = Seen()

    def expect(self, share: float) -> None:
        """Make room for the whole, of which `share` has been added."""
        for column in (self._codes, self._offsets, self._bytes, self._values, self._rank):
            if isinstance(column, Growing):
                column.reserve(int(column.size / share * SPARE))

    def add(self, part: Part) -> None:
        """Append a block."""
        rows, first_line = self._codes.size, self._lines + 1
        self._add_lines(part, rows)
        texts, codes = part.query
        self._codes.extend(_numbers(self._query, texts)[codes])
        base = self._bytes.size - int(part.doc_offsets[0])
        self._offsets.extend(part.doc_offsets[1:].astype(np.int64) + base)
        self._bytes.extend(part.doc_bytes[int(part.doc_offsets[0]) : int(part.doc_offsets[-1])])
        self._add_values(part.values, rows)
        if part.second is not None:
            self._second.extend(part.second)
        if part.tag is not None:
            self._tag.extend(part.tag)
        if part.rank is not None:
            self._add_ranks(part.rank)
        self.seen.add(part.seen, first_line)
        for fault in part.faults:
            self._faults.keep(replace(fault, line=None if fault.line is None else fault.line + first_line - 1))
        self._lost += part.lost
        self._lines += part.lines

    def _add_lines(self, part: Part, rows: int) -> None:
        """Keep the lines of rows, from the first block on in which a line is no row."""
        n = len(part.query[1])
        if self._row_line is None and part.row_line is not None:
            self._row_line = Growing(np.int64)
            self._row_line.extend(np.arange(1, rows + 1))
        if self._row_line is not None:
            own = np.arange(1, n + 1) if part.row_line is None else part.row_line
            self._row_line.extend(own + self._lines)

    def _add_values(self, values: Values, rows: int) -> None:
        if values.array.dtype == np.float64 and self._kind == "qrels":
            self._values.become(np.float64)
        self._values.extend(values.array)
        self._trouble.add(values, rows)

    def _add_ranks(self, ranks: I32 | I64 | Sequence[str]) -> None:
        if isinstance(self._rank, Growing):
            if isinstance(ranks, np.ndarray):
                if len(ranks) and not -SHORT_RANK < ranks.min() <= ranks.max() < SHORT_RANK:
                    self._rank.become(np.int64)
                self._rank.extend(ranks)
                return
            self._rank = [str(rank) for rank in self._rank.done().tolist()]
        self._rank.extend([str(rank) for rank in ranks])

    def table(self, read_as: str) -> Table:
        """Return all rows as one table, with the faults of all blocks."""
        import pyarrow as pa

        lines = self._row_line.done() if self._row_line is not None else None
        self._trouble.array = values = self._values.done()
        tell_values(self._trouble, self._kind, Place(lines, True), self._faults)
        tell_seen(self.seen, self._faults)
        offsets = self._offsets.done()
        run = self._kind == "run"
        return Table(
            tuple(self._query),
            self._codes.done(),
            pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(self._bytes.done())),
            values,
            read_as,
            self._faults.listing(),
            lost=self._lost,
            unusable=self._trouble.unusable(),
            line=lines,
            has_lines=True,
            iteration=None if run else self._second.done(),
            rank=(self._rank.done() if isinstance(self._rank, Growing) else tuple(self._rank)) if run else None,
            tag=self._tag.done() if run else None,
            wide=self._trouble.wide,
        )


def tell_seen(seen: Seen, faults: Faults) -> None:
    """Tell what was odd and harmless in the lines of a file."""
    if seen.comments:
        n = len(seen.comments)
        words = f"{n:,} comment {'lines' if n > 1 else 'line'} beginning with # skipped ({lines_words(seen.comments)})"
        faults.add("comments", words, severity=Severity.INFO, count=n, lines=seen.comments)
    if seen.blank:
        faults.add("blank-lines", f"{seen.blank:,} blank lines skipped", severity=Severity.INFO, count=seen.blank)
    if seen.crlf:
        faults.add("crlf", f"{seen.crlf:,} lines end in CR LF", severity=Severity.INFO, count=seen.crlf)
    if seen.padded:
        words = f"{seen.padded:,} lines begin or end with blanks or tabs"
        faults.add("padded-lines", words, severity=Severity.INFO, count=seen.padded, lines=seen.padded_lines)
    if seen.tagless:
        words = f"{seen.tagless:,} {'lines have' if seen.tagless > 1 else 'line has'} no tag, the sixth field"
        faults.add("missing-tag", words, severity=Severity.INFO, count=seen.tagless, lines=seen.tagless_lines)
    if (seen.by_blank > 0) + (seen.by_tab > 0) + (seen.by_runs > 0) > 1:
        ways = [(seen.by_blank, "single blanks"), (seen.by_tab, "single tabs"), (seen.by_runs, "longer gaps or both")]
        words = "fields are parted in several ways: " + ", ".join(f"{way} on {n:,} lines" for n, way in ways if n)
        changes = sorted(seen.first.values())[1:]
        count = seen.by_blank + seen.by_tab + seen.by_runs - max(seen.by_blank, seen.by_tab, seen.by_runs)
        faults.add("delimiters", words, severity=Severity.INFO, count=count, lines=changes)
    if not seen.final_newline:
        faults.add("final-newline", "the last line has no newline", severity=Severity.INFO)
