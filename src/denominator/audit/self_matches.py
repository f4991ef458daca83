"""I: queries that retrieve themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.compared import compared, seen
from denominator.audit.counted import have
from denominator.findings import Places
from denominator.hits import match
from denominator.model import Qrels, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.hits import Hits
    from denominator.model import I64

__all__ = ["CHECKS"]


@check(
    "I106",
    "query-retrieves-itself",
    Severity.WARNING,
    fix="say whether a query may retrieve itself; if not, take the rows whose document is the query out of the run",
)
def self_match(e: Evidence) -> Iterator[Found]:
    """A query retrieves a document that has the query's own id.

    Where the queries are taken from the collection, as in ArguAna or in duplicate search, the query itself is the best
    match there is. Some tools drop it without a word, `score` drops nothing. With ten relevant documents, all found
    and the query among them, AP is 1; without it 9 of 10 are found and AP is 0.900. Where the means are the same with
    and without, to three decimals, it is only information: ids may be equal by chance.

    **Fix**: decide whether the query counts, take its rows out if not, and say so beside the number.

    **Ignore** when queries and documents are numbered apart, so that equal ids mean nothing.
    """
    for run in e.runs:
        position = _position_of_itself(run)
        where = position >= 0
        if not where.any():
            continue
        told = ["AP", f"nDCG@{e.options.k[0]}"]
        more = [f"{name}@{k}" for k in e.options.k for name in ("P", "R", "nDCG")]
        without = _without(run.hits, position)
        both, all_of_it = compared(run, told, without), compared(run, [*dict.fromkeys([*told, *more])], without)
        worst = run.qrels.worst_first(where, position)
        first = int((position == 0).sum())
        shown = any(seen(value, both.other[name]) for name, value in both.ours.items())
        yield Found(
            run.name,
            f"{have(int(where.sum()), int(run.hits.answered.sum()), 'answered queries')} retrieved a document with "
            f"{'its' if where.sum() == 1 else 'their'} own id, {first:,} at rank 1; without "
            f"{'it' if where.sum() == 1 else 'them'} {both.words(named=False)}",
            Places.of_queries([run.hits.queries[query] for query in worst.tolist()], rank=position[worst] + 1),
            {"queries": int(where.sum()), "at rank 1": first, **all_of_it.numbers("without")},
            None if shown else Severity.INFO,
        )


def _position_of_itself(run: RunEvidence) -> I64:
    """Return, per judged query, the position of the document with its own id; -1 where there is none."""
    queries = run.hits.queries
    number = np.arange(len(queries), dtype=np.int32)
    itself = Qrels(
        queries,
        number,
        ids.column_of(queries),
        run.qrels.judged.source,
        relevance=np.ones(len(queries), dtype=np.int64),
    )
    hits = match(itself, run.ranked)
    position = np.full(len(queries), -1, dtype=np.int64)
    position[hits.query] = hits.position
    return position


def _without(hits: Hits, position: I64) -> Hits:
    """Return hits without the documents at one position of some queries; what stood below moves up."""
    out = position[hits.query]
    keep = hits.position != out
    below = (out >= 0) & (hits.position > out)
    retrieved = hits.retrieved - (position >= 0)
    return replace(
        hits,
        answered=hits.answered & ((position < 0) | (retrieved > 0)),
        retrieved=retrieved,
        query=hits.query[keep],
        position=(hits.position - below)[keep],
        grade=hits.grade[keep],
    )


CHECKS = (self_match,)
