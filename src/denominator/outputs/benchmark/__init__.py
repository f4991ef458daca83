"""Benchmarks written down: one file per format, each with one function, and none of them computes anything."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from denominator.errors import UsageError
from denominator.outputs import Options
from denominator.quoting import quoted

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
    if form not in FORMATS:
        raise UsageError(f"unknown output format {quoted(form)}: expected {', '.join(FORMATS)}")
    module = importlib.import_module(f"denominator.outputs.benchmark.{form}")
    written: str = module.render(found, options or Options())
    return written
