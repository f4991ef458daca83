"""Precision: how much of what the reader sees is relevant."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import CUTOFFS, Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="P",
        family="precision",
        title="Precision at k",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        aliases={"Precision": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("P", "cutoffs", CUTOFFS),),
        fraction=counting.precision,
    ),
)
