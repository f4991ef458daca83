"""Utility: a price for each kind of right and wrong decision."""

from __future__ import annotations

from denominator.measures.params import REL, Param, real, table, whole
from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

A = Param("a", real, 1.0, "what each relevant document that was retrieved is worth")
B = Param("b", real, -1.0, "what each other document that was retrieved is worth")
C = Param("c", real, 0.0, "what each relevant document that was not retrieved is worth")
D = Param("d", real, 0.0, "what each other document of the collection that was not retrieved is worth")
DOCS = Param("docs", whole(0), 0, "how many documents the collection has (trec_eval -N); matters only where d is not 0")

SPECS = (
    Spec(
        name="utility",
        family="utility",
        title="Linear utility of the retrieved set",
        params=table(A, B, C, D, DOCS, REL),
        trec=(Trec("utility", "numbers", (1.0, -1.0, 0.0, 0.0), fills=("a", "b", "c", "d")),),
    ),
)
