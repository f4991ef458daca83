"""Set measures: all that was returned, whatever its order."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, Param, flag, table, weight
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

RELATIVE = Param(
    "relative", flag, False, "divide by the highest precision a set of this size can have, min(returned, |Rel|)"
)
BETA = Param(
    "beta",
    weight,
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
        formula=("relevant documents retrieved / documents retrieved; with relative=True, / min(retrieved, |Rel|)"),
        denominator="The number of documents retrieved, at whatever depth the run was cut.",
        ceiling="min(retrieved, |Rel|)/retrieved: the best set of the same size.",
        undefined="Nothing retrieved: 0/0. trec_eval gives 0.",
        distrust=("Not for ranked runs: a run cut at 1000 has a SetP near 0 by construction. It rewards short runs."),
        worked=Worked("SetP", "2 - 0 1 -", "1", "2/5", 0.4),
        source="trec_eval m_set_P.c, m_set_rel_P.c.",
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
        formula="relevant documents retrieved / |Rel|",
        denominator="|Rel|.",
        ceiling="min(1, retrieved/|Rel|): the best set of the same size.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Not between runs of different depth: the deeper one has the advantage. State the depth, or take R@k."
        ),
        worked=Worked("SetR", "2 - 0 1 -", "1", "2/3", 0.6666666666666666),
        source="trec_eval m_set_recall.c.",
    ),
    Spec(
        name="SetF",
        family="sets",
        title="Set F: weighted harmonic mean of set precision and set recall",
        params=table(BETA, REL, JUDGED_ONLY),
        trec=(Trec("set_F", "numbers", (1.0,), fills=("beta",)),),
        needs="relevant",
        highest=counting.best_set_f,
        formula="(x + 1) * P * R / (R + x * P), with P = SetP, R = SetR and x = beta",
        denominator="R + x * P. 0 where nothing relevant was retrieved.",
        ceiling="The same formula for the best set of the same size.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "The parameter is trec_eval's x (and ir_measures calls the same x beta): the F-beta of the textbooks "
            "has x = beta**2. The textbook's F2, which prefers recall, is SetF(beta=4.0). Only at 1 are they the "
            "same."
        ),
        worked=Worked("SetF", "2 - 0 1 -", "1", "2 * 2/5 * 2/3 / (2/5 + 2/3)", 0.5),
        source="van Rijsbergen, Information Retrieval (1979); trec_eval m_set_F.c.",
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
        formula="SetP * SetR = (relevant retrieved)**2 / (retrieved * |Rel|)",
        denominator="retrieved * |Rel|.",
        ceiling="The same for the best set of the same size.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust="It is no average of precisions, and knows no order.",
        worked=Worked("SetAP", "2 - 0 1 -", "1", "2**2/(5 * 3)", 0.26666666666666666),
        source="trec_eval m_set_map.c.",
    ),
)
