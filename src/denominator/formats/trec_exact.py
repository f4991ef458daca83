"""The exact reader of TREC lines: what trec_eval accepts, and the reason for the rest.

Accepted: fields parted by any run of blanks and tabs, blanks at the ends of lines, LF or CR LF, no final newline,
blank lines. A line that begins with ``#`` is a comment, as in trec_eval 10. Refused: a wrong number of fields, where
trec_eval takes the first ones; NUL; bytes that are not UTF-8; a carriage return, form feed or vertical tab inside a
line, which trec_eval takes for blanks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from denominator.formats import numbers
from denominator.formats.columns import coded, ranks
from denominator.formats.faults import INSIDE_BOM, KEPT, Faults, show
from denominator.formats.lenient import forgiving
from denominator.formats.parts import COLUMNS, Part, Seen
from denominator.formats.sources import NAME_IT, not_utf8
from denominator.model import Severity

if TYPE_CHECKING:
    from denominator.formats.table import Options

__all__ = ["exact_part"]

VALUE_FIELD = {"run": 4, "qrels": 3}

HEADER_WORDS = frozenset(
    (
        *("qid", "query", "query_id", "query-id", "queryid", "topic", "topic_id", "topicid"),
        *("q0", "iter", "iteration", "unused", "doc", "docid", "doc_id", "doc-id", "docno", "corpus-id", "corpus_id"),
        *("rank", "score", "sim", "rel", "relevance", "label", "grade", "judgment", "judgement"),
        *("tag", "run", "run_id", "runid", "system"),
    )
)
"""What columns are called in headers; two of them in a first line without a number make it a header."""

BOM = b"\xef\xbb\xbf"

_INSIDE = {b"\0": "NUL", b"\r": "carriage return", b"\v": "vertical tab", b"\f": "form feed"}


@dataclass(slots=True)
class _Reading:
    """One block while it is read."""

    options: Options
    offset: int
    """Where the block begins in the file, in bytes."""
    first: bool
    """Whether the block is the first of its file."""
    strange: bool
    """Whether some line holds bytes that no line should: NUL, stray carriage returns, not UTF-8, a byte order mark."""
    seen: Seen = field(default_factory=Seen)
    faults: Faults = field(default_factory=Faults)
    lost: int = 0
    rows: list[list[bytes]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def lose(self, kind: str, message: str, line: int, remedy: str = "") -> None:
        """Note a line that cannot be a row."""
        self.lost += 1
        self.faults.add(kind, message, line=line, remedy=remedy)


def exact_part(block: bytes, options: Options, *, offset: int = 0, first: bool = True) -> Part:
    """Read a block of whole lines; `offset` is its place in the file and only for messages."""
    raw_lines = block.split(b"\n")
    ended = raw_lines[-1] == b""
    if ended:
        raw_lines.pop()
    reading = _Reading(options, offset, first, _is_strange(block))
    reading.seen.final_newline = ended
    _sort_lines(reading, raw_lines)
    columns = [_decoded(column) for column in zip(*reading.rows, strict=True)] or [[]] * len(COLUMNS[options.kind])
    return _part(reading, columns, len(raw_lines))


def _is_strange(block: bytes) -> bool:
    if any(octet in block for octet in (b"\0", b"\v", b"\f")) or block.count(b"\r") != block.count(b"\r\n"):
        return True
    if block.isascii():
        return False
    if BOM in block:
        return True
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def _sort_lines(reading: _Reading, raw_lines: list[bytes]) -> None:
    """Part the lines into rows and the rest."""
    width, seen = len(COLUMNS[reading.options.kind]), reading.seen
    keep_comments = reading.options.lenient.get("comments") == "rows"
    at = reading.offset
    for number, raw in enumerate(raw_lines, 1):
        start, at = at, at + len(raw) + 1
        line = raw
        if line.endswith(b"\r"):
            seen.crlf += 1
            line = line[:-1]
        fields = line.split()
        if reading.strange and line.startswith(BOM):
            reading.lose("bom-inside", INSIDE_BOM, number)
        elif not fields:
            seen.blank += 1
        elif line.startswith(b"#") and not keep_comments:
            _note_comment(reading, fields, number)
        elif (reading.strange and _is_refused(reading, line, number, start)) or (
            row := fields if len(fields) == width else _mended(reading, fields, number)
        ) is None:
            pass
        elif reading.first and not reading.rows and _is_header(row, reading.options.kind):
            _lose_header(reading, row, number)
        else:
            _note_spacing(seen, line, fields, number)
            reading.rows.append(row)
            reading.lines.append(number)


def _note_spacing(seen: Seen, line: bytes, fields: list[bytes], number: int) -> None:
    """Note what stands between the fields of a line, and around them."""
    if line == b" ".join(fields):  # nearly every line of nearly every file
        seen.by_blank += 1
        if "by_blank" not in seen.first:
            seen.first["by_blank"] = number
        return
    inside = line.strip(b" \t")
    if inside != line:
        seen.padded += 1
        if len(seen.padded_lines) < KEPT:
            seen.padded_lines.append(number)
    if inside == b" ".join(fields):
        way = "by_blank"
        seen.by_blank += 1
    elif inside == b"\t".join(fields):
        way = "by_tab"
        seen.by_tab += 1
    else:
        way = "by_runs"
        seen.by_runs += 1
    if way not in seen.first:
        seen.first[way] = number


def _note_comment(reading: _Reading, fields: list[bytes], number: int) -> None:
    """Count a comment; warn when it would make a perfect row, for a query id may begin with #."""
    kind = reading.options.kind
    reading.seen.comments.append(number)
    if len(fields) == len(COLUMNS[kind]) and _is_value(fields[VALUE_FIELD[kind]], kind):
        query = fields[0].decode("utf-8", "replace")
        reading.faults.add(
            "comment-row",
            "a line that begins with # is a comment and was skipped, but this one would be a row for query "
            f"{show(query)}",
            severity=Severity.WARNING,
            line=number,
            query_id=query,
            remedy=forgiving("comments=rows", "reads such lines as rows, where query ids begin with #"),
        )


