"""A row a value, between commas; the columns are those of :mod:`denominator.outputs.records`."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from denominator.outputs.records import COLUMNS, records

if TYPE_CHECKING:
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["render", "safe", "separated"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def render(scores: Scores, options: Options) -> str:
    """Return the table with a heading; numbers as Python prints them, so that they read back bit for bit."""
    return separated(scores, options, ",")


def separated(scores: Scores, options: Options, delimiter: str) -> str:
    """Return the table with a delimiter of choice."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in records(scores, options.per_query):
        writer.writerow([safe(record[name]) for name in COLUMNS])
    return out.getvalue()


def safe(value: object) -> object:
    """Return a cell that a spreadsheet shows and does not run: a text that looks like a formula gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, str):
        return "'" + value if value.startswith(_FORMULA) else value
    return repr(value)
