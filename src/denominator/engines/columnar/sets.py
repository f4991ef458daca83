"""Measures of the retrieved set as a whole, without its order: set precision, recall, F, AP, utility."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from denominator.engines.columnar.view import View
    from denominator.measures import Measure
    from denominator.model import F64

__all__ = ["SetAP", "SetF", "SetP", "SetR", "utility"]


def SetP(view: View, measure: Measure) -> F64:
    """Return relevant retrieved / retrieved, or if `relative` / min(retrieved, |Rel|).

    trec_eval m_set_P.c, m_set_rel_P.c.
    """
    relevant = view.relevant(measure["rel"])
    most = view.hits.retrieved
    if measure["relative"]:
        most = np.minimum(most, relevant.count)
    return sums.ratio(relevant.retrieved, most)


def SetR(view: View, measure: Measure) -> F64:
    """Return relevant retrieved / |Rel| (trec_eval m_set_recall.c)."""
    relevant = view.relevant(measure["rel"])
    return sums.ratio(relevant.retrieved, relevant.count)


def SetF(view: View, measure: Measure) -> F64:
    """Return (x + 1) P R / (R + x P), where `beta` is x itself and not its square root (trec_eval m_set_F.c)."""
    relevant = view.relevant(measure["rel"])
    x = float(measure["beta"])
    precision = sums.ratio(relevant.retrieved, view.hits.retrieved)
    recall = sums.ratio(relevant.retrieved, relevant.count)
    return sums.ratio((x + 1.0) * precision * recall, x * precision + recall, where=relevant.retrieved > 0)


def SetAP(view: View, measure: Measure) -> F64:
    """Return set precision times set recall, as one fraction (trec_eval m_set_map.c)."""
    relevant = view.relevant(measure["rel"])
    found = relevant.retrieved.astype(np.float64)
    return sums.ratio(found * found, view.hits.retrieved.astype(np.float64) * relevant.count)


def utility(view: View, measure: Measure) -> F64:
    """Return the weighted sum of the four cells: relevant or not, retrieved or not (trec_eval m_utility.c).

    The last cell needs the size of the collection, the parameter `docs`.
    """
    relevant, retrieved = view.relevant(measure["rel"]), view.hits.retrieved
    found, count = relevant.retrieved, relevant.count
    rest = measure["docs"] + found - retrieved - count
    out: F64 = measure["a"] * found + measure["b"] * (retrieved - found) + measure["c"] * (count - found)
    out += measure["d"] * rest
    return out