def _is_value(text: bytes, kind: str) -> bool:
    found = text.decode("utf-8", "replace")
    return (numbers.real(found) if kind == "run" else numbers.whole(found)) is not None


def _is_refused(reading: _Reading, line: bytes, number: int, start: int) -> bool:
    """Refuse a line with bytes that no line should hold."""
    for octet, name in _INSIDE.items():
        at = line.find(octet)
        if at >= 0:
            hint = "" if octet == b"\0" else "; lines end in LF or CR LF, and fields are parted by blanks or tabs"
            reading.lose("control-character", f"a {name} at byte {at + 1:,} of the line{hint}", number)
            return True
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        reading.lose("encoding", not_utf8(start + error.start, line[error.start]), number, NAME_IT)
        return True
    return False


def _mended(reading: _Reading, fields: list[bytes], number: int) -> list[bytes] | None:
    """Return a line with a wrong number of fields as a row, where a leniency says so; else name what is wrong."""
    kind, lenient = reading.options.kind, reading.options.lenient
    names = COLUMNS[kind]
    what = "a TREC run has" if kind == "run" else "TREC qrels have"
    count = f"{len(fields)} {'field' if len(fields) == 1 else 'fields'}"
    message = f"{count}, {what} {len(names)}: {' '.join(names)}"
    if len(fields) > len(names):
        if lenient.get("fields") == "extra":
            left_out = "fields beyond the last column left out"
            reading.faults.add("extra-fields", left_out, severity=Severity.INFO, line=number)
            return fields[: len(names)]
        reading.lose("extra-fields", f"{message}. Does a document id or a tag contain a blank?", number)
    elif not _lacks_only_a_tag(fields, kind):
        reading.lose("field-count", message, number, _ranks_alone(reading, fields))
    elif lenient.get("tag") == "none":
        reading.seen.tagless += 1
        if len(reading.seen.tagless_lines) < KEPT:
            reading.seen.tagless_lines.append(number)
        return [*fields, b""]
    else:
        remedy = forgiving("tag=none", "reads such lines")
        reading.lose("missing-tag", f"{message}. The tag seems to be missing", number, remedy)
    return None


def _ranks_alone(reading: _Reading, fields: list[bytes]) -> str:
    """Return, once for a block, what reads lines of three fields that end in a number; whether it is a rank is open."""
    if reading.options.kind != "run" or len(fields) != 3 or "field-count" in reading.faults.counts:
        return ""
    if not _is_value(fields[2], "run"):
        return ""
    return (
        '--run-format msmarco (in Python format="msmarco") reads `query doc rank`, and scores by rank; scores in the '
        "third field need all six fields"
    )


def _lacks_only_a_tag(fields: list[bytes], kind: str) -> bool:
    """Return whether the five fields of a line are those of a run's row up to the score."""
    return (
        kind == "run"
        and len(fields) == len(COLUMNS[kind]) - 1
        and numbers.whole(fields[3].decode("utf-8", "replace")) is not None
        and _is_value(fields[VALUE_FIELD[kind]], kind)
    )


def _is_header(fields: list[bytes], kind: str) -> bool:
    """Return whether the first line names its columns instead of being a row."""
    if _is_value(fields[VALUE_FIELD[kind]], "run"):
        return False
    words = [field.decode("utf-8", "replace").lower() for field in fields]
    return sum(word in HEADER_WORDS for word in words) >= 2


def _lose_header(reading: _Reading, fields: list[bytes], number: int) -> None:
    at = VALUE_FIELD[reading.options.kind]
    reading.first = False
    reading.lose(
        "header",
        f'this looks like a header (the {COLUMNS[reading.options.kind][at]} column is "{show(fields[at])}"); '
        "TREC files have none: remove it",
        number,
        f"or {forgiving('header=skip', 'skips it')}",
    )


def _decoded(column: tuple[bytes, ...]) -> list[str]:
    return b"\n".join(column).decode("utf-8").split("\n")


def _part(reading: _Reading, columns: list[list[str]], lines: int) -> Part:
    """Make a part of the columns of the rows."""
    options, rows = reading.options, reading.rows
    run = options.kind == "run"
    sizes = [len(row[2]) for row in rows]
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(sizes, out=offsets[1:])
    value = columns[VALUE_FIELD[options.kind]]
    return Part(
        lines,
        coded(columns[0]),
        offsets,
        np.frombuffer(b"".join(row[2] for row in rows), dtype=np.uint8),
        numbers.scores(value) if run else numbers.grades(value, real_allowed=options.float_grades),
        second=None if run else coded(columns[1]),
        rank=ranks(columns[3]) if run else None,
        tag=coded(columns[5]) if run else None,
        row_line=None if len(rows) == lines else np.array(reading.lines, dtype=np.int64),
        seen=reading.seen,
        faults=reading.faults.listing(),
        lost=reading.lost,
    )
