"""Counts: what the fractions are made of."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import REL, table
from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="NumQ",
        family="counts",
        title="Number of queries",
        aggregate="sum",
        unanswered=1.0,
        of_judgments=True,
        better="neither",
        trec=(Trec("num_q"),),
    ),
    Spec(
        name="NumRet",
        family="counts",
        title="Number of documents retrieved",
        params=table(REL),
        turns_into={"rel": "NumRelRet"},
        aggregate="sum",
        better="neither",
        trec=(Trec("num_ret"),),
    ),
    Spec(
        name="NumRel",
        family="counts",
        title="Number of relevant documents, |Rel|",
        params=table(REL),
        aggregate="sum",
        unanswered=None,
        of_judgments=True,
        better="neither",
        trec=(Trec("num_rel"),),
    ),
    Spec(
        name="NumRelRet",
        family="counts",
        title="Number of relevant documents retrieved",
        params=table(REL),
        aggregate="sum",
        trec=(Trec("num_rel_ret"),),
        highest=counting.relevant,
    ),
    Spec(
        name="num_nonrel_judged_ret",
        family="counts",
        title="Number of judged non-relevant documents retrieved",
        params=table(REL),
        aggregate="sum",
        unanswered=None,
        better="lower",
        trec=(Trec("num_nonrel_judged_ret"),),
    ),
)
