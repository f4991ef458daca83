"""Asking an implementation in a process of its own, which may crash, hang or refuse without harm to us.

A process is asked its measures one after the other. When it dies or says nothing for as long as the limit, that is the
answer for the measure in hand, with the exit signal and the last words; a new process is asked the rest. No process
outlives the call: Ctrl-C, an error and the end of the work all end the whole group of each.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from denominator.crosscheck.answers import Answer, Question
from denominator.errors import DenominatorError
from denominator.formats.memory import available_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denominator.crosscheck.names import Asked
    from denominator.crosscheck.tools import Tool

__all__ = ["Files", "Said", "Workers"]

LAST_WORDS = 600
"""Characters of a dead process's standard error that are kept."""
LEAST_MEMORY = 4 << 30
"""Bytes that each process may map at least: compilers and threads map far more than they ever touch."""
AWAKE = 0.2
"""Seconds between two looks at whether somebody wants to stop; a thread that waits longer cannot be interrupted."""


class Files(NamedTuple):
    """The two files that every implementation reads."""

    qrels: str
    run: str
    reading: tuple[str, ...] = ()
    """More arguments for our own workers, which read as `denominator score` would: ``float-grades``."""


class Said(NamedTuple):
    """All that one implementation said."""

    version: str
    answers: tuple[Answer, ...]
    seconds: float


class _StoppedError(DenominatorError):
    """Somebody wants the work to end."""


