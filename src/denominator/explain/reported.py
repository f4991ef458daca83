"""A reported number: the measure it is said to be, and the values that would be printed as its digits.

>>> one = read_reported("recall@5=0.70")
>>> one.measure, one.value, one.unit
(R@5, Fraction(7, 10), Fraction(1, 100))
>>> one.roundings(Fraction(67, 96))
('half-even', 'half-up')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from denominator.errors import MeasureError, UsageError
from denominator.measures import Measure, parse_measure
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ROUNDINGS", "Interval", "Reported", "read_reported"]

ROUNDINGS: Mapping[str, str] = MappingProxyType(
    {
        "half-even": "to the nearest, a half to the even digit (C's printf and Python's format, on exact halves)",
        "half-up": "to the nearest, a half up (as by hand, and in spreadsheets)",
        "truncation": "digits cut off, not rounded",
    }
)
"""How a value may have become the digits that are printed."""

CLOSE = Fraction(1, 10**12)
"""How far a computed value may lie outside: sums in another order end in other last bits."""
MOST_DIGITS = 30

_STEMS = MappingProxyType(
    {
        "R": "recall r",
        "RCap": "rcap r_cap recall_cap capped_recall",
        "P": "precision prec p",
        "RR": "mrr rr recip_rank reciprocal_rank mean_reciprocal_rank",
        "AP": "map ap average_precision mean_average_precision",
        "nDCG": "ndcg",
        "Success": "success hit hits hit_rate hitrate hr accuracy acc top_k_accuracy",
        "Rprec": "rprec r_precision r_prec",
        "Bpref": "bpref",
        "ERR": "err",
        "RBP": "rbp",
    }
)
"""Measure → what papers and tools call it, in lower case, blanks and hyphens as ``_``."""
_SAID = {word: name for name, words in _STEMS.items() for word in words.split()}
_NO_CUTOFF = MappingProxyType(dict.fromkeys(("f", "f1", "f_1", "f_score", "f1_score", "f_measure"), "SetF"))
"""What people call a measure, in lower case → its name, where it is of all that is retrieved and has no cutoff."""
_NAMED = re.compile(r"([A-Za-z][A-Za-z _-]*?)\s*(?:[@_]\s*([0-9]{1,18}))?")
_F1 = re.compile(r"([Ff][ _-]?1(?:[ _-]?[Ss]core)?)\s*(?:@\s*([0-9]{1,18}))?")
_TOP = re.compile(r"top[ _-]?([0-9]{1,18})[ _-]?acc(?:uracy)?", re.IGNORECASE)
_DIGITS = re.compile(r"([0-9]*)(?:\.([0-9]*))?\s*(%?)")


class Interval(NamedTuple):
    """The values between two ends, each of which may be in it."""

    low: Fraction
    high: Fraction
    has_low: bool
    has_high: bool

    def holds(self, value: Fraction, slack: Fraction = Fraction(0)) -> bool:
        """Return whether a value, or one that is less than `slack` away, lies between the ends."""
        if slack:
            return self.low - slack <= value <= self.high + slack
        above = value > self.low or (self.has_low and value == self.low)
        return above and (value < self.high or (self.has_high and value == self.high))


@dataclass(frozen=True, slots=True)
class Reported:
    """A number as it was printed somewhere, on the scale from 0 to 1 where it was a percentage."""

    said: str
    """The measure as it was written: ``recall@5``."""
    measure: Measure
    """The measure that this is the name of."""
    digits: str
    """The number as it was written: ``0.70``, ``70.0%``."""
    value: Fraction
    unit: Fraction
    """What one in the last digit is worth."""
    percent: bool
    """Whether it was written, or can only be read, as a percentage."""

    @property
    def decimals(self) -> int:
        """How many decimals the value has on the scale from 0 to 1."""
        return len(str(self.unit.denominator)) - 1

    @property
    def intervals(self) -> Mapping[str, Interval]:
        """Rounding → the values that it prints as these digits."""
        half, even = self.unit / 2, (self.value / self.unit) % 2 == 0
        low, high = self.value - half, self.value + half
        return {
            "half-even": Interval(low, high, even, even),
            "half-up": Interval(low, high, True, False),
            "truncation": Interval(self.value, self.value + self.unit, True, False),
        }

    @property
    def span(self) -> Interval:
        """Everything that some rounding prints as these digits."""
        return Interval(self.value - self.unit / 2, self.value + self.unit, True, False)

    def roundings(self, value: Fraction | float, slack: Fraction = Fraction(0)) -> tuple[str, ...]:
        """Return the roundings that print a value as these digits; none if it is another number."""
        exact = Fraction(value)
        return tuple(name for name, interval in self.intervals.items() if interval.holds(exact, slack))

    def __str__(self) -> str:
        """Return ``recall@5 = 0.70``."""
        return f"{self.said} = {self.digits}"


def read_reported(text: str, k: int | None = None) -> Reported:
    """Read ``recall@5=0.70``: a measure as the field, a paper or a tool writes it, and the digits that were printed.

    ``70.0%`` is a percentage, and so is a number above 1 where the measure cannot exceed 1. `k` is the cutoff where the
    measure is written without one.

    Raises:
        UsageError: no ``=``, no number, or an unknown measure.
    """
    said, sign, digits = (part.strip() for part in text.rpartition("="))
    if not sign or not said:
        raise UsageError(f"{short(text)}: expected a measure, = and the reported number, as in recall@5=0.70")
    value, decimals, percent = _number(text, digits)
    measure = _measure(said, k)
    if not percent and value > 1 and measure.spec.aggregate == "mean" and not (value < 2 and decimals):
        percent = True
    scale = 100 if percent else 1
    return Reported(said, measure, digits, value / scale, Fraction(1, 10**decimals * scale), percent)


def _number(text: str, digits: str) -> tuple[Fraction, int, bool]:
    """Return a number, its decimals, and whether a percent sign stands behind it."""
    found = _DIGITS.fullmatch(digits)
    if found is None or not (found[1] or found[2]):
        comma = "; write the decimals behind a point" if "," in digits else ""
        raise UsageError(f"{short(text)}: {short(digits)!r} is not a number such as 0.70, 70.0% or 70{comma}")
    whole, decimals, sign = found[1], found[2] or "", found[3]
    if len(whole) + len(decimals) > MOST_DIGITS:
        raise UsageError(f"{short(text)}: expected a number of at most {MOST_DIGITS} digits")
    return Fraction(int(whole + decimals), 10 ** len(decimals)), len(decimals), bool(sign)


def _measure(said: str, k: int | None) -> Measure:
    """Return the measure that a name stands for, with its cutoff."""
    top, named = _TOP.fullmatch(said), _NAMED.fullmatch(said) or _F1.fullmatch(said)
    stem = re.sub(r"[ -]", "_", named[1].lower()) if named else ""
    if top is not None:
        measure = Measure("Success", int(top[1]))
    elif named is not None and stem in _SAID:
        measure = Measure(_SAID[stem], int(named[2]) if named[2] else None)
    elif stem in _NO_CUTOFF:
        name = _NO_CUTOFF[stem]
        raise MeasureError(f"unknown measure {short(said)!r}; did you mean {name}, of all that is retrieved?")
    else:
        measure = parse_measure(said if k is None or "@" in said else f"{said}@{k}")
    if k is not None and measure.cutoff is None and measure.spec.cutoff != "none":
        measure = measure @ k
    if k is not None and measure.cutoff not in (None, k):
        raise UsageError(f"{short(said)} has the cutoff {measure.cutoff}; -k {k} is another one: leave one away")
    if not measure.complete:
        raise MeasureError(f"{short(said)} needs a cutoff: write it behind the measure, as in {said}@10, or give -k")
    return measure
