"""Texts from files, as they may be shown: quoted, without control characters, and long lists cut with a count."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["listed", "percent", "plain", "plain_table", "quoted", "short", "shown"]

LISTED = 5
"""How many ids a message names; the rest are counted."""
SHOWN = 100
"""How many characters of one id a message shows."""
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories that move the cursor, reorder the line or cannot be printed."""


def plain(text: str) -> str:
    r"""Return a text with everything that could steer a terminal written as an escape.

    >>> plain("q\x1b[31m1")
    'q\\x1b[31m1'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(c) if unicodedata.category(c) in _INVISIBLE else c for c in text)


def plain_table(text: str) -> str:
    r"""Return a text of lines and tabs as `plain` does, its lines and tabs kept: what a machine's table shows a person.

    >>> plain_table("q\x1b1\t0.5\n")
    'q\\x1b1\t0.5\n'
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "\n".join("\t".join(map(plain, line.split("\t"))) for line in text.split("\n"))


def short(text: str, limit: int = SHOWN) -> str:
    """Return a text as `plain` does, its middle left out where it is long: an id may have ten megabytes.

    >>> short("x" * 1000, limit=16)
    'xxxxxxxx…xxxx (1,000 characters)'
    """
    if len(text) <= limit:
        return plain(text)
    return f"{plain(text[: limit // 2])}…{plain(text[-(limit // 4) :])} ({len(text):,} characters)"


def quoted(text: str) -> str:
    """Return a text in double quotes, so that blanks at its edges are seen.

    >>> quoted("007 ")
    '"007 "'
    """
    return f'"{short(text)}"'


def shown(value: object) -> str:
    """Return an argument as Python writes it, cut where it is long; Python does not write the longest numbers at all.

    >>> shown("nDCG"), shown(10**9999)
    ("'nDCG'", 'a number of more than 4,300 digits')
    """
    try:
        return short(repr(value))
    except ValueError:
        return "a number of more than 4,300 digits"


def listed(ids: Sequence[str], show: int = LISTED) -> str:
    """Return some ids, and how many more there are.

    >>> listed(["q1", "q2", "q3"], show=2)
    'q1, q2 and 1 more'
    """
    shown = ", ".join(short(text) for text in ids[:show])
    return f"{shown} and {len(ids) - show:,} more" if len(ids) > show else shown


def percent(share: float) -> str:
    """Return a share in whole percent; one that is not all, or not nothing, is never said to be.

    >>> [percent(share) for share in (0.126, 0.999, 1.0, 0.001, 0.0)]
    ['13%', '99.9%', '100%', '0.1%', '0%']
    """
    if 0 < share < 0.005:
        return f"{share:.1%}" if share >= 0.0005 else "<0.1%"
    if 0.995 <= share < 1:
        return f"{share:.1%}" if share < 0.9995 else ">99.9%"
    return f"{share:.0%}"


def _escape(character: str) -> str:
    """Return a character as Python would write it in a string."""
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
