"""Repairs of how the lines of a file are written: no row, score or grade becomes another one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator.formats import numbers
from denominator.formats.parts import COLUMNS
from denominator.formats.trec_exact import VALUE_FIELD
from denominator.quoting import short
from denominator.repair.text import Mended, ended, fields_at, fields_of, mapped

if TYPE_CHECKING:
    from denominator.repair.text import Keep, Lines

__all__ = [
    "add_newline",
    "add_tag",
    "cut_fields",
    "drop_blank_lines",
    "drop_comments",
    "drop_header",
    "drop_possible_rows",
    "drop_short_lines",
    "end_in_lf",
    "one_delimiter",
    "one_tag",
    "strip_bom",
    "strip_ends",
]

_GAP = re.compile(rb"[ \t]+")
TAG = 5
"""The index of a run's sixth field."""


def strip_bom(file: Lines, keep: Keep | None) -> Mended:
    """Take the byte order mark away."""
    return Mended(replace(file, bom=False), int(file.bom))


def end_in_lf(file: Lines, keep: Keep | None) -> Mended:
    """End every line in LF alone."""
    return mapped(file, lambda line: ended(line)[0] + (b"\n" if line.endswith(b"\n") else b""))


def strip_ends(file: Lines, keep: Keep | None) -> Mended:
    """Strip blanks and tabs at both ends of lines."""

    if not _saw(file, "padded-lines"):
        return Mended(file, 0)

    def stripped(line: bytes) -> bytes:
        text, end = ended(line)
        return text.strip(b" \t") + end if file.is_text(line) else line

    return mapped(file, stripped)


def one_delimiter(file: Lines, keep: Keep | None) -> Mended:
    """Part all fields by one tab, or one blank, whichever parts more lines; gaps at the ends of lines stay."""
    if not _saw(file, "delimiters"):
        return Mended(file, 0)
    ways = Counter(_way(line) for line in file.lines if file.is_text(line))
    gap = b"\t" if ways[b"\t"] > ways[b" "] else b" "

    def parted(line: bytes) -> bytes:
        text, end = ended(line)
        inside = text.strip(b" \t")
        if not file.is_text(line) or _way(line) == gap:
            return line
        left, _, right = text.partition(inside)
        return left + _GAP.sub(gap, inside) + right + end

    mended = mapped(file, parted)
    remark = f"one {'blank' if gap == b' ' else 'tab'} between fields"
    return replace(mended, remark=remark if mended.count else "")


def _way(line: bytes) -> bytes:
    """Return what parts the fields of a line: a blank each, a tab each, or nothing in particular."""
    gaps = set(_GAP.findall(ended(line)[0].strip(b" \t")))
    return gaps.pop() if len(gaps) == 1 and gaps <= {b" ", b"\t"} else b""


def drop_blank_lines(file: Lines, keep: Keep | None) -> Mended:
    """Leave out lines without a field."""
    return mapped(file, lambda line: line if line.strip() else None)


def drop_comments(file: Lines, keep: Keep | None) -> Mended:
    """Leave out lines that begin with #."""
    return mapped(file, lambda line: None if file.is_comment(line) else line)


def drop_possible_rows(file: Lines, keep: Keep | None) -> Mended:
    """Leave out lines that begin with # and would be rows without it being a comment."""
    width = len(COLUMNS[file.kind])

    def kept(line: bytes) -> bytes | None:
        if not file.is_comment(line):
            return line
        fields = fields_of(line)
        return None if len(fields) == width and _has_value(fields, file) else line

    return mapped(file, kept)


def drop_header(file: Lines, keep: Keep | None) -> Mended:
    """Leave out a first line that names the columns."""
    lines = [fault.line - 1 for fault in file.reading.faults if fault.kind == "header" and fault.line is not None]
    return Mended(file.without(lines), len(lines))


