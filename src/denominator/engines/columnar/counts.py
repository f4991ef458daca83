"""Counts: how many documents were retrieved, relevant, judged. What a mean is divided by, or says about coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from denominator.engines.columnar.view import View
    from denominator.measures import Measure
    from denominator.model import F64, I64

__all__ = [
    "judged",
    "num_nonrel_judged_ret",
    "num_q",
    "num_rel",
    "num_rel_ret",
    "num_ret",
    "unj",
    "unjudged",
]


def num_q(view: View, measure: Measure) -> F64:
    """Return 1 for every query (trec_eval's num_q, before it is summed)."""
    return np.ones(view.queries)


def num_ret(view: View, measure: Measure) -> F64:
    """Return how many documents were retrieved (trec_eval's num_ret)."""
    return view.hits.retrieved.astype(np.float64)


def num_rel(view: View, measure: Measure) -> F64:
    """Return |Rel| (trec_eval's num_rel)."""
    return view.relevant(measure["rel"]).count.astype(np.float64)


def num_rel_ret(view: View, measure: Measure) -> F64:
    """Return how many relevant documents were retrieved (trec_eval's num_rel_ret)."""
    return view.relevant(measure["rel"]).retrieved.astype(np.float64)


def num_nonrel_judged_ret(view: View, measure: Measure) -> F64:
    """Return how many judged documents that are not relevant were retrieved (trec_eval's num_nonrel_judged_ret)."""
    return (view.hits.count(view.hits.grade >= 0) - view.relevant(measure["rel"]).retrieved).astype(np.float64)


def judged(view: View, measure: Measure) -> F64:
    """Return the share of the first k retrieved documents that are judged, of as many as were retrieved.

    A document with a negative grade is in the pool and not judged, here as everywhere (ir_measures counts it).
    """
    top, hits = _judged_within(view, measure)
    return sums.ratio(hits, top)


def unjudged(view: View, measure: Measure) -> F64:
    """Return the share of the first k retrieved documents that are not judged, of as many as were retrieved."""
    top, hits = _judged_within(view, measure)
    return sums.ratio(top - hits, top)


def unj(view: View, measure: Measure) -> F64:
    """Return the unjudged documents among the first k, divided by k (trec_eval 10's unj)."""
    top, hits = _judged_within(view, measure)
    return (top - hits) / float(measure.cutoff or 1)


def _judged_within(view: View, measure: Measure) -> tuple[I64, I64]:
    """Return, per query, how many documents the first k hold (all, without a k), and how many are judged."""
    hits = view.hits
    inside = hits.grade >= 0
    if measure.cutoff is None:
        return hits.retrieved, hits.count(inside)
    return np.minimum(hits.retrieved, int(measure.cutoff)), hits.count(inside & (hits.position < measure.cutoff))
