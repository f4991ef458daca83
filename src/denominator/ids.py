"""Document and query ids as columns of bytes: hashed, compared and matched without a Python object per row.

An id column is an Arrow ``large_string`` array. Its bytes are read eight at a time as 64-bit words, zero-padded at the
end of each id; a NUL byte never occurs in an id (readers refuse it), so two ids are equal exactly when their words are.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    U64 = npt.NDArray[np.uint64]
    I32 = npt.NDArray[np.int32]
    I64 = npt.NDArray[np.int64]

__all__ = [
    "before_last",
    "column_of",
    "first_of_runs",
    "hash_ids",
    "hash_pairs",
    "hash_texts",
    "not_ascii",
    "order_of",
    "order_words",
    "same_ids",
    "strings_at",
    "strings_between",
    "taken",
]

LONG = 512
"""Bytes beyond which an id is handled by itself: one of ten megabytes must not make a million words for all."""

FEW = 64
"""Rows per change of length from which :func:`first_of_runs` goes from stretch to stretch of equal lengths."""

BLOCK = 1 << 14  # rows per step: the temporaries of a step stay in the second-level cache

_M1 = np.uint64(0x9E3779B97F4A7C15)
_M2 = np.uint64(0xC2B2AE3D27D4EB4F)
_S29 = np.uint64(29)
_S32 = np.uint64(32)
_KEEP = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)  # the low n bytes of a word


def _bounds(column: Any) -> tuple[I64, npt.NDArray[np.uint8]]:
    """Return the offsets (n + 1) and the bytes behind an Arrow ``large_string`` array."""
    _, offsets, data = column.buffers()
    starts = np.frombuffer(offsets, dtype=np.int64)[column.offset : column.offset + len(column) + 1]
    octets = np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8)
    return starts, octets


def _blocks(column: Any) -> Iterator[tuple[slice, I64, I64, npt.NDArray[np.uint8]]]:
    """Yield (rows, start in the piece, length, piece of the bytes and eight bytes more) for blocks of rows."""
    offsets, octets = _bounds(column)
    for low in range(0, len(column), BLOCK):
        high = min(low + BLOCK, len(column))
        bounds = offsets[low : high + 1]
        first, last = int(bounds[0]), int(bounds[-1])
        if last + 8 <= len(octets):
            piece = octets[first : last + 8]
        else:
            piece = np.zeros(last - first + 8, dtype=np.uint8)
            piece[:-8] = octets[first:last]
        yield slice(low, high), bounds[:-1] - first, np.diff(bounds), piece


def hash_ids(column: Any) -> U64:
    """Return a 64-bit hash of each id, shape (n,); equal ids have equal hashes on every machine and in every process.

    Different ids may share one (1 pair in 2**64): whoever acts on an equality compares the ids themselves.
    """
    out = np.empty(len(column), dtype=np.uint64)
    for rows, start, length, piece in _blocks(column):
        state = out[rows]
        _hash_block(start, length, piece, state)
        state *= _M1
        state ^= state >> _S32
    return out


def hash_pairs(query_hash: U64, query: npt.NDArray[np.int32], column: Any) -> U64:
    """Return a 64-bit hash of each (query, document) pair, block by block: no second column of hashes is made.

    Shapes: `query_hash` (q,), `query` (n,) its index per row, `column` the n document ids.
    """
    out = np.empty(len(column), dtype=np.uint64)
    mixed = query_hash * _M1
    for rows, start, length, piece in _blocks(column):
        state = out[rows]
        _hash_block(start, length, piece, state)
        state ^= mixed.take(query[rows])
        state *= _M2
        state ^= state >> _S29
    return out


def _hash_block(start: I64, length: I64, piece: npt.NDArray[np.uint8], state: U64) -> None:
    """Mix the words of each id of a block into `state`, which a caller mixes once more.

    The words say all: an id holds no NUL, so of two ids one cannot be the other with zeros behind it.
    """
    words = np.ndarray(len(piece) - 7, dtype="<u8", buffer=piece.data, strides=(1,))
    shortest, longest = int(length.min(initial=0)), int(length.max(initial=0))
    state[:] = 0
    if longest > LONG:
        _hash_long(start, length, piece, state)
        longest = LONG
    for word in range((longest + 7) // 8):
        some: Any = slice(None) if shortest > 8 * word else np.flatnonzero(length > 8 * word)
        chunk = words[start[some] + 8 * word] if word else words[start[some]]
        if shortest < 8 * (word + 1):
            chunk &= _KEEP.take(length[some] - 8 * word, mode="clip")
        chunk ^= state[some]
        chunk *= _M2
        chunk ^= chunk >> _S29
        state[some] = chunk


def _hash_long(start: I64, length: I64, piece: npt.NDArray[np.uint8], state: U64) -> None:
    """Mix all bytes of each very long id into its state at once; its first words are mixed in like any other's."""
    import hashlib

    for row in np.flatnonzero(length > LONG).tolist():
        octets = piece[int(start[row]) : int(start[row] + length[row])].tobytes()
        state[row] ^= np.uint64(int.from_bytes(hashlib.blake2b(octets, digest_size=8).digest(), "little"))


