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
        formula=(
            "one sign for each of the first k documents: its grade 0 to 9, > for a higher one, - for no judgment,"
            " . for a negative grade"
        ),
        denominator="None: a text.",
        ceiling="None: a text.",
        undefined="An unanswered query has none.",
        distrust=("It is printed by `denominator trec_eval -q` only: no engine computes it, and no table holds it."),
        source="trec_eval m_relstring.c.",
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
        formula="the tag in the last column of the run",
        denominator="None: a text.",
        ceiling="None: a text.",
        undefined="Never.",
        distrust=(
            "Where the lines of a run carry several tags, trec_eval prints one of them. It is printed by "
            "`denominator trec_eval` only."
        ),
        source="trec_eval m_runid.c.",
    ),
)