class Workers:
    """The processes at work; leaving the block ends every one of them."""

    def __init__(self, limit: float) -> None:
        """Give each process `limit` seconds to load, and as many for each measure; times the patience of its tool."""
        self.limit = limit
        self._memory = _share_of_memory()
        self._stop = threading.Event()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Workers:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End every process that is still there."""
        self._stop.set()
        with self._lock:
            for process in self._running:
                _end(process)

    def all(
        self,
        jobs: Sequence[tuple[Tool, Sequence[tuple[Question, Asked]]]],
        files: Files,
        progress: Callable[[tuple[str, ...], int], None] | None = None,
    ) -> list[Said]:
        """Ask every tool its questions, as many at a time as there are processors, and return what each said.

        `progress` is told, several times a second, who has not answered everything, and how many were asked.
        """
        from concurrent.futures import ThreadPoolExecutor, wait

        with ThreadPoolExecutor(max(1, min(len(jobs), os.cpu_count() or 1))) as pool:
            futures = [pool.submit(self._ask, tool, asked, files) for tool, asked in jobs]
            try:
                while waited := wait(futures, timeout=AWAKE).not_done:
                    if progress is not None:
                        names = (tool.name for (tool, _), one in zip(jobs, futures, strict=True) if one in waited)
                        progress(tuple(names), len(jobs))
            except BaseException:  # also Ctrl-C: begin nothing more, and end what runs
                self.__exit__()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            return [future.result() for future in futures]

    def _ask(self, tool: Tool, asked: Sequence[tuple[Question, Asked]], files: Files) -> Said:
        """Ask one tool everything, with a new process after each that ended too early."""
        began = time.monotonic()
        answers: list[Answer] = []
        version = ""
        while len(answers) < len(asked) and not self._stop.is_set():
            part = _Part(tool, asked[len(answers) :], self.limit * tool.patience, self._memory)
            with self._process(tool, files) as process:
                part.hear(process, files, self._stop)
            answers += part.answers
            version = part.version or version
        return Said(version, tuple(answers), time.monotonic() - began)

    @contextlib.contextmanager
    def _process(self, tool: Tool, files: Files) -> Any:
        """Start a worker and end it with all that it started, whatever happens."""
        own = files.reading if tool.own else ()
        command = [sys.executable, "-P", "-m", f"denominator.crosscheck.workers.{tool.worker}", *tool.arguments, *own]
        with tempfile.TemporaryFile() as words:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=words,
                start_new_session=True,  # Ctrl-C goes to us; we end the group
                env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
            )
            with self._lock:
                self._running.add(process)
            try:
                yield process, words
            finally:
                _end(process)
                process.wait()
                with self._lock:
                    self._running.discard(process)
                for pipe in (process.stdin, process.stdout):
                    if pipe is not None:
                        with contextlib.suppress(OSError):
                            pipe.close()


def _share_of_memory() -> int | None:
    """Return the bytes that each of the processes at work may map, or None where the system does not say."""
    available = available_memory()
    return None if available is None else max(available // (os.cpu_count() or 1), LEAST_MEMORY)


class _Part:
    """What one process says to a list of questions, until it has answered all or is no more."""

    def __init__(self, tool: Tool, asked: Sequence[tuple[Question, Asked]], limit: float, memory: int | None) -> None:
        self.tool, self.asked, self.limit, self.memory = tool, asked, limit, memory
        self.answers: list[Answer] = []
        self.version = ""
        self.loaded = False
        self.since = time.monotonic()

    def hear(self, worker: tuple[subprocess.Popen[bytes], IO[bytes]], files: Files, stop: threading.Event) -> None:
        """Hand over the questions, and listen."""
        process, words = worker
        lines = self._begin(process, files)
        while len(self.answers) < len(self.asked):
            try:
                line = self._next(lines, stop)
            except TimeoutError:
                self._ended("hung", f"no answer within {self.limit:g} s{_last_words(words)}")
                return
            if line is None:
                self._ended("crashed", _end_of(process, self.limit) + _last_words(words))
                return
            self._take(json.loads(line))

    def _begin(self, process: subprocess.Popen[bytes], files: Files) -> queue.Queue[bytes | None]:
        """Write the job, and have a thread read what is said, for a pipe cannot be waited for with a limit."""
        asks = [{"name": asked.name, "options": asked.options} for _, asked in self.asked]
        job = {"qrels": files.qrels, "run": files.run, "limit": self.limit, "memory": self.memory, "asks": asks}
        lines: queue.Queue[bytes | None] = queue.Queue()

        def read() -> None:
            with contextlib.suppress(OSError, ValueError):  # closed under it
                for line in process.stdout or ():
                    lines.put(line)
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        with contextlib.suppress(OSError):  # it is gone already; reading says so
            assert process.stdin is not None
            process.stdin.write(json.dumps(job).encode("ascii") + b"\n")
            process.stdin.close()
        return lines

    def _next(self, lines: queue.Queue[bytes | None], stop: threading.Event) -> bytes | None:
        """Return the next line, or None at the end; TimeoutError where nothing is said within the limit."""
        until = time.monotonic() + self.limit
        while True:
            if stop.is_set():
                raise _StoppedError("stopped")
            try:
                return lines.get(timeout=min(AWAKE, max(0.0, until - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= until:
                    raise TimeoutError from None

    def _take(self, event: dict[str, Any]) -> None:
        """Keep what one line says."""
        kind = event["event"]
        if kind == "loaded":
            self.version, self.loaded = event["version"], True
        elif kind == "asking":
            self.since = time.monotonic()
        elif kind == "answer":
            self._add("answered", event["note"], **{key: event[key] for key in ("values", "mean", "refused")})
        elif "ask" in event:
            self._add("refused", event["words"])
        else:
            self._rest("refused", event["words"])

    def _add(self, status: Any, words: str, **said: Any) -> None:
        """Add the answer to the question in hand."""
        question, asked = self.asked[len(self.answers)]
        seconds = time.monotonic() - self.since
        self.answers.append(
            Answer(self.tool.name, question, status, words=words, call=asked.call, seconds=seconds, **said)
        )

    def _rest(self, status: Any, words: str) -> None:
        """Give the same answer to every question that is left."""
        while len(self.answers) < len(self.asked):
            self._add(status, words)

    def _ended(self, status: Any, words: str) -> None:
        """Note how the process ended: for the question in hand, or for all where the files were its end."""
        if self.loaded:
            self._add(status, words)
        else:
            self._rest(status, f"while reading the files: {words}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and whatever it started."""
    if process.poll() is not None:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # its group has its number
        else:
            process.kill()


def _end_of(process: subprocess.Popen[bytes], limit: float) -> str:
    """Say how a process ended: by which signal, or with which status."""
    try:
        status = process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        return "closed its output and went on"
    if status >= 0:
        return f"ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        return f"ended by signal {-status}"
    return f"ended by {name}" + (", as by a system that is out of memory" if name == "SIGKILL" else "")


def _last_words(words: IO[bytes]) -> str:
    """Return the end of what a process wrote to standard error, if it wrote anything."""
    words.seek(0, os.SEEK_END)
    words.seek(max(0, words.tell() - 4 * LAST_WORDS))
    text = words.read().decode("utf-8", "replace")
    said = " ".join(text.split())[-LAST_WORDS:]
    return f": {said}" if said else ""
