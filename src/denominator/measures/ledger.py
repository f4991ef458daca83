"""What a value is made of: its fraction, the highest value it could have, and whether it has a value at all.

All functions take (hits, measure, level) and answer for every judged query at once, in the order of ``hits.queries``.
`level` is the evaluation's relevance level; a measure's own ``rel=`` goes before it. Hits are those the measure is
computed from (truncated with -M, condensed with -J); a measure with ``judged_only=True`` condenses them itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.measures import counting

if TYPE_CHECKING:
    from denominator.hits import Hits
    from denominator.measures.measure import Measure
    from denominator.model import F64, I64, Bool

__all__ = ["ceiling", "fraction", "undefined", "worth_unanswered"]


def fraction(hits: Hits, measure: Measure, level: float) -> tuple[I64, I64, I64] | None:
    """Return numerator, denominator and best reachable numerator per query; None if it is no fraction of counts.

    For Unjudged and unj, where less is better, the best numerator is the lowest one.
    """
    counts = measure.spec.fraction
    return None if counts is None else counts(hits, measure, level)


def ceiling(hits: Hits, measure: Measure, level: float) -> F64:
    """Return the highest value that any ranking could get on these judgments; shape (q,).

    A set measure, and Judged, keep the number of documents that were returned. 0 for a query that has nothing to find.
    NaN for a measure that has no ceiling: counts, utility, rbp with its gains, and those where less is better.
    """
    spec = measure.spec
    if spec.highest is not None:
        return spec.highest(hits, measure, level)
    if spec.fraction is None or spec.better != "higher":
        return np.full(len(hits.queries), np.nan)
    _, whole, best = spec.fraction(hits, measure, level)
    return best / np.maximum(whole, 1)


def undefined(hits: Hits, measure: Measure, level: float) -> Bool:
    """Return where the definition has no value; shape (q,).

    That is: no relevant document (or none with a positive gain) where the definition divides by it; 0/0 for an answered
    query; and an unanswered query where no number is right for it (Unjudged, unj, rbp_resid, num_nonrel_judged_ret).
    """
    spec = measure.spec
    missing: Bool = np.zeros(len(hits.queries), dtype=np.bool_)
    if spec.needs == "relevant":
        missing = hits.relevant(measure.level(level)) == 0
    elif spec.needs == "gain":
        missing = counting.one_if_gain(hits, measure, level) == 0
    if spec.fraction is not None:
        _, whole, _ = spec.fraction(hits, measure, level)
        missing = missing | ((whole == 0) & hits.answered)
    if spec.unanswered is None and not spec.of_judgments:
        missing = missing | ~hits.answered
    return missing


def worth_unanswered(hits: Hits, measure: Measure, level: float) -> F64:
    """Return what an unanswered query is worth, for every query; NaN where no number is right.

    It is ``Spec.unanswered``, except for NumRel, which counts judgments and is the same whether or not the query was
    answered.
    """
    spec = measure.spec
    if spec.name == "NumRel":
        return counting.relevant(hits, measure, level)
    return np.full(len(hits.queries), np.nan if spec.unanswered is None else spec.unanswered)
