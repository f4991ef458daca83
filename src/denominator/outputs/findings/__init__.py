"""Findings written down: one file per format, each with one function, and none of them computes anything.

To add a format, write ``outputs/findings/<name>.py`` with ``render(findings, options) -> Iterator[str]`` and add a row
to `FORMATS`. A format yields its text piece by piece: a million places are never one text in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denominator.model import Severity
from denominator.outputs import writer

if TYPE_CHECKING:
    from denominator.findings import Findings

__all__ = ["FORMATS", "Options", "render"]

FORMATS = {
    "text": "to read: what was found, where, and each query's denominators",
    "json": "one document with everything",
    "sarif": "SARIF 2.1.0, for code scanning",
    "junit": "JUnit XML, for the test report of a CI server",
    "github": "workflow commands, which GitHub shows beside the lines",
    "csv": "a row a place",
    "markdown": "tables for a page",
}
"""Format → what it is. The module of a format has its name."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to write, where a format leaves a choice."""

    verbose: bool = False
    """Whether every place is shown, where a format shows the worst few."""
    width: int = 80
    """Columns of text."""
    colour: bool = False
    """Whether text may hold terminal colours."""
    fail_on: Severity = Severity.ERROR
    """The least severity that is a failure, for formats that know failures."""
    stamp: str = ""
    """When the audit was made, as junit writes it: ``2026-01-31T12:00:00``."""
    host: str = ""
    """The machine's name, for junit."""


def render(findings: Findings, form: str, options: Options | None = None) -> Iterator[str]:
    """Yield the pieces of a text in a format of `FORMATS`.

    Raises:
        UsageError: an unknown format.
    """
    written: Iterator[str] = writer(__name__, FORMATS, form)(findings, options or Options())
    return written
