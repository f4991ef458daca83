"""Scores written down: one file per format, each with one function, and none of them computes anything.

To add a format, write ``outputs/<name>.py`` with ``render(scores: Scores, options: Options) -> str | bytes`` and add a
row to `FORMATS`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

from denominator.errors import UsageError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from denominator.scores import Scores

__all__ = ["FORMATS", "Options", "render", "writer"]

FORMATS = {
    "text": "a table to read, with notes under it",
    "trec": "trec_eval's layout: name, query id or all, value",
    "json": "one document with everything",
    "jsonl": "a JSON object a line",
    "csv": "a row a value, between commas",
    "tsv": "a row a value, between tabs",
    "parquet": "a row a value, typed; needs a file to write to",
    "markdown": "a table for a page",
    "latex": "a table for a paper",
}
"""Format → what it is. The module of a format has its name."""

TELL_APART = frozenset({"trec", "csv", "tsv", "parquet"})
"""The formats that have no place for notes; whoever writes them says the notes elsewhere."""


class Options(NamedTuple):
    """How to write, where a format leaves a choice."""

    per_query: bool = False
    """Whether every judged query has its row beside the means."""
    width: int = 80
    """Columns of text."""
    colour: bool = False
    """Whether text may hold terminal colours."""


def render(scores: Scores, form: str, options: Options | None = None) -> str | bytes:
    """Return scores in a format of `FORMATS`; bytes for parquet, text for all others.

    Raises:
        UsageError: an unknown format, or one that cannot hold these scores (``trec`` and a measure it lacks).
    """
    written: str | bytes = writer(__name__, FORMATS, form)(scores, options or Options())
    return written


def writer(package: str, formats: Iterable[str], form: str) -> Callable[..., Any]:
    """Return the function that writes a format: ``render`` of the module that has its name, in a package.

    Raises:
        UsageError: an unknown format.
    """
    if form not in formats:
        raise UsageError(f"unknown output format {quoted(form)}: expected {', '.join(formats)}")
    render: Callable[..., Any] = importlib.import_module(f"{package}.{form}").render
    return render
