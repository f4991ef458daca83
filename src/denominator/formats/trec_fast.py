"""The fast reader of TREC lines: blocks of clean lines, by pyarrow's CSV parser.

A block is clean when one delimiter, a single blank or a single tab, parts exactly six (or four) fields on every line
and nothing else is unusual. pyarrow is laxer than the exact reader in places (a lone carriage return ends a line,
``0x10`` is a whole number, ``1e999`` and ``nan(1)`` are scores, a byte order mark at the front of a block vanishes) and
stricter in others; whatever is not sure to mean the same is left to the exact reader by returning None, block by block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import ids
from denominator.formats import numbers
from denominator.formats.parts import Part, Seen

if TYPE_CHECKING:
    from denominator.formats.parts import Coded
    from denominator.formats.table import Options

__all__ = ["fast_part"]

BOM = b"\xef\xbb\xbf"
QUERY, SECOND, DOC, RANK, RUN_SCORE, TAG = range(6)
GRADE = 3

WIDE = 17 + 6 + 2
"""Bytes that a line has at most beside its query, document and tag where the score has no more than 17: these, a line
end and five blanks, and a second and fourth field of one byte each. Longer ones are looked at."""


def fast_part(block: bytes, options: Options) -> Part | None:
    """Read a block of clean lines, or return None when some line in it is not."""
    crlf = 0
    if b"\r" in block:
        crlf = block.count(b"\r\n")
        if block.count(b"\r") != crlf:
            return None
        block = block.replace(b"\r\n", b"\n")
    delimiter = _delimiter(block)
    if not delimiter:
        return None
    run = options.kind == "run"
    table = _parsed(block, delimiter, run)
    if table is None:
        return None
    query = _coded(table["0"])
    if any(text.startswith("#") for text in query[0]):
        return None
    value = _scores(table[str(RUN_SCORE)]) if run else _whole(table[str(GRADE)])
    if value is None or (options.float_grades and not run):
        return None
    if run and _may_merge(block, table, value, query[1]):
        return None
    rank = None
    if run:
        rank = _whole(table[str(RANK)])
        if rank is None:
            return None
    rows = table.num_rows
    offsets, octets = _bounds(table[str(DOC)].chunk(0))
    seen = Seen(crlf=crlf, final_newline=block.endswith(b"\n"))
    seen.by_blank, seen.by_tab = (rows, 0) if delimiter == b" " else (0, rows)
    seen.first["by_blank" if delimiter == b" " else "by_tab"] = 1
    return Part(
        rows,
        query,
        offsets,
        octets,
        numbers.Values(value),
        second=None if run else _coded(table[str(SECOND)]),
        rank=rank,
        tag=_coded(table[str(TAG)]) if run else None,
        seen=seen,
    )


def _delimiter(block: bytes) -> bytes:
    """Return the only blank of a block of lines without empty fields, empty lines and odd bytes; else nothing."""
    if any(octet in block for octet in (b"\0", b"\v", b"\f")) or block.startswith(BOM):
        return b""
    if BOM[:1] in block and b"\n" + BOM in block:  # a byte is found twenty times as fast as a word
        return b""
    blank, tab = b" " in block, b"\t" in block
    if blank == tab:
        return b""
    gap = np.frombuffer(block, dtype=np.uint8) <= 32
    if gap[0] or (gap[1:] & gap[:-1]).any():  # two gaps side by side: an empty field or an empty line
        return b""
    return b" " if blank else b"\t"


def _parsed(block: bytes, delimiter: bytes, run: bool) -> Any:
    """Return the block as an Arrow table of columns "0" to "5" (or "3"), or None when it is no such table."""
    import pyarrow as pa
    from pyarrow import csv

    text, coded, ascii_only = pa.string(), pa.dictionary(pa.int32(), pa.string()), block.isascii()
    types = {"0": text, "1": text, "2": text, "3": coded}
    if run:
        # A rank column is parsed as numbers unless pyarrow might see hexadecimal ones in it.
        types |= {"3": coded if b"x" in block or b"X" in block else pa.int64(), "4": pa.float64(), "5": text}
    wanted = [name for name in types if not (run and name == "1" and ascii_only)]
    try:
        return csv.read_csv(
            pa.BufferReader(block),
            read_options=csv.ReadOptions(use_threads=False, column_names=list(types), block_size=len(block) + 1),
            parse_options=csv.ParseOptions(
                delimiter=delimiter.decode(), quote_char=False, escape_char=False, ignore_empty_lines=False
            ),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=wanted,
                check_utf8=not ascii_only,
                null_values=[],
                true_values=[],
                false_values=[],
            ),
        )
    except pa.ArrowInvalid:
        return None


def _numpy(array: Any, kind: Any) -> Any:
    """Return an Arrow array without nulls as a view of its buffer; ``to_numpy`` would import pandas."""
    if not len(array):
        return np.zeros(0, dtype=kind)
    return np.frombuffer(array.buffers()[1], dtype=kind)[array.offset : array.offset + len(array)]


def _coded(column: Any) -> Coded:
    """Return the distinct texts of a column, in order of first appearance, and the codes of its rows."""
    offsets, octets = _bounds(column.chunk(0))
    low, high, size = int(offsets[0]), int(offsets[1]), len(offsets) - 1
    text = octets[low:high].tobytes()
    if int(offsets[-1]) - low == size * len(text) and octets[low : int(offsets[-1])].tobytes() == text * size:
        return [text.decode("utf-8")], np.zeros(size, dtype=np.int32)  # one text throughout, as tags are
    start, length = offsets[:-1].astype(np.int64), np.diff(offsets).astype(np.int64)
    first = ids.first_of_runs(start, length, octets)
    index: dict[bytes, int] = {}
    whole = memoryview(octets)
    of_run = [
        index.setdefault(bytes(whole[a : a + n]), len(index))
        for a, n in zip(start[first].tolist(), length[first].tolist(), strict=True)
    ]
    rows = np.diff(np.append(first, len(start)))
    return [text.decode("utf-8") for text in index], np.repeat(np.array(of_run, dtype=np.int32), rows)


def _bounds(chunk: Any) -> tuple[Any, Any]:
    """Return the offsets (n + 1) and the bytes of an Arrow ``string`` array."""
    _, offsets, octets = chunk.buffers()
    return (
        np.frombuffer(offsets, dtype=np.int32)[chunk.offset : chunk.offset + len(chunk) + 1],
        np.frombuffer(octets, dtype=np.uint8),
    )


def _scores(column: Any) -> Any:
    """Return scores, or None where one is infinite or NaN: pyarrow reads more texts as such than there are."""
    scores = _numpy(column.chunk(0), np.float64)
    return scores if np.isfinite(scores).all() else None


def _may_merge(block: bytes, table: Any, scores: Any, codes: Any) -> bool:
    """Return whether scores that differ as texts may have become one float: the exact reader keeps such texts.

    Texts are only looked at where rows tie or are out of order, and in lines with room for so many digits. Scores that
    fall from row to row are all different.
    """
    if (np.abs(scores) >= numbers.EXACT).any():
        return True
    parts = (codes[1:] > codes[:-1]) | ((scores[1:] < scores[:-1]) & (codes[1:] == codes[:-1]))
    if parts.all():
        return False
    tied = (scores[1:] == scores[:-1]) & (codes[1:] == codes[:-1])
    if (parts | tied).all():  # in order: what ties stands side by side
        suspect = np.append(False, tied)
        suspect[:-1] |= tied
    else:
        ordered = np.sort(scores)
        suspect = np.isin(scores, ordered[1:][ordered[1:] == ordered[:-1]])
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
    if len(ends) < len(scores):  # the last line has no newline
        ends = np.append(ends, len(block))
    rest = np.diff(ends, prepend=-1)
    for column in (QUERY, DOC, TAG):
        rest -= np.diff(_bounds(table[str(column)].chunk(0))[0])
    starts = np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1] + 1])
    for row in np.flatnonzero((rest > WIDE) & suspect).tolist():
        if numbers.is_wide(block[starts[row] : ends[row]].split()[RUN_SCORE].decode()):
            return True
    return False


def _whole(column: Any) -> Any:
    """Return whole numbers, or None where a text is none."""
    chunk = column.chunk(0)
    if not hasattr(chunk, "dictionary"):
        return _numpy(chunk, np.int64)
    values = [numbers.whole(text) for text in chunk.dictionary.to_pylist()]
    if any(value is None or abs(value) > numbers.GREATEST for value in values):
        return None
    return np.array(values, dtype=np.int64)[_numpy(chunk.indices, np.int32)]
