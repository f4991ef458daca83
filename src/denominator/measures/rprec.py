"""R-precision: precision at as many documents as there are relevant ones."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import Spec, Trec

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
    ),
)
