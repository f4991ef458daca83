"""Fetching files whose size and SHA-256 are known beforehand: right, or not at all.

- A file comes as ``NAME.part`` beside its place, and is renamed once its bytes are right: a part is never used.
- What was cut off goes on where it stopped (an HTTP range); where the server knows none, it starts again.
- A connection that is silent for :data:`TIMEOUT` seconds, breaks, ends early, or is answered by a server's own trouble
  (5xx, 429) is tried :data:`TRIES` times in all. Another refusal, such as 404, and wrong bytes are final at once.
- Two processes that want the same folder's files take turns; the second finds the file there.
- Redirects are followed, to any address: the checksum says whether it was right.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from denominator.errors import InputError
from denominator.pinned import refusal
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.fingerprints import Known

__all__ = ["PAUSES", "TIMEOUT", "TRIES", "Progress", "fetch"]

TIMEOUT = 20.0
"""Seconds without a byte after which a connection is given up."""

PAUSES = (1.0, 4.0)
"""Seconds between one try and the next."""

TRIES = len(PAUSES) + 1

CHUNK = 1 << 16
"""Bytes that are read at a time."""

Progress = Callable[[int, int], object]
"""Told how many bytes have come, and of how many."""


class _BrokenError(Exception):
    """A try that failed for a reason that may pass."""


class _RefusedError(Exception):
    """A try that failed for good."""


def fetch(known: Known, path: Path, progress: Progress | None = None, *, url: str | None = None) -> None:
    """Put a published file in its place, unless it is there already.

    Args:
        known: what the file must be.
        path: its place; a file there with other bytes is replaced, once the right one has come.
        progress: told the bytes that have come and their total.
        url: to fetch from instead of ``known.url``.

    Raises:
        InputError: it could not be had, or the server has another file; what lay in the place is untouched.
    """
    if _right(known, path):
        return
    address = url or known.url
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone(path.parent):
            if _right(known, path):  # by another process, meanwhile
                return
            _complete(known, address, part, progress)
            os.replace(part, path)
    except _RefusedError as error:
        kept = ""
        if part.exists() and part.stat().st_size:
            kept = f"; {part.stat().st_size:,} of {known.size:,} bytes are kept as {part.name}"
        else:
            part.unlink(missing_ok=True)
        raise InputError(
            f"{address}: {error}{kept}; {path} was not written: try again later, or put it there"
        ) from None
    except OSError as error:
        raise InputError(f"{error.filename or path}: {error.strerror or error}; {path} was not written") from None


def _right(known: Known, path: Path) -> bool:
    """Return whether a file is in its place, with the right bytes."""
    if not path.is_file() or path.stat().st_size != known.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == known.sha256


def _complete(known: Known, address: str, part: Path, progress: Progress | None) -> None:
    """Bring the part to its full, right size; raise `_RefusedError` where that cannot be."""
    for attempt in range(TRIES):
        resumed = _start(part, known)
        try:
            _append(known, address, part, resumed, progress)
        except _BrokenError as error:
            if attempt == TRIES - 1:
                raise _RefusedError(f"{error}, tried {TRIES} times") from None
            time.sleep(PAUSES[attempt])
            continue
        if _right(known, part):
            return
        words = refusal(known, part.read_bytes())
        part.unlink()
        if not resumed:
            raise _RefusedError(words)
    raise _RefusedError(f"what came does not fit together, tried {TRIES} times")


def _start(part: Path, known: Known) -> int:
    """Return at which byte to go on; a part that cannot be the beginning of the file is taken away."""
    size = part.stat().st_size if part.exists() else 0
    if size < known.size or _right(known, part):
        return size
    part.unlink()
    return 0


def _append(known: Known, address: str, part: Path, start: int, progress: Progress | None) -> None:
    """Write what comes behind what is there."""
    if start == known.size:
        return
    with _opened(address, start) as response, part.open("ab") as file:
        done = _begin(known, response, start, file)
        for chunk in _chunks(response):
            done += len(chunk)
            if done > known.size:
                file.truncate(0)
                raise _RefusedError(f"more than the {known.size:,} bytes of {known.name}, {known.revision}")
            file.write(chunk)
            if progress is not None:
                progress(done, known.size)
    if done < known.size:
        raise _BrokenError(f"ended after {done:,} of {known.size:,} bytes")


def _begin(known: Known, response: http.client.HTTPResponse, start: int, file: IO[bytes]) -> int:
    """Return at which byte the answer begins; a server without ranges sends the whole file again."""
    if response.status == 206:
        ranged = f"bytes {start}-{known.size - 1}/{known.size}"
        said = response.headers.get("Content-Range", "")
        if said != ranged:
            file.truncate(0)
            raise _RefusedError(f'the rest is said to be "{short(said)}", expected "{ranged}"')
        return start
    file.truncate(0)
    announced = response.headers.get("Content-Length", "")
    if announced.isdecimal() and int(announced) != known.size:
        raise _RefusedError(f"{int(announced):,} bytes, expected the {known.size:,} of {known.name}, {known.revision}")
    return 0


@contextlib.contextmanager
def _opened(address: str, start: int) -> Iterator[http.client.HTTPResponse]:
    """Open an address, from some byte on."""
    request = urllib.request.Request(address, headers={"User-Agent": "denominator", "Accept-Encoding": "identity"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    try:
        response = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416 and start:  # it has less than came before: another file, or a part of one
            with _opened(address, 0) as response:
                yield response
            return
        words = f"the server answers {error.code} {short(str(error.reason))}"
        raise (_BrokenError if error.code == 429 or error.code >= 500 else _RefusedError)(words) from None
    except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
        raise _BrokenError(f"no answer ({short(str(getattr(error, 'reason', error)))})") from None
    with response:
        yield response


def _chunks(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield what comes."""
    while True:
        try:
            chunk = response.read1(CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _BrokenError(f"broke off ({short(str(error))})") from None
        if not chunk:
            return
        yield chunk


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other process fetches into a folder; where the system has no such locks, go on without."""
    with (folder / ".fetching").open("a+b") as file:
        try:
            import fcntl
        except ImportError:  # Windows
            # Windows has no such module
            fcntl = None  # type: ignore[assignment]
        if fcntl is not None:
            with contextlib.suppress(OSError):  # some network file systems: the checksum is what counts
                fcntl.flock(file, fcntl.LOCK_EX)  # given back when the file is closed, or the process ends
        yield
