"""Average precision: precision at each relevant document, averaged over all of them."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import CUTOFFS, LOWEST_LOG, Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="AP",
        family="average precision",
        title="Average precision",
        params=table(REL, JUDGED_ONLY),
        cutoff="optional",
        aliases={"MAP": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("map"), Trec("map_cut", "cutoffs", CUTOFFS)),
        needs="relevant",
        highest=counting.best_average_precision,
    ),
    Spec(
        name="gm_map",
        family="average precision",
        title="Average precision, averaged over queries by the geometric mean",
        params=table(REL),
        at_cutoff="AP",
        aggregate="geometric",
        unanswered=LOWEST_LOG,
        trec=(Trec("gm_map"),),
        needs="relevant",
        highest=counting.best_logarithm,
    ),
)
