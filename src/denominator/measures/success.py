"""Success: whether anything relevant is seen at all."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="Success",
        family="success",
        title="Success at k",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("success", "cutoffs", (1, 5, 10)),),
        fraction=counting.success,
    ),
)
