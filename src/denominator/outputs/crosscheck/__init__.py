"""A cross-check written down: one file per format, each with one function, and none of them computes anything.

To add a format, write ``outputs/crosscheck/<name>.py`` with ``render(result, options) -> str`` and add a row to
`FORMATS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denominator.outputs import writer

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck

__all__ = ["FORMATS", "Options", "render"]

FORMATS = {
    "text": "to read: who says what, and why they part",
    "json": "one document with everything",
    "csv": "a row for each implementation and measure",
    "markdown": "tables for a page",
}
"""Format → what it is. The module of a format has its name."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to write, where a format leaves a choice."""

    verbose: bool = False
    """Whether every query that differs is shown, and how each implementation was asked."""
    width: int = 80
    """Columns of text."""


def render(result: Crosscheck, form: str, options: Options | None = None) -> str:
    """Return a cross-check in a format of `FORMATS`.

    Raises:
        UsageError: an unknown format.
    """
    written: str = writer(__name__, FORMATS, form)(result, options or Options())
    return written
