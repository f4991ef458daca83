"""Measures that look at judged documents only, and tell the unjudged from the non-relevant: bpref and infAP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums
from denominator.engines.columnar.precision import MIN_GEOMETRIC

if TYPE_CHECKING:
    from denominator.engines.columnar.view import View
    from denominator.measures import Measure
    from denominator.model import F64

__all__ = ["Bpref", "gm_bpref", "infAP"]

EPSILON = 0.00001
"""The smoothing of infAP's estimated precision (trec_eval's INFAP_EPSILON)."""


def _bpref(view: View, level: float | None) -> F64:
    """Return the sum of preferences kept at each relevant document, divided by |Rel|."""
    relevant = view.relevant(level)
    judged_above, _ = view.judged_before
    above = judged_above[relevant.hit] - (relevant.found - 1)
    nonrelevant = view.hits.judged() - relevant.count
    most = np.minimum(nonrelevant, relevant.count)[relevant.query]
    broken = sums.ratio(np.minimum(above, relevant.count[relevant.query]), most, where=above > 0)
    return sums.ratio(sums.total(relevant.query, 1.0 - broken, view.queries), relevant.count)


def Bpref(view: View, measure: Measure) -> F64:
    """Return bpref (trec_eval m_bpref.c)."""
    return _bpref(view, measure["rel"])


def gm_bpref(view: View, measure: Measure) -> F64:
    """Return the logarithm of bpref, of at least 0.00001, whose mean is taken back by exp (trec_eval m_gm_bpref.c)."""
    return sums.log_of(np.maximum(_bpref(view, measure["rel"]), MIN_GEOMETRIC))


def infAP(view: View, measure: Measure) -> F64:
    """Return inferred AP: a negative grade says in the pool and not judged (trec_eval m_infap.c)."""
    relevant = view.relevant(measure["rel"])
    judged_above, unjudged_above = view.judged_before
    judged, unjudged = judged_above[relevant.hit], unjudged_above[relevant.hit]
    depth = relevant.position.astype(np.float64)
    pooled = sums.ratio(judged + unjudged, depth)
    estimate = (relevant.found - 1 + EPSILON) / (judged + 2 * EPSILON)
    worth = 1.0 / (depth + 1.0) + (depth / (depth + 1.0)) * pooled * estimate
    worth[relevant.position == 0] = 1.0
    return sums.ratio(sums.total(relevant.query, worth, view.queries), relevant.count)
