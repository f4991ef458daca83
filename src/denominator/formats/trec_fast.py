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
from denominator.formats.parts import Part, Seen, numbering

if TYPE_CHECKING:
    from denominator.formats.parts import Coded
    from denominator.formats.table import Options

__all__ = ["fast_part"]

BOM = b"\xef\xbb\xbf"
QUERY, SECOND, DOC, RANK, RUN_SCORE, TAG = range(6)
GRADE = 3

WIDEST = 17
"""Bytes up to which a score is sure to be told by its float. Longer ones are looked at."""

WIDE = WIDEST + 6 + 2
"""Bytes that a line has at most beside its query, document and tag where the score has no more than that: these, a line
end and five blanks, and a second and fourth field of one byte each."""

TINIEST = len("1e-324") + 6 + 2
"""Bytes that a line has at least beside these where its score is not 0 and its float may be."""

GAP = np.full(1, 255, dtype=np.uint8)
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
LEADING, TRAILING = (np.where(_BITS.any(axis=1), bits.argmax(axis=1), 8) for bits in (_BITS, _BITS[:, ::-1]))
"""Of each byte: how many bits are 0 before its first 1 and after its last."""


def fast_part(block: bytes, options: Options) -> Part | None:
    """Read a block of clean lines, or return None when some line in it is not."""
    crlf = 0
    if b"\r" in block:
        crlf = block.count(b"\r\n")
        if block.count(b"\r") != crlf:
            return None
        block = block.replace(b"\r\n", b"\n")
    gaps = np.packbits(np.frombuffer(block, dtype=np.uint8) <= 32)
    delimiter = _delimiter(block, gaps)
    if not delimiter or (b"#" in block and (block.startswith(b"#") or b"\n#" in block)):  # comments
        return None
    run = options.kind == "run"
    table = _parsed(block, delimiter, run)
    if table is None:
        return None
    query = _coded(table["0"])
    value = _scores(table[str(RUN_SCORE)]) if run else _whole(table[str(GRADE)])
    if value is None or (options.float_grades and not run):
        return None
    rows = table.num_rows
    rank = None
    if run:
        rank = _whole(table[str(RANK)])
        if rank is None or _may_merge(block, gaps, table, value, query[1]):
            return None
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


def _delimiter(block: bytes, gaps: Any) -> bytes:
    """Return the only blank of a block of lines without empty fields, empty lines and odd bytes; else nothing.

    `gaps` has a bit per byte of the block: whether it is a blank, a line end or another control code.
    """
    if any(octet in block for octet in (b"\0", b"\v", b"\f")) or block.startswith(BOM):
        return b""
    if BOM[:1] in block and b"\n" + BOM in block:  # a byte is found twenty times as fast as a word
        return b""
    blank, tab = b" " in block, b"\t" in block
    if blank == tab:
        return b""
    if gaps[0] >> 7 or (gaps & gaps << 1).any() or (gaps[:-1] & gaps[1:] >> 7).any():
        return b""  # two gaps side by side: an empty field or an empty line
    return b" " if blank else b"\t"


def _parsed(block: bytes, delimiter: bytes, run: bool) -> Any:
    """Return the block as an Arrow table of columns "0" to "5" (or "3"), or None when it is no such table."""
    import pyarrow as pa
    from pyarrow import csv

    text, coded, ascii_only = pa.string(), pa.dictionary(pa.int32(), pa.string()), block.isascii()
    types = {"0": text, "1": text, "2": text, "3": coded}
    if run:
        # A rank column is parsed as numbers unless pyarrow might see hexadecimal ones in it.
        types |= {"3": coded if b"x" in block or b"X" in block else pa.int32(), "4": pa.float64(), "5": text}
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
    first = ids.first_of_runs(offsets, octets)
    data = octets[low : int(offsets[-1])].tobytes()
    whole: Any = data.decode("ascii") if data.isascii() else data
    begins, ends = (offsets[:-1][first] - low).tolist(), (offsets[1:][first] - low).tolist()
    index = numbering()
    of_run = [index[whole[a:b]] for a, b in zip(begins, ends, strict=True)]
    texts = list(index) if whole is not data else [key.decode("utf-8") for key in index]
    return texts, np.repeat(np.array(of_run, dtype=np.int32), np.diff(first, append=size))


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
    return scores if np.isfinite([scores.min(), scores.max()]).all() else None


def _may_merge(block: bytes, gaps: Any, table: Any, scores: Any, codes: Any) -> bool:
    """Return whether scores that differ as texts may have become one float: the exact reader keeps such texts.

    Texts are only looked at where rows tie or are out of order, and in lines with room for so many digits. Scores that
    fall from row to row are all different.
    """
    if max(scores.max(), -scores.min()) >= numbers.EXACT:
        return True
    above = np.flatnonzero(~((codes[1:] > codes[:-1]) | ((scores[1:] < scores[:-1]) & (codes[1:] == codes[:-1]))))
    if not len(above):
        return False
    tiny = np.abs(scores) < numbers.TINY
    if tiny.any() and not (b"e-" in block or b"E-" in block):  # two bytes take long to find
        tiny[:] = False
    if not (tiny.any() or _has_long_field(gaps)):
        return False
    if ((scores[above + 1] == scores[above]) & (codes[above + 1] == codes[above])).all():
        suspect = np.zeros(len(scores), dtype=np.bool_)  # in order: what ties stands side by side
        suspect[above] = suspect[above + 1] = True
    else:
        ordered = np.sort(scores)
        suspect = np.isin(scores, ordered[1:][ordered[1:] == ordered[:-1]])
    rows = np.flatnonzero(suspect)
    ends = np.flatnonzero(np.frombuffer(block, dtype=np.uint8) == ord("\n"))
    if len(ends) < len(scores):  # the last line has no newline
        ends = np.append(ends, len(block))
    starts = np.where(rows > 0, ends[rows - 1] + 1, 0)
    rest = ends[rows] - starts + 1
    for column in (QUERY, DOC, TAG):
        offsets = _bounds(table[str(column)].chunk(0))[0]
        rest -= offsets[rows + 1] - offsets[rows]
    long = (rest > WIDE) | (tiny[rows] & (rest >= TINIEST))
    for start, end in zip(starts[long].tolist(), ends[rows[long]].tolist(), strict=True):
        text = block[start:end].split()[RUN_SCORE].decode()
        if numbers.is_wide(text) or numbers.is_tiny(text):
            return True
    return False


def _has_long_field(gaps: Any) -> bool:
    """Return whether some field of a block has more bytes than `WIDEST`; most blocks have none."""
    bits = np.concatenate([GAP, gaps, GAP])
    free = np.flatnonzero(bits == 0)  # eight bytes side by side without a gap: a long field has them, and some beside
    return bool((TRAILING[bits[free - 1]] + 8 + LEADING[bits[free + 1]] > WIDEST).any())


def _whole(column: Any) -> Any:
    """Return whole numbers, or None where a text is none."""
    chunk = column.chunk(0)
    if not hasattr(chunk, "dictionary"):
        return _numpy(chunk, np.int32)
    values = [numbers.whole(text) for text in chunk.dictionary.to_pylist()]
    if any(value is None or abs(value) > numbers.GREATEST for value in values):
        return None
    return np.array(values, dtype=np.int64)[_numpy(chunk.indices, np.int32)]
