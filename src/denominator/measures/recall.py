"""Recall: how much of what is relevant the reader sees."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import CUTOFFS, Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="R",
        family="recall",
        title="Recall at k",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        aliases={"Recall": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("recall", "cutoffs", CUTOFFS),),
        needs="relevant",
        fraction=counting.recall,
    ),
    Spec(
        name="RCap",
        family="recall",
        title="Recall at k, capped: divided by min(|Rel|, k)",
        params=table(REL),
        cutoff="required",
        engines=frozenset({"columnar", "reference"}),
        needs="relevant",
        fraction=counting.capped_recall,
    ),
    Spec(
        name="relative_P",
        family="recall",
        title="Precision at k relative to the best reachable",
        params=table(REL),
        cutoff="required",
        trec=(Trec("relative_P", "cutoffs", CUTOFFS),),
        needs="relevant",
        fraction=counting.capped_recall,
    ),
)
