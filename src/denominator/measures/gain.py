"""G and binG: gain discounted by what was missed before, not by the rank alone."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import GAINS, REL, table
from denominator.measures.spec import Spec, Trec

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
    ),
    Spec(
        name="binG",
        family="gain",
        title="Normalised gain with gains 0 and 1",
        params=table(REL),
        trec=(Trec("binG"),),
        needs="relevant",
        highest=counting.one_if_relevant,
    ),
)