def drop_short_lines(file: Lines, keep: Keep | None) -> Mended:
    """Leave out lines with fewer fields than a row has; lines that lack only the tag stay."""
    width = len(COLUMNS[file.kind])

    def kept(line: bytes) -> bytes | None:
        fields = fields_of(line)
        whole = not file.is_text(line) or len(fields) >= width or _lacks_tag(fields, file)
        return line if whole else None

    return mapped(file, kept)


def cut_fields(file: Lines, keep: Keep | None) -> Mended:
    """Leave out what follows the last column, as trec_eval does, where the first columns are those of a row.

    A blank inside an id or a tag makes more fields as well, and then the columns are not what they seem.
    """
    width = len(COLUMNS[file.kind])
    left = 0

    def cut(line: bytes) -> bytes:
        nonlocal left
        fields = fields_at(line)
        if len(fields) <= width or not file.is_text(line):
            return line
        if not _is_row(fields_of(line), file):
            left += 1
            return line
        return line[: fields[width - 1].end()] + ended(line)[1]

    mended = mapped(file, cut)
    remark = f"{left:,} left as they are: their first {width} fields are no row" if left else ""
    return replace(mended, remark=remark)


def add_tag(file: Lines, keep: Keep | None) -> Mended:
    """Write the tag that the other lines have most often, or "run", where the sixth field is missing."""
    if not _saw(file, "missing-tag"):
        return Mended(file, 0)
    tag = _usual_tag(file)

    def tagged(line: bytes) -> bytes:
        fields = fields_of(line)
        if not file.is_text(line) or not _lacks_tag(fields, file):
            return line
        text, end = ended(line)
        stripped = text.rstrip(b" \t")
        return stripped + (b"\t" if b"\t" in stripped else b" ") + tag.encode() + text[len(stripped) :] + end

    mended = mapped(file, tagged)
    return replace(mended, remark=f"tag {short(tag)}" if mended.count else "")


def one_tag(file: Lines, keep: Keep | None) -> Mended:
    """Write the tag that most rows have into all of them."""
    labels, tag = file.reading.rows.tag, _usual_tag(file)
    there = [row for row, code in enumerate(labels.code.tolist()) if labels.values[code] not in (tag, "")]
    return Mended(
        file.with_fields(TAG, dict.fromkeys(there, tag)), len(there), remark=f"tag {short(tag)}" if there else ""
    )


def add_newline(file: Lines, keep: Keep | None) -> Mended:
    """End the last line."""
    if not file.lines or file.lines[-1].endswith(b"\n"):
        return Mended(file, 0)
    return Mended(file.with_lines({len(file.lines) - 1: ended(file.lines[-1])[0] + b"\n"}), 1)


def _saw(file: Lines, kind: str) -> bool:
    """Return whether the reader saw some fault: a pass over all lines costs more than to ask."""
    return any(fault.kind == kind for fault in file.reading.faults)


def _usual_tag(file: Lines) -> str:
    """Return the most frequent tag of a run, the first of several; "run" where there is none."""
    labels = file.reading.rows.tag
    counts = np.bincount(labels.code, minlength=len(labels.values)) * np.array([bool(tag) for tag in labels.values])
    return labels.values[int(np.argmax(counts))] if counts.any() else "run"


def _lacks_tag(fields: list[str], file: Lines) -> bool:
    """Return whether the fields are all of a run's row but the last."""
    return file.kind == "run" and len(fields) == TAG and _is_row(fields, file)


def _has_value(fields: list[str], file: Lines) -> bool:
    """Return whether the score or grade is a number."""
    value = fields[VALUE_FIELD[file.kind]]
    return (numbers.real(value) if file.kind == "run" else numbers.whole(value)) is not None


def _is_row(fields: list[str], file: Lines) -> bool:
    """Return whether the first fields are those of a row: a run's rank is a whole number, a score or grade a number."""
    rank_fits = file.kind == "qrels" or numbers.whole(fields[VALUE_FIELD["run"] - 1]) is not None
    return rank_fits and _has_value(fields, file)
