"""Binary preference: relevant documents before judged non-relevant ones, unjudged documents left aside."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import REL, table
from denominator.measures.spec import LOWEST_LOG, Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="Bpref",
        family="bpref",
        title="Binary preference",
        params=table(REL),
        aliases={"BPref": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("bpref"),),
        needs="relevant",
        highest=counting.one_if_relevant,
    ),
    Spec(
        name="gm_bpref",
        family="bpref",
        title="Binary preference, averaged over queries by the geometric mean",
        params=table(REL),
        aggregate="geometric",
        unanswered=LOWEST_LOG,
        trec=(Trec("gm_bpref"),),
        needs="relevant",
        highest=counting.best_logarithm,
    ),
)
