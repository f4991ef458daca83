"""Utility: a price for each kind of right and wrong decision."""

from __future__ import annotations

from denominator.measures.params import REL, Param, real, table, whole
from denominator.measures.spec import Spec, Trec, Worked

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
        formula=(
            "a * (relevant retrieved) + b * (others retrieved) + c * (relevant not retrieved) + d * (others not "
            "retrieved)"
        ),
        denominator="None: it is a sum of prices, averaged over queries.",
        ceiling="None stated: it depends on the prices.",
        undefined=("Never. An unanswered query counts 0, as in trec_eval -c, even where c makes silence costly."),
        distrust=(
            "Not as a mean over queries of different size: one query with many documents outweighs the rest. If d"
            " is not 0 it needs docs=, the size of the collection (trec_eval -N), and without it is wrong."
        ),
        worked=Worked("utility", "2 - 0 1 -", "1", "1 * 2 - 1 * 3", -1.0),
        source="trec_eval m_utility.c (from the TREC filtering track).",
    ),
)
