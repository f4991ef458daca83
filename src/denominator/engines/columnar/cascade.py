"""Measures with a model of a user who stops: RBP, its residual, and ERR."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums
from denominator.engines.columnar.view import exponential_gain
from denominator.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denominator.engines.columnar.view import View
    from denominator.measures import Measure
    from denominator.model import F64

__all__ = ["ERR", "RBP", "rbp", "rbp_resid"]


def _persistence(p: float, ranks: int) -> F64:
    """Return 1, p, p², … p**ranks, multiplied one by one. Shape (ranks + 1,)."""
    out = np.full(ranks + 1, p)
    out[0] = 1.0
    return np.multiply.accumulate(out)


def _deepest(view: View) -> int:
    return int(view.hits.retrieved.max(initial=0))


def RBP(view: View, measure: Measure) -> F64:
    """Return (1 - p) times the sum of p**(rank - 1) over the relevant documents in the first k (all, without a k)."""
    relevant = view.relevant(measure["rel"])
    p = float(measure["p"])
    query, position = relevant.query, relevant.position
    if measure.cutoff is not None:
        inside = position < measure.cutoff
        query, position = query[inside], position[inside]
    out: F64 = (1.0 - p) * sums.total(query, _persistence(p, _deepest(view))[position], view.queries)
    return out


def _scale(view: View, gains: Mapping[int, float]) -> tuple[float, F64]:
    """Return the lowest gain of the scale, at most 0, and the highest one of each query.

    A query's scale goes up to the highest grade in its judgments, whether or not a document has each grade below.
    """
    tops, where = np.unique(view.top_grade, return_inverse=True)
    highest = []
    for top in tops.tolist():
        own = top
        while own in gains:
            own -= 1
        highest.append(max(own, *gains.values(), 0))
    return min([0, *gains.values()]), np.array(highest, dtype=np.float64)[where]


def rbp(view: View, measure: Measure) -> F64:
    """Return RBP with graded gains, stretched to go from 0 to 1 where they leave it (trec_eval 10's m_rbp.c).

    There the stretch starts from two variables that are never set; taken as 0 they give the values it prints.
    """
    gains = measure["gains"] or {}
    p = float(measure["p"])
    low, high = _scale(view, gains)
    query = view.hits.query
    gain = view.gains(gains).hit
    stretched = (low < 0) | (high > 1)
    apart = np.where(stretched, high - low, 1.0)[query]
    gain = np.where((view.hits.grade >= 0) & stretched[query], (gain - low) / apart, gain)
    weight = _persistence(p, _deepest(view))[view.hits.position]
    out: F64 = (1.0 - p) * sums.total(query, gain * weight, view.queries)
    return out


def rbp_resid(view: View, measure: Measure) -> F64:
    """Return how much RBP would rise if every unjudged document were worth 1 (trec_eval 10's m_rbp_resid.c).

    That is p**retrieved for what was not retrieved, plus p**a - p**b for every run of unjudged documents from position
    a to b. 0 where every retrieved document is judged, as there.
    """
    p = float(measure["p"])
    weight = _persistence(p, _deepest(view))
    retrieved = view.hits.retrieved
    judged = view.hits.grade >= 0
    query, position = view.hits.query[judged], view.hits.position[judged]
    starts = sums.starts_of(query, view.queries)
    after = np.where(sums.ordinals(query, starts) > 0, np.concatenate([[0], position[:-1] + 1]), 0)
    last = np.zeros(view.queries, dtype=np.int64)  # the position after the last judged document
    some = np.flatnonzero(np.diff(starts))
    last[some] = position[starts[some + 1] - 1] + 1
    gaps = sums.total(query, weight[after] - weight[position], view.queries) + (weight[last] - weight[retrieved])
    return np.where(retrieved > np.diff(starts), weight[retrieved] + gaps, 0.0)


def ERR(view: View, measure: Measure) -> F64:
    """Return expected reciprocal rank, at k where there is one; a document satisfies at (2**grade - 1) / 2**gmax.

    Chapelle, Metzler, Zhang and Grinspan (CIKM 2009).

    Raises:
        UsageError: a judgment is above gmax, so that the probability of being satisfied would be above 1.
    """
    gmax = measure["gmax"]
    highest = view.top_grade.max(initial=0)
    if highest > gmax:
        query = view.hits.queries[int(np.argmax(view.top_grade))]
        message = (
            f"{measure}: query {query} has a grade of {highest}, expected at most gmax={gmax}; "
            f"give the top of the grade scale, ERR(gmax={math.ceil(highest)})"
        )
        raise UsageError(message)
    satisfied = exponential_gain(view.hits.grade, gmax)
    after = sums.running(np.multiply, 1.0 - satisfied, view.starts)
    place = sums.ordinals(view.hits.query, view.starts)
    reading = np.where(place > 0, np.concatenate([[1.0], after[:-1]]), 1.0)
    worth = reading * satisfied / (view.hits.position + 1)
    inside = slice(None) if measure.cutoff is None else view.hits.position < measure.cutoff
    return sums.total(view.hits.query[inside], worth[inside], view.queries)
