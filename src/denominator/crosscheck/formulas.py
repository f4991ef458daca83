"""Formulas of other tools that no choice of a dialect leads to, and that were found by reading their code.

Each is tested as a choice is: it explains a difference where it gives the tool's number.
"""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator import ids
from denominator.dialects.inputs import judgments, ranked
from denominator.hits import match

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from denominator.dialects.dialect import Choices
    from denominator.measures import Measure
    from denominator.model import F64, Qrels, Run

__all__ = ["FORMULAS", "Formula"]


TRECTOOLS_DEPTH = 1000
"""The documents of a query that trectools looks at where no depth is asked for."""


class Formula(NamedTuple):
    """What a tool computes under the name of a measure."""

    words: str
    values: Callable[[Qrels, Run, Choices, Measure, F64], F64]
    """(judgments, run, choices, measure, our values with these choices) → the tool's values. NaN stays NaN."""


def _over_all_queries(qrels: Qrels, run: Run, choices: Choices, measure: Measure, values: F64) -> F64:
    """Return R-precision with every query's first |Rel| documents counted for each query they are relevant to."""
    judged, ordered = judgments(qrels, choices), ranked(run, choices)
    relevant = np.flatnonzero(judged.relevance >= choices.level)
    many = np.bincount(judged.query[relevant], minlength=len(judged.queries))
    first: Counter[str] = Counter()
    for number, query in enumerate(judged.queries):
        if query in ordered.number_of and many[number]:
            rows = ordered.ranking.rows_of(ordered.number_of[query])[: many[number]]
            first.update(ids.strings_at(ordered.doc_id, rows))
    found = np.array([first[doc] for doc in ids.strings_at(judged.doc_id, relevant)], dtype=np.float64)
    total = np.bincount(judged.query[relevant], weights=found, minlength=len(judged.queries))
    return np.where(np.isnan(values), np.nan, total / np.maximum(many, 1))


def _zero_without_non_relevant(qrels: Qrels, run: Run, choices: Choices, measure: Measure, values: F64) -> F64:
    """Return bpref with 0 where nothing is judged non-relevant; trec_eval has a preference kept whole there."""
    hits = match(judgments(qrels, choices), ranked(run, choices))
    none = hits.judged() == hits.relevant(choices.level)
    return np.where(np.isnan(values) | ~none, values, 0.0)


def _ties_across_queries(qrels: Qrels, run: Run, choices: Choices, measure: Measure, values: F64) -> F64:
    """Return RBP averaged over ties that may reach from the end of one query into the next one's beginning."""
    judged, ordered = judgments(qrels, choices), ranked(run, choices)
    hits = match(judged, ordered)
    depth, p = measure.cutoff or TRECTOOLS_DEPTH, float(measure["p"])
    queries = sorted(range(len(ordered.queries)), key=ordered.queries.__getitem__)
    rows = [ordered.ranking.rows_of(query)[: int(depth)] for query in queries]
    rank = np.concatenate([np.arange(len(some)) for some in rows])
    score = ordered.score[np.concatenate(rows)]
    block = np.cumsum(np.concatenate([[True], score[1:] != score[:-1]])) - 1
    weight = (np.bincount(block, weights=(1 - p) * p**rank) / np.bincount(block))[block]
    begins = np.zeros(len(queries), dtype=np.int64)
    begins[queries] = np.concatenate([[0], np.cumsum([len(some) for some in rows])[:-1]])
    code = np.array([ordered.number_of.get(query, -1) for query in hits.queries], dtype=np.int64)
    keep = (hits.position < depth) & (hits.grade >= choices.level)
    at = begins[code[hits.query[keep]]] + hits.position[keep]
    total = np.bincount(hits.query[keep], weights=weight[at], minlength=len(hits.queries))
    return np.where(np.isnan(values), np.nan, total)


FORMULAS: Mapping[tuple[str, str], Formula] = MappingProxyType(
    {
        ("trectools", "Rprec"): Formula(
            "with pandas 3 its get_rprec loses the query, so a document found for one query counts for every query "
            "that it is relevant to",
            _over_all_queries,
        ),
        ("trectools", "RBP"): Formula(
            "its get_rbp averages over neighbouring lines of equal score, even where one query ends and the next begins",
            _ties_across_queries,
        ),
        ("trectools", "Bpref"): Formula(
            "its get_bpref divides by the judged non-relevant documents, and is 0 where there are none",
            _zero_without_non_relevant,
        ),
    }
)
"""(dialect of the tool, name of the measure) → its formula."""
