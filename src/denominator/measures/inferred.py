"""Inferred average precision: an estimate from a judged sample of the pool."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import REL, table
from denominator.measures.spec import Spec, Trec

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
    ),
)
