"""Rank-biased precision: a reader who goes on to the next document with probability p."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import GAINS, REL, Param, probability, table
from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

_P = "the probability that the reader goes on to the next document"
P8 = Param("p", probability, 0.8, f"{_P}; 0.8 is what ir_measures takes, trec_eval 10 takes 0.9", shown=True)
P9 = Param("p", probability, 0.9, f"{_P}; 0.9 is what trec_eval 10 takes, ir_measures takes 0.8", shown=True)

SPECS = (
    Spec(
        name="RBP",
        family="rank-biased precision",
        title="Rank-biased precision",
        params=table(P8, REL),
        cutoff="optional",
        engines=frozenset({"columnar", "reference"}),
        highest=counting.best_rank_biased,
    ),
    Spec(
        name="rbp",
        family="rank-biased precision",
        title="Rank-biased precision with graded gains, as in trec_eval 10",
        params=table(P9, GAINS),
        at_cutoff="RBP",
        engines=frozenset({"columnar"}),
        trec=(Trec("rbp", "gains", fills=("p", "gains"), since="10"),),
    ),
    Spec(
        name="rbp_resid",
        family="rank-biased precision",
        title="Rank-biased precision that the unjudged documents could add, as in trec_eval 10",
        params=table(P9),
        unanswered=None,
        better="lower",
        engines=frozenset({"columnar"}),
        trec=(Trec("rbp_resid", "gains", fills=("p",), since="10"),),
    ),
)
