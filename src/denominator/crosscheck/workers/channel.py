"""How a worker is asked and answers: one line of JSON in, a line of JSON out for each thing that happens.

In: ``{"qrels": path, "run": path, "limit": seconds, "memory": bytes, "asks": [{"name": …, "options": {…}}, …]}``. Out,
in this order: ``loaded`` (the library's version), then for each ask ``asking`` and either ``answer`` (a value for each
query, and the mean that the library itself makes of them) or ``refused`` (the exception's words). A library that
refuses the files says ``refused`` before any ask. What a library prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Answer", "Ask", "Library", "serve"]

GRACE = 5
"""Seconds that a worker lives on after its limit, should nobody be there any more to end it."""
PR_SET_PDEATHSIG = 1
"""From the kernel's prctl.h."""
WORDS = 2_000
"""Characters of an exception's words that are kept."""


class Ask(NamedTuple):
    """One measure, in the library's own words."""

    name: str
    options: dict[str, Any]


class Answer(NamedTuple):
    """What the library says."""

    values: Mapping[str, float]
    """Query id → value, for the queries that the library has one for."""
    mean: float | None
    """The mean that the library itself prints; None where it prints none."""
    note: str = ""
    """What happened besides, such as values that are NaN."""
    refused: Mapping[str, str] = MappingProxyType({})
    """Query id → the exception's words, for queries that it refuses."""


class Library(Protocol):
    """What a worker's file holds as `library`: how one implementation is used."""

    def version(self) -> str:
        """Return the version, as the library states it."""

    def load(self, qrels: str, run: str) -> None:
        """Read the two files the way the library's users do."""

    def answer(self, ask: Ask) -> Answer:
        """Compute one measure for every query, and its mean."""


def serve(library: Library) -> None:
    """Answer what is asked on standard input, and end."""
    _end_with_its_parent()
    job = json.loads(sys.stdin.readline())
    _take_no_more_than(job["memory"])
    out = os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n")
    os.dup2(2, 1)  # what the library prints is no answer
    _end_by_itself(job["limit"])
    try:
        library.load(job["qrels"], job["run"])
        _say(out, event="loaded", version=library.version())
    except Exception as error:
        _say(out, event="refused", words=_words(error))
        return
    for number, asked in enumerate(job["asks"]):
        _end_by_itself(job["limit"])
        _say(out, event="asking", ask=number)
        try:
            answer = library.answer(Ask(asked["name"], asked["options"]))
        except Exception as error:
            _say(out, event="refused", ask=number, words=_words(error))
            continue
        values = {str(query): float(value) for query, value in answer.values.items()}
        mean = None if answer.mean is None else float(answer.mean)
        _say(out, event="answer", ask=number, values=values, mean=mean, note=answer.note, refused=dict(answer.refused))


def _say(out: IO[str], **event: Any) -> None:
    """Write one line at once: the next thing that happens may be the end."""
    out.write(json.dumps(event) + "\n")
    out.flush()


def _end_by_itself(limit: float) -> None:
    """Have the system end this process when its time is over, even inside C code that never returns."""
    if hasattr(signal, "alarm"):  # Windows has none
        signal.alarm(int(limit) + GRACE)


def _end_with_its_parent() -> None:
    """Have the system end this process when the one that asks is gone, however that ended; Linux can."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _take_no_more_than(memory: int | None) -> None:
    """Have the system refuse this process more memory than that, so that it fails and the machine does not."""
    if memory is None:
        return
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has none; a lower limit is in force
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _words(error: BaseException) -> str:
    """Return an exception as its users see it; where it has no words, the line of code that raised it."""
    text = str(error).strip()
    if not text:
        frames = traceback.extract_tb(error.__traceback__)
        text = f"at `{frames[-1].line}` in {frames[-1].name}" if frames else "without a word"
    return f"{type(error).__name__}: {text}"[:WORDS]
