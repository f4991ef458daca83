"""How much of what was retrieved anybody has judged."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="Judged",
        family="judged",
        title="Share of the first k documents that are judged",
        cutoff="optional",
        engines=frozenset({"columnar"}),
        fraction=counting.judged,
        formula="judged documents among the first k / documents among the first k",
        denominator="min(k, retrieved): a ranking of 3 is asked about its 3 documents.",
        ceiling=("min(1, judged/denominator): a query with 4 judgments cannot have more than 4 of 10 places judged."),
        undefined="Nothing retrieved: 0/0, given as 0.",
        distrust=(
            "A negative grade is in the pool but not judged, as in trec_eval's bpref, infAP and -J; ir_measures "
            "counts it as judged here and not there. For the rest the two agree. It says how far to trust the "
            "other numbers, not how good a ranking is."
        ),
        worked=Worked("Judged@5", "2 - 0 1 -", "1", "3/5", 0.6),
        source="As in ir_measures.",
    ),
    Spec(
        name="Unjudged",
        family="judged",
        title="Share of the first k documents that are not judged",
        cutoff="optional",
        unanswered=None,
        better="lower",
        engines=frozenset({"columnar"}),
        fraction=counting.unjudged,
        formula="1 - Judged@k",
        denominator="min(k, retrieved).",
        ceiling="None: less is better. Its floor is 1 - the ceiling of Judged@k.",
        undefined="An unanswered query has no value: 0 would say that all was judged.",
        distrust=(
            "It has the denominator of Judged@k; trec_eval 10's unj_k divides by k also where fewer were "
            "retrieved, and is lower there."
        ),
        worked=Worked("Unjudged@10", "2 - 0 1 -", "1", "2/5", 0.4),
        source="The complement of Judged@k.",
    ),
    Spec(
        name="unj",
        family="judged",
        title="Unjudged documents among the first k, divided by k, as in trec_eval 10",
        cutoff="required",
        unanswered=None,
        better="lower",
        engines=frozenset({"columnar"}),
        trec=(Trec("unj", "cutoffs", (5, 10, 20), since="10"),),
        fraction=counting.unjudged_of_k,
        formula="unjudged documents among the first k / k",
        denominator="k, even when fewer than k documents were retrieved: an empty place counts as judged.",
        ceiling="None: less is better.",
        undefined="An unanswered query has no value: 0 would say that all was judged.",
        distrust=(
            "A short ranking looks well judged: 5 documents, all unjudged, have unj_10 = 0.5. Unjudged@10 says 1.0."
        ),
        worked=Worked("unj@10", "2 - 0 1 -", "1", "2/10", 0.2),
        source="trec_eval 10 m_unjudged.c.",
    ),
)
