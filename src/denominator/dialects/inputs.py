"""Judgments and runs as a dialect sees them: every choice that is about rows and their order is made here.

A choice of order becomes another column of scores, a choice of ties another order of rows with scores that say so; the
engine then ranks as it always does. Where the choices are trec_eval's, the very same objects are returned.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.errors import InputError
from denominator.formats.subset import subset
from denominator.model import Qrels, Run
from denominator.quoting import quoted

if TYPE_CHECKING:
    from denominator.dialects.dialect import Choices
    from denominator.model import F64, I64, Bool

__all__ = ["judgments", "ranked", "tie_blocks", "tied_queries"]


def judgments(qrels: Qrels, choices: Choices) -> Qrels:
    """Return the judgments with every pair once, and without negative grades where these are removed.

    Raises:
        InputError: a pair is judged twice, and the dialect refuses that.
    """
    twice = qrels.repeated_rows
    if len(twice):
        if choices.duplicates == "refuse":
            _refuse(qrels, twice)
        best = qrels.relevance[twice] if choices.duplicates == "best" else None
        keep = _one_of_each(qrels, twice, first=choices.duplicates == "first", best=best)
        qrels = _kept(qrels, keep)
    below = qrels.relevance < 0
    if choices.negative != "pooled" and below.any():
        zeroed = replace(qrels, relevance=np.where(below, 0, qrels.relevance))
        qrels = zeroed if choices.negative == "zero" else _kept(qrels, ~below)
    return qrels


def _kept(qrels: Qrels, keep: Bool) -> Qrels:
    """Return some judgments; a query that loses its last one stays a judged query."""
    at = np.flatnonzero(keep)
    return Qrels(
        qrels.queries,
        qrels.query[at],
        ids.taken(qrels.doc_id, at),
        qrels.source,
        relevance=qrels.relevance[at],
    )


def ranked(run: Run, choices: Choices) -> Run:
    """Return a run that ranks, by score and document id, as the dialect ranks this one.

    Raises:
        InputError: a document stands twice in a ranking, and the dialect refuses that; or there is no rank column.
    """
    twice = run.repeated_rows
    if len(twice) and choices.duplicates == "refuse":
        _refuse(run, twice)
    if len(twice) and choices.duplicates in ("first", "last"):
        run = subset(run, _one_of_each(run, twice, first=choices.duplicates == "first"))
    ordered = _ordered(replace(run, score=_key(run, choices.order)), choices.ties)
    if len(twice) and choices.duplicates == "best":
        places = ordered.repeated_rows
        position = ordered.ranking.positions(places, ordered.query[places])
        ordered = subset(ordered, _one_of_each(ordered, places, first=True, best=-position))
    return ordered


def _key(run: Run, order: str) -> F64:
    """Return the numbers that rank the documents, highest first."""
    if order == "score64":
        return run.score
    if order == "score32":
        with np.errstate(over="ignore"):
            return run.score.astype(np.float32).astype(np.float64)
    if order == "file":
        return -np.arange(len(run), dtype=np.float64)
    if not isinstance(run.rank, np.ndarray):
        found = "no rank column" if run.rank is None else "a rank column that does not hold whole numbers"
        raise InputError(f"{run.source.name}: {found}; a dialect that orders by rank needs ranks, use order=score64")
    return -run.rank.astype(np.float64)


def _ordered(run: Run, ties: str) -> Run:
    """Return a run whose ties are broken, by scores that only say the place."""
    if ties in ("id-descending", "averaged", "together", "middle"):
        return run
    rows = run.ranking.in_order()
    low, high = _blocks(run, rows)
    if (high - low == 1).all():
        return run
    rows = rows[low + high - 1 - np.arange(len(rows)) if ties == "id-ascending" else np.lexsort((rows, low))]
    place = np.empty(len(rows), dtype=np.float64)
    place[rows] = -np.arange(len(rows), dtype=np.float64)
    return replace(run, score=place)


def _blocks(run: Run, rows: I64) -> tuple[I64, I64]:
    """Return, per place of the ranking, where its block of tied documents begins and ends."""
    code, score = run.query[rows], run.score[rows]
    nan = np.isnan(score)
    same = (code[1:] == code[:-1]) & ((score[1:] == score[:-1]) | (nan[1:] & nan[:-1]))
    starts = np.flatnonzero(np.concatenate([[True], ~same])) if len(rows) else np.zeros(0, dtype=np.int64)
    size = np.diff(np.append(starts, len(rows)))
    return np.repeat(starts, size), np.repeat(starts + size, size)


def tie_blocks(run: Run) -> tuple[I64, I64, I64]:
    """Return, per place of a run's ranking: its query, and the positions in it where its block of ties begins and ends.

    Positions count from 0; the end is the position after the last. A document that ties with none is a block of one.
    """
    ranking = run.ranking
    rows = ranking.in_order()
    low, high = _blocks(run, rows)
    query = run.query[rows].astype(np.int64)
    return query, low - ranking.offsets[query], high - ranking.offsets[query]


def tied_queries(run: Run) -> Bool:
    """Return which of ``run.queries`` hold documents that tie. Shape (queries of the run,)."""
    query, low, high = tie_blocks(run)
    tied: Bool = np.bincount(query[high - low > 1], minlength=len(run.queries)) > 0
    return tied


def _one_of_each(rows: Qrels | Run, twice: I64, *, first: bool, best: I64 | F64 | None = None) -> Bool:
    """Return which rows stay where each repeated pair keeps one: the first, the last, or the first of the highest."""
    docs = ids.strings_at(rows.doc_id, twice)
    worth = np.zeros(len(twice)) if best is None else best
    kept: dict[tuple[int, str], tuple[float, int]] = {}
    for row, query, doc, value in zip(twice.tolist(), rows.query[twice].tolist(), docs, worth.tolist(), strict=True):
        held = kept.get((query, doc))
        if held is None or (value > held[0] if best is not None else not first):
            kept[query, doc] = (value, row)
    keep = np.ones(len(rows), dtype=np.bool_)
    keep[twice] = False
    keep[[row for _, row in kept.values()]] = True
    return keep


def _refuse(rows: Qrels | Run, twice: I64) -> None:
    """Say which pair occurs more than once."""
    row = int(twice[0])
    raise InputError(
        f"{rows.source.name}: query {quoted(rows.query_of(row))} holds document {quoted(rows.doc_of(row))} more than "
        f"once ({len(twice):,} such rows), which this dialect refuses; use duplicates=first, last, best or positional"
    )
