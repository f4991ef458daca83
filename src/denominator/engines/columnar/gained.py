"""Measures of graded gain: nDCG, Rndcg, ndcg_rel and G."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from denominator.engines.columnar.view import Gains, View
    from denominator.measures import Measure
    from denominator.model import F64, I64

__all__ = ["G", "Rndcg", "nDCG", "ndcg_rel"]


def nDCG(view: View, measure: Measure) -> F64:
    """Return DCG / ideal DCG, at k where there is one; a gain is discounted by log2(rank + 1).

    trec_eval m_ndcg.c, m_ndcg_cut.c. The ideal ranking orders gains exactly; trec_eval's comparator cuts their
    difference to a whole number, so that gains less than 1 apart end in any order there.
    """
    gains = view.gains(measure["gains"], exponential=measure["dcg"] == "exp-log2")
    query, worth = view.hits.query, gains.hit / view.discount
    ideal_query, ideal = gains.ideal_query, gains.ideal_discounted
    if measure.cutoff is not None:
        inside = view.hits.position < measure.cutoff
        query, worth = query[inside], worth[inside]
        inside = gains.ideal_position < measure.cutoff
        ideal_query, ideal = ideal_query[inside], ideal[inside]
    return sums.ratio(sums.total(query, worth, view.queries), sums.total(ideal_query, ideal, view.queries))


def _dcg(view: View, gains: Gains) -> F64:
    """Return the DCG up to and with each hit. Shape (h,)."""
    return sums.running(np.add, gains.hit / view.discount, view.starts)


def _hits_above(view: View, query: I64, position: I64) -> I64:
    """Return how many hits of a query stand above a position, for pairs of both."""
    width = 1 + max(int(view.hits.position.max(initial=0)), int(position.max(initial=0)))
    keys = view.hits.query * width + view.hits.position
    return np.searchsorted(keys, query * width + position) - view.starts[query]


def Rndcg(view: View, measure: Measure) -> F64:
    """Return nDCG averaged over the ranks where the ideal gain drops, and the last rank (trec_eval m_Rndcg.c).

    The last rank counts where the ranking goes on below the rank after the ideal ranking's end. 0 without relevant
    documents at the evaluation's level, as there.
    """
    gains = view.gains(measure["gains"])
    size = gains.ideal_size
    drop = np.ones(len(gains.ideal), dtype=np.bool_)
    drop[:-1] = (gains.ideal[1:] != gains.ideal[:-1]) | (gains.ideal_query[1:] != gains.ideal_query[:-1])
    longer = np.flatnonzero((size > 0) & (size + 1 < view.hits.retrieved))
    query = np.concatenate([gains.ideal_query[drop], longer])
    dcg = sums.above(
        _dcg(view, gains),
        query,
        np.concatenate(
            [
                _hits_above(view, gains.ideal_query[drop], gains.ideal_position[drop] + 1),
                np.diff(view.starts)[longer],
            ]
        ),
        view.starts,
    )
    ideal = np.concatenate([gains.ideal_dcg[drop], gains.ideal_dcg[gains.ideal_starts[longer + 1] - 1]])
    mean = sums.ratio(sums.total(query, dcg / ideal, view.queries), np.bincount(query, minlength=view.queries))
    mean[view.relevant().count == 0] = 0.0
    return mean


def ndcg_rel(view: View, measure: Measure) -> F64:
    """Return nDCG averaged over the ranks of the relevant documents (trec_eval m_ndcg_rel.c).

    Relevant is a gain above 0; a document that was not retrieved counts as nDCG at the end of the ranking.
    """
    gains = view.gains(measure["gains"])
    size = gains.ideal_size
    dcg = _dcg(view, gains)
    hit = np.flatnonzero((gains.hit > 0) & (size[view.hits.query] > 0))
    query = view.hits.query[hit]
    depth = np.minimum(view.hits.position[hit] + 1, size[query])
    reached = sums.total(query, dcg[hit] / sums.above(gains.ideal_dcg, query, depth, gains.ideal_starts), view.queries)
    every = np.arange(view.queries)
    last = sums.above(dcg, every, np.diff(view.starts), view.starts)
    ideal = sums.above(gains.ideal_dcg, every, size, gains.ideal_starts)
    missed = size - np.bincount(query, minlength=view.queries)
    summed = reached + sums.ratio(missed * last, ideal)
    return sums.ratio(summed, size, where=summed > 0)


def G(view: View, measure: Measure) -> F64:
    """Return the gains, each divided by log2(2 + what the ideal is ahead), over the ideal's sum (trec_eval m_G.c).

    A rank costs the ideal gain there, and at least 1.
    """
    gains = view.gains(measure["gains"])
    size = gains.ideal_size
    gained = sums.running(np.add, gains.hit, view.starts)
    cost = sums.running(np.add, np.maximum(gains.ideal, 1.0), gains.ideal_starts)
    query, rank = view.hits.query, view.hits.position + 1
    depth = np.minimum(rank, size[query])
    ahead = 2 + (sums.above(cost, query, depth, gains.ideal_starts) + (rank - depth)) - gained
    worth = gains.hit / sums.log2_of(ahead)
    return sums.ratio(sums.total(query, worth, view.queries), sums.total(gains.ideal_query, gains.ideal, view.queries))