def column_of(texts: Iterable[str]) -> Any:
    """Return texts as an Arrow ``large_string`` array.

    ``pyarrow.array`` would do it too, but imports pandas, if that is installed, to see whether it was given a Series.
    """
    import pyarrow as pa

    texts = tuple(texts)
    whole = "".join(texts)
    octets = whole.encode("utf-8")
    sizes = map(len, texts if len(octets) == len(whole) else [text.encode("utf-8") for text in texts])
    offsets = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(sizes, dtype=np.int64, count=len(texts)), out=offsets[1:])
    return pa.Array.from_buffers(pa.large_string(), len(texts), [None, pa.py_buffer(offsets), pa.py_buffer(octets)])


def taken(column: Any, rows: I64) -> Any:
    """Return some rows of an id column as a column of their own.

    Arrow's ``take`` would do it, after importing all of pyarrow.compute.
    """
    import pyarrow as pa

    bounds, octets = _bounds(column)
    starts, lengths = bounds[rows], bounds[rows + 1] - bounds[rows]
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    at = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(octets[at])]
    return pa.Array.from_buffers(pa.large_string(), len(rows), buffers)


def before_last(column: Any, mark: str) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Return each id up to the last `mark` in it, and which ids hold one that is not at their front.

    >>> cut, held = before_last(column_of(["d#1#7", "d", "#3"]), "#")
    >>> cut.to_pylist(), held.tolist()
    (['d#1', 'd', '#3'], [True, False, False])
    """
    import pyarrow as pa

    key = np.frombuffer(mark.encode("utf-8"), dtype=np.uint8)
    bounds, octets = _bounds(column)
    held = np.zeros(len(column), dtype=np.bool_)
    offsets = np.zeros(len(column) + 1, dtype=np.int64)
    pieces = []
    for low in range(0, len(column), BLOCK):
        start, end = bounds[low : low + BLOCK], bounds[low + 1 : low + BLOCK + 1]
        start = start[: len(end)]
        piece = octets[int(start[0]) : int(end[-1])]
        marks = np.flatnonzero(_occurs(piece, key)) + int(start[0])
        row = np.searchsorted(end, marks, side="right")
        whole = (marks > start[row]) & (marks + len(key) <= end[row])
        cut = end.copy()
        cut[row[whole]] = marks[whole]  # in ascending order: the last mark of a row is what stays
        held[low : low + BLOCK] = cut < end
        lengths = cut - start
        offsets[low + 1 : low + BLOCK + 1] = lengths
        kept = np.arange(int(lengths.sum())) + np.repeat(start - np.cumsum(lengths) + lengths, lengths)
        pieces.append(octets[kept])
    np.cumsum(offsets, out=offsets)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.concatenate(pieces) if pieces else octets[:0])]
    return pa.Array.from_buffers(pa.large_string(), len(column), buffers), held


def _occurs(octets: npt.NDArray[np.uint8], key: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Return at which bytes a key begins."""
    places = max(len(octets) - len(key) + 1, 0)
    found = np.zeros(len(octets), dtype=np.bool_)
    found[:places] = True
    for at, octet in enumerate(key.tolist()):
        found[:places] &= octets[at : at + places] == octet
    return found


def not_ascii(column: Any) -> npt.NDArray[np.bool_]:
    """Return which ids hold a character beyond ASCII. Shape (n,)."""
    bounds, octets = _bounds(column)
    out = np.zeros(len(column), dtype=np.bool_)
    for low in range(0, len(column), BLOCK):
        end = bounds[low + 1 : low + BLOCK + 1]
        first = int(bounds[low])
        beyond = np.flatnonzero(octets[first : int(end[-1])] > 127) + first
        out[low + np.searchsorted(end, beyond, side="right")] = True
    return out


def hash_texts(texts: tuple[str, ...]) -> U64:
    """Return :func:`hash_ids` of a tuple of strings."""
    return hash_ids(column_of(texts))


