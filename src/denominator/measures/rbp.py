"""Rank-biased precision: a reader who goes on to the next document with probability p."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import GAINS, REL, Param, probability, table
from denominator.measures.spec import Spec, Trec, Worked

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
        formula=("(1 - p) * sum of p**(i - 1) over the ranks i of relevant documents (among the first k)"),
        denominator="None: the weights of an endless ranking add up to 1. |Rel| has no part in it.",
        ceiling=("1 - p**m, where m is |Rel|, or k if that is less. With p = 0.8 and 3 relevant documents 0.488."),
        undefined="Never: without relevant documents it is 0.",
        distrust=(
            "Not without its p: ir_measures takes 0.8, trec_eval 10's `rbp` takes 0.9, and 0.95 is a third "
            "measure. Documents are relevant or not here, at the level of the evaluation or rel=, as ir_measures "
            "has it with rel= given; trec_eval 10's `rbp` counts grades, and is listed under that name. Not "
            "without the residual: unjudged documents count as wrong."
        ),
        worked=Worked("RBP(p=0.8)", "2 - 0 1 -", "1", "0.2 * (1 + 0.8**3)", 0.3024),
        source="Moffat and Zobel, ACM TOIS 27 (2008) 2:1-2:27.",
    ),
    Spec(
        name="rbp",
        family="rank-biased precision",
        title="Rank-biased precision with graded gains, as in trec_eval 10",
        params=table(P9, GAINS),
        at_cutoff="RBP",
        engines=frozenset({"columnar"}),
        trec=(Trec("rbp", "gains", fills=("p", "gains"), since="10"),),
        formula=(
            "(1 - p) * sum of p**(i - 1) * gain(i), where the gains of a query are stretched to lie between 0 and 1"
        ),
        denominator=("The highest gain in the query's own judgments, where it exceeds 1. |Rel| has no part in it."),
        ceiling="None stated: it depends on the gains of every judged document.",
        undefined="Never: without a positive gain it is 0.",
        distrust=(
            "The stretch is by query: a document of grade 1 is worth 1 where no higher grade was given, and 1/3 "
            "where one document has grade 3. p is 0.9 here, 0.8 in ir_measures' RBP, which knows relevant or not "
            "only. The C code reads two variables that it never sets; taken as 0 they give what it prints."
        ),
        worked=Worked("rbp(p=0.9)", "2 - 0 1 -", "1", "0.1 * (1 + 0.9**3 / 2)", 0.13645),
        source="Moffat and Zobel, ACM TOIS 27 (2008) 2:1-2:27; trec_eval 10 m_rbp.c.",
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
        formula=(
            "p**n + (1 - p) * sum of p**(i - 1) over the ranks i of unjudged documents, for n retrieved; 0 if all"
            " n are judged"
        ),
        denominator="None: it is a share of the weight of an endless ranking.",
        ceiling="None: less is better.",
        undefined="An unanswered query has no value: 0 would say that nothing is uncertain.",
        distrust=(
            "A ranking with every document judged gets 0, though p**n of the weight lies below its end; one "
            "unjudged document brings that whole tail back."
        ),
        worked=Worked("rbp_resid(p=0.9)", "2 - 0 1 -", "1", "0.9**5 + 0.1 * (0.9 + 0.9**4)", 0.7461),
        source="Moffat and Zobel, ACM TOIS 27 (2008) 2:1-2:27; trec_eval 10 m_rbp_resid.c.",
    ),
)
