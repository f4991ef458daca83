"""Discounted cumulative gain, divided by that of the ideal ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.measures import counting
from denominator.measures.params import GAINS, JUDGED_ONLY, Param, one_of, table
from denominator.measures.spec import CUTOFFS, Spec, Trec, Worked

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
        formula=(
            "DCG/IDCG, with DCG = sum over ranks i of gain(i)/log2(i + 1); the gain is the grade (dcg='log2'), "
            "2**grade - 1 (dcg='exp-log2'), or what gains= says"
        ),
        denominator=("IDCG: the DCG of all judged documents of the query by descending gain, cut at the same k."),
        ceiling="1 where a judged document has a positive gain, else 0.",
        undefined=(
            "No judged document has a positive gain: IDCG = 0. trec_eval gives 0, and so do we; the row is marked"
            " undefined."
        ),
        distrust=(
            "Not between tools that do not say their gain: on grades to 3 the two forms differ in the second "
            "digit. Not when the ideal is taken from the retrieved documents only, as some libraries do: that "
            "value is too high. A relevance level (rel=, -l) has no say. A grade below 0 gains 0."
        ),
        worked=Worked("nDCG@5", "2 - 0 1 -", "1", "(2/1 + 1/log2(5)) / (2/1 + 1/log2(3) + 1/log2(4))", 0.7763437),
        source=(
            "Järvelin and Kekäläinen, ACM TOIS 20 (2002) 422-446; Burges et al., ICML 2005 (exp-log2); trec_eval "
            "m_ndcg.c, m_ndcg_cut.c."
        ),
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
        formula=(
            "the mean, over all documents with a positive gain, of nDCG at the rank of that document; one that "
            "was not retrieved counts with the nDCG of the whole ranking"
        ),
        denominator=("The number of judged documents with a positive gain; within each term the IDCG at that rank."),
        ceiling="1 where a judged document has a positive gain, else 0.",
        undefined=("No judged document has a positive gain. trec_eval gives 0; the row is marked undefined."),
        distrust=("Experimental in trec_eval, and hardly anybody reports it: do not compare it with published nDCG."),
        worked=Worked("ndcg_rel", "2 - 0 1 -", "1", "(1 + 0.7763 + 0.7763)/3", 0.8508958),
        source="trec_eval m_ndcg_rel.c.",
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
        formula=(
            "the mean of nDCG at the ranks where the gain of the ideal ranking falls, and at the end of the ranking"
        ),
        denominator="The number of those ranks; within each term the IDCG at that rank.",
        ceiling="1 where a judged document has a positive gain, else 0.",
        undefined=("No judged document has a positive gain. trec_eval gives 0; the row is marked undefined."),
        distrust=(
            "Experimental in trec_eval. How many terms it averages differs from query to query with the grades "
            "that occur."
        ),
        worked=Worked("Rndcg", "2 - 0 1 -", "1", "(2/2 + 2/3.1309 + 2.4307/3.1309)/3", 0.8050438),
        source="trec_eval m_Rndcg.c.",
    ),
)
