"""Other libraries, asked in the way that their users ask them: query → value for each of some measures."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Judged = Mapping[str, Mapping[str, int]]
Ranked = Mapping[str, Mapping[str, float]]
Values = dict[str, dict[str, float]]
"""Measure, as we write it → query → value."""


def pytrec_eval(judged: Judged, ranked: Ranked) -> Values:
    """Ask pytrec_eval with the scores as they are."""
    import pytrec_eval as library

    names = {
        "map": "AP",
        "map_cut_10": "AP@10",
        "ndcg": "nDCG",
        "ndcg_cut_10": "nDCG@10",
        "P_10": "P@10",
        "recall_100": "R@100",
        "recip_rank": "RR",
        "Rprec": "Rprec",
        "bpref": "Bpref",
        "infAP": "infAP",
        "success_5": "Success@5",
        "set_F": "SetF",
        "iprec_at_recall_0.10": "IPrec@0.1",
        "11pt_avg": "11pt_avg",
        "num_rel_ret": "NumRelRet",
    }
    found = library.RelevanceEvaluator(judged, set(names)).evaluate(ranked)
    return {ours: {query: values[theirs] for query, values in found.items()} for theirs, ours in names.items()}


def ir_measures(judged: Judged, ranked: Ranked) -> Values:
    """Ask ir_measures' default pipeline."""
    import ir_measures as library

    names = (
        "AP AP@10 nDCG nDCG@10 P@10 R@100 RR RR@10 Rprec Bpref infAP Success@5 SetP SetR SetF SetAP IPrec@0.1 "
        "Judged@10 NumRet NumQ NumRel NumRet(rel=1)"
    )
    out: Values = {}
    for metric in library.iter_calc([library.parse_measure(name) for name in names.split()], judged, ranked):
        out.setdefault(str(metric.measure), {})[metric.query_id] = metric.value
    return out


def ranx(judged: Judged, ranked: Ranked) -> Values:
    """Ask ranx with plain dictionaries: its own containers are compiled anew for every length of id."""
    from ranx import evaluate

    names = {
        "map": "AP",
        "map@10": "AP@10",
        "ndcg": "nDCG",
        "ndcg@10": "nDCG@10",
        "ndcg_burges@10": "nDCG(dcg='exp-log2')@10",
        "precision": "SetP",
        "precision@10": "P@10",
        "recall": "SetR",
        "recall@100": "R@100",
        "mrr": "RR",
        "mrr@10": "RR@10",
        "r-precision": "Rprec",
        "hit_rate@5": "Success@5",
        "hits": "NumRelRet",
        "f1": "SetF",
        "rbp.80": "RBP(p=0.8)",
    }
    both = [query for query in judged if query in ranked]
    found: Any = evaluate(
        {query: judged[query] for query in both},
        {query: ranked[query] for query in both},
        list(names),
        return_mean=False,
    )
    return {ours: dict(zip(both, found[theirs].tolist(), strict=True)) for theirs, ours in names.items()}


def trectools(judged: Judged, ranked: Ranked) -> Values:
    """Ask trectools; a query that its table lacks adds 0 to its mean."""
    import pandas as pd
    from trectools import TrecEval, TrecQrel, TrecRun

    run, qrels = TrecRun(), TrecQrel()
    rows = [(query, "Q0", doc, 0, score, "t") for query, docs in ranked.items() for doc, score in docs.items()]
    run.load_run_from_dataframe(pd.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"]))
    run.run_data.sort_values(["query", "score", "docid"], inplace=True, ascending=[True, False, True])  # as read_run
    lines = [(query, 0, doc, grade) for query, docs in judged.items() for doc, grade in docs.items()]
    qrels.qrels_data = pd.DataFrame(lines, columns=["query", "q0", "docid", "rel"])
    ask, whole = TrecEval(run, qrels), 1_000_000  # its default depth, 1000, would cut the ideal ranking too
    tables: dict[str, Any] = {
        "AP": ask.get_map(whole, per_query=True),
        "AP@10": ask.get_map(10, per_query=True),
        "nDCG": ask.get_ndcg(whole, per_query=True),
        "nDCG@10": ask.get_ndcg(10, per_query=True),
        "P@10": ask.get_precision(10, per_query=True),
        "R@100": ask.get_recall(100, per_query=True),
        "RR": ask.get_reciprocal_rank(whole, per_query=True),
        "RR@10": ask.get_reciprocal_rank(10, per_query=True),
    }
    if not _ties_over_borders(ranked):  # where they do, it averages over two queries at once
        tables["RBP(p=0.8)"] = ask.get_rbp(0.8, whole, per_query=True)[0]
    zero = dict.fromkeys(ranked, 0.0)
    return {name: {**zero, **table.iloc[:, 0].dropna().to_dict()} for name, table in tables.items()}


def _ties_over_borders(ranked: Ranked) -> bool:
    """Return whether some query begins with the score that the one before, in order of their ids, ends with."""
    ends = [(max(docs.values()), min(docs.values())) for _, docs in sorted(ranked.items())]
    return any(first == last for (_, last), (first, _) in itertools.pairwise(ends))


def scikit_learn(judged: Judged, ranked: Ranked) -> Values:
    """Ask scikit-learn about the rows that were retrieved, query by query; it is slow, so of 60 queries at most."""
    from sklearn.metrics import average_precision_score, ndcg_score

    out: Values = {"AP": {}, "nDCG": {}, "nDCG@10": {}}
    for query, docs in itertools.islice(ranked.items(), 60):
        if query in judged:
            grades: npt.NDArray[Any] = np.array([max(judged[query].get(doc, 0), 0) for doc in docs])
            scores = np.array(list(docs.values()))
            if len(docs) > 1:
                out["nDCG"][query] = float(ndcg_score([grades], [scores]))
                out["nDCG@10"][query] = float(ndcg_score([grades], [scores], k=10))
            if grades.any():  # else it warns, and says 0
                out["AP"][query] = float(average_precision_score(grades > 0, scores))
    return out


PEERS: Mapping[str, tuple[str, Callable[[Judged, Ranked], Values]]] = {
    "pytrec_eval-raw": ("pytrec_eval", pytrec_eval),
    "ir_measures": ("ir_measures", ir_measures),
    "ranx": ("ranx", ranx),
    "trectools": ("trectools", trectools),
    "scikit-learn": ("sklearn", scikit_learn),
}
"""Dialect → the module it needs, and how the library is asked."""
