"""Opening an input: a path, ``-``, compressed or not, as a stream of UTF-8 bytes that is read once.

Compression is recognised by the first bytes of the file, whatever its name says. URLs are refused: a score should not
depend on what a server answers today.
"""

from __future__ import annotations

import codecs
import io
import itertools
import os
import re
import stat
import sys
from collections.abc import Iterator
from typing import IO, Any

from denominator.cached import cached_property
from denominator.errors import FormatError, InputError, TooLargeError, UsageError
from denominator.formats.faults import show
from denominator.formats.unpacking import refuse_inside, unpacked
from denominator.model import Fault, Severity

__all__ = ["BLOCK", "BOM", "NAME_IT", "Content", "Head", "not_utf8", "open_content", "refusal", "standard_input_twice"]

BLOCK = 1 << 21
"""Bytes of a block of lines: small enough for the temporaries of a block to stay in the caches."""

HEAD = 1 << 16
"""Bytes that are looked at to recognise a format."""

EXPANSION = 2.0
"""Bytes of memory that a byte of text comes to, once it is columns and hashes."""

LONGEST = 1 << 28
"""Bytes of one line: a document of ten megabytes passes, and a small packed file of endless blanks does not."""

UNASKED = 16_000_000
"""Bytes of text up to which the system is not asked whether they fit."""

PEEKED = 1 << 22
"""Bytes of standard input that may be looked at beforehand: enough to unpack a head of whatever is compressed."""

BOM = b"\xef\xbb\xbf"


