"""Discounted cumulative gain, divided by that of the ideal ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.measures import counting
from denominator.measures.params import GAINS, JUDGED_ONLY, Param, one_of, table
from denominator.measures.spec import CUTOFFS, Spec, Trec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denominator.measures.params import Value

__all__ = ["SPECS"]

DCG = Param(
    "dcg",
    one_of("log2", "exp-log2"),
    "log2",
    "the gain of a grade g: 'log2' takes g itself, as trec_eval does; 'exp-log2' takes 2**g - 1, as gdeval does",
)


def _refuses(params: Mapping[str, Value]) -> str | None:
    if "gains" in params and params.get("dcg", "log2") != "log2":
        return "gains= says what each grade is worth, and dcg='exp-log2' says it too; give one of the two"
    return None


SPECS = (
    Spec(
        name="nDCG",
        family="nDCG",
        title="Normalised discounted cumulative gain",
        params=table(DCG, GAINS, JUDGED_ONLY),
        cutoff="optional",
        aliases={"NDCG": {}},
        refuses=_refuses,
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("ndcg", "gains", fills=("gains",)), Trec("ndcg_cut", "cutoffs", CUTOFFS)),
        needs="gain",
        highest=counting.one_if_gain,
    ),
    Spec(
        name="ndcg_rel",
        family="nDCG",
        title="nDCG averaged over the ranks of the relevant documents",
        params=table(GAINS),
        at_cutoff="nDCG",
        trec=(Trec("ndcg_rel", "gains", fills=("gains",)),),
        needs="gain",
        highest=counting.one_if_gain,
    ),
    Spec(
        name="Rndcg",
        family="nDCG",
        title="nDCG averaged over the ranks at which the ideal gain falls",
        params=table(GAINS),
        at_cutoff="nDCG",
        trec=(Trec("Rndcg", "gains", fills=("gains",)),),
        needs="gain",
        highest=counting.one_if_gain,
    ),
)
