"""Where a verb's output goes: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from denominator.errors import UsageError

__all__ = ["write"]


def write(content: str | bytes, destination: str | None) -> None:
    """Write to a file, or to standard output where `destination` is None or ``-``.

    The file is written beside its place under another name and then renamed, so that an interruption leaves what was
    there before. A destination that is not a regular file (``/dev/stdout``, a pipe) is written straight.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if destination is None or destination == "-":
        _to_stdout(data)
        return
    path = Path(destination)
    if path.is_dir():
        raise UsageError(f"{destination}: is a folder; name a file to write to")
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()  # a symbolic link keeps pointing at the file that is replaced
    if not path.parent.is_dir():
        raise UsageError(f"{destination}: there is no folder {path.parent}; make it first")
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(beside, path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise


def _to_stdout(data: bytes) -> None:
    """Write bytes to standard output, whatever encoding the terminal claims to have."""
    sys.stdout.flush()
    binary = getattr(sys.stdout, "buffer", None)
    if binary is None:
        sys.stdout.write(data.decode("utf-8"))
    else:
        binary.write(data)
    sys.stdout.flush()


def _umask() -> int:
    """Return the mask that new files are made with; there is no way to read it but to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
