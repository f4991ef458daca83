"""Relevant documents counted above a rank: P, R, Success and their kin. Each is one count divided by another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from denominator.engines.columnar.view import View
    from denominator.measures import Measure
    from denominator.model import F64

__all__ = ["P", "R", "RCap", "Rprec", "Rprec_mult", "Success", "relative_P"]


def _k(measure: Measure) -> float:
    """Return the cutoff of a measure that must have one."""
    return float(measure.cutoff or 0)


def P(view: View, measure: Measure) -> F64:
    """Return the relevant documents in the first k, divided by k (trec_eval m_P.c)."""
    return view.relevant(measure["rel"]).within(_k(measure)) / _k(measure)


def R(view: View, measure: Measure) -> F64:
    """Return the relevant documents in the first k, divided by |Rel| (trec_eval m_recall.c)."""
    relevant = view.relevant(measure["rel"])
    return sums.ratio(relevant.within(_k(measure)), relevant.count)


def RCap(view: View, measure: Measure) -> F64:
    """Return recall divided by what k allows, min(k, |Rel|): wrong on purpose, and named so."""
    relevant = view.relevant(measure["rel"])
    return sums.ratio(relevant.within(_k(measure)), np.minimum(relevant.count, int(_k(measure))))


def relative_P(view: View, measure: Measure) -> F64:
    """Return precision at k divided by the highest precision possible at k (trec_eval m_rel_P.c)."""
    relevant = view.relevant(measure["rel"])
    return sums.ratio(relevant.within(_k(measure)), np.minimum(relevant.count, int(_k(measure))))


def Success(view: View, measure: Measure) -> F64:
    """Return 1 where a relevant document stands in the first k (trec_eval m_success.c)."""
    return (view.relevant(measure["rel"]).within(_k(measure)) > 0).astype(np.float64)


def Rprec(view: View, measure: Measure) -> F64:
    """Return the relevant documents in the first |Rel|, divided by |Rel| (trec_eval m_Rprec.c)."""
    relevant = view.relevant(measure["rel"])
    return sums.ratio(relevant.within(relevant.count), relevant.count)


def Rprec_mult(view: View, measure: Measure) -> F64:
    """Return precision at a multiple of |Rel|: the rank is the multiple plus 0.9, cut to a whole number.

    trec_eval m_Rprec_mult.c; 0 where that rank is 0.
    """
    relevant = view.relevant(measure["rel"])
    rank = (_k(measure) * relevant.count + 0.9).astype(np.int64)
    return sums.ratio(relevant.within(rank), rank)
