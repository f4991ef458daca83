"""Numerators, denominators and the highest reachable values, over all queries at once.

Every function takes (hits, measure, level): the judged part of a ranking, the measure, and the relevance level of the
evaluation, which holds where the measure has no ``rel=`` of its own. A fraction is three int64 arrays of shape (q,):
numerator, denominator, and the highest numerator that any ranking could reach over the same denominator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.measures.spec import LOWEST_LOG

if TYPE_CHECKING:
    from denominator.hits import Hits
    from denominator.measures.measure import Measure
    from denominator.model import F64, I64

    Fraction = tuple[I64, I64, I64]


def _seen(hits: Hits, measure: Measure) -> Hits:
    """Return the ranking the measure looks at: the condensed list if it says ``judged_only=True``."""
    return hits.condensed() if dict(measure.params).get("judged_only") else hits


def _rank(measure: Measure) -> int:
    """Return the cutoff as a number of documents; without one, more than any run holds."""
    return np.iinfo(np.int64).max if measure.cutoff is None else int(measure.cutoff)


def _found(hits: Hits, measure: Measure, level: float, depth: int | I64) -> I64:
    """Count the relevant documents among the first `depth` of each query."""
    seen = _seen(hits, measure)
    depths = np.broadcast_to(np.asarray(depth, dtype=np.int64), (len(hits.queries),))
    return seen.count((seen.grade >= measure.level(level)) & (seen.position < depths[seen.query]))


def relevant(hits: Hits, measure: Measure, level: float) -> F64:
    """Return |Rel| as the highest value: of the documents retrieved at most these are relevant."""
    return hits.relevant(measure.level(level)).astype(np.float64)


def precision(hits: Hits, measure: Measure, level: float) -> Fraction:
    """P@k: relevant among the first k / k."""
    k = _rank(measure)
    rel = hits.relevant(measure.level(level))
    return _found(hits, measure, level, k), np.full_like(rel, k), np.minimum(rel, k)


def recall(hits: Hits, measure: Measure, level: float) -> Fraction:
    """R@k: relevant among the first k / |Rel|."""
    k = _rank(measure)
    rel = hits.relevant(measure.level(level))
    return _found(hits, measure, level, k), rel, np.minimum(rel, k)


def capped_recall(hits: Hits, measure: Measure, level: float) -> Fraction:
    """RCap@k and relative_P@k: relevant among the first k / min(|Rel|, k)."""
    k = _rank(measure)
    best = np.minimum(hits.relevant(measure.level(level)), k)
    return _found(hits, measure, level, k), best, best


def success(hits: Hits, measure: Measure, level: float) -> Fraction:
    """Success@k: 1 if anything relevant is among the first k / 1."""
    rel = hits.relevant(measure.level(level))
    found = _found(hits, measure, level, _rank(measure))
    return np.minimum(found, 1), np.ones_like(rel), np.minimum(rel, 1)


def r_precision(hits: Hits, measure: Measure, level: float) -> Fraction:
    """Rprec: relevant among the first |Rel| / |Rel|."""
    rel = hits.relevant(measure.level(level))
    return _found(hits, measure, level, rel), rel, rel


def precision_at_multiple(hits: Hits, measure: Measure, level: float) -> Fraction:
    """Rprec_mult@x: relevant among the first c / c, where c is x·|Rel| + 0.9 without its fraction, as in trec_eval."""
    rel = hits.relevant(measure.level(level))
    depth = np.floor(float(measure.cutoff or 0) * rel + 0.9).astype(np.int64)
    return _found(hits, measure, level, depth), depth, np.minimum(rel, depth)


def set_precision(hits: Hits, measure: Measure, level: float) -> Fraction:
    """SetP: relevant among all returned / returned, or / min(returned, |Rel|) if relative."""
    returned = _seen(hits, measure).retrieved
    best = np.minimum(hits.relevant(measure.level(level)), returned)
    return _found(hits, measure, level, _rank(measure)), best if measure["relative"] else returned, best


def set_recall(hits: Hits, measure: Measure, level: float) -> Fraction:
    """SetR: relevant among all returned / |Rel|."""
    rel = hits.relevant(measure.level(level))
    returned = _seen(hits, measure).retrieved
    return _found(hits, measure, level, _rank(measure)), rel, np.minimum(rel, returned)


def judged(hits: Hits, measure: Measure, level: float) -> Fraction:
    """Judged@k: judged among the first k / how many of the first k there are."""
    k = _rank(measure)
    looked_at = np.minimum(hits.retrieved, k)
    found = hits.count((hits.grade >= 0) & (hits.position < k))
    return found, looked_at, np.minimum(hits.judged(), looked_at)


def unjudged(hits: Hits, measure: Measure, level: float) -> Fraction:
    """Unjudged@k: the rest of Judged@k; the best numerator is the lowest."""
    found, looked_at, most = judged(hits, measure, level)
    return looked_at - found, looked_at, looked_at - most


def unjudged_of_k(hits: Hits, measure: Measure, level: float) -> Fraction:
    """unj@k: unjudged among the first k / k, however few were retrieved; the best numerator is the lowest."""
    found, looked_at, best = unjudged(hits, measure, level)
    return found, np.full_like(looked_at, _rank(measure)), best


def one_if_relevant(hits: Hits, measure: Measure, level: float) -> F64:
    """1 where there is a relevant document, else 0."""
    return (hits.relevant(measure.level(level)) > 0).astype(np.float64)


def _gains(hits: Hits, measure: Measure) -> F64:
    """Return the gain of each entry of ``hits.judged_grade``; a negative grade gains nothing."""
    grade = hits.judged_grade
    gain = np.maximum(grade, 0).astype(np.float64)
    for own, worth in (measure["gains"] or {}).items():
        gain[grade == own] = worth
    return gain


def one_if_gain(hits: Hits, measure: Measure, level: float) -> F64:
    """1 where a judged document has a positive gain, else 0; the relevance level has no say."""
    positive = hits.judged_query[_gains(hits, measure) > 0]
    return (np.bincount(positive, minlength=len(hits.queries)) > 0).astype(np.float64)


def best_average_precision(hits: Hits, measure: Measure, level: float) -> F64:
    """AP@k: min(k, |Rel|) / |Rel|."""
    rel = hits.relevant(measure.level(level))
    best: F64 = np.minimum(rel, _rank(measure)) / np.maximum(rel, 1)
    return best


def best_logarithm(hits: Hits, measure: Measure, level: float) -> F64:
    """gm_map, gm_bpref: the logarithm of 1 where there is a relevant document, else the lowest value."""
    return np.where(hits.relevant(measure.level(level)) > 0, 0.0, LOWEST_LOG)


def _best_set(hits: Hits, measure: Measure, level: float) -> tuple[F64, F64]:
    """Return the highest precision and recall a set of the returned size can have."""
    returned = _seen(hits, measure).retrieved
    rel = hits.relevant(measure.level(level))
    best = np.minimum(returned, rel)
    return best / np.maximum(returned, 1), best / np.maximum(rel, 1)


def best_set_f(hits: Hits, measure: Measure, level: float) -> F64:
    """SetF of the best set of the returned size."""
    p, r = _best_set(hits, measure, level)
    x = measure["beta"]
    best: F64 = (x + 1) * p * r / np.where(p > 0, x * p + r, 1.0)
    return best


def best_set_average_precision(hits: Hits, measure: Measure, level: float) -> F64:
    """SetAP of the best set of the returned size."""
    p, r = _best_set(hits, measure, level)
    return p * r


def best_rank_biased(hits: Hits, measure: Measure, level: float) -> F64:
    """RBP with every relevant document first: 1 - p^m, where m is |Rel| or the cutoff if that is less."""
    rel = np.minimum(hits.relevant(measure.level(level)), _rank(measure))
    best: F64 = 1.0 - measure["p"] ** rel.astype(np.float64)
    return best


def best_expected_reciprocal_rank(hits: Hits, measure: Measure, level: float) -> F64:
    """ERR of the judged documents in descending order of grade."""
    sizes = np.diff(hits.judged_offsets)
    best = np.zeros(len(hits.queries))
    goes_on = np.ones(len(hits.queries))
    for position in range(min(int(sizes.max(initial=0)), _rank(measure))):
        some = np.flatnonzero(sizes > position)
        grade = hits.judged_grade[hits.judged_offsets[some] + position].clip(min=0)
        stops = (2.0**grade - 1) / 2.0 ** measure["gmax"]
        best[some] += goes_on[some] * stops / (position + 1)
        goes_on[some] *= 1 - stops
    return best
