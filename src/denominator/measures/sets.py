"""Set measures: all that was returned, whatever its order."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, Param, flag, positive, table
from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

RELATIVE = Param(
    "relative", flag, False, "divide by the highest precision a set of this size can have, min(returned, |Rel|)"
)
BETA = Param(
    "beta",
    positive,
    1.0,
    "trec_eval's x: the weight of recall against precision; an F-beta has x = beta**2",
    shown=True,
)

SPECS = (
    Spec(
        name="SetP",
        family="sets",
        title="Set precision",
        params=table(RELATIVE, REL, JUDGED_ONLY),
        at_cutoff="P",
        aliases={"SetRelP": {"relative": True}},
        trec=(Trec("set_P"), Trec("set_relative_P", fixed={"relative": True})),
        fraction=counting.set_precision,
    ),
    Spec(
        name="SetR",
        family="sets",
        title="Set recall",
        params=table(REL),
        at_cutoff="R",
        trec=(Trec("set_recall"),),
        needs="relevant",
        fraction=counting.set_recall,
    ),
    Spec(
        name="SetF",
        family="sets",
        title="Set F: weighted harmonic mean of set precision and set recall",
        params=table(BETA, REL, JUDGED_ONLY),
        trec=(Trec("set_F", "numbers", (1.0,), fills=("beta",)),),
        needs="relevant",
        highest=counting.best_set_f,
    ),
    Spec(
        name="SetAP",
        family="sets",
        title="Set average precision: set precision times set recall",
        params=table(REL, JUDGED_ONLY),
        at_cutoff="AP",
        trec=(Trec("set_map"),),
        needs="relevant",
        highest=counting.best_set_average_precision,
    ),
)
