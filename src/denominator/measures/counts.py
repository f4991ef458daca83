"""Counts: what the fractions are made of."""

from __future__ import annotations

from denominator.measures import counting
from denominator.measures.params import REL, table
from denominator.measures.spec import Spec, Trec, Worked

__all__ = ["SPECS"]

SPECS = (
    Spec(
        name="NumQ",
        family="counts",
        title="Number of queries",
        aggregate="sum",
        unanswered=1.0,
        of_judgments=True,
        better="neither",
        trec=(Trec("num_q"),),
        formula="1 for each query of the query set; summed",
        denominator="None: a count.",
        ceiling="None: a count.",
        undefined="Never.",
        distrust=(
            "It follows the query set: all judged queries by default, and only the answered ones in trec_eval 9 "
            "without -c."
        ),
        worked=Worked("NumQ", "2 - 0 1 -", "1", "1", 1.0),
        source="trec_eval m_num_q.c.",
    ),
    Spec(
        name="NumRet",
        family="counts",
        title="Number of documents retrieved",
        params=table(REL),
        turns_into={"rel": "NumRelRet"},
        aggregate="sum",
        better="neither",
        trec=(Trec("num_ret"),),
        formula="documents retrieved; summed over queries",
        denominator="None: a count.",
        ceiling="None: a count.",
        undefined="Never. An unanswered query retrieved 0.",
        distrust=("NumRet(rel=n), as ir_measures writes it, is another count, and is read as NumRelRet(rel=n)."),
        worked=Worked("NumRet", "2 - 0 1 -", "1", "5", 5.0),
        source="trec_eval m_num_ret.c.",
    ),
    Spec(
        name="NumRel",
        family="counts",
        title="Number of relevant documents, |Rel|",
        params=table(REL),
        aggregate="sum",
        unanswered=None,
        of_judgments=True,
        better="neither",
        trec=(Trec("num_rel"),),
        formula=("judged documents with a grade of at least the relevance level, |Rel|; summed over queries"),
        denominator="None: it is the denominator of recall.",
        ceiling="None: a count.",
        undefined="Never. It depends on the judgments alone, so an unanswered query counts in full.",
        distrust=(
            "It is what was judged, not what exists. trec_eval with -l2 and -c counts grade 1 for unanswered "
            "queries; we do not."
        ),
        worked=Worked("NumRel", "2 - 0 1 -", "1", "3", 3.0),
        source="trec_eval m_num_rel.c.",
    ),
    Spec(
        name="NumRelRet",
        family="counts",
        title="Number of relevant documents retrieved",
        params=table(REL),
        aggregate="sum",
        trec=(Trec("num_rel_ret"),),
        highest=counting.relevant,
        formula="relevant documents retrieved; summed over queries",
        denominator="None: it is the numerator of set recall and precision.",
        ceiling="|Rel|.",
        undefined="Never. An unanswered query found 0.",
        distrust="A sum over queries is ruled by those with many relevant documents.",
        worked=Worked("NumRelRet", "2 - 0 1 -", "1", "2", 2.0),
        source="trec_eval m_num_rel_ret.c.",
    ),
    Spec(
        name="num_nonrel_judged_ret",
        family="counts",
        title="Number of judged non-relevant documents retrieved",
        params=table(REL),
        aggregate="sum",
        unanswered=None,
        better="lower",
        trec=(Trec("num_nonrel_judged_ret"),),
        formula=("retrieved documents with a grade from 0 up to the relevance level; summed over queries"),
        denominator="None: a count.",
        ceiling="None: less is better.",
        undefined=(
            "An unanswered query has no value: 0 would say that nothing wrong was retrieved. trec_eval's sum "
            "leaves it out."
        ),
        distrust="It grows with the depth of the run. An unjudged document is not counted.",
        worked=Worked("num_nonrel_judged_ret", "2 - 0 1 -", "1", "1", 1.0),
        source="trec_eval m_num_nonrel_judged_ret.c.",
    ),
)
