"""Text formats with one row a line, other than TREC's: blocks of lines to columns, every odd line named.

A format says how a line is cut into fields and which field plays which role; the rest is the same for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.formats import numbers
from denominator.formats.columns import coded, large_strings
from denominator.formats.faults import INSIDE_BOM, Faults, show
from denominator.formats.parts import Part, Seen, Whole
from denominator.formats.sources import NAME_IT

if TYPE_CHECKING:
    from denominator.formats.sources import Content
    from denominator.formats.table import Options, Table
    from denominator.model import I64

__all__ = ["Lines", "read_lines"]

BOM = b"\xef\xbb\xbf"

_GAP = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class Lines:
    """What is to be known of a format to read its lines."""

    gaps: str
    """What parts fields: a tab between every two, or runs of blanks and tabs, which may also stand at the ends."""
    width: int
    expected: str
    """What a message says is expected: ``3 are expected: query doc rank``."""
    at: Mapping[str, int]
    """Role (``query``, ``doc``, ``value``, ``rank``, ``tag``, ``iteration``) → index of its field."""
    header: bool = False
    """Whether the first line that is not blank names the columns and is no row."""

    def split(self, line: str) -> list[str]:
        """Return the fields of a line without its end."""
        return line.split("\t") if self.gaps == "\t" else _GAP.split(line.strip(" \t"))


def read_lines(content: Content, options: Options, lines: Lines, read_as: str) -> Table:
    """Read all lines. Without a ``value`` among the roles a score is minus its rank."""
    whole = Whole(options.kind)
    header = lines.header
    for block in content.blocks():
        part = None if header else _clean_part(block, lines, options)
        if part is None:
            part, header = _exact_part(block, lines, options, header)
        whole.add(part)
    absent: dict[str, Any] = {role: None for role in ("rank", "tag", "iteration") if role not in lines.at}
    return replace(whole.table(read_as), **absent)


def _clean_part(block: bytes, lines: Lines, options: Options) -> Part | None:
    """Read a block in which one tab (or one blank) parts all fields of all lines; None where some line is unusual."""
    seen = Seen(final_newline=block.endswith(b"\n"))
    if b"\r" in block:
        seen.crlf = block.count(b"\r\n")
        block = block.replace(b"\r\n", b"\n")
    delimiter = b"\t" if b"\t" in block else lines.gaps[:1].encode()
    if b"\0" in block or b"\r" in block or BOM in block or (len(lines.gaps) > 1 and b" " in block and b"\t" in block):
        return None
    octets = np.frombuffer(block if seen.final_newline else block + b"\n", dtype=np.uint8)
    cuts = np.flatnonzero((octets == ord("\n")) | (octets == ord(delimiter)))
    if len(cuts) % lines.width or not cuts[0] or (np.diff(cuts) == 1).any():
        return None
    is_end = (octets[cuts] == ord("\n")).reshape(-1, lines.width)
    if not is_end[:, -1].all() or is_end[:, :-1].any():
        return None
    try:
        text = octets.tobytes().decode("utf-8")
    except UnicodeDecodeError:
        return None
    fields = text.replace("\n", delimiter.decode()).split(delimiter.decode())[:-1]
    columns = [fields[at :: lines.width] for at in range(lines.width)]
    if " " in text and not all(field.strip(" ") for role in ("query", "doc") for field in columns[lines.at[role]]):
        return None
    return _columns(columns, [], len(is_end), lines, options, seen)


def _exact_part(block: bytes, lines: Lines, options: Options, header: bool) -> tuple[Part, bool]:
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
    columns: Sequence[Any] = list(zip(*rows, strict=True)) or [()] * lines.width
    row_lines = numbers_of_rows if len(rows) < len(raw_lines) else []
    part = _columns(columns, row_lines, len(raw_lines), lines, options, seen)
    return replace(part, faults=faults.listing(), lost=lost), header


def _text(raw: bytes, number: int, faults: Faults) -> str | None:
    """Return a line as text, or None when it cannot be, with the fault named."""
    if raw.startswith(BOM):
        faults.add("bom-inside", INSIDE_BOM, line=number)
        return None
    if b"\0" in raw:
        faults.add("nul", "a NUL character, which no tool can keep; is this a text file?", line=number)
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        faults.add(
            "encoding",
            f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file",
            line=number,
            remedy=NAME_IT,
        )
        return None


def _is_row(fields: list[str], lines: Lines, number: int, faults: Faults) -> bool:
    """Return whether a line can be a row; when it cannot, its fault is named."""
    if len(fields) != lines.width:
        words = f"{len(fields):,} {'field' if len(fields) == 1 else 'fields'}, {lines.expected}"
        kind = "field-count" if len(fields) < lines.width else "extra-fields"
        faults.add(kind, f"{words}: {show(' | '.join(fields), 80)}", line=number)
        return False
    for role, noun in (("query", "query"), ("doc", "document")):
        if not fields[lines.at[role]].strip(" "):
            faults.add(f"{noun}-id", f"{noun} id is empty", line=number)
            return False
    return True


def _columns(
    columns: Sequence[Sequence[str]], row_line: list[int], count: int, lines: Lines, options: Options, seen: Seen
) -> Part:
    """Return columns of fields, from a block of `count` lines, as a part; no `row_line` where every line is a row."""
    of = {role: columns[index] for role, index in lines.at.items()}
    rank = _ranks(of["rank"]) if "rank" in of else None
    if "value" not in of:
        values = numbers.Values(-rank.astype(np.float64)) if isinstance(rank, np.ndarray) else _minus(of["rank"])
    elif options.kind == "run":
        values = numbers.scores(of["value"])
    else:
        values = numbers.grades(of["value"], real_allowed=options.float_grades)
    documents = large_strings(of["doc"])
    _, offsets, data = documents.buffers()
    return Part(
        count,
        coded(of["query"]),
        np.frombuffer(offsets, dtype=np.int64)[: len(documents) + 1] if len(documents) else np.zeros(1, dtype=np.int64),
        np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8),
        values,
        second=coded(of["iteration"]) if "iteration" in of else None,
        rank=rank,
        tag=coded(of["tag"]) if "tag" in of else None,
        row_line=np.array(row_line, dtype=np.int64) if row_line else None,
        seen=seen,
    )


def _ranks(texts: Sequence[str]) -> I64 | tuple[str, ...]:
    """Return ranks as whole numbers, or as their texts where one is none."""
    whole = numbers.grades(texts)
    clean = whole.array.dtype == np.int64
    return whole.array if clean else tuple(texts)  # type: ignore[return-value]  # it is int64, as was just seen


def _minus(ranks: Sequence[str]) -> numbers.Values:
    """Return the scores that ranks stand for; a rank that is no number is told as a score that is none."""
    return numbers.scores([text if (rank := numbers.whole(text)) is None else -rank for text in ranks])
