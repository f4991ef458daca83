"""A row a value, between commas; the columns are those of :mod:`denominator.outputs.records`.

A spreadsheet runs a cell that begins like a formula. Such a text gets an apostrophe in front, and so does one that
begins with an apostrophe itself: to have the text back, take one apostrophe away from every cell that begins with one
(`unguarded`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs.records import columns, records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["guarded", "render", "safe", "separated", "unguarded"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_GUARD = "'"


def render(scores: Scores, options: Options) -> str:
    """Return the table with a heading; numbers as Python prints them, so that they read back bit for bit."""
    return separated(scores, options, ",")


def separated(scores: Scores, options: Options, delimiter: str) -> str:
    """Return the table with a delimiter of choice."""
    names = list(columns(scores))
    rows = [delimiter.join(names)]
    for record in records(scores, options.per_query):
        rows.append(delimiter.join(_quoted(safe(record[name]), delimiter) for name in names))
    return "".join(f"{row}\n" for row in rows)


def safe(value: object) -> str:
    """Return a cell that a spreadsheet shows and does not run."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _GUARD + value if value.startswith((*_FORMULA, _GUARD)) else value
    return repr(value)


def unguarded(cell: str) -> str:
    """Return the text behind a cell: the inverse of `safe`.

    >>> [unguarded(safe(text)) for text in ("=1", "'=1", "q1")]
    ['=1', "'=1", 'q1']
    """
    return cell.removeprefix(_GUARD)


def guarded(scores: Scores, options: Options) -> Iterator[str]:
    """Yield the texts of the table that get an apostrophe in front, each once."""
    texts = [run.name for run in scores.runs]
    texts += () if scores.groups is None else scores.groups.members
    texts += scores.queries if options.per_query else ()
    return (text for text in dict.fromkeys(texts) if safe(text) != text)


def _quoted(cell: str, delimiter: str) -> str:
    """Return a cell in quotes if it holds what ends a cell, a row or a quote; the csv module lets a CR through."""
    if any(sign in cell for sign in (delimiter, '"', "\r", "\n")):
        return '"' + cell.replace('"', '""') + '"'
    return cell
