"""G and binG: gain discounted by what was missed before, not by the rank alone."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import GAINS, REL, table
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="G",
        family="gain",
        title="Normalised gain",
        params=table(GAINS),
        trec=(Trec("G", "gains", fills=("gains",)),),
        needs="gain",
        highest=counting.one_if_gain,
        formula=(
            "(sum over ranks i of gain(i)/log2(2 + C(i) - S(i))) / (sum of all positive gains); S adds up the "
            "gains found down to i, C those of the ideal ranking, at least 1 for each rank"
        ),
        denominator="The sum of the positive gains in the judgments.",
        ceiling="1 where a judged document has a positive gain, else 0.",
        undefined=("No judged document has a positive gain. trec_eval gives 0; the row is marked undefined."),
        distrust="Experimental in trec_eval (2008), and hardly anybody reports it.",
        worked=Worked("G", "2 - 0 1 -", "1", "(2/log2(2) + 1/log2(4)) / 4", 0.625),
        source="trec_eval m_G.c.",
    ),
    Spec(
        name="binG",
        family="gain",
        title="Normalised gain with gains 0 and 1",
        params=table(REL),
        trec=(Trec("binG"),),
        needs="relevant",
        highest=counting.one_if_relevant,
        formula="(sum over relevant documents of 1/log2(2 + other documents above it)) / |Rel|",
        denominator="|Rel|.",
        ceiling="1 where there is a relevant document, else 0.",
        undefined=(
            "|Rel| = 0: there is nothing to find. trec_eval gives 0, and so do we; the row is marked undefined."
        ),
        distrust="Experimental in trec_eval (2008), and hardly anybody reports it.",
        worked=Worked("binG", "2 - 0 1 -", "1", "(1/log2(2) + 1/log2(4)) / 3", 0.5),
        source="trec_eval m_binG.c.",
    ),
)
