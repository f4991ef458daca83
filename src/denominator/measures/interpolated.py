"""Interpolated precision at recall points: the recall-precision curve."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, Param, numbers, prints_list, table
from denominator.measures.spec import RECALLS, Spec, Trec, Worked

__all__ = ["SPECS"]

POINTS = Param("points", numbers(0, 1), RECALLS, "the recall points that are averaged", prints=prints_list)

SPECS = (
    Spec(
        name="IPrec",
        family="interpolated precision",
        title="Interpolated precision at a recall",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        cutoff_word="recall",
        trec=(Trec("iprec_at_recall", "reals", RECALLS),),
        needs="relevant",
        highest=counting.one_if_relevant,
        formula=(
            "the highest precision at any rank at which at least c relevant documents are found; c comes from the"
            " recall x"
        ),
        denominator=(
            "The rank with the highest precision. c is x * |Rel| + 0.9 without its fraction in trec_eval 9, x * "
            "|Rel| rounded in 10."
        ),
        ceiling="1 where there is a relevant document, else 0.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Not between trec_eval 9 and 10: with |Rel| = 14, a recall of 0.1 is 2 documents in one and 1 in the "
            "other. Not as a curve of one query: interpolation draws steps that the ranking does not have."
        ),
        worked=Worked("IPrec@0.5", "2 - 0 1 -", "1", "max(2/4, 2/5)", 0.5),
        source=(
            "Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008) 8.4; trec_eval "
            "m_iprec_at_recall.c."
        ),
    ),
    Spec(
        name="11pt_avg",
        family="interpolated precision",
        title="Interpolated precision averaged over recall points",
        params=table(POINTS, REL),
        trec=(Trec("11pt_avg", "numbers", RECALLS, fills=("points",)),),
        needs="relevant",
        highest=counting.one_if_relevant,
        formula="the mean of IPrec@x over the points x, by default 0.0, 0.1 … 1.0",
        denominator="The number of points, whatever the name says: it stays 11pt_avg with three points.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "trec_eval itself calls it obsolete and asks for map instead. trec_eval 9 and 10 differ as for IPrec."
        ),
        worked=Worked("11pt_avg(points=[0.0,0.5,1.0])", "2 - 0 1 -", "1", "(1 + 1/2 + 0)/3", 0.5),
        source="trec_eval m_11pt_avg.c.",
    ),
)
