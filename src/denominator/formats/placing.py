"""Files that appear whole or not at all, compressed as their name says."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from typing import IO, TYPE_CHECKING, Any

from denominator.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["COMPRESSIONS", "placed", "split_suffix"]


def _gzip(raw: IO[bytes]) -> Any:
    import gzip

    return gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)  # no clock inside: equal rows give equal files


def _bz2(raw: IO[bytes]) -> Any:
    import bz2

    return bz2.BZ2File(raw, "wb")


def _xz(raw: IO[bytes]) -> Any:
    import lzma

    return lzma.LZMAFile(raw, "wb")


def _zstd(raw: IO[bytes]) -> Any:
    import zstandard

    return zstandard.ZstdCompressor().stream_writer(raw, closefd=False)


def _lz4(raw: IO[bytes]) -> Any:
    import lz4.frame

    return lz4.frame.LZ4FrameFile(raw, "wb")


COMPRESSIONS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": _gzip,
    ".bz2": _bz2,
    ".xz": _xz,
    ".zst": _zstd,
    ".lz4": _lz4,
}
"""The suffix of a compressed file → what compresses into an open binary file."""


def split_suffix(name: str) -> tuple[str, str]:
    """Return the suffix that names the format and the one that names the compression, in lower case.

    >>> split_suffix("runs/bm25.JSON.gz")
    ('.json', '.gz')
    """
    stem, last = os.path.splitext(f"x{os.path.basename(name)}")  # a name may be nothing but an ending
    last = last.lower()
    return (os.path.splitext(stem)[1].lower(), last) if last in COMPRESSIONS else (last, "")


@contextlib.contextmanager
def placed(destination: str) -> Iterator[IO[bytes]]:
    """Open a destination for writing; the file takes its place only once the block has ended well.

    It is written beside its place under another name and then renamed, so an interruption leaves what was there before.
    ``-`` is standard output. What is not a regular file (``/dev/stdout``, a pipe) is written straight. Raises
    :class:`~denominator.errors.InputError` for a folder, for a place without one, and where the system refuses to
    write; the message names the destination.
    """
    with _named(destination), contextlib.ExitStack() as stack:
        raw = _standard_output(stack) if destination == "-" else stack.enter_context(_beside(destination))
        compress = COMPRESSIONS.get(split_suffix(destination)[1])
        yield raw if compress is None else stack.enter_context(compress(raw))


def _standard_output(stack: contextlib.ExitStack) -> IO[bytes]:
    """Return standard output as a file that writes all of what it is given.

    Under PYTHONUNBUFFERED it is the bare descriptor, whose `write` may stop half-way, on a disk that fills up for one,
    and only returns how far it came.
    """
    bare: Any = sys.stdout.buffer
    if not isinstance(bare, io.RawIOBase):
        stack.callback(bare.flush)
        whole: IO[bytes] = bare
        return whole
    buffered = io.BufferedWriter(bare)
    stack.callback(buffered.detach)  # flushes, and leaves the descriptor open
    return buffered


_ADVICE = {
    errno.ENOSPC: "make room, or name a file on another disk",
    errno.EDQUOT: "make room, or name a file on another disk",
    errno.EFBIG: "raise the limit on the size of files (ulimit -f), or write less",
    errno.EACCES: "name a file in a folder that you may write to",
    errno.EROFS: "name a file on a disk that can be written to",
    errno.ENAMETOOLONG: "give it a shorter name",
    errno.ELOOP: "take the link away, or name another file",
}
"""The system's reason → what to do about it."""


@contextlib.contextmanager
def _named(destination: str) -> Iterator[None]:
    """Say of a failure to write where it was to be written, and what to do."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None and not _is_of(str(error.filename), destination):
            raise
        where = "standard output" if destination == "-" else destination
        advice = _ADVICE.get(error.errno or 0)
        raise InputError(f"{where}: {error.strerror or error}" + (f"; {advice}" if advice else "")) from error


def _is_of(filename: str, destination: str) -> bool:
    """Return whether a file is the destination, or the one beside it that is written to meanwhile."""
    return filename == destination or filename.endswith(".part")


def _refuse_circle(path: Path) -> None:
    """Refuse a symbolic link that leads back to itself; one that leads to nothing yet is as good as a name."""
    try:
        path.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise


@contextlib.contextmanager
def _beside(destination: str) -> Iterator[IO[bytes]]:
    """Open a file beside the destination and rename it at the end; take it away when the block fails."""
    from pathlib import Path

    path = Path(destination)
    if path.is_dir():
        raise InputError(f"{destination}: is a folder; name a file to write to")
    if path.is_symlink():
        _refuse_circle(path)
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    path = path.resolve()  # a symbolic link goes on pointing at the file that is replaced
    if not path.parent.is_dir():
        raise InputError(f"{destination}: there is no folder {path.parent}; make it first")
    import secrets

    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with beside.open("xb") as file:
            yield file
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o7777)
        os.replace(beside, path)
    except BaseException:  # also Ctrl-C: whatever ends the writing must not leave half a file
        beside.unlink(missing_ok=True)
        raise
