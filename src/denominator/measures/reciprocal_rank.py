"""Reciprocal rank: how soon the first relevant document comes."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import Spec, Trec

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
    ),
)
