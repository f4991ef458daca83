"""Parameters of measures: what each may hold, what it holds when nothing is said, and how it prints."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from denominator.native import native

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "GAINS",
    "JUDGED_ONLY",
    "REL",
    "Param",
    "Value",
    "flag",
    "gains",
    "level",
    "number",
    "numbers",
    "numeral",
    "one_of",
    "prints_list",
    "probability",
    "real",
    "table",
    "weight",
    "whole",
]

LARGEST_GAIN = 1e15
"""Above this a sum of gains has no digits left for the small ones."""

_NUMERAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

Value = int | float | str | bool | tuple[Any, ...] | None
"""What a parameter can hold inside a measure: always hashable; gains are sorted (grade, gain) pairs."""


def _plain(value: Any) -> str:
    """Print a value as Python writes it."""
    return repr(value)


def _same(value: Any) -> Any:
    """Hand a value out as it is."""
    return value


class Param(NamedTuple):
    """One parameter of a measure.

    `check` turns what was typed into the stored value, or raises ValueError with a phrase that says what is expected.
    """

    name: str
    check: Callable[[object], Value]
    default: Value
    text: str
    shown: bool = False
    """Whether it is printed even at its default, because other tools have another default."""
    prints: Callable[[Any], str] = _plain
    gives: Callable[[Any], Any] = _same
    """How the stored value is handed out by ``measure["name"]``."""


def _shortest(value: int | float) -> int | float:
    """Return a whole number as int, so that 3 and 3.0 print alike."""
    return int(value) if value == int(value) else value


def number(value: object, expected: str) -> int | float:
    """Return a finite number as Python's own, or raise ValueError(expected)."""
    value = native(value)
    if not isinstance(value, int | float) or isinstance(value, bool) or not _finite(value):
        raise ValueError(expected)
    return value


def _finite(value: float) -> bool:
    """Return whether a number is one that 64-bit floats reach."""
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond them
        return False


def numeral(text: str) -> int | float | None:
    """Return the number a text is, in ASCII digits only, a whole one as int; None if it is none.

    A whole number of more than 40 digits comes as float: no measure takes one, and Python refuses to read long ones.
    """
    if _NUMERAL.fullmatch(text) is None:
        return None
    whole = "." not in text and "e" not in text.lower()
    return int(text) if whole and len(text) <= 40 else float(text)


def level(value: object) -> Value:
    """Accept a relevance level: the lowest grade that counts as relevant."""
    expected = "a grade above 0 (grade 0 is judged non-relevant, so a level of 0 would call everything judged relevant)"
    found = number(value, expected)
    if found <= 0:
        raise ValueError(expected)
    return _shortest(found)


def flag(value: object) -> Value:
    """Accept True or False."""
    if not isinstance(value, bool):
        raise ValueError("True or False")
    return value


def probability(value: object) -> Value:
    """Accept a number between 0 and 1, both excluded."""
    expected = "a number above 0 and below 1"
    found = number(value, expected)
    if not 0 < found < 1:
        raise ValueError(expected)
    return float(found)


def weight(value: object) -> Value:
    """Accept a number of 0 or more."""
    expected = "a number, 0 or more"
    found = number(value, expected)
    if found < 0:
        raise ValueError(expected)
    return float(found)


def real(value: object) -> Value:
    """Accept any finite number."""
    return float(number(value, "a number"))


def whole(lowest: int) -> Callable[[object], Value]:
    """Accept whole numbers from `lowest` up."""
    expected = f"a whole number, {lowest} or more"

    def check(value: object) -> Value:
        found = number(value, expected)
        if found < lowest or not isinstance(found, int):
            raise ValueError(expected)
        return found

    return check


def one_of(*choices: str) -> Callable[[object], Value]:
    """Accept one of a few words."""

    def check(value: object) -> Value:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(" or ".join(repr(choice) for choice in choices))
        return value

    return check


def numbers(low: float, high: float) -> Callable[[object], Value]:
    """Accept a list of different numbers between `low` and `high`, both included; it is kept in ascending order."""
    expected = f"a list of different numbers from {low:g} to {high:g}, such as [0.25, 0.5]"

    def check(value: object) -> Value:
        if not isinstance(value, Sequence) or isinstance(value, str) or not value:
            raise ValueError(expected)
        found = sorted(float(number(item, expected)) for item in value)
        if not low <= found[0] <= found[-1] <= high or len(set(found)) < len(found):
            raise ValueError(expected)
        return tuple(found)

    return check


def gains(value: object) -> Value:
    """Accept a mapping of grade to gain; a grade that keeps its own value as gain says nothing and is left out."""
    expected = "a mapping of whole grades, 0 or more, to gains, such as {1: 3, 2: 9}"
    if isinstance(value, tuple):
        try:
            pairs_given, value = value, dict(value)
        except (TypeError, ValueError):
            raise ValueError(expected) from None
        if len(value) < len(pairs_given):
            raise ValueError(f"{expected}, each grade once")
    if not isinstance(value, Mapping):
        raise ValueError(expected)
    pairs = []
    for grade, gain in ((native(grade), native(gain)) for grade, gain in value.items()):
        if not isinstance(grade, int) or isinstance(grade, bool) or grade < 0:
            raise ValueError(expected)
        if not abs(number(gain, expected)) <= LARGEST_GAIN:
            raise ValueError(f"gains of at most {LARGEST_GAIN:g}, such as {{1: 3, 2: 9}}")
        if gain != grade:
            pairs.append((grade, _shortest(gain)))
    return tuple(sorted(pairs)) or None


def prints_list(value: tuple[float, ...]) -> str:
    """Print a tuple of numbers as a list without blanks: ``[0.25,0.5]``."""
    return "[" + ",".join(repr(item) for item in value) + "]"


def prints_gains(value: tuple[tuple[int, float], ...]) -> str:
    """Print gains as ir_measures does, without blanks: ``{1:3,2:9}``."""
    return "{" + ",".join(f"{grade}:{gain!r}" for grade, gain in value) + "}"


def gives_gains(value: tuple[tuple[int, float], ...] | None) -> dict[int, float] | None:
    """Hand gains out as a dict."""
    return None if value is None else dict(value)


REL = Param(
    "rel",
    level,
    None,
    "the lowest grade that counts as relevant; the evaluation's level (-l, 1 if not given) where it is not said",
)
JUDGED_ONLY = Param(
    "judged_only",
    flag,
    False,
    "take every document without a judgment out of the ranking first (a condensed list, trec_eval -J)",
)
GAINS = Param(
    "gains",
    gains,
    None,
    "the gain of each grade; a grade that is not named keeps its own value as gain",
    prints=prints_gains,
    gives=gives_gains,
)


def table(*params: Param) -> Mapping[str, Param]:
    """Return parameters by name, in the order in which they print."""
    return MappingProxyType({param.name: param for param in params})
