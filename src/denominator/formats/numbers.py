"""Scores and grades: which texts are numbers, in one place for every format.

A score is a decimal number as C's ``strtod`` and Python's ``float`` both understand it: an optional sign, digits with
an optional point, an optional exponent, or ``inf``, ``infinity``, ``nan`` in any case. No underscores, no hexadecimal,
no surrounding blanks. A grade is an optional sign and digits.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from denominator.model import F64, I64

__all__ = ["EXACT", "TINY", "Values", "grades", "is_tiny", "is_wide", "scores", "whole", "wide"]

_WHOLE = re.compile(r"[+-]?[0-9]+", re.ASCII)
_REAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_WORD = re.compile(r"[+-]?(?:inf|infinity|nan)", re.ASCII | re.IGNORECASE)

_LAX = re.compile(r"[_\s]")
"""What Python's own conversions allow inside or around a number and we do not."""

_LONG = re.compile(r"[+-]?[0.]*[1-9](?:\.?[0-9]){17}", re.ASCII)
"""A text with more digits than tell one float from all others, which are 17."""

GREATEST = 2**63 - 1

EXACT = 2.0**53
"""Up to here every whole number is a float of its own."""

TINY = sys.float_info.min
"""Below that floats have fewer digits, and in the end none: 1e-400 is 0."""

_NOT_ZERO = re.compile(r"[+-]?[0.]*[1-9]", re.ASCII)

_FINER = (Decimal, np.longdouble)
"""Types of numbers that may lie between two floats."""


@dataclass(eq=False, repr=False)
class Values:
    """Converted values and what was wrong with them: row → text, by kind."""

    array: F64 | I64
    """(n,) float64 for scores; int64 for grades, float64 where one is not whole. NaN where there is no number."""
    not_numbers: dict[int, str] = field(default_factory=dict)
    overflows: dict[int, str] = field(default_factory=dict)
    fractions: dict[int, str] = field(default_factory=dict)
    """Grades that are real numbers, where only whole ones were asked for."""

    wide: dict[int, str] = field(default_factory=dict)
    """Scores that a float may not hold apart from others, as they stood there."""

    def add(self, other: Values, rows: int) -> None:
        """Add the troubles of values that come after the first `rows`; the array stays as it is."""
        for own, more in (
            (self.not_numbers, other.not_numbers),
            (self.overflows, other.overflows),
            (self.fractions, other.fractions),
            (self.wide, other.wide),
        ):
            own.update((row + rows, text) for row, text in more.items())

    def unusable(self) -> I64:
        """Return the rows that have no number, in order."""
        return np.array(sorted({*self.not_numbers, *self.overflows}), dtype=np.int64)


def scores(found: Sequence[object]) -> Values:
    """Convert texts and numbers, as found, to scores."""
    clean = _clean(found, float)
    if clean is not None and np.isfinite(clean).all():
        return Values(clean.astype(np.float64, copy=False), wide=wide(found, clean))
    out = np.empty(len(found), dtype=np.float64)
    values = Values(out)
    for row, value in enumerate(found):
        number = real(value)
        if number is None:
            values.not_numbers[row] = words(value)
        elif math.isinf(number) and not _is_infinite(value):
            values.overflows[row] = words(value)
        out[row] = math.nan if number is None else number
    values.wide = wide(found, out)
    return values


def is_wide(text: str) -> bool:
    """Return whether a text has more digits than any float needs.

    >>> is_wide("-0.012345678901234567"), is_wide("-0.0123456789012345678")
    (False, True)
    """
    return len(text) > 17 and _LONG.match(text) is not None


def is_tiny(text: str) -> bool:
    """Return whether a text is a number so near to 0 that a float does not hold all its digits, or none.

    >>> is_tiny("2e-400"), is_tiny("0e-400"), is_tiny("1e-300")
    (True, False, False)
    """
    return _NOT_ZERO.match(text) is not None and abs(float(text)) < TINY


