"""How much of what was retrieved anybody has judged."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="Judged",
        family="judged",
        title="Share of the first k documents that are judged",
        cutoff="optional",
        engines=frozenset({"columnar"}),
        fraction=counting.judged,
    ),
    Spec(
        name="Unjudged",
        family="judged",
        title="Share of the first k documents that are not judged",
        cutoff="optional",
        unanswered=None,
        better="lower",
        engines=frozenset({"columnar"}),
        fraction=counting.unjudged,
    ),
    Spec(
        name="unj",
        family="judged",
        title="Unjudged documents among the first k, divided by k, as in trec_eval 10",
        cutoff="required",
        unanswered=None,
        better="lower",
        engines=frozenset({"columnar"}),
        trec=(Trec("unj", "cutoffs", (5, 10, 20), since="10"),),
        fraction=counting.unjudged_of_k,
    ),
)
