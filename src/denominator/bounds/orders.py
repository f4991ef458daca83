"""Values over all orders of tied documents: the lowest, the expected, the highest.

The lowest and highest come from the columnar engine, which is given the worst and the best order: gains falling from
the top of each group, or rising to its bottom. Moving a document of higher gain up within its group never lowers P, R,
RR, Success, AP, nDCG or RBP. The expected values are in :mod:`denominator.bounds.expected`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.bounds import BOUNDED, Bounds
from denominator.bounds.expected import expected
from denominator.bounds.gains import gain_of
from denominator.engines.columnar import score_hits
from denominator.measures import worth_unanswered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.bounds.tied import Tied
    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64

__all__ = ["order_bounds", "random_values", "snapped"]

NEAR = 1e-12
"""Two ways to the same number end this close to each other."""


def order_bounds(tied: Tied, measures: Sequence[Measure], settings: Settings) -> dict[Measure, Bounds | None]:
    """Return the bounds of each measure over all orders of tied documents; None where they are not known."""
    found: dict[Measure, Bounds | None] = {}
    for measure in measures:
        pool = _seen(tied, measure, settings)
        if pool is None:
            found[measure] = None
            continue
        low, high = (_scored(pool, measure, settings, best) for best in (False, True))
        found[measure] = Bounds(low, snapped(_expected(pool, measure, settings), low, high), high)
    return found


def random_values(pool: Tied, measures: Sequence[Measure], settings: Settings) -> dict[Measure, F64 | None]:
    """Return the expected value of each measure over all orders; None where it is not known."""
    found: dict[Measure, F64 | None] = {}
    for measure in measures:
        seen = _seen(pool, measure, settings)
        found[measure] = None if seen is None else _expected(seen, measure, settings)
    return found


def snapped(value: F64, low: F64, high: F64) -> F64:
    """Return values that lie outside their bounds by rounding only, put on the bound."""
    under, over = (low > value) & (low - value < NEAR), (value > high) & (value - high < NEAR)
    inside: F64 = np.where(under, low, np.where(over, high, value))
    return inside


def _seen(tied: Tied, measure: Measure, settings: Settings) -> Tied | None:
    """Return the ranking that a measure looks at; None where it is not bounded.

    A condensed list that is cut before it is condensed holds other documents after each order, and a random draw from a
    corpus does so too: of these nothing is said.
    """
    if measure.name not in BOUNDED:
        return None
    if not (settings.judged_only or dict(measure.params).get("judged_only")):
        return tied
    return None if settings.depth is not None or tied.length is not None else tied.condensed


def _scored(tied: Tied, measure: Measure, settings: Settings, best: bool) -> F64:
    """Return the values of the best or of the worst order."""
    grade = tied.hits.grade
    worth = gain_of(grade, measure) if measure.name == "nDCG" and measure["gains"] else grade
    values = score_hits(tied.ordered(worth, best), [measure], settings)[measure]
    return _filled(values, tied.hits, measure, settings)


def _expected(tied: Tied, measure: Measure, settings: Settings) -> F64:
    """Return the mean over all orders."""
    return _filled(expected(tied, measure, settings), tied.hits, measure, settings)


def _filled(values: F64, hits: Hits, measure: Measure, settings: Settings) -> F64:
    """Return values with what an unanswered query is worth."""
    filled: F64 = np.where(hits.answered, values, worth_unanswered(hits, measure, settings.level))
    return filled
