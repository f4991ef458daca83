"""How far a mean over a handful of queries would move with other queries of the same kind."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from denominator.model import F64

__all__ = ["half_width", "student_t"]

COVERAGE = 0.95
DEGREES = 1000
"""From so many degrees of freedom on Student's t is 1.962, which two decimals do not tell from the normal's 1.960."""


def half_width(values: F64) -> float | None:
    """Return half the width of the 95% t-interval of a mean: t · s / √n, with s over n - 1; None for one value.

    It holds as far as the queries are a sample of those one cares about.

    >>> round(half_width(np.array([0.0, 0.5, 1.0])), 3)
    1.242
    """
    n = len(values)
    if n < 2:
        return None
    return student_t(n - 1) * float(np.std(values, ddof=1)) / math.sqrt(n)


def student_t(degrees: int) -> float:
    """Return the t that a Student variable stays within, on both sides of 0, with probability 0.95.

    >>> round(student_t(9), 3)
    2.262
    """
    degrees = min(degrees, DEGREES)
    low, high = 1.0, 13.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < COVERAGE else (low, middle)
    return (low + high) / 2


def _within(t: float, degrees: int) -> float:
    """Return the probability that a Student variable lies between -t and t.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.
    """
    angle = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    if degrees == 1:
        return 2 * angle / math.pi
    term = total = cosine if odd else 1.0
    for factor in range(2 + odd, degrees - 1, 2):
        term *= (factor - 1) / factor * cosine * cosine
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total
