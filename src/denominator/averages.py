"""The mean, and the queries it is over: the only place that averages.

Values are added one after the other in byte order of their query ids, as trec_eval does. A pairwise sum (``numpy.sum``)
or a compensated one (``sum`` of Python 3.12) ends in other last bits, and now and then in another fourth decimal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator.errors import UsageError
from denominator.native import text
from denominator.quoting import listed, quoted

if TYPE_CHECKING:
    from denominator.model import F64, Bool

__all__ = ["NAMED_SETS", "QuerySet", "average", "pooled", "query_set"]

NAMED_SETS = {
    "judged": "every judged query; one that the run does not answer scores 0 (trec_eval -c)",
    "answered": "the judged queries that the run answers (trec_eval 9 without -c)",
    "answerable": "the judged queries with at least one relevant document, answered or not",
}
"""Query set to what a mean over it is over."""


class QuerySet(NamedTuple):
    """Which of the judged queries a mean is over."""

    name: str
    """One of `NAMED_SETS`, or ``listed``."""
    listed: frozenset[str] | None = None
    """The ids of a listed set."""

    def mask(self, queries: Sequence[str], answered: Bool, answerable: Bool) -> Bool:
        """Return which of the judged queries are in the set. Shape (q,), as all three arguments."""
        if self.listed is not None:
            return np.array([query in self.listed for query in queries], dtype=np.bool_)
        if self.name == "judged":
            return np.ones(len(queries), dtype=np.bool_)
        return answered if self.name == "answered" else answerable


def query_set(queries: str | Sequence[str], judged: Sequence[str]) -> QuerySet:
    """Return a query set from its name or from a list of judged query ids.

    Raises:
        UsageError: an unknown name, an id that is not judged or is given twice, or an empty list.
    """
    if isinstance(queries, str):
        if queries not in NAMED_SETS:
            names = ", ".join(NAMED_SETS)
            raise UsageError(f"unknown query set {quoted(queries)}: expected {names}, or a list of query ids")
        return QuerySet(queries)
    chosen = [text(query) for query in queries]
    known = set(judged)
    strangers = [query for query in chosen if query not in known]
    if strangers:
        raise UsageError(f"{len(strangers):,} of the listed queries are not judged: {listed(strangers)}")
    if len(set(chosen)) < len(chosen):
        twice = sorted({query for query in chosen if chosen.count(query) > 1})
        raise UsageError(f"listed twice among the queries: {listed(twice)}")
    if not chosen:
        raise UsageError("an empty list of queries: a mean needs at least one")
    return QuerySet("listed", frozenset(chosen))


def average(values: F64, how: str) -> float | None:
    """Return the mean (or the sum, or the geometric mean of logarithms) of values in byte order of their queries.

    None where there are no values: a mean over nothing is not 0.

    >>> average(np.array([0.5, 1.0]), "mean")
    0.75
    """
    if not len(values):
        return None
    total = float(np.cumsum(values)[-1])
    if how == "sum":
        return total
    return math.exp(total / len(values)) if how == "geometric" else total / len(values)


def pooled(above: F64, below: F64) -> float | None:
    """Return the sum of numerators over the sum of denominators (micro average); None where there is nothing below.

    >>> pooled(np.array([1.0, 0.0]), np.array([1.0, 3.0]))
    0.25
    """
    whole = average(below, "sum")
    return (average(above, "sum") or 0.0) / whole if whole else None
