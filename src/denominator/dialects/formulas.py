"""What the measures become under choices that are not trec_eval's.

Most choices turn a measure into another of the registry, or the hits into other hits, and the columnar engine does the
rest; what is written out here are the other denominators and the ties that share their places.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator.engines import Settings
from denominator.engines.columnar import score_hits, sums
from denominator.engines.columnar.view import View
from denominator.errors import UsageError
from denominator.measures import Measure

if TYPE_CHECKING:
    from denominator.dialects.dialect import Choices
    from denominator.hits import Hits
    from denominator.model import F64, I64

__all__ = ["Blocks", "as_divided", "check", "cutoff_of", "gained", "values"]

EVERYTHING = np.iinfo(np.int64).max
SHARED_PLACES = {
    "averaged": ("nDCG", "RBP"),
    "together": ("AP",),
    "middle": ("P", "R", "RCap", "RR", "Success", "nDCG"),
}
"""A way to share places among ties → the measures that it is worked out for."""
_BECOMES = {"capped": "RCap", "k": "P", "hit": "Success"}
"""A denominator of recall → the measure that recall is with it."""


class Blocks(NamedTuple):
    """The block of ties of each hit: the positions where it begins and, exclusively, ends. Shape (h,)."""

    low: I64
    high: I64


def check(measure: Measure, choices: Choices, depth: int | None) -> None:
    """Refuse a measure that the choices leave without a value.

    Raises:
        UsageError: ties share their places in a way that the measure, or a cut ranking, has no formula for.
    """
    shared = SHARED_PLACES.get(choices.ties)
    if shared is None:
        return
    if measure.name not in shared:
        raise UsageError(f"ties={choices.ties} is defined for {', '.join(shared)} only; {measure} has no value with it")
    condensed = choices.unjudged == "removed" or dict(measure.params).get("judged_only")
    if condensed or depth is not None:
        how = "condensed" if condensed else f"cut to {depth:,} documents"
        raise UsageError(f"ties={choices.ties} needs the ranking as it stands, and {measure} is of one that is {how}")


def values(hits: Hits, blocks: Blocks | None, measure: Measure, choices: Choices) -> F64:
    """Return the value of every query that the run holds; the others are to be filled by the caller. Shape (q,).

    `blocks` is given where ties share their places.
    """
    if dict(measure.params).get("judged_only"):
        hits, measure = hits.condensed(), measure(judged_only=False)
    if choices.ties == "middle" and blocks is not None:
        hits = replace(hits, position=np.maximum((blocks.low + 1 + blocks.high) // 2, 1) - 1)
    settings = Settings(choices.level, trec_eval=choices.trec_eval)  # type: ignore[arg-type]  # "9" or "10"
    if measure.name == "R":
        return _recall(hits, measure, choices, settings)
    if measure.name == "P" and choices.precision == "returned":
        return _of_returned(hits, measure, settings)
    if measure.name == "AP" and (choices.ap != "rel" or choices.ties == "together"):
        return _average_precision(hits, blocks, measure, choices, settings)
    if measure.name == "nDCG":
        return _ndcg(hits, blocks, measure, choices, settings)
    if measure.name == "RBP" and (choices.rbp == "graded" or choices.ties == "averaged"):
        return _rank_biased(hits, blocks, measure, choices, settings)
    return _engine(hits, measure, settings)


def _engine(hits: Hits, measure: Measure, settings: Settings) -> F64:
    return score_hits(hits, [measure], settings)[measure]


def cutoff_of(measure: Measure) -> int:
    """Return the cutoff; without one, more than any ranking holds."""
    return EVERYTHING if measure.cutoff is None else int(measure.cutoff)


def _recall(hits: Hits, measure: Measure, choices: Choices, settings: Settings) -> F64:
    """Return recall over another denominator; per query, micro recall is recall."""
    if choices.recall == "retrieved":
        relevant = View(hits, settings).relevant(measure["rel"])
        return sums.ratio(relevant.within(cutoff_of(measure)), relevant.retrieved)
    return _engine(hits, as_divided(measure, choices), settings)


def as_divided(measure: Measure, choices: Choices) -> Measure:
    """Return the measure that recall is with its denominator: itself, unless that is another measure's."""
    if choices.recall not in _BECOMES:
        return measure
    return Measure(_BECOMES[choices.recall], measure.cutoff, rel=measure["rel"])


def _of_returned(hits: Hits, measure: Measure, settings: Settings) -> F64:
    """Return precision over the documents that there are among the first k."""
    found = View(hits, settings).relevant(measure["rel"]).within(cutoff_of(measure))
    return sums.ratio(found, np.minimum(hits.retrieved, cutoff_of(measure)))


