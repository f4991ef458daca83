"""Success: whether anything relevant is seen at all."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import JUDGED_ONLY, REL, table
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="Success",
        family="success",
        title="Success at k",
        params=table(REL, JUDGED_ONLY),
        cutoff="required",
        engines=frozenset({"pytrec_eval", "columnar", "reference"}),
        trec=(Trec("success", "cutoffs", (1, 5, 10)),),
        fraction=counting.success,
        formula="1 if a relevant document is among the first k, else 0; its mean is the hit rate",
        denominator="1 for a query; in the mean, the number of queries.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined="Never: without a relevant document it is 0.",
        distrust=(
            "Not where one document is not enough. Some papers print it as Recall@k, which it equals only for "
            "|Rel| = 1."
        ),
        worked=Worked("Success@5", "2 - 0 1 -", "1", "1", 1.0),
        source="Devised by Stephen Tomlinson; trec_eval m_success.c.",
    ),
)
