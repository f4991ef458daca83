"""Inferred average precision: an estimate from a judged sample of the pool."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import REL, table
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="infAP",
        family="inferred",
        title="Inferred average precision",
        params=table(REL),
        at_cutoff="AP",
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("infAP"),),
        needs="relevant",
        highest=counting.one_if_relevant,
        formula=("as AP, with the precision above each relevant document estimated from the judged sample of the pool"),
        denominator="|Rel| of the judged sample.",
        ceiling=(
            "1 where there is a relevant document, else 0 (a perfect ranking falls short of 1 by less than 0.00001)."
        ),
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Only for judgments that are a random sample of a pool, in which documents that are in the pool but "
            "not judged carry a negative grade. On ordinary qrels, where absence means unjudged, it is close to "
            "AP and estimates nothing."
        ),
        worked=Worked("infAP", "2 - 0 1 -", "1", "(1 + 1/4 + 3/4 * 2/3 * 1/2)/3", 0.5),
        source=(
            "Yilmaz and Aslam, Estimating Average Precision with Incomplete and Imperfect Judgments (CIKM 2006); "
            "trec_eval m_infap.c."
        ),
    ),
)