def _average_precision(
    hits: Hits, blocks: Blocks | None, measure: Measure, choices: Choices, settings: Settings
) -> F64:
    """Return the sum of precisions at the relevant documents over another denominator, or with ties together."""
    relevant = View(hits, settings).relevant(measure["rel"])
    k = cutoff_of(measure)
    precision = relevant.precision
    if choices.ties == "together" and blocks is not None:
        last = blocks.high[relevant.hit]
        width = int(max(last.max(initial=0), relevant.position.max(initial=0))) + 1
        places = relevant.query * width + relevant.position
        found = np.searchsorted(places, relevant.query * width + last) - relevant.starts[relevant.query]
        precision = found / last
    inside = relevant.position < k
    query = relevant.query[inside]
    total = sums.total(query, precision[inside], len(hits.queries))
    below = {
        "rel": relevant.count,
        "capped": np.minimum(relevant.count, k),
        "retrieved": np.bincount(query, minlength=len(hits.queries)),
    }
    return sums.ratio(total, below[choices.ap])


def _ndcg(hits: Hits, blocks: Blocks | None, measure: Measure, choices: Choices, settings: Settings) -> F64:
    """Return nDCG with another gain, another ideal ranking, or with ties sharing what their places are worth."""
    hits, measure = gained(hits, measure, choices)
    if choices.ideal in ("retrieved", "top"):
        inside = hits.position < (cutoff_of(measure) if choices.ideal == "top" else EVERYTHING)
        hits = _judged_are(hits, hits.query[inside], hits.grade[inside])
    elif choices.ideal == "returned":
        place = np.arange(len(hits.judged_grade)) - hits.judged_offsets[hits.judged_query]
        inside = place < hits.retrieved[hits.judged_query]
        hits = _judged_are(hits, hits.judged_query[inside], hits.judged_grade[inside])
    elif choices.ideal == "full":
        query = np.repeat(np.arange(len(hits.queries)), hits.retrieved)
        hits = _judged_are(hits, query, np.ones(len(query), dtype=np.int64))
    if choices.ties == "averaged" and blocks is not None:
        return _averaged_ndcg(hits, blocks, measure, settings)
    return _engine(hits, measure, settings)


def gained(hits: Hits, measure: Measure, choices: Choices) -> tuple[Hits, Measure]:
    """Return the ranking and the nDCG of it that a choice of gain makes of them."""
    if choices.gain == "exponential" and not measure["gains"] and measure["dcg"] == "log2":
        measure = measure(dcg="exp-log2")
    elif choices.gain == "binary" and not measure["gains"] and measure["dcg"] == "log2":
        level = choices.level
        hits = replace(
            hits,
            grade=(hits.grade >= level).astype(np.int64),
            judged_grade=(hits.judged_grade >= level).astype(np.int64),
        )
    return hits, measure


def _judged_are(hits: Hits, query: I64, grade: Any) -> Hits:
    """Return the same ranking with other judgments, of which only the grades are known."""
    order = np.lexsort((-grade, query))
    return replace(hits, judged_offsets=sums.starts_of(query, len(hits.queries)), judged_grade=grade[order])


def _mean_of_places(worth: F64, blocks: Blocks) -> F64:
    """Return, per hit, the mean of what the places of its block are worth; `worth` is indexed by position."""
    upto = np.concatenate([[0.0], np.cumsum(worth)])
    mean: F64 = (upto[blocks.high] - upto[blocks.low]) / (blocks.high - blocks.low)
    return mean


def _averaged_ndcg(hits: Hits, blocks: Blocks, measure: Measure, settings: Settings) -> F64:
    """Return the expected nDCG over all orders of the ties (McSherry and Najork, ECIR 2008)."""
    gains = View(hits, settings).gains(measure["gains"], exponential=measure["dcg"] == "exp-log2")
    places = int(blocks.high.max(initial=0))
    discount = 1.0 / sums.log2_of(np.arange(places) + 2)
    discount[min(cutoff_of(measure), places) :] = 0.0
    dcg = sums.total(hits.query, gains.hit * _mean_of_places(discount, blocks), len(hits.queries))
    inside = gains.ideal_position < cutoff_of(measure)
    return sums.ratio(dcg, sums.total(gains.ideal_query[inside], gains.ideal_discounted[inside], len(hits.queries)))


def _rank_biased(hits: Hits, blocks: Blocks | None, measure: Measure, choices: Choices, settings: Settings) -> F64:
    """Return RBP with grades as gains, or with ties sharing what their places are worth."""
    relevant = View(hits, settings).relevant(measure["rel"])
    p = float(measure["p"])
    places = int(hits.retrieved.max(initial=0))
    weight = p ** np.arange(places, dtype=np.float64)
    weight[min(cutoff_of(measure), places) :] = 0.0
    worth = weight[relevant.position]
    if choices.ties == "averaged" and blocks is not None:
        worth = _mean_of_places(weight, blocks)[relevant.hit]
    if choices.rbp == "graded":
        worth = worth * hits.grade[relevant.hit]
    total: F64 = (1.0 - p) * sums.total(relevant.query, worth, len(hits.queries))
    return total
