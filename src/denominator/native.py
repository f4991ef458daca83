"""Numbers and texts of other types, such as numpy's, as Python's own."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

__all__ = ["native", "text"]


def native(value: Any) -> Any:
    """Return a number as int or float; everything else, truth values included, as it is.

    >>> from fractions import Fraction
    >>> native(Fraction(1, 2)), native(True), native("7"), native(7)
    (0.5, True, '7', 7)
    """
    if isinstance(value, bool | int | float) and type(value) in (bool, int, float):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else value


def text(value: object) -> str:
    """Return an id or a name as a plain string; one that is a string already by what it holds, not by how it prints.

    >>> from enum import Enum
    >>> text(Enum("Query", {"FIRST": "q1"}, type=str).FIRST), text(7)
    ('q1', '7')
    """
    return str.__str__(value) if isinstance(value, str) else str(value)
