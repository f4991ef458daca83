"""The dialects that have a name, one row for each tool."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.dialects.dialect import Dialect
from denominator.dialects.held import HELD
from denominator.dialects.stated import STATED
from denominator.errors import UsageError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEFAULT", "DIALECTS", "dialect"]

DEFAULT = "trec_eval-c"

DIALECTS: Mapping[str, Dialect] = MappingProxyType({one.name: one for one in (*HELD, *STATED)})
"""Name → dialect: those that tests hold to the tool, then those from a published rule."""


def dialect(name: str | Dialect) -> Dialect:
    """Return the dialect of a name; a dialect is returned as it is.

    Raises:
        UsageError: there is none; the message holds the nearest names.
    """
    if isinstance(name, Dialect):
        return name
    if not isinstance(name, str) or name not in DIALECTS:
        import difflib  # only an error needs it

        close = difflib.get_close_matches(str(name).lower(), DIALECTS, n=3, cutoff=0.5)
        hint = f"did you mean {', '.join(close)}?" if close else f"expected one of {', '.join(DIALECTS)}."
        raise UsageError(f"unknown dialect {quoted(str(name))}: {hint} `denominator dialects` lists them all")
    return DIALECTS[name]
