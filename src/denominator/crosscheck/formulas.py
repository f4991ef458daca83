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

    from denominator.crosscheck.numbers import Numbers
    from denominator.dialects.dialect import Choices
    from denominator.measures import Measure
    from denominator.model import F64, Qrels, Run

    Changes = Mapping[str, str | float]

__all__ = ["FORMULAS", "Formula"]


TRECTOOLS_DEPTH = 1000
"""The documents of a query that trectools looks at where no depth is asked for."""


class Formula(NamedTuple):
    """What a tool computes under the name of a measure."""

    words: str
    values: Callable[[Numbers, Measure, Changes, F64], F64 | None]
    """(our numbers, measure, choices that are changed, our values with these) → the tool's values. NaN stays NaN."""


def _seen(numbers: Numbers, measure: Measure, changes: Changes) -> tuple[Choices, Qrels, Run]:
    """Return the choices with some changed, and the judgments and the run as they see them."""
    choices = numbers.base.using(**changes).for_measure(measure)
    return choices, judgments(numbers.qrels, choices), ranked(numbers.run, choices)


def _at_its_depth(numbers: Numbers, measure: Measure, changes: Changes, values: F64) -> F64 | None:
    """Return the values of a measure that was asked for without a cutoff, at the depth that trectools has then."""
    return None if measure.cutoff is not None else numbers.of(measure @ TRECTOOLS_DEPTH, changes)


def _over_all_queries(numbers: Numbers, measure: Measure, changes: Changes, values: F64) -> F64:
    """Return R-precision with every query's first |Rel| documents counted for each query they are relevant to."""
    choices, judged, ordered = _seen(numbers, measure, changes)
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


def _zero_without_non_relevant(numbers: Numbers, measure: Measure, changes: Changes, values: F64) -> F64:
    """Return bpref with 0 where nothing is judged non-relevant; trec_eval has a preference kept whole there."""
    choices, judged, ordered = _seen(numbers, measure, changes)
    hits = match(judged, ordered)
    none = hits.judged() == hits.relevant(choices.level)
    return np.where(np.isnan(values) | ~none, values, 0.0)


def _ties_across_queries(numbers: Numbers, measure: Measure, changes: Changes, values: F64) -> F64:
    """Return RBP averaged over ties that may reach from the end of one query into the next one's beginning."""
    choices, judged, ordered = _seen(numbers, measure, changes)
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
    code = ordered.numbers_of(hits.queries)
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
            "its get_rbp averages over neighbouring lines of one score, even where one query ends and the next begins",
            _ties_across_queries,
        ),
        **{
            ("trectools", name): Formula("it looks at the first 1,000 documents where no depth is given", _at_its_depth)
            for name in ("AP", "RR", "nDCG")
        },
        ("trectools", "Bpref"): Formula(
            "its get_bpref divides by the judged non-relevant documents, and is 0 where there are none",
            _zero_without_non_relevant,
        ),
    }
)
"""(dialect of the tool, name of the measure) → its formula."""
