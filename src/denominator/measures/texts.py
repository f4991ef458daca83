"""Not numbers: what trec_eval prints as text."""

from __future__ import annotations

from denominator.measures.spec import Spec, Trec

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="relstring",
        family="texts",
        title="The grades of the first documents as one string",
        cutoff="optional",
        default_cutoff=10,
        unanswered=None,
        better="neither",
        text_valued=True,
        engines=frozenset(),
        trec=(Trec("relstring", "length", (10,)),),
    ),
    Spec(
        name="runid",
        family="texts",
        title="The run's tag",
        unanswered=None,
        better="neither",
        text_valued=True,
        engines=frozenset(),
        trec=(Trec("runid"),),
    ),
)
