"""Dialects from the rule as a tool's source states it; the tools were read and not run.

A tool that is handed lists of ids, best first, has no order of its own: such a list is made here in trec_eval's order.
"""

from __future__ import annotations

from denominator.dialects.dialect import Dialect

__all__ = ["STATED"]

_AS_LISTED = {"order": "score64", "ties": "file", "queries": "judged"}
"""Python's sorted() on the scores, which keeps the order of ties, divided by the number of judged queries."""

STATED = (
    Dialect(
        "beir",
        order="score32",
        queries="answered",
        duplicates="last",
        overrides={
            "RR": _AS_LISTED,
            "Success": _AS_LISTED,
            "RCap": {**_AS_LISTED, "no_relevant": "error"},
        },
        source="https://github.com/beir-cellar/beir 2.2.0, beir/retrieval/evaluation.py and custom_metrics.py",
        summary=(
            "BEIR: nDCG, MAP, recall and precision by pytrec_eval over the answered queries; MRR, R_cap (RCap) and "
            "accuracy (Success) of its own, over all judged queries. A document with the id of its query is left out "
            "there, and is not here."
        ),
        common=4,
        measures=("AP", "P", "R", "RCap", "RR", "Success", "nDCG"),
    ),
    Dialect(
        "msmarco",
        order="rank",
        ties="file",
        duplicates="positional",
        source="https://github.com/microsoft/MSMARCO-Passage-Ranking commit 2ec0d6f54988, ms_marco_eval.py",
        summary="MS MARCO's script: MRR@10 by the rank column, over every judged query.",
        common=7,
        measures=("RR",),
    ),
    Dialect(
        "sentence-transformers",
        ties="file",
        queries="answerable",
        ap="capped",
        gain="binary",
        duplicates="positional",
        source=(
            "https://github.com/huggingface/sentence-transformers commit 7591d2eeb9e3, "
            "sentence_transformers/evaluation/InformationRetrievalEvaluator.py"
        ),
        summary=(
            "InformationRetrievalEvaluator: relevant or not, over the queries that have a relevant document; MAP@k "
            "divides by min(|Rel|, k). The order of ties depends on the corpus."
        ),
        common=8,
        measures=("AP", "P", "R", "RR", "Success", "nDCG"),
    ),
    Dialect(
        "ragas",
        queries="answered",
        precision="returned",
        ap="retrieved",
        duplicates="first",
        overrides={"R": {"no_relevant": "dropped"}},
        source=(
            "https://github.com/explodinggradients/ragas 0.4.3, src/ragas/metrics/_context_precision.py and "
            "_context_recall.py: IDBasedContextPrecision, IDBasedContextRecall, context_precision"
        ),
        summary=(
            "ragas by ids: context precision divides by what was returned; its ranked form (AP) divides by the "
            "relevant contexts that were returned, so that what was missed costs nothing."
        ),
        common=10,
        measures=("AP", "P", "R"),
    ),
    Dialect(
        "llama-index",
        queries="answered",
        no_relevant="error",
        precision="returned",
        gain="binary",
        ideal="full",
        duplicates="first",
        source=(
            "https://github.com/run-llama/llama_index commit 1945bfbfdd10, "
            "llama-index-core/llama_index/core/evaluation/retrieval/metrics.py"
        ),
        summary=(
            "RetrieverEvaluator: hit rate (Success), MRR, precision over what was returned; the ideal of NDCG has a "
            "relevant document at every place, however few there are. It stops at a query without expected ids."
        ),
        common=11,
        measures=("AP", "P", "R", "RR", "Success", "nDCG"),
    ),
    Dialect(
        "elasticsearch",
        precision="returned",
        gain="exponential",
        ideal="returned",
        source=(
            "https://github.com/elastic/elasticsearch modules/rank-eval (commit 02f2048330cc): "
            "DiscountedCumulativeGain, PrecisionAtK, RecallAtK, MeanReciprocalRank, EvaluationMetric.combine"
        ),
        summary=(
            "The rank evaluation API: precision over the hits that there are, normalised DCG with gain 2**rating - 1 "
            "and an ideal no longer than the hits, averaged over every request."
        ),
        common=13,
        measures=("P", "R", "RR", "nDCG"),
    ),
    Dialect(
        "dpr",
        recall="hit",
        duplicates="positional",
        source="https://github.com/facebookresearch/DPR commit 10ca7200a254, dpr/data/qa_validation.py",
        summary="Dense Passage Retrieval: top-k accuracy, which its papers and many after it print as recall.",
        common=14,
        measures=("R", "Success"),
    ),
    Dialect(
        "evidently",
        ties="middle",
        queries="answered",
        no_relevant="unfound",
        recall="retrieved",
        precision="returned",
        ideal="retrieved",
        duplicates="positional",
        negative="zero",
        source=(
            "https://github.com/evidentlyai/evidently 0.7.23, src/evidently/legacy/metrics/recsys and "
            "calculations/recommender_systems.py"
        ),
        summary=(
            "Evidently's metrics of rankings know the rows given and nothing else; tied rows share the middle of their "
            "places, and a query without a relevant row is left out."
        ),
        common=16,
        measures=("P", "R", "RR", "Success", "nDCG"),
    ),
    Dialect(
        "retrieval-eval",
        no_relevant="dropped",
        gain="exponential",
        duplicates="first",
        negative="zero",
        source="https://github.com/aton-of-data/retrieval-eval 0.1.1, retrieval_eval/metrics.py and qrels.py",
        summary=(
            "retrieval-eval: gain 2**grade - 1; a query without a relevant document is left out of every mean, and one "
            "that the run lacks scores 0. Its reader of TREC runs goes by the rank column (order=rank)."
        ),
        common=17,
        measures=("AP", "P", "R", "RR", "Success", "nDCG"),
    ),
    Dialect(
        "rankkit",
        queries="answered",
        no_relevant="dropped",
        gain="exponential",
        source="https://github.com/mohammadi-hadi/rankkit 0.1.0, rankkit/metrics.py",
        summary=(
            "rankkit: gain 2**grade - 1 unless told otherwise; queries without results, and those without a relevant "
            "document, are left out of every mean."
        ),
        common=18,
        measures=("AP", "ERR", "P", "R", "RR", "Success", "nDCG"),
    ),
    Dialect(
        "rankflow",
        order="rank",
        ties="file",
        queries="answered",
        recall="retrieved",
        precision="returned",
        ap="retrieved",
        gain="exponential",
        ideal="retrieved",
        duplicates="last",
        negative="zero",
        source="https://github.com/izikeros/rankflow 0.2.1, src/rankflow/metrics.py and adapters/trec.py",
        summary=(
            "rankflow: the rank column, gain 2**grade - 1, and only the documents that were retrieved: what was missed "
            "is in no denominator."
        ),
        common=19,
        measures=("AP", "P", "R", "RR", "nDCG"),
    ),
    Dialect(
        "retrieval-eval-gate",
        order="rank",
        ties="file",
        no_relevant="dropped",
        gain="binary",
        duplicates="first",
        source="https://github.com/jinwovo/rag-eval-gate 0.2.1, rag_eval_gate/{metrics,goldset,backends}.py",
        summary=(
            "retrieval-eval-gate: the rank column, grades made 0 or 1, and the queries that have a relevant document."
        ),
        common=20,
        measures=("R", "RR", "nDCG"),
    ),
)
"""One row for each, the most widespread first."""
