"""What standard error shows while others are asked: a line that follows them on a terminal, now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Waiting"]

FIRST = 5.0
"""Seconds before something is said where nobody watches."""
BETWEEN = 30.0
"""Seconds from then to the next line there."""
CELLS = 12
"""Characters of the bar."""


class Waiting:
    """Call it with the names of those that have not answered, and how many were asked; leaving the block wipes it."""

    def __init__(self, width: int = 80) -> None:
        """Begin to count the seconds; lines on a terminal are cut to `width` columns."""
        self.width = width
        self.watched = sys.stderr.isatty()
        self.began = time.monotonic()
        self.next = self.began + FIRST
        self.shown = ""

    def __enter__(self) -> Waiting:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wipe the line of the terminal."""
        if self.shown:
            sys.stderr.write(f"\r{' ' * len(self.shown)}\r")
            sys.stderr.flush()

    def __call__(self, names: tuple[str, ...], asked: int) -> None:
        """Say who is still being asked, if it is time to."""
        now = time.monotonic()
        words = f"still asking {', '.join(names)} ({now - self.began:.0f} s)"
        if self.watched:
            done = CELLS * (asked - len(names)) // max(asked, 1)
            line = f"[{'#' * done}{'.' * (CELLS - done)}] {asked - len(names)}/{asked} {words}"[: self.width - 1]
            if line != self.shown:
                sys.stderr.write(f"\r{line:<{len(self.shown)}}")
                self.shown = line
        elif now >= self.next:
            self.next = now + BETWEEN
            sys.stderr.write(f"denominator: {words}\n")
        sys.stderr.flush()
