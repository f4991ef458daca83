"""Interpolated precision at recall points: the recall-precision curve."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, Param, numbers, prints_list, table
from denominator.measures.spec import RECALLS, Spec, Trec

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
    ),
    Spec(
        name="11pt_avg",
        family="interpolated precision",
        title="Interpolated precision averaged over recall points",
        params=table(POINTS, REL),
        trec=(Trec("11pt_avg", "numbers", RECALLS, fills=("points",)),),
        needs="relevant",
        highest=counting.one_if_relevant,
    ),
)
