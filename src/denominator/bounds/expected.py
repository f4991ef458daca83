"""The mean of a measure over all orders of tied documents, each order as likely as any other.

In closed form, from how many documents of a group are relevant: nothing is drawn at random. Source for P, R, RR, AP and
DCG: McSherry and Najork, Computing information retrieval performance measures efficiently in the presence of tied
scores, ECIR 2008, 414-421. RBP and Success follow in the same way, from the linearity of expectation and from the
hypergeometric distribution.

A group has `size` documents from position `first` on (from 0), `relevant` of them relevant, and `above` relevant
documents stand above it. Only the first `inside` positions of the ranking are looked at.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator.bounds.gains import discounts_before, gain_of, top_grade
from denominator.engines.columnar import sums

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from denominator.bounds.tied import Tied
    from denominator.engines import Settings
    from denominator.measures import Measure
    from denominator.model import F64, I64

__all__ = ["expected"]

BLOCK = 1 << 17
"""How many positions of tied documents are looked at in one go."""


class _Groups(NamedTuple):
    """The groups that hold a relevant document, query by query, from the top. Shapes: (g,)."""

    query: I64
    first: I64
    size: I64
    relevant: I64
    above: I64
    inside: I64
    """How many positions of the query's ranking are looked at."""

    @property
    def open(self) -> I64:
        """How many positions of each group are looked at."""
        seen: I64 = np.clip(self.inside - self.first, 0, self.size)
        return seen


def expected(tied: Tied, measure: Measure, settings: Settings) -> F64:
    """Return the expected value of each query, shape (q,); 0 where the definition has no value, as trec_eval has it."""
    inside = _inside(tied, measure, settings)
    if measure.name == "nDCG":
        return _ndcg(tied, measure, inside)
    level = max(measure.level(settings.level), 0)
    return _BINARY[measure.name](_groups(tied, level, inside), measure, tied.hits.relevant(level))


def _inside(tied: Tied, measure: Measure, settings: Settings) -> I64:
    """Return how many positions of each query's ranking are looked at, shape (q,)."""
    length = tied.hits.retrieved if tied.length is None else tied.length
    limits = [int(limit) for limit in (measure.cutoff, settings.depth) if limit is not None]
    return np.minimum(length, min(limits)) if limits else length


def _groups(tied: Tied, level: float, inside: I64) -> _Groups:
    """Return the groups with a relevant document."""
    hit = np.flatnonzero(tied.hits.grade >= level)
    _, at, relevant = np.unique(tied.group[hit], return_index=True, return_counts=True)
    first = hit[at]
    query = tied.hits.query[first]
    begins = sums.starts_of(query, len(tied.hits.queries))[query]
    running = np.cumsum(relevant) - relevant
    above = running - running[begins] if len(query) else running
    return _Groups(query, tied.first[first], tied.size[first], relevant, above, inside[query])


def _found(groups: _Groups, queries: int) -> F64:
    """Return how many relevant documents are expected inside."""
    return sums.total(groups.query, groups.relevant * groups.open / groups.size, queries)


def _precision(groups: _Groups, measure: Measure, rel: I64) -> F64:
    return _found(groups, len(rel)) / float(measure.cutoff or 1)


def _recall(groups: _Groups, measure: Measure, rel: I64) -> F64:
    return sums.ratio(_found(groups, len(rel)), rel)


def _success(groups: _Groups, measure: Measure, rel: I64) -> F64:
    """1 - the chance that no relevant document is among the open positions of any group; groups are independent."""
    none = np.ones(len(rel))
    np.multiply.at(none, groups.query, _chance_of_none(groups.size, groups.relevant, groups.open))
    return 1.0 - none


def _chance_of_none(size: I64, relevant: I64, drawn: I64) -> F64:
    """Return the chance that `drawn` of `size` documents, at random, are none of the `relevant` ones.

    C(size - relevant, drawn) / C(size, drawn), as a product over the smaller of the two numbers: they can be swapped.
    """
    fewer, more = np.minimum(relevant, drawn), np.maximum(relevant, drawn)
    chance = np.ones(len(size))
    for step in range(int(fewer.max(initial=0))):
        some = np.flatnonzero((fewer > step) & (chance > 0))
        if not len(some):
            break
        left = size[some] - step
        chance[some] *= np.maximum(left - more[some], 0) / left
    return chance


