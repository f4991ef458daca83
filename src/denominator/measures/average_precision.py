"""Average precision: precision at each relevant document, averaged over all of them."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import CUTOFFS, LOWEST_LOG, Spec, Trec, Worked

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
        formula=(
            "(sum of the precision at the rank of each relevant document among the first k) / |Rel|; without a "
            "cutoff, over the whole ranking"
        ),
        denominator="|Rel|, also with a cutoff: a relevant document that was not found adds 0.",
        ceiling=(
            "1 without a cutoff; min(k, |Rel|)/|Rel| with one. With 20 relevant documents AP@10 cannot exceed 0.5."
        ),
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Not with shallow judgments: every unjudged document lowers the precision at all relevant ones below "
            "it. Not when AP@k comes from a tool that divides by min(k, |Rel|), or by the number found: those are"
            " other measures under this name."
        ),
        worked=Worked("AP", "2 - 0 1 -", "1", "(1/1 + 2/4)/3", 0.5),
        source=("Buckley and Voorhees, Retrieval System Evaluation (2005); trec_eval m_map.c, m_map_cut.c."),
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
        formula="per query log(max(AP, 0.00001)); over queries exp(mean)",
        denominator="|Rel| within AP; the number of queries under the root.",
        ceiling="log(1) = 0 per query, 1 over queries.",
        undefined=("|Rel| = 0: it gets the lowest value, log(0.00001) = -11.51, and the row is marked undefined."),
        distrust=(
            "Its value hangs on the floor of 0.00001, which is arbitrary: one query at 0 among 50 lowers the mean"
            " by a fifth. Not comparable with a mean of AP."
        ),
        worked=Worked("gm_map", "2 - 0 1 -", "1", "log((1/1 + 2/4)/3)", -0.6931471805599453),
        source="Robertson, On GMAP (CIKM 2006); trec_eval m_gm_map.c.",
    ),
)
