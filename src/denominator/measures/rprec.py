"""R-precision: precision at as many documents as there are relevant ones."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="Rprec",
        family="R-precision",
        title="Precision at |Rel|",
        params=table(REL, JUDGED_ONLY),
        at_cutoff="P",
        aliases={"RPrec": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("Rprec"),),
        needs="relevant",
        fraction=counting.r_precision,
        formula="relevant documents among the first |Rel| / |Rel|",
        denominator="|Rel|: at that rank precision and recall are the same number.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "For a query with one relevant document it looks at the first place only. With shallow judgments "
            "|Rel| is too small, and the measure then looks at too few places."
        ),
        worked=Worked("Rprec", "2 - 0 1 -", "1", "1/3", 0.3333333333333333),
        source="Buckley and Voorhees, Retrieval System Evaluation (2005); trec_eval m_Rprec.c.",
    ),
    Spec(
        name="Rprec_mult",
        family="R-precision",
        title="Precision at a multiple of |Rel|",
        params=table(REL),
        cutoff="required",
        cutoff_word="multiple",
        trec=(Trec("Rprec_mult", "reals", (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)),),
        needs="relevant",
        fraction=counting.precision_at_multiple,
        formula=("relevant documents among the first c / c, with c = x * |Rel| + 0.9, its fraction dropped"),
        denominator="c: for x = 0.5 and |Rel| = 3 it is 2.4, so 2 documents.",
        ceiling="min(1, |Rel|/c): below 1 for x above 1. Rprec_mult@2.0 cannot exceed about 0.5.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined. "
            "It is 0, too, where c is 0."
        ),
        distrust="Not at multiples above 1 without its ceiling.",
        worked=Worked("Rprec_mult@0.5", "2 - 0 1 -", "1", "1/2", 0.5),
        source="trec_eval m_Rprec_mult.c.",
    ),
)
