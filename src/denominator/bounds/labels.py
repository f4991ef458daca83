"""The lowest and highest value over all labellings of the unjudged documents in a ranking.

Each unjudged document takes any grade from 0 to gmax, and so do some documents that were not retrieved. What a label
does to the value depends on where the document stands: inside, among those that the measure looks at, or outside, where
it can only enlarge |Rel| or the ideal ranking. nDCG is in :mod:`denominator.bounds.gain_labels`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.bounds import BOUNDED, Bounds
from denominator.bounds.gain_labels import ndcg_bounds
from denominator.bounds.open_places import OpenPlaces
from denominator.engines.columnar import score_hits, sums
from denominator.errors import UsageError
from denominator.measures import worth_unanswered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denominator.bounds import Asked
    from denominator.bounds.open_places import Block
    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64, Bool

    Ends = tuple[F64, F64]

__all__ = ["highest_grade", "label_bounds"]


def label_bounds(
    hits: Hits, measures: Sequence[Measure], settings: Settings, asked: Asked
) -> dict[Measure, Bounds | None]:
    """Return the bounds of each measure over all labellings; None where they are not known.

    Under a depth (-M) the ranking is the part that is looked at: documents below it are not labelled. Not known are the
    bounds of a condensed list, which has no unjudged documents, and of a level at which every judged one is relevant.
    """
    gmax = highest_grade(hits.judged_grade, asked.gmax)
    if settings.depth is not None:
        hits = hits.truncated(settings.depth)
    places: dict[float | None, OpenPlaces] = {}
    found: dict[Measure, Bounds | None] = {}
    for measure in measures:
        level = measure.level(settings.level)
        if measure.name not in BOUNDED or dict(measure.params).get("judged_only") or level <= 0:
            found[measure] = None
            continue
        if measure.cutoff not in places:
            inside = hits.retrieved if measure.cutoff is None else np.minimum(hits.retrieved, int(measure.cutoff))
            places[measure.cutoff] = OpenPlaces(hits, inside, asked.max_unjudged_relevant)
        worth = worth_unanswered(hits, measure, settings.level)
        value = np.where(hits.answered, score_hits(hits, [measure], settings)[measure], worth)
        if measure.name == "nDCG":
            low, high = ndcg_bounds(places[measure.cutoff], measure, gmax)
        elif gmax >= level:
            low, high = _BINARY[measure.name](places[measure.cutoff], measure, level)
        else:
            low = high = value  # no label makes a document relevant
        low, high = (np.where(hits.answered, end, worth) for end in (low, high))
        if _zero_gains(measure):  # then the value is that of no labelling
            found[measure] = Bounds(low, None, high)
        else:
            found[measure] = Bounds(np.minimum(low, value), None, np.maximum(high, value))
    return found


def _zero_gains(measure: Measure) -> bool:
    """Return whether a document of grade 0 gains something, so that unjudged is less than any label."""
    return measure.name == "nDCG" and (measure["gains"] or {}).get(0, 0) != 0


def highest_grade(grades: F64 | I64, gmax: float | None) -> float:
    """Return the highest grade that a label can be: the one asked for, or the highest in the judgments.

    Raises:
        UsageError: a fraction, where all grades are whole numbers.
    """
    if gmax is None:
        top: float = grades.max(initial=0).item()
        return max(top, 0)
    if grades.dtype.kind == "f":
        return float(gmax)
    if not float(gmax).is_integer():
        raise UsageError(f"gmax={gmax:g}: the grades in the judgments are whole numbers, and so must this one be")
    return int(gmax)


def _relevant(places: OpenPlaces, level: float) -> Bool:
    """Return which of the judged documents retrieved are relevant and inside. Shape (j,)."""
    return places.seen & (places.grade >= level)


def _found(places: OpenPlaces, level: float) -> I64:
    """Return how many relevant documents are inside. Shape (q,)."""
    return np.bincount(places.query[_relevant(places, level)], minlength=len(places.inside))


def _precision(places: OpenPlaces, measure: Measure, level: float) -> Ends:
    """Every relevant label inside adds 1 / k."""
    found, k = _found(places, level), float(measure.cutoff or 1)
    return found / k, (found + places.unjudged) / k


def _recall(places: OpenPlaces, measure: Measure, level: float) -> Ends:
    """|Rel| grows with the labels: those outside lower the value, and those inside raise it, for it is at most 1."""
    found, rel = _found(places, level), places.hits.relevant(level)
    return (
        sums.ratio(found, rel + places.free),
        sums.ratio(found + places.unjudged, rel + places.unjudged),
    )


def _success(places: OpenPlaces, measure: Measure, level: float) -> Ends:
    found = _found(places, level)
    return (found > 0).astype(np.float64), (found + places.unjudged > 0).astype(np.float64)


def _reciprocal_rank(places: OpenPlaces, measure: Measure, level: float) -> Ends:
    """The first relevant document is at best the first unjudged one."""
    none = np.iinfo(np.int64).max
    first = np.full(len(places.inside), none)
    some = _relevant(places, level)
    np.minimum.at(first, places.query[some], places.place[some])
    best = np.minimum(first, np.where(places.unjudged > 0, places.first_unjudged, none))
    low, high = (np.where(at < none, 1.0 / (at.astype(np.float64) + 1), 0.0) for at in (first, best))
    return low, high


def _rank_biased(places: OpenPlaces, measure: Measure, level: float) -> Ends:
    """|Rel| has no part in it: every relevant label adds the weight of its rank."""
    p = measure["p"]
    weight = (1 - p) * p ** places.place.astype(np.float64)
    queries = len(places.inside)
    some, wrong = _relevant(places, level), places.seen & (places.grade < level)
    lost = sums.total(places.query[wrong], weight[wrong], queries)
    return sums.total(places.query[some], weight[some], queries), 1 - p ** places.inside.astype(np.float64) - lost


def _average_precision(places: OpenPlaces, measure: Measure, level: float) -> Ends:
    """For m relevant labels inside the top m, or the bottom m, unjudged documents are best, or worst; m is tried out.

    Labels that cost nothing, below the cutoff or not retrieved, are all relevant at the lower end: they enlarge |Rel|.
    """
    rel = places.hits.relevant(level)
    some = _relevant(places, level)
    nth = np.cumsum(some) - _before(some, places.starts)[places.query]
    precision = np.where(some, nth / (places.place + 1), 0.0)
    summed = sums.total(places.query, precision, len(rel))
    low, high = sums.ratio(summed, rel + places.free), sums.ratio(summed, rel)
    for block in places.blocks():
        which = block.queries
        falling, rising = _gained(block, some[block.at])
        labels = np.arange(1, block.width + 1)
        top = (summed[which, None] + np.cumsum(rising, axis=1)) / (rel[which, None] + labels)
        labels = places.unjudged[which, None] - labels + 1
        whole = (rel + places.free)[which, None] + labels
        bottom = (summed[which, None] + np.cumsum(falling[:, ::-1], axis=1)[:, ::-1]) / np.maximum(whole, 1)
        high[which] = np.maximum(high[which], np.where(block.there, top, -np.inf).max(axis=1))
        low[which] = np.minimum(low[which], np.where(block.there, bottom, np.inf).min(axis=1))
    return low, high


def _before(which: Bool, starts: I64) -> I64:
    """Return how many are masked before each query begins; counts are whole, so that differences are exact."""
    counted: I64 = np.concatenate([[0], np.cumsum(which)])[starts]
    return counted


def _gained(block: Block, relevant: Bool) -> tuple[F64, F64]:
    """Return what each unjudged document, made relevant, adds to the sum of precisions. Shapes (b, w).

    First as the next one up from the bottom, where all that stand below it are relevant; then as the next one down
    from the top, where all above are. In both cases it lifts the precision of the relevant documents below it.
    """
    above = block.open.unjudged_above[block.at]
    rank = block.position + 1.0
    found: I64 = np.cumsum(block.counted(above, relevant), axis=1)
    weight = 1.0 / (block.open.place[block.at] + 1)
    lifted = block.counted(above - 1, relevant, weight)
    inverse: F64 = block.there / rank
    below = _from_below(lifted)
    labels_below = _from_below(inverse) - inverse
    falling: F64 = np.where(block.there, (1 + found) * inverse + labels_below + below, 0.0)
    rising: F64 = (np.arange(1, block.width + 1) + found) * inverse + below
    return falling, rising


def _from_below(values: Any) -> F64:
    """Return the running sum of each row from its end. Shape (b, w)."""
    summed: F64 = np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
    return summed


_BINARY: Mapping[str, Callable[[OpenPlaces, Measure, float], Ends]] = MappingProxyType(
    {
        "P": _precision,
        "R": _recall,
        "RR": _reciprocal_rank,
        "Success": _success,
        "AP": _average_precision,
        "RBP": _rank_biased,
    }
)
"""Measure → the lowest and the highest value per query, from the open places, the measure and the relevance level."""
