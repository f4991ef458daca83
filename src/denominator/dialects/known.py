"""The dialects that have a name, one row for each tool."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.dialects.dialect import Dialect
from denominator.errors import UsageError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEFAULT", "DIALECTS", "dialect"]

DEFAULT = "trec_eval-c"

_ALL = (
    Dialect(
        "trec_eval-c",
        held="run",
        source="https://github.com/usnistgov/trec_eval tag trec_eval-9.0.8 (2023), form_res_rels.c and m_*.c, with -c",
        summary="trec_eval 9.0.8 with -c: every judged query counts, one that the run lacks as 0.",
        common=1,
    ),
    Dialect(
        "trec_eval-9",
        queries="answered",
        held="run",
        source="https://github.com/usnistgov/trec_eval tag trec_eval-9.0.8 (2023), without -c",
        summary="trec_eval 9.0.8 as it comes: a judged query that the run lacks is left out of every mean.",
        common=2,
    ),
    Dialect(
        "trec_eval-10",
        queries="answered",
        trec_eval="10",
        held="run",
        source="https://github.com/usnistgov/trec_eval commit f4253652c8ef (10.0), without -c",
        summary="trec_eval 10.0 as it comes; it prints no mean at all where the run lacks a judged query.",
        common=7,
    ),
    Dialect(
        "pytrec_eval-raw",
        order="score32",
        queries="answered",
        duplicates="last",
        held="run",
        source="https://github.com/cvangysel/pytrec_eval, pytrec-eval-terrier 0.5.11: trec_eval tag v9.0.8 (2020)",
        summary="pytrec_eval on the scores as they are: it compares them as 32-bit floats, and leaves out queries.",
        common=3,
    ),
)

DIALECTS: Mapping[str, Dialect] = MappingProxyType({one.name: one for one in _ALL})
"""Name → dialect."""


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
