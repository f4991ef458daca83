"""Sums that equal a C loop's to the last bit.

Floating-point addition is not associative, so a sum must be taken in rank order, from 0.0, and restart at each query.
``numpy.bincount`` with weights and ``add.accumulate`` on one query's slice add one value after the other; ``numpy.sum``
and ``add.reduceat`` add pairwise, and a global running sum minus an offset carries the rounding of other queries.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from denominator.model import F64, I64, Bool

__all__ = ["above", "log2_of", "log_of", "ordinals", "ratio", "running", "starts_of", "total"]

DEEP = 256
"""A query with more values than this is accumulated alone; shallower ones advance together, one step per depth."""


def total(query: I64, values: F64 | I64, queries: int) -> F64:
    """Return, per query, the sum of its values in the order in which they stand. Shape (queries,)."""
    summed = np.bincount(query, weights=values, minlength=queries)
    return summed.astype(np.float64, copy=False)  # without any value bincount forgets the weights and counts


def starts_of(query: I64, queries: int) -> I64:
    """Return where each query's entries begin in an array grouped by query, and the end. Shape (queries + 1,)."""
    starts = np.zeros(queries + 1, dtype=np.int64)
    np.cumsum(np.bincount(query, minlength=queries), out=starts[1:])
    return starts


def ordinals(query: I64, starts: I64) -> I64:
    """Return the place of each entry within its query, from 0, in an array grouped by query."""
    return np.arange(len(query)) - starts[query]


def running(step: np.ufunc, values: F64, starts: I64) -> F64:
    """Return the running result of `step` (add, multiply, maximum) over each query's values, up to and with each entry.

    `values` is grouped by query and `starts` says where each begins, as :func:`starts_of` does.
    """
    out = np.array(values, dtype=np.float64)
    sizes = np.diff(starts)
    for query in np.flatnonzero(sizes > DEEP).tolist():
        low, high = int(starts[query]), int(starts[query + 1])
        step.accumulate(values[low:high], out=out[low:high])
    shallow = np.flatnonzero((sizes > 1) & (sizes <= DEEP))
    shallow = shallow[np.argsort(-sizes[shallow], kind="stable")]
    first, sizes = starts[shallow], sizes[shallow]
    for depth in range(1, int(sizes.max(initial=0))):
        at = first[: np.searchsorted(-sizes, -depth)] + depth
        out[at] = step(out[at - 1], out[at])
    return out


def above(values: F64, query: I64, place: I64, starts: I64) -> F64:
    """Return the running value after the first `place` entries of a query: 0.0 where place is 0.

    `values` is what :func:`running` returned; `query` and `place` are pairs to look up, of equal length.
    """
    found = np.zeros(len(query))
    some = place > 0
    found[some] = values[starts[query[some]] + place[some] - 1]
    return found


def ratio(numerator: F64 | I64, denominator: F64 | I64, where: Bool | None = None) -> F64:
    """Return numerator / denominator as float64, and 0.0 where the denominator is 0 (or `where` is false)."""
    usable = denominator != 0 if where is None else where
    out = np.zeros(len(usable))
    return np.divide(numerator, denominator, out=out, where=usable)


def log2_of(values: F64 | I64) -> F64:
    """Return the base-2 logarithm of values above 0, as C computes it: ``numpy.log2`` can differ in the last bit."""
    if values.dtype.kind == "i" and int(values.max(initial=0)) < 2 * len(values) + 4096:
        table = np.array([0.0, *map(math.log2, range(1, int(values.max(initial=0)) + 1))])
        return table[values]
    distinct, where = np.unique(values, return_inverse=True)
    return np.array([math.log2(value) for value in distinct.tolist()])[where]


def log_of(values: F64) -> F64:
    """Return the natural logarithm of each value, as C computes it."""
    distinct, where = np.unique(values, return_inverse=True)
    return np.array([math.log(value) for value in distinct.tolist()])[where]