def order_words(column: Any, rows: I64) -> list[U64]:
    """Return the ids of some rows as big-endian words, most significant first.

    Comparing the words in turn compares the ids in byte order, which for UTF-8 is the order of code points. The words
    of one call compare with one another only: where an id is very long, a single word holds the rank among these rows.
    """
    offsets, octets = _bounds(column)
    start, length = offsets[rows], offsets[rows + 1] - offsets[rows]
    longest = int(length.max(initial=0))
    if longest > LONG:
        texts = [octets[a : a + n].tobytes() for a, n in zip(start.tolist(), length.tolist(), strict=True)]
        rank = {text: number for number, text in enumerate(sorted(set(texts)))}
        return [np.array([rank[text] for text in texts], dtype=np.uint64)]
    return [_words(octets, start, length, word).byteswap() for word in range((longest + 7) // 8)]


def order_of(texts: Sequence[str]) -> I64:
    """Return what sorts texts in byte order: the indices of the first, the second and so on. Shape (n,)."""
    rows = np.arange(len(texts))
    words = order_words(column_of(texts), rows)
    return np.lexsort(words[::-1]) if words else rows


def same_ids(left: Any, left_rows: I64, right: Any, right_rows: I64) -> npt.NDArray[np.bool_]:
    """Return, pair by pair, whether a row of one id column and a row of another hold the same id."""
    (one, octets), (two, others) = _bounds(left), _bounds(right)
    start, length = one[left_rows], one[left_rows + 1] - one[left_rows]
    other, other_length = two[right_rows], two[right_rows + 1] - two[right_rows]
    same: npt.NDArray[np.bool_] = length == other_length
    longest = int(length[same].max(initial=0))
    for word in range((min(longest, LONG) + 7) // 8):
        same &= _words(octets, start, length, word) == _words(others, other, length, word)
    for row in np.flatnonzero(same & (length > LONG)).tolist():
        here, there, size = int(start[row]), int(other[row]), int(length[row])
        same[row] = np.array_equal(octets[here : here + size], others[there : there + size])
    return same


def strings_between(column: Any, low: int, high: int) -> list[str]:
    """Return the ids of the rows from `low` to before `high` as Python strings, all decoded and parted at once."""
    offsets, octets = _bounds(column)
    ends = offsets[low + 1 : high + 1] - offsets[low]
    if not len(ends):
        return []
    held = np.ones(int(ends[-1]) + len(ends), dtype=np.bool_)
    held[ends + np.arange(len(ends))] = False  # a NUL behind each: it is in no id
    parted = np.zeros(len(held), dtype=np.uint8)
    parted[held] = octets[int(offsets[low]) : int(offsets[high])]
    return parted[:-1].tobytes().decode("utf-8").split("\0")


def first_of_runs(offsets: I32 | I64, octets: npt.NDArray[np.uint8]) -> I64:
    """Return the rows whose text is not that of the row before, the first row among them.

    Shapes: `offsets` (n + 1,) where each text begins and the last ends, n > 0.

    A column whose equal texts stand together, as query ids and tags do, has few of them.
    """
    length = np.diff(offsets)
    differs = length[1:] != length[:-1]
    changes = np.flatnonzero(differs) + 1
    if FEW * len(changes) < len(length):  # stretches of texts of equal length: each byte against that of a row before
        for low, high in itertools.pairwise([0, *changes.tolist(), len(length)]):
            size, a, b = int(length[low]), int(offsets[low]), int(offsets[high])
            if size:
                differs[low + np.flatnonzero(octets[a + size : b] != octets[a : b - size]) // size] = True
        return np.concatenate([np.zeros(1, dtype=np.int64), np.flatnonzero(differs) + 1])
    start, length = offsets[:-1].astype(np.int64), length.astype(np.int64)
    longest = int(length.max())
    for word in range((min(longest, LONG) + 7) // 8):
        words = _words(octets, start, length, word)
        differs |= words[1:] != words[:-1]
    if longest > LONG:
        for row in np.flatnonzero(~differs & (length[1:] > LONG)).tolist():
            here, there, size = int(start[row]), int(start[row + 1]), int(length[row])
            differs[row] = not np.array_equal(octets[here : here + size], octets[there : there + size])
    return np.concatenate([np.zeros(1, dtype=np.int64), np.flatnonzero(differs) + 1])


def _words(octets: npt.NDArray[np.uint8], start: I64, length: I64, word: int) -> U64:
    """Return one word of each id, zero-padded at its end: the bytes themselves are not copied for it."""
    at = np.minimum(start + 8 * word, len(octets))
    whole = max(len(octets) - 7, 0)
    out = np.zeros(len(at), dtype=np.uint64)
    if whole:
        view = np.ndarray(whole, dtype="<u8", buffer=octets.data, strides=(1,))
        out = view[np.minimum(at, whole - 1)]
    last = np.flatnonzero(at >= whole)
    if len(last):  # of the last seven bytes there is no whole word to be seen
        tail = np.zeros(16, dtype=np.uint8)
        tail[: len(octets) - whole] = octets[whole:]
        out[last] = np.ndarray(9, dtype="<u8", buffer=tail.data, strides=(1,))[at[last] - whole]
    out &= _KEEP.take(length - 8 * word, mode="clip")
    return out


def strings_at(column: Any, rows: I64) -> list[str]:
    """Return the ids of some rows as Python strings."""
    offsets, octets = _bounds(column)
    return [
        octets[a:b].tobytes().decode("utf-8")
        for a, b in zip(offsets[rows].tolist(), offsets[rows + 1].tolist(), strict=True)
    ]
