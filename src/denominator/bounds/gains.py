"""What a grade is worth to nDCG, and how discounts add up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums
from denominator.engines.columnar.view import exponential_gain

if TYPE_CHECKING:
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64

__all__ = ["discounts_before", "gain_of", "top_grade"]


def top_grade(hits: Hits) -> F64 | I64:
    """Return the highest grade in the judgments of each query, at least 0. Shape (q,)."""
    first = hits.judged_offsets[:-1]
    grades = np.append(hits.judged_grade, 0)
    top: F64 | I64 = np.where(first < hits.judged_offsets[1:], np.maximum(grades[first], 0), 0)
    return top


def gain_of(grade: F64 | I64, measure: Measure, top: F64 | I64 | float = 0) -> F64:
    """Return the gain of each grade; a grade below 0 gains nothing.

    Under ``dcg='exp-log2'`` all gains are divided by 2**top, which leaves every ratio as it is and keeps large grades
    finite; `top` is then the highest grade of the query, for all of its documents the same.
    """
    if measure["dcg"] == "exp-log2":
        return exponential_gain(grade, np.asarray(top))
    gain = np.maximum(grade, 0).astype(np.float64)
    for own, worth in dict(measure["gains"] or {}).items():
        gain[grade == own] = worth
    return gain


def discounts_before(ranks: int) -> F64:
    """Return the sum of 1 / log2(rank + 1) over the first 0, 1, … ranks. Shape (ranks + 1,).

    Added with the longest floats there are: differences of these sums are taken.
    """
    discount = 1.0 / sums.log2_of(np.arange(2, ranks + 2))
    total = np.cumsum(discount, dtype=np.longdouble)
    table: F64 = np.concatenate([np.zeros(1, dtype=np.longdouble), total])
    return table
