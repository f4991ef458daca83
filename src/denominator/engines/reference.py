"""The textbook: each metric on one plain ranking, written to be read, with nothing but the standard library.

Every function takes `ranking`, the ids of the retrieved documents, best first and each once, and `grades`, the judged
documents of the query with their grade. They share these words:

- a document is *relevant* when its grade is at least `level` (1 unless said otherwise), and |Rel| is the number of
  relevant documents in `grades`, retrieved or not;
- a document without a grade is *unjudged* and counts as not relevant, which no one has checked;
- a grade below 0 means "in the pool, but not judged", as in trec_eval: never relevant, gain 0;
- `k` is the cutoff: only the first k documents count. Where it may be None, None means the whole ranking.

All raise :class:`~denominator.errors.UsageError` (a ValueError) when k is not a whole number of at least 1 or a
document occurs twice in the ranking, and :class:`~denominator.errors.UndefinedError` (an ArithmeticError) where the
formula would divide by a |Rel| of 0. trec_eval prints 0 there; this module will not write down a zero nobody earned.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from denominator.errors import UndefinedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = [
    "average_precision",
    "bpref",
    "capped_recall_at_k",
    "err",
    "inf_ap",
    "ndcg_at_k",
    "precision_at_k",
    "r_precision",
    "rbp",
    "recall_at_k",
    "reciprocal_rank",
    "success_at_k",
]

# The four of the article


def precision_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int, *, level: float = 1) -> float:
    """Return the share of the first k places that hold a relevant document.

    Formula: relevant documents in the first k / k.
    Denominator: k, even when fewer than k documents were retrieved: an empty place is a wrong place.
    Distrust it when |Rel| < k, because then even a perfect ranking stops at |Rel| / k, and when many of the first k are
    unjudged. Source: trec_eval ``m_P.c``.

    Two of the five places hold a relevant document:

    >>> precision_at_k(["m2", "x3", "m1", "p1", "d2"], {"m1": 3, "m2": 2, "m3": 1}, 5)
    0.4
    """
    top = _first(ranking, k)
    return _relevant_in(top, grades, level) / k


def recall_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int, *, level: float = 1) -> float:
    """Return the share of the relevant documents that are among the first k.

    Formula: relevant documents in the first k / |Rel|.
    Denominator: |Rel|, all judged relevant documents of the query. Undefined when it is 0.
    Distrust it when |Rel| > k, because then it cannot exceed k / |Rel|, and when the judgments are incomplete: relevant
    documents that nobody judged are missing from the denominator, which flatters. Source: trec_eval ``m_recall.c``.

    Two of the three relevant documents were found:

    >>> round(recall_at_k(["m2", "x3", "m1", "p1", "d2"], {"m1": 3, "m2": 2, "m3": 1}, 5), 3)
    0.667
    """
    top = _first(ranking, k)
    return _relevant_in(top, grades, level) / _all_relevant(grades, level, f"recall@{k}")


def reciprocal_rank(
    ranking: Sequence[str], grades: Mapping[str, float], k: int | None = None, *, level: float = 1
) -> float:
    """Return one divided by the rank of the first relevant document, 0 when there is none; its mean is the MRR.

    Formula: 1 / rank of the first relevant document, counting from 1.
    Denominator: that rank. It says nothing of |Rel|, so a query without relevant documents gets 0.
    Distrust it when users need more than one document, and on ties at the top: one swap can halve it.
    Source: Voorhees, The TREC-8 Question Answering Track Report (1999); trec_eval ``m_recip_rank.c`` (which ignores a
    cutoff).

    The first relevant document is at rank 2:

    >>> reciprocal_rank(["d2", "s2", "x4", "s1"], {"s1": 3, "s2": 2, "s3": 1})
    0.5
    """
    for rank, document in enumerate(_first(ranking, k), start=1):
        if _is_relevant(document, grades, level):
            return 1 / rank
    return 0.0


def ndcg_at_k(
    ranking: Sequence[str],
    grades: Mapping[str, float],
    k: int | None = None,
    *,
    gain: Callable[[float], float] | None = None,
) -> float:
    """Return the discounted gain of the first k as a share of the best that any ranking could have.

    Formula: DCG / IDCG, with DCG = sum of gain / log2(rank + 1), and IDCG the DCG of all judged documents in order of
    falling gain, cut at k. The gain is the grade itself; pass ``gain=lambda g: 2**g - 1`` for the steeper convention.
    Denominator: IDCG from **all** judged documents, not only from the retrieved ones. Undefined when it is 0.
    Distrust a comparison of numbers that do not say which gain they use, and IDCG on shallow judgments.
    Source: Järvelin and Kekäläinen, ACM TOIS 20 (2002) 422-446; trec_eval ``m_ndcg.c``, ``m_ndcg_cut.c``.

    DCG = 2 + 3/2 = 3.5, and IDCG = 3 + 2/log2(3) + 1/2 = 4.762:

    >>> round(ndcg_at_k(["m2", "x3", "m1", "p1", "d2"], {"m1": 3, "m2": 2, "m3": 1}, 5), 3)
    0.735
    """
    top = _first(ranking, k)
    gains = {document: gain(grade) if gain else grade for document, grade in grades.items() if grade >= 0}
    ideal = sorted((value for value in gains.values() if value > 0), reverse=True)
    if not ideal:
        message = "nDCG is undefined: no judged document has a gain above 0, so the ideal ranking gains nothing"
        raise UndefinedError(message)
    best = _discounted(ideal[:k])
    return _discounted([gains.get(document, 0.0) for document in top]) / best


# Wrong on purpose


def capped_recall_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int, *, level: float = 1) -> float:
    """Return recall with a denominator that never exceeds k: wrong as recall, kept to show the damage.

    Formula: relevant documents in the first k / min(|Rel|, k).
    Denominator: |Rel| for some queries and k for others, so its mean mixes recall with precision. Undefined when |Rel|
    is 0. Never trust it under the name of recall: with |Rel| > k it can reach 1 while most of the relevant documents
    are missing. Source: it appears as "capped recall" or "recall_cap" in evaluation code of retrieval libraries.

    Four of eight relevant documents were found: the recall is 0.5, and this says 0.8.

    >>> grades = {"m1": 3, "m2": 3, "m3": 2, "m4": 2, "m5": 1, "m6": 1, "s1": 2, "s2": 1}
    >>> capped_recall_at_k(["m1", "s1", "m2", "m3", "x1"], grades, 5)
    0.8
    """
    top = _first(ranking, k)
    return _relevant_in(top, grades, level) / min(_all_relevant(grades, level, f"capped recall@{k}"), k)


# More of the field


def average_precision(
    ranking: Sequence[str], grades: Mapping[str, float], k: int | None = None, *, level: float = 1
) -> float:
    """Return the precision at each relevant document's rank, averaged over all relevant documents; its mean is MAP.

    Formula: sum of precision@rank over the relevant documents retrieved (within k) / |Rel|.
    Denominator: |Rel|, also under a cutoff: a relevant document that was not retrieved adds 0. Undefined when it is 0.
    Distrust it when judgments are incomplete (unjudged documents lower every precision below them), and AP@k with
    |Rel| > k, because then it cannot reach 1. Source: trec_eval ``m_map.c``, ``m_map_cut.c``.

    Relevant at ranks 1 and 3 of three relevant documents: (1/1 + 2/3 + 0) / 3 = 5/9.

    >>> round(average_precision(["m2", "x3", "m1", "p1", "d2"], {"m1": 3, "m2": 2, "m3": 1}), 3)
    0.556
    """
    top = _first(ranking, k)
    relevant = _all_relevant(grades, level, "average precision")
    found, total = 0, 0.0
    for rank, document in enumerate(top, start=1):
        if _is_relevant(document, grades, level):
            found += 1
            total += found / rank
    return total / relevant


def r_precision(ranking: Sequence[str], grades: Mapping[str, float], *, level: float = 1) -> float:
    """Return the precision at rank |Rel|, where precision and recall are the same number.

    Formula: relevant documents in the first |Rel| / |Rel|.
    Denominator: |Rel|. Undefined when it is 0. Its ceiling is always 1.
    Distrust it for queries with one or two relevant documents: it looks at one or two places only.
    Source: trec_eval ``m_Rprec.c``.

    Three relevant documents, and two of them in the first three:

    >>> round(r_precision(["m2", "x3", "m1", "m3"], {"m1": 3, "m2": 2, "m3": 1}), 3)
    0.667
    """
    relevant = _all_relevant(grades, level, "R-precision")
    return _relevant_in(_first(ranking, relevant), grades, level) / relevant


def success_at_k(ranking: Sequence[str], grades: Mapping[str, float], k: int, *, level: float = 1) -> float:
    """Return 1 when at least one of the first k documents is relevant, and 0 otherwise; its mean is the hit rate.

    Formula: 1 if a relevant document is in the first k, else 0.
    Denominator: none for one query; the mean divides by the number of queries. Without relevant documents it is 0.
    Distrust it where one document does not answer the question. Source: trec_eval ``m_success.c``.

    >>> success_at_k(["d2", "s2", "x4"], {"s1": 3, "s2": 2}, 1), success_at_k(["d2", "s2", "x4"], {"s1": 3, "s2": 2}, 2)
    (0.0, 1.0)
    """
    return 1.0 if _relevant_in(_first(ranking, k), grades, level) else 0.0


def rbp(
    ranking: Sequence[str], grades: Mapping[str, float], p: float = 0.8, k: int | None = None, *, level: float = 1
) -> float:
    """Return the expected share of useful documents for a reader who goes on to the next one with probability p.

    Formula: (1 - p) * sum of p ** (rank - 1) over the relevant documents.
    Denominator: none, the weights of an endless ranking add up to 1; so |Rel| plays no part, and without relevant
    documents it is 0. After n documents, p ** n of the weight is still unseen: no ranking of n can score 1.
    Distrust numbers that do not print p: 0.8 and 0.95 are different measures.
    Source: Moffat and Zobel, ACM TOIS 27 (2008) 2:1-2:27. ir_measures uses p = 0.8, trec_eval 10 p = 0.9.

    Relevant at ranks 1 and 3, with p = 0.5: 0.5 * (1 + 0.25) = 0.625.

    >>> rbp(["m2", "x3", "m1"], {"m1": 3, "m2": 2}, p=0.5)
    0.625
    """
    if not 0 < p < 1:
        message = f"RBP's p is the probability of reading on, a number between 0 and 1: got {p!r}"
        raise UsageError(message)
    weights = (
        p ** (rank - 1)
        for rank, document in enumerate(_first(ranking, k), start=1)
        if _is_relevant(document, grades, level)
    )
    return (1 - p) * sum(weights)


def err(ranking: Sequence[str], grades: Mapping[str, float], k: int | None = None, *, max_grade: float) -> float:
    """Return the expected reciprocal rank at which a reader who stops when satisfied stops.

    Formula: sum over ranks of (1 / rank) * R(rank) * product of (1 - R) over the ranks above, where
    R = (2 ** grade - 1) / 2 ** max_grade is the chance that a document satisfies.
    Denominator: 2 ** max_grade, the top of the **scale**, the same for all queries; a scale read off one query's own
    judgments makes queries incomparable. Without relevant documents it is 0. It never reaches 1.
    Distrust numbers that do not print max_grade. Source: Chapelle, Metzler, Zhang and Grinspan, CIKM 2009, 621-630.

    On a scale to 1, R = 1/2 for each: at ranks 1 and 3, 1/2 + 1/3 * 1/2 * 1/2 = 7/12.

    >>> round(err(["a", "x", "b"], {"a": 1, "b": 1}, max_grade=1), 4)
    0.5833
    """
    highest = max(grades.values(), default=0)
    if highest > max_grade:
        message = f"ERR's max_grade is the top of the grade scale: got {max_grade}, but a document has grade {highest}"
        raise UsageError(message)
    total, reading = 0.0, 1.0
    for rank, document in enumerate(_first(ranking, k), start=1):
        satisfied = (2 ** max(grades.get(document, 0), 0) - 1) / 2**max_grade
        total += reading * satisfied / rank
        reading *= 1 - satisfied
    return total


def bpref(ranking: Sequence[str], grades: Mapping[str, float], *, level: float = 1) -> float:
    """Return how often judged relevant documents stand above judged non-relevant ones, ignoring unjudged documents.

    Formula: sum over the relevant documents retrieved of 1 - min(n, |Rel|) / min(N, |Rel|), divided by |Rel|; n is how
    many judged non-relevant documents stand above the document, N how many were judged non-relevant at all. A relevant
    document with none above it adds 1.
    Denominator: |Rel|. Undefined when it is 0.
    Distrust it when few non-relevant documents were judged: with N = 0 it is nothing but recall.
    Source: Buckley and Voorhees, SIGIR 2004, 25-32; trec_eval ``m_bpref.c``, where a grade below 0 is unjudged.

    Judged in ranked order: a relevant (0 above: 1), c not, b relevant (1 of min(2, 2) above: 1/2); (1 + 1/2) / 2 = 3/4.

    >>> bpref(["u1", "a", "u2", "c", "b"], {"a": 1, "b": 1, "c": 0, "d": 0})
    0.75
    """
    _first(ranking, None)
    relevant = _all_relevant(grades, level, "bpref")
    nonrelevant = sum(0 <= grade < level for grade in grades.values())
    above, total = 0, 0.0
    for document in ranking:
        grade = grades.get(document, -1)
        if 0 <= grade < level:
            above += 1
        elif grade >= level:
            total += 1 - min(above, relevant) / min(nonrelevant, relevant) if above else 1
    return total / relevant


def inf_ap(ranking: Sequence[str], grades: Mapping[str, float], *, level: float = 1) -> float:
    """Return average precision as estimated when only a random sample of the pool was judged.

    Formula: average over the relevant documents of the expected precision at their rank r,
    1/r + (r - 1)/r * pooled/(r - 1) * (rel + e) / (rel + nonrel + 2e); above rank r, `pooled` counts documents in the
    pool, of which `rel` were judged relevant and `nonrel` not, and e = 0.00001 keeps the fraction defined.
    A grade below 0 says "in the pool, not judged"; a document without a grade was not in the pool.
    Denominator: |Rel| of the judged sample. Undefined when it is 0.
    Distrust it when the judged documents are not a random sample; with everything judged it is AP, but for e.
    Source: Yilmaz and Aslam, CIKM 2006, 102-111; trec_eval ``m_infap.c``.

    b at rank 1 adds 1. a at rank 3: 1/3 + 2/3 * 2/2 * (1 + e)/(1 + 2e), all but 1, because the pooled document between
    them is taken for as relevant as the judged one above.

    >>> round(inf_ap(["b", "pooled", "a"], {"a": 1, "b": 1, "pooled": -1}), 4)
    1.0
    """
    _first(ranking, None)
    relevant = _all_relevant(grades, level, "infAP")
    epsilon = 0.00001
    rel = nonrel = unjudged = 0
    total = 0.0
    for above, document in enumerate(ranking):
        grade = grades.get(document)
        if grade is None:
            continue
        if grade < 0:
            unjudged += 1
        elif grade < level:
            nonrel += 1
        else:
            pooled = rel + nonrel + unjudged
            share = (rel + epsilon) / (rel + nonrel + 2 * epsilon)
            total += (1 + pooled * share) / (above + 1) if above else 1
            rel += 1
    return total / relevant


# What they share


def _first(ranking: Sequence[str], k: int | None) -> Sequence[str]:
    """Return the first k documents of a ranking (all for None), once the ranking and k make sense."""
    if k is not None and (not isinstance(k, int) or k < 1):
        message = f"the cutoff k is a whole number of at least 1: got {k!r}"
        raise UsageError(message)
    seen: dict[str, int] = {}
    for rank, document in enumerate(ranking, start=1):
        if document in seen:
            message = (
                f"document {document!r} is in the ranking twice, at ranks {seen[document]} and {rank}: "
                "a document counts once, so keep one of them"
            )
            raise UsageError(message)
        seen[document] = rank
    return ranking[:k]


def _is_relevant(document: str, grades: Mapping[str, float], level: float) -> bool:
    """Return whether a document was judged, and with a grade of at least `level`."""
    return document in grades and grades[document] >= max(level, 0)


def _relevant_in(documents: Sequence[str], grades: Mapping[str, float], level: float) -> int:
    """Return how many of some documents are relevant."""
    return sum(_is_relevant(document, grades, level) for document in documents)


def _all_relevant(grades: Mapping[str, float], level: float, measure: str) -> int:
    """Return |Rel|, or refuse to go on when it is 0 and `measure` would divide by it."""
    relevant = _relevant_in(list(grades), grades, level)
    if not relevant:
        message = (
            f"{measure} is undefined: |Rel| = 0, none of the {len(grades)} judged documents has a grade of at least "
            f"{level}"
        )
        raise UndefinedError(message)
    return relevant


def _discounted(gains: Sequence[float]) -> float:
    """Return the sum of gains, each divided by log2(rank + 1)."""
    return sum((gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1)), 0.0)