def wide(found: Sequence[object], array: F64) -> dict[int, str]:
    """Return the scores that a float may not hold apart from others, by row.

    That is: of many digits, of a great size, very near to 0, or of a type that is finer than floats.
    """
    out = {row: text for row, text in enumerate(found) if isinstance(text, str) and is_wide(text)}
    size = np.abs(array)
    for row in np.flatnonzero(((size >= EXACT) | (size < TINY)) & np.isfinite(array)).tolist():
        value = found[row]
        if isinstance(value, Integral) or (isinstance(value, str) and (size[row] >= EXACT or is_tiny(value))):
            out[row] = str(value)
    if any(issubclass(kind, _FINER) for kind in set(map(type, found))):
        finer = ((row, value) for row, value in enumerate(found) if isinstance(value, _FINER))
        out |= {row: str(value) for row, value in finer if np.isfinite(array[row]) and array[row].item() != value}
    return out


def grades(found: Sequence[object], *, real_allowed: bool = False) -> Values:
    """Convert texts and numbers, as found, to grades."""
    clean = None if real_allowed else _clean(found, int)
    if clean is not None and clean.dtype == np.int64:
        return Values(clean)
    integers: list[int | float] = []
    values = Values(np.zeros(0, dtype=np.int64))
    for row, value in enumerate(found):
        integer = whole(value)
        if integer is not None and -GREATEST <= integer <= GREATEST:
            integers.append(integer)
            continue
        number = real(value)
        if number is None or math.isnan(number) or _is_infinite(value):
            values.not_numbers[row] = words(value)
            number = math.nan
        elif integer is not None or abs(number) > 1e300:
            values.overflows[row] = words(value)
        elif not real_allowed:
            values.fractions[row] = words(value)
        integers.append(number)
    exact = all(type(number) is int for number in integers)
    if exact and not real_allowed:
        values.array = np.array(integers, dtype=np.int64)
    else:
        values.array = np.array(integers, dtype=np.float64)
    return values


def _clean(found: Sequence[object], kind: type[int] | type[float]) -> Any:
    """Return texts as an array where Python's own conversion means the same as ours; else None."""
    try:
        joined = "".join(found)  # type: ignore[arg-type]  # a TypeError is the answer for what is not text
        if not joined.isascii() or _LAX.search(joined):
            return None
        return np.array([kind(text) for text in found])  # type: ignore[call-overload,arg-type]  # all are texts by now
    except (TypeError, ValueError, OverflowError):
        return None


def real(value: object) -> float | None:
    """Return the number that a value is, or None; what is beyond all floats, such as ``1e999``, becomes infinity.

    >>> real("1e3"), real("-.5"), real("1_000"), real("0x10"), real(-(10**400))
    (1000.0, -0.5, None, None, -inf)
    """
    if isinstance(value, str):
        return float(value) if _REAL.fullmatch(value) or _WORD.fullmatch(value) else None
    if isinstance(value, (bool, np.bool_)) or value is None:
        return None
    if isinstance(value, (int, float, np.integer, np.floating)) or hasattr(value, "__float__"):
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf  # type: ignore[operator]  # it is a number
        except (TypeError, ValueError):
            return None
    return None


def whole(value: object) -> int | None:
    """Return the whole number that a value is, or None. The text ``1.0`` is not one, the number 1.0 is.

    >>> whole("-2"), whole("1.0"), whole(1.0), whole(1.5), whole("1_0")
    (-2, None, 1, None, None)
    """
    if isinstance(value, str):
        return int(value) if len(value) < 4000 and _WHOLE.fullmatch(value) else None
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return int(value)
    number = real(value)
    return int(number) if number is not None and number.is_integer() else None


def words(value: object) -> str:
    """Return a value as a message quotes it."""
    try:
        return str(value) if isinstance(value, (str, Number)) else repr(value)
    except ValueError:  # Python writes no whole number of thousands of digits
        return f"{type(value).__name__} of thousands of digits"


def _is_infinite(value: object) -> bool:
    """Return whether a value is infinity itself, not a number that no float can hold."""
    return bool(_WORD.fullmatch(value)) if isinstance(value, str) else value in (math.inf, -math.inf)
