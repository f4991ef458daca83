"""Dialects: which choices a number hides, under the name of the tool that makes them.

Two tools print two numbers for one run because they order ties, count queries or divide differently. A dialect says
which way each choice went; `apply` computes what it leads to.

>>> from denominator import read_qrels, read_run
>>> from denominator.measures import R
>>> from denominator.dialects import apply
>>> qrels = read_qrels({"q1": {"d1": 1, "d2": 1, "d3": 1}})
>>> run = read_run({"q1": {"d1": 2.0, "d2": 1.0}})
>>> apply(qrels, run, "R@2", "trec_eval-c").mean(R @ 2)
0.6666666666666666
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.dialects.choices import CHOICES, Choice
from denominator.dialects.dialect import Choices, Dialect
from denominator.dialects.known import DEFAULT, DIALECTS, dialect

if TYPE_CHECKING:
    from denominator.dialects.applying import Applied, apply

__all__ = ["CHOICES", "DEFAULT", "DIALECTS", "Applied", "Choice", "Choices", "Dialect", "apply", "dialect"]


def __getattr__(name: str) -> object:
    """Import what computes when it is first asked for."""
    if name not in ("Applied", "apply"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from denominator.dialects import applying

    return getattr(applying, name)
