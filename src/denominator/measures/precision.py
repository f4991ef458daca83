"""Precision: how much of what the reader sees is relevant."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import CUTOFFS, Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="P",
        family="precision",
        title="Precision at k",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        aliases={"Precision": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("P", "cutoffs", CUTOFFS),),
        fraction=counting.precision,
        formula="relevant documents among the first k / k",
        denominator=("k, even when fewer than k documents were retrieved: an empty place counts as a wrong one."),
        ceiling="min(1, |Rel|/k). With 3 relevant documents P@10 cannot exceed 0.3.",
        undefined=("Never: k is at least 1. A query without relevant documents scores 0, and so does its ceiling."),
        distrust=(
            "Do not average it over queries whose |Rel| lies below k for some and above for others: the mean then"
            " mixes how good the ranking is with how many answers exist. An unjudged document counts as wrong."
        ),
        worked=Worked("P@5", "2 - 0 1 -", "1", "2/5", 0.4),
        source="van Rijsbergen, Information Retrieval (1979); trec_eval m_P.c.",
    ),
)
