"""Reported numbers: can they be, and which choices make them.

>>> from denominator.explain import possible, read_reported
>>> verdict = possible(read_reported("R@5=0.700"), nrel=[3, 3, 3, 8])
>>> verdict.answer, float(verdict.below), float(verdict.above)
('impossible', 0.6979166666666666, 0.7083333333333334)

`possible` needs no ranking: it works out every mean that there could be. `explain` takes judgments and a run, and looks
for the choices that lead to the number.
"""

from __future__ import annotations

from denominator.explain.explanation import Answer, Candidate, Explanation
from denominator.explain.possible import Verdict, possible
from denominator.explain.reported import ROUNDINGS, Reported, read_reported
from denominator.explain.searching import explain

__all__ = [
    "ROUNDINGS",
    "Answer",
    "Candidate",
    "Explanation",
    "Reported",
    "Verdict",
    "explain",
    "possible",
    "read_reported",
]
