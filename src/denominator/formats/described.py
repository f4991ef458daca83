"""What a value is that is not what was expected, in words a user of the input has for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from denominator.formats.faults import show
from denominator.formats.numbers import words

__all__ = ["Pairs", "as_json", "described", "is_missing"]


class Pairs(list[tuple[str, Any]]):
    """The members of a JSON object as they stand, so that a key that occurs twice is seen."""


def described(value: object) -> str:
    """Return what a value is.

    >>> described(None), described(True), described([1]), described(Pairs([("a", 1)])), described("7")
    ('missing', 'the truth value true', 'the list [1]', 'the object {"a": 1}', 'the text "7"')
    """
    if is_missing(value):
        return "missing"
    if isinstance(value, str):
        return f'the text "{show(value)}"'
    if isinstance(value, (bool, np.bool_)):
        return f"the truth value {str(value).lower()}"
    if isinstance(value, (Pairs, Mapping)):
        return f"the object {as_json(value)}"
    if isinstance(value, list):
        return f"the list {as_json(value)}"
    if isinstance(value, (int, float, np.number)):
        return f"the number {show(words(value))}"
    return f"the {type(value).__name__} {show(words(value))}"


def is_missing(value: object) -> bool:
    """Return whether a cell is empty, in one of the ways in which frames hold that."""
    return (
        value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    )


def as_json(value: object) -> str:
    """Return a value as JSON, as a message quotes it."""
    import json  # only an error needs it

    try:
        return show(json.dumps(_plain(value), ensure_ascii=False))
    except (RecursionError, TypeError, ValueError):
        return show(words(value))


def _plain(value: Any) -> Any:
    """Return a value with objects as dicts."""
    if isinstance(value, Pairs):
        return {key: _plain(member) for key, member in value}
    return [_plain(one) for one in value] if isinstance(value, list) else value
