"""Compressed inputs: recognised by their first bytes, unpacked as a stream, and named when they cannot be."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import IO, Any

from denominator.errors import InputError
from denominator.formats.faults import show

__all__ = ["refuse_inside", "unpacked"]

PACKED_AT_ONCE = 1 << 16

Opened = tuple[Any, tuple[type[Exception], ...]]


def _gzip(stream: Any) -> Opened:
    import gzip

    return gzip.GzipFile(fileobj=stream, mode="rb"), (EOFError, gzip.BadGzipFile, zlib.error)


def _bz2(stream: Any) -> Opened:
    import bz2

    return _Streams(stream, bz2.BZ2Decompressor), (EOFError, OSError, ValueError)


def _xz(stream: Any) -> Opened:
    import lzma

    def one() -> Any:
        return lzma.LZMADecompressor(lzma.FORMAT_XZ)

    return _Streams(stream, one, padding=4), (EOFError, lzma.LZMAError)


def _zstd(stream: Any) -> Opened:
    import zstandard

    return _Frames(stream, zstandard.ZstdDecompressor), (EOFError, zstandard.ZstdError)


def _lz4(stream: Any) -> Opened:
    import lz4.frame

    return lz4.frame.LZ4FrameFile(stream, "rb"), (EOFError, RuntimeError)


class _Streams:
    """The streams of a bz2 or xz file, one behind the other.

    Python's own files for the two take whatever cannot be unpacked behind the first stream for the end.
    """

    def __init__(self, stream: Any, decompressor: Callable[[], Any], padding: int = 0) -> None:
        """Read from `stream`; behind each packed one there may be zeros, a multiple of `padding` of them."""
        self._stream, self._decompressor, self._padding = stream, decompressor, padding
        self._one = decompressor()

    def read(self, size: int) -> bytes:
        while True:
            packed = b""
            if self._one.eof:
                packed = self._next()
                if not packed:
                    return b""
                self._one = self._decompressor()
            elif self._one.needs_input:
                packed = self._stream.read(PACKED_AT_ONCE)
                if not packed:
                    raise EOFError("the last stream is not whole")
            ready: bytes = self._one.decompress(packed, size)
            if ready:
                return ready

    def _next(self) -> bytes:
        """Return the first bytes of the next stream, nothing at the end of the file."""
        zeros = 0
        packed: bytes = self._one.unused_data or self._stream.read(PACKED_AT_ONCE)
        while self._padding and packed.startswith(b"\0"):
            rest = packed.lstrip(b"\0")
            zeros += len(packed) - len(rest)
            packed = rest or self._stream.read(PACKED_AT_ONCE)
        if zeros and zeros % self._padding:
            raise EOFError(f"{zeros:,} zeros behind a stream, where there may be a multiple of {self._padding}")
        return packed


class _Frames:
    """The frames of a zstd file. The library's own stream takes a file that is cut short for one that ends there."""

    def __init__(self, stream: Any, decompressor: Callable[[], Any]) -> None:
        self._stream, self._decompressor = stream, decompressor
        self._frame = decompressor().decompressobj()
        self._packed = b""
        self._ready = b""

    def read(self, size: int) -> bytes:
        while not self._ready:
            packed = self._packed or self._stream.read(PACKED_AT_ONCE)
            if not packed:
                if not self._frame.eof:
                    raise EOFError("the last frame is not whole")
                return b""
            if self._frame.eof:
                self._frame = self._decompressor().decompressobj()
            self._ready = self._frame.decompress(packed)
            self._packed = self._frame.unused_data
        out, self._ready = self._ready[:size], self._ready[size:]
        return out


COMPRESSIONS: dict[bytes, Callable[[Any], Opened]] = {
    b"\x1f\x8b\x08": _gzip,
    b"BZh": _bz2,
    b"\xfd7zXZ\x00": _xz,
    b"\x28\xb5\x2f\xfd": _zstd,
    b"\x04\x22\x4d\x18": _lz4,
}
"""The first bytes of a file → what unpacks it."""

BZIP2_BLOCK = (b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90")
"""What follows ``BZh`` and a digit: a query id may well begin with BZh1, but not with this."""

REFUSED = {
    b"PK\x03\x04": "a zip archive (or a spreadsheet); unpack it and give the file inside",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it and give the file inside",
    b"Rar!\x1a\x07": "a rar archive; unpack it and give the file inside",
    b"\x1f\x9d": "compressed with compress (.Z); unpack it with `uncompress`, or pack it with gzip",
    b"LZIP": "compressed with lzip; unpack it, or pack it with gzip or xz",
    b"\x02\x21\x4c\x18": "compressed with an old kind of lz4; unpack it with `lz4 -d`",
    b"\xff\x06\x00\x00sNaPpY": "compressed with snappy; unpack it, or pack it with gzip",
    b"%PDF": "a PDF document",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x93NUMPY": "a numpy array; give a text file, or a dict or frame in Python",
    b"\x80\x04\x95": "a Python pickle, which is never loaded; write it as JSON or TREC",
    b"\x80\x05\x95": "a Python pickle, which is never loaded; write it as JSON or TREC",
    b"\x89HDF": "an HDF5 file",
}
"""The first bytes of a file → why it is refused."""


class Unpacked:
    """A stream of unpacked bytes that says plainly when there is no going on."""

    def __init__(self, opened: Opened, name: str) -> None:
        """Read from a decompressor; `name` is what messages call the file."""
        self._stream, self._errors = opened
        self.name = name

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end."""
        try:
            data: bytes = self._stream.read(size)
        except InputError:  # from the file below, and already plain
            raise
        except self._errors as error:
            why = show(str(error), 200)
            raise InputError(
                f"{self.name}: cannot be unpacked, it is damaged or cut short ({why}); fetch or pack it again"
            ) from None
        return data


def refuse_inside(data: bytes, name: str) -> None:
    """Raise :class:`~denominator.errors.InputError` where what was unpacked is packed again, or no text for sure.

    What is packed twice with lz4 is left to the format that knows it.
    """
    why = next((sentence for magic, sentence in REFUSED.items() if data.startswith(magic)), "")
    if data[257:262] == b"ustar":
        why = "a tar archive; unpack it (tar xf) and give the file inside"
    elif _packing(data) not in (None, _lz4):
        why = "compressed once more: it was packed twice; unpack it once and give that"
    if why:
        raise InputError(f"{name}: inside its compression it is {why}")


def _packing(start: bytes) -> Callable[[Any], Opened] | None:
    """Return what unpacks a file, by its first bytes (10 or more)."""
    for magic, unpack in COMPRESSIONS.items():
        if start.startswith(magic) and (magic != b"BZh" or start[4:10] in BZIP2_BLOCK):
            return unpack
    return None


def unpacked(stream: IO[bytes], start: bytes, name: str) -> Unpacked | None:
    """Return the stream unpacked, or None when its first bytes (10 or more) are not those of a compressed file.

    Raises :class:`~denominator.errors.InputError` for archives and other files that are known and not text.
    """
    for magic, sentence in REFUSED.items():
        if start.startswith(magic):
            raise InputError(f"{name}: {sentence}")
    if start[257:262] == b"ustar":
        raise InputError(f"{name}: a tar archive; unpack it and give the file inside")
    unpack = _packing(start)
    return Unpacked(unpack(stream), name) if unpack is not None else None
