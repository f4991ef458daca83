"""Dialects that tests hold to the tool itself: the same value for every query, to 1e-9."""

from __future__ import annotations

from denominator.dialects.dialect import Dialect

__all__ = ["HELD"]

_TREC_EVAL = "https://github.com/usnistgov/trec_eval"

HELD = (
    Dialect(
        "trec_eval-c",
        held="run",
        source=f"{_TREC_EVAL} tag trec_eval-9.0.8 (2023), form_res_rels.c and m_*.c, with -c",
        summary="trec_eval 9.0.8 with -c: every judged query counts, one that the run lacks as 0.",
        common=1,
    ),
    Dialect(
        "trec_eval-9",
        queries="answered",
        held="run",
        source=f"{_TREC_EVAL} tag trec_eval-9.0.8 (2023), without -c",
        summary="trec_eval 9.0.8 as it comes: a judged query that the run lacks is left out of every mean.",
        common=5,
    ),
    Dialect(
        "trec_eval-10",
        queries="answered",
        trec_eval="10",
        held="run",
        source=f"{_TREC_EVAL} commit f4253652c8ef (10.0), without -c",
        summary="trec_eval 10.0 as it comes; where the run lacks a judged query it stops and prints no mean at all.",
        common=12,
    ),
    Dialect(
        "pytrec_eval-raw",
        order="score32",
        queries="answered",
        duplicates="last",
        held="run",
        source="https://github.com/cvangysel/pytrec_eval: pytrec-eval-terrier 0.5.11, holding trec_eval v9.0.8 (2020)",
        summary=(
            "pytrec_eval on the scores as they are: it compares them as 32-bit floats, and the mean over its result "
            "leaves out the queries that the run lacks."
        ),
        common=2,
    ),
    Dialect(
        "ir_measures",
        order="score32",
        duplicates="last",
        overrides={
            "RR@": {"order": "score64", "ties": "id-ascending"},
            "Judged": {"order": "score64", "ties": "id-ascending", "negative": "zero"},
            "NumQ": {"queries": "answered"},
            "NumRel": {"queries": "answered"},
        },
        held="run",
        source="https://github.com/terrierteam/ir_measures 0.4.3, providers/{pytrec_eval,msmarco,judged}_provider.py",
        summary=(
            "ir_measures asks pytrec_eval for most measures and adds 0 for the judged queries that the run lacks; RR@k "
            "and Judged@k are its own, with ties the other way round."
        ),
        common=3,
        measures=(
            *("AP", "Bpref", "IPrec", "Judged", "NumQ", "NumRel", "NumRelRet", "NumRet", "P", "R", "RR", "Rprec"),
            *("SetAP", "SetF", "SetP", "SetR", "Success", "infAP", "nDCG"),
        ),
    ),
    Dialect(
        "ranx",
        ties="unstable",
        duplicates="last",
        negative="zero",
        rbp="graded",
        held="run",
        source="https://github.com/AmenRa/ranx 0.3.21, ranx/metrics and ranx/data_structures/common.py",
        summary=(
            "ranx with make_comparable=True. It sorts each ranking again at every call, with a sort that does not keep "
            "the order of ties; its RBP multiplies by the grade."
        ),
        common=9,
        measures=(
            "AP",
            "Bpref",
            "NumRelRet",
            "P",
            "R",
            "RBP",
            "RR",
            "Rprec",
            "SetF",
            "SetP",
            "SetR",
            "Success",
            "nDCG",
        ),
    ),
    Dialect(
        "trectools",
        queries="run",
        overrides={
            "nDCG": {"ties": "id-ascending"},
            "RBP": {"ties": "averaged"},
        },
        held="run",
        source="https://github.com/joaopalotti/trectools 0.0.50, trectools/trec_eval.py and trec_run.py",
        summary=(
            "trectools divides by the number of queries in the run, judged or not. Ties go by id, the greatest first, "
            "but for nDCG the least first, and RBP averages over them."
        ),
        common=15,
        measures=("AP", "Bpref", "P", "R", "RBP", "RR", "Rprec", "nDCG"),
        beyond={
            "Bpref": (
                "it divides by the judged non-relevant documents even where there are none, and takes a negative grade "
                "as relevant"
            ),
            "RBP@": "it cuts the ranking first and averages over the ties that are left",
            "Rprec": "with pandas 3 it looks a document up without its query, and so counts the answers to other ones",
        },
    ),
    Dialect(
        "scikit-learn",
        queries="answered",
        ap="retrieved",
        ideal="retrieved",
        duplicates="positional",
        negative="zero",
        overrides={
            "nDCG": {"ties": "averaged"},
            "AP": {"ties": "together"},
        },
        held="run",
        source="https://github.com/scikit-learn/scikit-learn 1.9.1, sklearn/metrics/_ranking.py: ndcg_score, "
        "average_precision_score",
        summary=(
            "scikit-learn knows the rows that it is given: what was not retrieved is in no denominator. nDCG is "
            "averaged over the orders of ties, and AP takes ties together."
        ),
        common=6,
        measures=("AP", "nDCG"),
    ),
)
"""One row for each."""