class Head:
    """The beginning of a file: what a format is recognised from."""

    def __init__(self, data: bytes, whole: bool, name: str = "") -> None:
        """Look at the first `data` of a file; `whole` says that the file ends there."""
        self.data = data
        self.whole = whole
        self.name = name

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The first lines that are neither blank nor comments, at most 50, without their line ends."""
        raw = self.data.split(b"\n")
        if not self.whole and len(raw) > 1:
            raw.pop()
        text = (line.rstrip(b"\r").decode("utf-8", "replace") for line in raw[:500])
        return tuple(itertools.islice((line for line in text if line.strip() and not line.startswith("#")), 50))

    @cached_property
    def fields(self) -> tuple[tuple[str, ...], ...]:
        """The fields of those lines: what stands between runs of blanks and tabs."""
        return tuple(tuple(re.split(r"[ \t]+", line.strip(" \t"))) for line in self.lines)

    @cached_property
    def width(self) -> int:
        """The number of fields that most of those lines have; 0 without lines. A first line that differs has no say."""
        widths = [len(fields) for fields in self.fields]
        return max(set(widths), key=lambda width: (widths.count(width), width)) if widths else 0


class Content:
    """One opened input. `blocks`, `read` and `text` consume it: use one of them, once."""

    def __init__(self, stream: Any, name: str, path: str | None, size: int | None, limit: int | None, raw: Any) -> None:
        """Take over a stream of bytes, and the file `raw` behind it, to close it; see :func:`open_content`."""
        self._raw = raw
        self.name = name
        """What messages call it: the path as given, ``-`` for standard input."""
        self.path = path
        """The file, where it is one and neither compressed nor in another encoding than UTF-8; else None."""
        self.size = size
        """Bytes of that file, or None where they are not known before the end."""
        self._stream = stream
        self._limit = limit
        self._taken = 0
        start = _at_least(stream, HEAD + 3)
        self.bom = start.startswith(BOM)
        """Whether a byte order mark was stripped from the front (it is in no field, and not in `head`)."""
        self._start = start[3:] if self.bom else start
        self.head = Head(self._start, len(start) < HEAD + 3, name)
        if size is not None:
            self._check(size)

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Yield the content in blocks of whole lines; only the last may lack its final newline."""
        pieces: list[bytes | memoryview] = []
        for chunk in self._chunks(size):
            cut = chunk.rfind(b"\n") + 1
            if cut:
                whole = memoryview(chunk)  # a slice of it is no copy
                yield b"".join([*pieces, whole[:cut]]) if pieces or cut < len(chunk) else chunk
                pieces = [whole[cut:]] if cut < len(chunk) else []
            else:
                pieces.append(chunk)
                if len(pieces) * size > LONGEST:
                    raise TooLargeError(
                        f"{self.name}: a line of more than {LONGEST >> 20} MB, which no line of qrels or a run is; is "
                        "this another kind of file, or one whose line ends were lost?"
                    )
        if pieces:
            yield b"".join(pieces)

    def read(self) -> bytes:
        """Return everything."""
        return b"".join(self._chunks(BLOCK))

    def text(self) -> str:
        """Return everything as text, or say where it is not UTF-8."""
        data = self.read()
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise refusal(
                self.name, "encoding", not_utf8(error.start + 3 * self.bom, data[error.start]), line, NAME_IT
            ) from None

    def close(self) -> None:
        """Close the file; what was open before, such as standard input, stays open."""
        if self._raw is not None:
            self._raw.close()

    def __enter__(self) -> Content:
        """Return itself, to be closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def _chunks(self, size: int) -> Iterator[bytes]:
        start, self._start = self._start, b""
        whole = len(start) // size * size
        looked_at = [start[at : at + size] for at in range(0, whole, size)]
        rest = start[whole:] + self._stream.read(size - (len(start) - whole))  # a block of a small file is all of it
        for chunk in itertools.chain(looked_at, [rest] if rest else (), iter(lambda: self._stream.read(size), b"")):
            self._taken += len(chunk)
            self._check(self._taken)
            yield chunk

    def _check(self, size: int) -> None:
        if self._limit is None and size > UNASKED:
            from denominator.formats.memory import available_memory  # small files need not know

            self._limit = available_memory() or sys.maxsize
        if self._limit is not None and size * EXPANSION > self._limit:
            raise TooLargeError(
                f"{self.name}: {size / 1e6:,.0f} MB of text need about {size * EXPANSION / 1e6:,.0f} MB of memory, "
                f"{self._limit / 1e6:,.0f} MB are available; cut it to the depth you score, or use a larger machine"
            )


def not_utf8(offset: int, byte: int) -> str:
    """Return the sentence for bytes that are not UTF-8."""
    return f"byte 0x{byte:02x} at offset {offset:,} is not UTF-8; convert the file"


NAME_IT = 'or name its encoding: --encoding latin-1 (in Python encoding="latin-1")'
"""The remedy where bytes are not UTF-8."""


def open_content(
    source: str | os.PathLike[str] | IO[bytes], *, encoding: str = "utf-8", limit: int | None = None
) -> Content:
    """Open a path, ``-`` or ``/dev/stdin`` (standard input), or a binary file object.

    `limit` is the memory in bytes that may be used; by default what the system says is available. Raises
    :class:`~denominator.errors.InputError` for what cannot be opened and :class:`~denominator.errors.TooLargeError` for
    what would not fit.
    """
    raw, name, path = _open_raw(source)
    owned = None if raw is source or name == "-" else raw
    raw = _Rejoined(b"", raw, name)
    try:
        start = _at_least(raw, 512)
        if not start:
            raise refusal(name, "empty", _EMPTY_STDIN if name == "-" else "the file is empty")
        stream: Any = _Rejoined(start, raw, name)
        unpacking = unpacked(stream, start, name)
        if unpacking is not None:
            stream, path = unpacking, None
        utf8 = _is_utf8(encoding)
        if not utf8:
            stream, path = _Recoded(stream, encoding, name), None
        content = Content(stream, name, path, os.stat(path).st_size if path else None, limit, owned)
        if utf8:
            _refuse_wide(content.head.data, name)
        if unpacking is not None:
            refuse_inside(content.head.data, name)
        if not content.head.data:
            raise refusal(name, "empty", "there is nothing in it")
    except BaseException:
        if owned is not None:
            owned.close()
        raise
    return content


def standard_input_twice() -> tuple[Any, Any, bool]:
    """Return the beginning of standard input, all of it, and whether the one is the other: two files to be opened.

    For whoever must know what it holds before it is read.
    """
    raw = _open_raw("-")[0]
    start = _at_least(raw, PEEKED)
    return _Rejoined(start, io.BytesIO(), "-"), _Rejoined(start, raw, "-"), len(start) < PEEKED


_EMPTY_STDIN = "standard input is empty; it can be read only once, so `-` stands for one input of a command"


def _open_raw(source: str | os.PathLike[str] | IO[bytes]) -> tuple[Any, str, str | None]:
    """Return the open file, its name in messages, and its path where it is a regular file."""
    if not isinstance(source, (str, os.PathLike)):
        return source, str(getattr(source, "name", type(source).__name__)), None
    name = os.fspath(source)
    if not name:
        raise InputError('"": an empty name; give the path of a file, or - for standard input')
    if name in ("-", "/dev/stdin"):
        if sys.stdin is None:
            raise InputError("-: there is no standard input")
        return sys.stdin.buffer, "-", None
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", name):
        raise InputError(f"{show(name, 200)}: a URL; inputs are never fetched: download the file, then give its path")
    try:
        mode = os.stat(name).st_mode
        folder, unreadable = stat.S_ISDIR(mode), stat.S_ISBLK(mode) or stat.S_ISSOCK(mode)
        if not folder and not unreadable:
            return open(name, "rb"), name, name if stat.S_ISREG(mode) else None
    except FileNotFoundError:
        raise InputError(f"{show(name, 200)}: there is no such file{_near_files(name)}") from None
    except PermissionError:
        raise InputError(f"{show(name, 200)}: no permission to read it") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{show(name, 200)}: cannot be opened: {getattr(error, 'strerror', None) or error}") from None
    if folder:
        raise InputError(f"{show(name, 200)}: a folder; give a file in it{_some_files(name)}")
    raise InputError(f"{show(name, 200)}: a device or a socket, not a file")


def _some_files(folder: str) -> str:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file() and entry.name[0] != ".")
    except OSError:
        return ""
    return f", such as {show(os.path.join(folder, names[0]), 200)}" if names else ""


def _near_files(path: str) -> str:
    folder, name = os.path.split(path)
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return ""
    import difflib  # only an error needs it

    near = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {show(os.path.join(folder, near[0]), 200)}?" if near else ""


def _at_least(stream: Any, size: int) -> bytes:
    """Read until there are `size` bytes or the end: a pipe hands out less than it is asked for."""
    pieces, have = [], 0
    while have < size:
        piece = stream.read(size - have)
        if not piece:
            break
        pieces.append(piece)
        have += len(piece)
    return b"".join(pieces)


class _Rejoined:
    """A stream whose first bytes were looked at and are read again; a failing disk is an input that cannot be used."""

    def __init__(self, start: bytes, rest: Any, name: str) -> None:
        self._start, self._rest, self._name = start, rest, name

    @property
    def name(self) -> str:
        return self._name

    def read(self, size: int = -1) -> bytes:
        if self._start and size >= 0:
            out, self._start = self._start[:size], self._start[size:]
            return out
        start, self._start = self._start, b""
        try:
            rest: bytes = self._rest.read(size)
        except OSError as error:
            raise InputError(f"{self._name}: cannot be read: {error.strerror or error}") from None
        return start + rest

    def close(self) -> None:
        pass  # whoever opened the file closes it


class _Recoded:
    """A stream of bytes in some encoding as a stream of UTF-8."""

    def __init__(self, stream: Any, encoding: str, name: str) -> None:
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._lines = 1

    def read(self, size: int) -> bytes:
        while True:
            data: bytes = self._stream.read(size)
            try:
                text = self._decoder.decode(data, final=not data)
            except UnicodeDecodeError as error:
                line = self._lines + error.object[: error.start].count(b"\n")
                byte = f"0x{error.object[error.start]:02x}"
                message = f"byte {byte} is not {self._encoding}; name the encoding that the file is in"
                raise refusal(self._name, "encoding", message, line) from None
            except UnicodeError as error:  # such as UTF-16 without its byte order mark
                message = f"not {self._encoding} ({show(str(error), 200)}); name the encoding that the file is in"
                raise refusal(self._name, "encoding", message, self._lines) from None
            self._lines += text.count("\n")
            if text or not data:
                recoded: bytes = text.encode("utf-8", "surrogatepass")
                return recoded

    def close(self) -> None:
        self._stream.close()


def _is_utf8(encoding: str) -> bool:
    """Return whether an encoding is UTF-8 (or a part of it); an unknown one is refused."""
    try:
        found = codecs.lookup(encoding)
    except (LookupError, ValueError):  # ValueError: a NUL in the name
        raise UsageError(
            f"encoding {show(encoding)}: none that Python knows; such as utf-8, latin-1, cp1252, utf-16"
        ) from None
    if not found._is_text_encoding or found.name in NO_FILE:
        raise UsageError(
            f"encoding {show(encoding)}: no encoding of text files; such as utf-8, latin-1, cp1252, utf-16"
        )
    return found.name in ("utf-8", "ascii", "utf-8-sig")


NO_FILE = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""What Python has among its text encodings, and no text file is in."""

WIDE = {
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order marks of encodings in which every character has several bytes."""


def _refuse_wide(start: bytes, name: str) -> None:
    """Refuse a text that says by its first bytes that it is UTF-16 or UTF-32."""
    for mark, encoding in WIDE.items():
        if start.startswith(mark):
            remedy = f'or name it: --encoding {encoding} (in Python encoding="{encoding}")'
            raise refusal(name, "encoding", f"the file is {encoding.upper()}; convert it", 1, remedy)


def refusal(name: str, kind: str, message: str, line: int | None = None, remedy: str = "") -> FormatError:
    """Return the error of an input that is refused as a whole."""
    return FormatError(name, [Fault(kind, Severity.ERROR, message, name, line, remedy=remedy)])
