"""The ideal ranking as trec_eval orders it: gains less than 1 apart count as equal.

Its comparator returns the difference of two gains as a C int, which cuts 0.9 - 0.2 to 0. ``ndcg.1=0.2,2=0.5,3=0.9``
stays in the order of the arguments, and the other grades follow; the last one, 0 for grade 0, is taken for the highest
gain, and a perfect run scores 0. Source: ``comp_rel_gain`` and ``setup_gains`` in trec_eval's gain_init.c; the sort is
the stable merge sort of the GNU C library.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MEASURES", "G", "Rndcg", "ideal_gains", "ndcg", "ndcg_rel"]

Level = tuple[float, int]
"""A gain, and how many judged documents have it."""


def ideal_gains(given: Sequence[tuple[int, float]], counts: Sequence[int]) -> list[float] | None:
    """Return the gains of trec_eval's ideal ranking, or None where it has any and they are in the right order.

    `given` holds the (grade, gain) pairs in the order of the arguments, `counts` the number of judged documents per
    grade from 0 up to the highest grade that occurs.

    >>> ideal_gains([(1, 0.2), (2, 0.5), (3, 0.9)], [4, 1, 1, 1])
    []
    >>> ideal_gains([(1, 3), (2, 9)], [4, 1, 1]) is None
    True
    """
    worth = dict(given)
    levels = [(gain, counts[grade] if grade < len(counts) else 0) for grade, gain in given]
    levels += [(float(grade), count) for grade, count in enumerate(counts) if grade not in worth]
    right = sorted((gain for gain, count in levels for _ in range(count) if gain > 0), reverse=True)
    ordered = _sorted(levels)
    gains: list[float] = []
    for gain, count in reversed(ordered) if ordered[-1][0] > 0 else ():
        if gain <= 0 and count:
            break
        gains += [gain] * count
    return None if gains and gains == right else gains


def _sorted(levels: list[Level]) -> list[Level]:
    """Merge-sort from the top down, left part first where the comparator sees no difference."""
    if len(levels) < 2:
        return levels
    half = len(levels) // 2
    left, right = _sorted(levels[:half]), _sorted(levels[half:])
    merged: list[Level] = []
    while left and right:
        merged.append((left if int(left[0][0] - right[0][0]) <= 0 else right).pop(0))
    return merged + left + right


def _dcg(gains: Sequence[float]) -> list[float]:
    """Return the discounted cumulative gain up to and with each rank; the sum starts at 0."""
    return list(accumulate((gain / math.log2(rank + 2) for rank, gain in enumerate(gains)), initial=0.0))


def ndcg(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """Return DCG / ideal DCG, 0 where the ideal is (m_ndcg.c)."""
    return _dcg(gains)[-1] / _dcg(ideal)[-1] if ideal else 0.0


def ndcg_rel(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """Return nDCG averaged over the ranks with a gain above 0, the rest at the last rank (m_ndcg_rel.c)."""
    if not ideal:
        return 0.0
    dcg, best = _dcg(gains), _dcg(ideal)
    at = [rank for rank, gain in enumerate(gains) if gain > 0]
    total = 0.0
    for rank in at:
        total += dcg[rank + 1] / best[min(rank + 1, len(ideal))]
    total += (len(ideal) - len(at)) * dcg[-1] / best[-1]
    return total / len(ideal) if total > 0 else 0.0


def Rndcg(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """Return nDCG averaged over the ranks where the ideal gain changes, and the last one; or NaN (m_Rndcg.c)."""
    if not ideal:
        return math.nan
    dcg, best = _dcg(gains), _dcg(ideal)
    ends = [rank for rank in range(1, len(ideal)) if ideal[rank] != ideal[rank - 1]] + [len(ideal)]
    parts = [dcg[min(end, len(gains))] / best[end] for end in ends]
    if len(gains) > len(ideal) + 1:
        parts.append(dcg[-1] / best[-1])
    total = 0.0
    for part in parts:
        total += part
    return total / len(parts)


def G(gains: Sequence[float], ideal: Sequence[float]) -> float:
    """Return the gains, each divided by log2(2 + cost - gain so far), over the ideal's sum (m_G.c)."""
    cost = gained = total = 0.0
    for rank, gain in enumerate(gains):
        cost += max(ideal[rank], 1.0) if rank < len(ideal) else 1.0
        gained += gain
        if gain:
            total += gain / math.log2(2 + cost - gained)
    summed = list(accumulate(ideal, initial=0.0))[-1]
    return total / summed if summed > 0 else 0.0


MEASURES = {"ndcg": ndcg, "ndcg_rel": ndcg_rel, "Rndcg": Rndcg, "G": G}
"""trec_eval's measures with gains, by name: each from the gains of a ranking and of the ideal ranking."""
