"""What a repair changes for each query: the measure of a run, its ranking, or what is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.evidence import scored
from denominator.engines import Settings
from denominator.formats.repeats import repeated_pairs
from denominator.hits import match
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.model import Qrels, Run
    from denominator.repair.text import Lines

__all__ = ["changes"]

MEASURE = "AP"


def changes(before: Lines, after: Lines, queries: Sequence[str], qrels: Qrels | None) -> Iterator[str]:
    """Yield a line for each query: its AP before and after where there are judgments, else what changes in its rows.

    Before, every row counts as it stands: a document named twice is found twice.
    """
    old, new = before.reading.rows, after.reading.rows
    if before.kind == "qrels":
        yield from _judgments(old, new, queries)
        return
    values = [_values(qrels, run) for run in (old, new)] if qrels is not None else [{}, {}]
    for query, was, now in zip(queries, _rankings(old, queries), _rankings(new, queries), strict=True):
        if query in values[0]:
            yield f"{short(query)}: {MEASURE} {values[0][query]:.3f} → {values[1][query]:.3f}"
        else:
            yield f"{short(query)}: {_reranked(was, now)}"


def _values(qrels: Qrels, run: Run) -> dict[str, float]:
    """Return the measure of each judged query, every row counted as it stands."""
    (column,) = scored(match(qrels, run), [MEASURE], Settings()).values()
    return dict(zip(qrels.queries, column.tolist(), strict=True))


def _rankings(run: Run, queries: Sequence[str]) -> Iterator[list[str]]:
    """Yield the documents of some queries, best first."""
    number = {query: at for at, query in enumerate(run.queries)}
    for query in queries:
        yield ids.strings_at(run.doc_id, run.ranking.rows_of(number[query])) if query in number else []


def _reranked(was: list[str], now: list[str]) -> str:
    """Say from where on a ranking is another one."""
    same = next(
        (at for at, (one, two) in enumerate(zip(was, now, strict=False)) if one != two), min(len(was), len(now))
    )
    rows = f"{len(was):,} rows → {len(now):,}" if len(was) != len(now) else f"{len(was):,} rows"
    if same == len(was) == len(now):
        return f"{rows}, in the order in which they were"
    return f"{rows}, another ranking from rank {same + 1:,} on"


def _judgments(old: Qrels, new: Qrels, queries: Sequence[str]) -> Iterator[str]:
    """Yield how many judgments each query has and how many relevant documents, before and after."""
    counts = [(_count(qrels, 0), _count(qrels, 1)) for qrels in (old, new)]
    for query in queries:
        (judged, relevant), (judged_now, relevant_now) = ([one.get(query, 0) for one in pair] for pair in counts)
        yield (f"{short(query)}: |Rel| {relevant:,} → {relevant_now:,}, judged documents {judged:,} → {judged_now:,}")


def _count(qrels: Qrels, level: int) -> dict[str, int]:
    """Return how many documents of each query have a grade of at least `level`; of several grades the first counts."""
    there = qrels.relevance >= level
    for pair in repeated_pairs(qrels):
        there[list(pair.rows[1:])] = False
    counts = np.bincount(qrels.query[there], minlength=len(qrels.queries))
    return dict(zip(qrels.queries, counts.tolist(), strict=True))
