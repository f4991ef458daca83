"""Recall: how much of what is relevant the reader sees."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import CUTOFFS, Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="R",
        family="recall",
        title="Recall at k",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        aliases={"Recall": {}},
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("recall", "cutoffs", CUTOFFS),),
        needs="relevant",
        fraction=counting.recall,
        formula="relevant documents among the first k / |Rel|",
        denominator="|Rel|: all documents of the query judged relevant, retrieved or not.",
        ceiling="min(1, k/|Rel|). With 8 relevant documents R@5 cannot exceed 5/8 = 0.625.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Not when |Rel| often exceeds k: then it measures the size of |Rel| as much as the system. Not when "
            "the judgments are shallow: a relevant document that nobody judged is missing from the denominator, "
            "and the value is too high. Some call Success@k recall: check what a paper divides by."
        ),
        worked=Worked("R@5", "2 - 0 1 -", "1", "2/3", 0.6666666666666666),
        source="van Rijsbergen, Information Retrieval (1979); trec_eval m_recall.c.",
    ),
    Spec(
        name="RCap",
        family="recall",
        title="Recall at k, capped: divided by min(|Rel|, k)",
        params=table(REL),
        cutoff="required",
        engines=frozenset({"columnar", "reference"}),
        needs="relevant",
        fraction=counting.capped_recall,
        formula="relevant documents among the first k / min(|Rel|, k)",
        denominator="min(|Rel|, k): |Rel| for queries with few relevant documents, k for those with many.",
        ceiling="Always 1, which is what it was made for.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "Not as recall, ever; it is here to show the damage. For a query with 100 relevant documents and k = "
            "10 it says 1.0 when ten are found and ninety are missed. Its mean adds up precisions and recalls. "
            "The honest form is R@k beside its ceiling."
        ),
        worked=Worked("RCap@2", "2 - 0 1 -", "1", "1/min(3, 2)", 0.5),
        source=(
            "Seen under the names capped recall and R_cap@k in evaluation code, and as relative precision in "
            "trec_eval m_rel_P.c."
        ),
    ),
    Spec(
        name="relative_P",
        family="recall",
        title="Precision at k relative to the best reachable",
        params=table(REL),
        cutoff="required",
        trec=(Trec("relative_P", "cutoffs", CUTOFFS),),
        needs="relevant",
        fraction=counting.capped_recall,
        formula="relevant documents among the first k / min(|Rel|, k)",
        denominator="min(|Rel|, k): the most relevant documents k places can hold.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust=(
            "It is precision up to |Rel| and recall after it, so a mean over queries mixes the two. Its number is"
            " that of RCap@k, which is the same quotient under the name of recall."
        ),
        worked=Worked("relative_P@2", "2 - 0 1 -", "1", "1/min(3, 2)", 0.5),
        source="trec_eval m_rel_P.c.",
    ),
)
