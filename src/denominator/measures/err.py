"""Expected reciprocal rank: a reader who stops at the document that satisfies."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import Param, table, whole
from denominator.measures.spec import Spec, Worked

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
        formula=(
            "sum over ranks i of 1/i * S(i) * product of (1 - S) over the ranks above, with S = (2**grade - 1) / "
            "2**gmax"
        ),
        denominator="2**gmax, the top of the grade scale, the same for all queries.",
        ceiling="The value of the judged documents by descending grade; always below 1.",
        undefined=("Never: without relevant documents it is 0. A grade above gmax is an error that names the query."),
        distrust=(
            "Not without its gmax: on grades to 3, gmax=3 and gdeval's fixed gmax=4 differ by nearly a factor of "
            "two. ir_measures' ERR@k is gdeval's, so ERR(gmax=4)@k. Not against nERR, which divides by the ideal."
        ),
        worked=Worked("ERR(gmax=2)", "2 - 0 1 -", "1", "3/4 + 1/4 * 1/4 * 1/4", 0.765625),
        source=(
            "Chapelle, Metzler, Zhang and Grinspan, Expected Reciprocal Rank for Graded Relevance (CIKM 2009); "
            "gdeval.pl of the TREC Web track."
        ),
    ),
)
