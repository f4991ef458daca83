"""Precision at each relevant document: AP, RR, interpolated precision, binG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from denominator.engines.columnar.view import Relevant, View
    from denominator.measures import Measure
    from denominator.model import F64, I64

__all__ = ["AP", "MIN_GEOMETRIC", "RR", "IPrec", "binG", "eleven_point", "gm_map"]

MIN_GEOMETRIC = 0.00001
"""The least value a geometric mean takes in, so that one zero does not make it zero (trec_eval's MIN_GEO_MEAN)."""


def _ap(relevant: Relevant, queries: int, cutoff: int | float | None = None) -> F64:
    """Return the sum of the precisions at the relevant documents in the first `cutoff`, divided by |Rel|."""
    query, precision = relevant.query, relevant.precision
    if cutoff is not None:
        inside = relevant.position < cutoff
        query, precision = query[inside], precision[inside]
    return sums.ratio(sums.total(query, precision, queries), relevant.count)


def AP(view: View, measure: Measure) -> F64:
    """Return average precision, at k where there is one (trec_eval m_map.c, m_map_cut.c)."""
    return _ap(view.relevant(measure["rel"]), view.queries, measure.cutoff)


def gm_map(view: View, measure: Measure) -> F64:
    """Return the logarithm of AP, of at least 0.00001, whose mean is taken back by exp (trec_eval m_gm_map.c)."""
    return sums.log_of(np.maximum(_ap(view.relevant(measure["rel"]), view.queries), MIN_GEOMETRIC))


def RR(view: View, measure: Measure) -> F64:
    """Return 1 / rank of the first relevant document, 0 if it is not in the first k (trec_eval m_recip_rank.c)."""
    relevant = view.relevant(measure["rel"])
    first = relevant.found == 1
    if measure.cutoff is not None:
        first &= relevant.position < measure.cutoff
    out = np.zeros(view.queries)
    out[relevant.query[first]] = 1.0 / (relevant.position[first] + 1)
    return out


def _recall_rank(view: View, recall: float, count: I64) -> I64:
    """Return how many relevant documents a recall level asks for: trec_eval 9 adds 0.9 and truncates, 10 rounds."""
    asked = np.multiply(recall, count)
    if view.settings.trec_eval == "9":
        return (asked + 0.9).astype(np.int64)
    whole = asked.astype(np.int64)
    return whole + (asked - whole >= 0.5)  # half away from zero, as C's lround


def _interpolated(view: View, relevant: Relevant, recall: float) -> F64:
    """Return the highest precision at or below the rank where `recall` is reached; 0 where it is not."""
    asked = _recall_rank(view, recall, relevant.count)
    out = np.zeros(view.queries)
    some = np.flatnonzero((relevant.retrieved > 0) & (asked <= relevant.retrieved))
    out[some] = relevant.interpolated[relevant.starts[some] + np.maximum(asked[some], 1) - 1]
    return out


def IPrec(view: View, measure: Measure) -> F64:
    """Return interpolated precision at a recall level (trec_eval m_iprec_at_recall.c; 0 where it divides 0 by 0)."""
    return _interpolated(view, view.relevant(measure["rel"]), float(measure.cutoff or 0))


def eleven_point(view: View, measure: Measure) -> F64:
    """Return interpolated precision averaged over recall points, highest point added first (trec_eval m_11pt_avg.c)."""
    points = measure["points"]
    relevant = view.relevant(measure["rel"])
    out = np.zeros(view.queries)
    for recall in sorted(points, reverse=True):
        out += _interpolated(view, relevant, recall)
    return out / float(len(points))


def binG(view: View, measure: Measure) -> F64:
    """Return the mean over relevant documents of 1 / log2(2 + non-relevant documents above) (trec_eval m_binG.c)."""
    relevant = view.relevant(measure["rel"])
    worth = 1.0 / sums.log2_of(3 + relevant.position - relevant.found)
    return sums.ratio(sums.total(relevant.query, worth, view.queries), relevant.count)
