"""The program: ``denominator``, or ``python -m denominator``.

Around the verbs stands what only a process of its own needs. It starts with little (no pool of threads for linear
algebra, which nothing here does; rare garbage collections; nothing to pickle with), links pyarrow's libraries while
Python imports the rest, ends at once when the last byte is written (dismantling numpy and pyarrow takes as long as
importing them), and fails in words even where the streams or the imports fail.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["run"]

OBJECTS_BETWEEN_COLLECTIONS = 200_000
M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3  # from malloc.h
KEPT = 32 << 20
"""Bytes: the most that the last of these parameters takes."""

SOON = 0.01
"""Seconds after which a signal that came while a module was imported is looked at again."""

FILES = 3
"""From here on an argument of the program is likely to be a second file: there is a run to read."""


def run() -> NoReturn:
    """Run the command line and end the process with its status."""
    _end_in_order()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    sys.modules.setdefault("cloudpickle", None)  # type: ignore[arg-type]  # pyarrow imports it wherever it is installed
    _keep_memory()
    if len(sys.argv) > FILES:
        threading.Thread(target=_link_ahead, daemon=True).start()
    closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller, as with 2>&-
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (as long as the process)
    try:
        status = _status(closed)
        sys.stdout.flush()
    except BrokenPipeError:
        status = 141
    except OSError as error:  # such as a full disk behind standard output
        status = _complain(f"{error.filename or 'standard output'}: {error.strerror}")
    try:
        sys.stderr.flush()
    finally:
        os._exit(status)


def _end_in_order() -> None:
    """Let the signals that ask a process to end unwind it, so that no half-written file is left beside its place.

    A signal that the caller has it ignore, as ``nohup`` does with SIGHUP, stays ignored.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _leave)


def _leave(number: int, frame: FrameType | None) -> None:
    """End with the status that a shell gives to a process which the signal ended.

    Not in the middle of an import: Python calls back there to let go of locks, and an exception in such a call is
    printed and forgotten.
    """
    while frame is not None and frame.f_code is not run.__code__ and hasattr(signal, "setitimer"):  # Windows has none
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            signal.signal(signal.SIGALRM, lambda _, later: _leave(number, later))
            signal.setitimer(signal.ITIMER_REAL, SOON)
            return
        frame = frame.f_back
    raise SystemExit(128 + number)


def _keep_memory() -> None:
    """Let the GNU C library keep freed memory for the next block of a file, where the system would clear it anew.

    A fifth of the time of a run of millions of rows. Elsewhere, where there is no ``mallopt``, nothing is done.
    """
    import ctypes

    with contextlib.suppress(OSError, AttributeError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        for parameter in (M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD):
            mallopt(parameter, KEPT)


def _link_ahead() -> None:
    """Have the system link pyarrow's libraries, which have to be linked anyway, on another core.

    A twentieth of the time in which a run of 50,000 rows is scored. Elsewhere, where there is no ``dlopen``, nothing is
    done.
    """
    import ctypes
    from importlib.machinery import EXTENSION_SUFFIXES

    for folder in sys.path:
        path = os.path.join(folder, "pyarrow", f"lib{EXTENSION_SUFFIXES[0]}")
        if os.path.exists(path):
            with contextlib.suppress(OSError, AttributeError, TypeError):
                ctypes.CDLL(None).dlopen(os.fsencode(path), os.RTLD_NOW)
            return


def _status(closed: bool) -> int:
    """Return the exit status of the verbs."""
    if closed:
        return _complain("standard output is closed; give it somewhere to go, such as > /dev/null or -o FILE")
    try:
        from denominator.cli import main

        main(prog_name="denominator")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except (ImportError, MemoryError) as error:
        return _complain(f"could not start: {error}. Is there enough memory, and is the installation whole?")
    return 0


def _complain(words: str) -> int:
    """Say on standard error what was wrong and return the status for it, whether or not it can be said."""
    with contextlib.suppress(OSError):
        print(f"denominator: {words}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    run()
