"""Text formats with one row a line, other than TREC's: blocks of lines to columns, every odd line named.

A format says how a line is cut into fields and which field plays which role; the rest is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.formats import numbers
from denominator.formats.columns import coded, large_strings, ranks
from denominator.formats.faults import Faults, show
from denominator.formats.parts import Part, Seen, Whole

if TYPE_CHECKING:
    from denominator.formats.sources import Content
    from denominator.formats.table import Options, Table

__all__ = ["Lines", "read_lines"]


@dataclass(frozen=True, slots=True)
class Lines:
    """What is to be known of a format to read its lines."""

    split: Callable[[str], list[str]]
    """A line, without its end → its fields."""
    width: int
    expected: str
    """What a message says is expected: ``3 are expected: query doc rank``."""
    at: Mapping[str, int]
    """Role (``query``, ``doc``, ``value``, ``rank``, ``tag``, ``iteration``) → index of its field."""
    header: bool = False
    """Whether the first line that is not blank names the columns and is no row."""


def read_lines(content: Content, options: Options, lines: Lines, read_as: str) -> Table:
    """Read all lines. Without a ``value`` among the roles a score is minus its rank."""
    whole = Whole(options.kind)
    header = lines.header
    for block in content.blocks():
        part, header = _part(block, lines, options, header)
        whole.add(part)
    absent: dict[str, Any] = {role: None for role in ("rank", "tag", "iteration") if role not in lines.at}
    return replace(whole.table(read_as), **absent)


def _part(block: bytes, lines: Lines, options: Options, header: bool) -> tuple[Part, bool]:
    """Return a block of lines as columns, and whether the header is still to come."""
    seen, faults = Seen(), Faults()
    rows: list[list[str]] = []
    numbers_of_rows: list[int] = []
    lost = 0
    raw_lines = block.split(b"\n")
    if raw_lines[-1]:
        seen.final_newline = False
    else:
        raw_lines.pop()
    for number, raw in enumerate(raw_lines, start=1):
        line = _text(raw, number, faults)
        if line is None:
            lost += 1
            continue
        if line.endswith("\r"):
            line = line[:-1]
            seen.crlf += 1
        if not line.strip(" \t"):
            seen.blank += 1
        elif header and line.startswith("#"):
            seen.comments.append(number)
        elif header:
            header = False
        else:
            fields = lines.split(line)
            if _is_row(fields, lines, number, faults):
                rows.append(fields)
                numbers_of_rows.append(number)
            else:
                lost += 1
    return _columns(rows, numbers_of_rows, len(raw_lines), lines, options, seen, faults, lost), header


def _text(raw: bytes, number: int, faults: Faults) -> str | None:
    """Return a line as text, or None when it cannot be, with the fault named."""
    if b"\0" in raw:
        faults.add("nul", "a NUL character, which no tool can keep; is this a text file?", line=number)
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        faults.add(
            "encoding",
            f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file, or name its encoding "
            '(encoding="latin-1", --encoding latin-1)',
            line=number,
        )
        return None


def _is_row(fields: list[str], lines: Lines, number: int, faults: Faults) -> bool:
    """Return whether a line can be a row; when it cannot, its fault is named."""
    if len(fields) != lines.width:
        words = f"{len(fields):,} {'field' if len(fields) == 1 else 'fields'}, {lines.expected}"
        faults.add("field-count", f"{words}: {show(' | '.join(fields), 80)}", line=number)
        return False
    for role, noun in (("query", "query"), ("doc", "document")):
        if not fields[lines.at[role]].strip():
            faults.add(f"{noun}-id", f"{noun} id is empty", line=number)
            return False
    return True


def _columns(
    rows: Sequence[list[str]],
    row_line: list[int],
    count: int,
    lines: Lines,
    options: Options,
    seen: Seen,
    faults: Faults,
    lost: int,
) -> Part:
    """Return rows of fields as columns."""
    columns: Sequence[Any] = list(zip(*rows, strict=True)) or [()] * lines.width
    of = {role: columns[index] for role, index in lines.at.items()}
    rank = ranks(of["rank"]) if "rank" in of else None
    value = of["value"] if "value" in of else [_minus(text) for text in of["rank"]]
    values = (
        numbers.scores(value) if options.kind == "run" else numbers.grades(value, real_allowed=options.float_grades)
    )
    documents = large_strings(of["doc"])
    _, offsets, data = documents.buffers()
    return Part(
        count,
        coded(of["query"]),
        np.frombuffer(offsets, dtype=np.int64)[: len(rows) + 1] if len(rows) else np.zeros(1, dtype=np.int64),
        np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8),
        values,
        second=coded(of["iteration"]) if "iteration" in of else None,
        rank=rank,
        tag=coded(of["tag"]) if "tag" in of else None,
        row_line=None if len(row_line) == count else np.array(row_line, dtype=np.int64),
        seen=seen,
        faults=faults.listing(),
        lost=lost,
    )


def _minus(rank: str) -> object:
    """Return the score that a rank stands for, or its text where it is no number."""
    number = numbers.whole(rank)
    return rank if number is None else -number
