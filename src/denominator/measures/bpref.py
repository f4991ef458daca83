"""Binary preference: relevant documents before judged non-relevant ones, unjudged documents left aside."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import REL, table
from denominator.measures.spec import LOWEST_LOG, Spec, Trec, Worked

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
        formula=(
            "(sum over retrieved relevant documents of 1 - min(n, |Rel|)/min(N, |Rel|)) / |Rel|, where n judged "
            "non-relevant documents rank above it and N are judged non-relevant in all"
        ),
        denominator="|Rel| outside; inside min(N, |Rel|). Unjudged documents play no part.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Not when few non-relevant documents are judged: with N = 1 a single one above takes all credit. A "
            "negative grade counts as not judged, here as in trec_eval: a junk grade of -2 does not count against"
            " the ranking."
        ),
        worked=Worked("Bpref", "2 - 0 1 -", "1", "(1 + (1 - 1/1))/3", 0.3333333333333333),
        source=(
            "Buckley and Voorhees, Retrieval Evaluation with Incomplete Information (SIGIR 2004); trec_eval m_bpref.c."
        ),
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
        formula="per query log(max(Bpref, 0.00001)); over queries exp(mean)",
        denominator="As Bpref; the number of queries under the root.",
        ceiling="log(1) = 0 per query, 1 over queries.",
        undefined=("|Rel| = 0: it gets the lowest value, log(0.00001) = -11.51, and the row is marked undefined."),
        distrust="As gm_map: the floor of 0.00001 decides what a query at 0 costs.",
        worked=Worked("gm_bpref", "2 - 0 1 -", "1", "log(1/3)", -1.0986122886681098),
        source="trec_eval m_gm_bpref.c.",
    ),
)