def _reciprocal_rank(groups: _Groups, measure: Measure, rel: I64) -> F64:
    """Only the highest group with a relevant document counts: its first one is in place j with chance

    C(size - j, relevant - 1) / C(size, relevant), a running product.
    """
    top = np.flatnonzero(groups.above == 0)
    first, size, relevant = groups.first[top], groups.size[top], groups.relevant[top]
    places = np.minimum(groups.open[top], size - relevant + 1)
    value = np.zeros(len(top))
    for rows, width in _blocks(places):
        j = np.arange(width)  # place j + 1 of the group
        step = (size[rows, None] - relevant[rows, None] - j + 1) / np.maximum(size[rows, None] - j, 1)
        step[:, 0] = relevant[rows] / size[rows]
        chance = np.cumprod(np.maximum(step, 0.0), axis=1)
        within = j < places[rows, None]
        value[rows] = (within * chance / (first[rows, None] + j + 1)).sum(axis=1)
    return sums.total(groups.query[top], value, len(rel))


def _average_precision(groups: _Groups, measure: Measure, rel: I64) -> F64:
    """At place i of a group stands a relevant document with chance relevant / size; of the i - 1 places above it in the
    group each then holds another with chance (relevant - 1) / (size - 1).
    """
    others = (groups.relevant - 1) / np.maximum(groups.size - 1, 1)
    value = np.zeros(len(groups.query))
    for rows, width in _blocks(groups.open):
        i = np.arange(width)
        precision = (groups.above[rows, None] + 1 + i * others[rows, None]) / (groups.first[rows, None] + i + 1)
        value[rows] = (precision * (i < groups.open[rows, None])).sum(axis=1)
    return sums.ratio(sums.total(groups.query, value * groups.relevant / groups.size, len(rel)), rel)


def _rank_biased(groups: _Groups, measure: Measure, rel: I64) -> F64:
    """The weights of the open positions of a group add up to p**first - p**(first + open)."""
    weight = measure["p"] ** groups.first.astype(np.float64) * -np.expm1(groups.open * np.log(measure["p"]))
    return sums.total(groups.query, groups.relevant / groups.size * weight, len(rel))


_BINARY: Mapping[str, Callable[[_Groups, Measure, I64], F64]] = MappingProxyType(
    {
        "P": _precision,
        "R": _recall,
        "RR": _reciprocal_rank,
        "Success": _success,
        "AP": _average_precision,
        "RBP": _rank_biased,
    }
)
"""Measure → its expected value, from the groups, the measure, and |Rel| per query."""


def _ndcg(tied: Tied, measure: Measure, inside: I64) -> F64:
    """Each document of a group is at each of its positions with the same chance: the mean of their discounts."""
    hits = tied.hits
    top = top_grade(hits)
    gain = gain_of(hits.grade, measure, top[hits.query])
    ideal = gain_of(hits.judged_grade, measure, top[hits.judged_query])
    order = np.lexsort((-ideal, hits.judged_query))
    ideal, query = ideal[order], hits.judged_query
    place = np.arange(len(query)) - hits.judged_offsets[query]
    kept = (ideal > 0) if measure.cutoff is None else (ideal > 0) & (place < measure.cutoff)
    table = discounts_before(int(max(inside.max(initial=0), place.max(initial=0) + 1)))
    end = np.minimum(tied.first + tied.size, inside[hits.query])
    share = np.where(end > tied.first, table[end] - table[np.minimum(tied.first, end)], 0).astype(np.float64)
    best = ideal[kept] / sums.log2_of(place[kept] + 2)
    queries = len(hits.queries)
    return sums.ratio(sums.total(hits.query, gain * share / tied.size, queries), sums.total(query[kept], best, queries))


def _blocks(lengths: I64) -> Iterator[tuple[I64, int]]:
    """Yield rows of similar length, and the longest of them, so that rows x length stays small; none of length 0."""
    order = np.argsort(lengths, kind="stable")
    order = order[np.searchsorted(lengths[order], 1) :][::-1]
    low = 0
    while low < len(order):
        width = int(lengths[order[low]])
        high = low + max(BLOCK // width, 1)
        yield order[low:high], width
        low = high
