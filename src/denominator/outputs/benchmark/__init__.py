"""Benchmarks written down: one file per format, each with one function, and none of them computes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs import Options, writer

if TYPE_CHECKING:
    from denominator.benchmark.standing import Benchmark

__all__ = ["FORMATS", "TELL_APART", "render"]

FORMATS = {
    "text": "tables to read, with what to beware of under them",
    "json": "one document with everything",
    "csv": "a row a mean, and a row a published value beside it",
    "markdown": "tables for a page, with links to the sources",
}
"""Format → what it is. The module of a format has its name."""

TELL_APART = frozenset({"csv"})
"""The formats that have no place for notes; whoever writes them says the notes elsewhere."""


def render(found: Benchmark, form: str, options: Options | None = None) -> str:
    """Return a benchmark in a format of `FORMATS`.

    Raises:
        UsageError: an unknown format.
    """
    written: str = writer(__name__, FORMATS, form)(found, options or Options())
    return written
