"""Counts as words: ``1 of 3 queries has``, ``2 of 3 queries have``."""

from __future__ import annotations

__all__ = ["have", "number"]


def have(count: int, of: int, what: str = "queries", verbs: tuple[str, str] = ("has", "have")) -> str:
    """Return a part of a whole as the subject of a sentence, with its verb.

    >>> have(1, 3), have(2, 3, verbs=("is", "are"))
    ('1 of 3 queries has', '2 of 3 queries are')
    """
    return f"{count:,} of {of:,} {what if of != 1 else _single(what)} {verbs[count != 1]}"


def number(count: int, what: str) -> str:
    """Return a count with its noun, given in the plural.

    >>> number(1, "answered queries"), number(1200, "documents")
    ('1 answered query', '1,200 documents')
    """
    return f"{count:,} {what if count != 1 else _single(what)}"


def _single(plural: str) -> str:
    return f"{plural[:-3]}y" if plural.endswith("ies") else plural.removesuffix("s")
