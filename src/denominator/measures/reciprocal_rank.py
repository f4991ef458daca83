"""Reciprocal rank: how soon the first relevant document comes."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="RR",
        family="reciprocal rank",
        title="Reciprocal rank",
        params=table(REL, JUDGED_ONLY),
        cutoff="optional",
        aliases={"MRR": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("recip_rank"),),
        highest=counting.one_if_relevant,
        formula="1 / rank of the first relevant document (among the first k); 0 if there is none",
        denominator="That rank, counted from 1.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined=("Never by its formula: no relevant document is found, so it is 0. trec_eval gives 0 too."),
        distrust=(
            "Not where readers want more than one document: everything after the first is invisible. It is "
            "coarse, 1, 1/2, 1/3, so that a swap of the first two moves a query by half. trec_eval accepts "
            "`recip_rank.10` and ignores the 10; RR@10 here means it."
        ),
        worked=Worked("RR", "- 0 1", "", "1/3", 0.3333333333333333),
        source=("Voorhees, The TREC-8 Question Answering Track Report (1999); trec_eval m_recip_rank.c."),
    ),
)
