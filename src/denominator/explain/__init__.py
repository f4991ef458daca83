"""Reported numbers: can they be, and which choices make them.

>>> from denominator.explain import possible, read_reported
>>> verdict = possible(read_reported("R@5=0.700"), nrel=[3, 3, 3, 8])
>>> verdict.answer, float(verdict.below), float(verdict.above)
('impossible', 0.6979166666666666, 0.7083333333333334)
"""

from __future__ import annotations

from denominator.explain.possible import Verdict, possible
from denominator.explain.reported import ROUNDINGS, Reported, read_reported

__all__ = [
    "ROUNDINGS",
    "Reported",
    "Verdict",
    "possible",
    "read_reported",
]
