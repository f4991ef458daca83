"""Expected reciprocal rank: a reader who stops at the document that satisfies."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import Param, table, whole
from denominator.measures.spec import Spec

__all__ = ["SPECS"]

GMAX = Param("gmax", whole(1), 4, "the highest grade of the scale; gdeval takes 4", shown=True)

SPECS = (
    Spec(
        name="ERR",
        family="expected reciprocal rank",
        title="Expected reciprocal rank",
        params=table(GMAX),
        cutoff="optional",
        engines=frozenset({"columnar", "reference"}),
        highest=counting.best_expected_reciprocal_rank,
    ),
)
