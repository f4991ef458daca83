"""Qrels and run as plain lists and dicts, one query at a time, for engines that are not columnar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator import ids
from denominator.errors import InputError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denominator.model import I32, I64, Qrels, Run

__all__ = ["Answer", "answers", "condensed"]

BLOCK = 1 << 16
"""About how many rows of a run become Python strings at once."""


class Answer(NamedTuple):
    """A judged query with its ranking."""

    query: int
    """Index into ``qrels.queries``."""
    ranking: list[str]
    """The retrieved documents, best first, as :func:`denominator.model.order` ranks them."""
    grades: dict[str, Any]
    """The judged documents with their grade: int, or float for real-valued gains."""


def answers(qrels: Qrels, run: Run, queries: Iterable[int]) -> Iterator[Answer]:
    """Yield some of the judged queries with what the run retrieved for them; one that the run lacks is passed over.

    A block at a time, so that a caller holds as many as it wants to. `queries` are indices into ``qrels.queries``.

    Raises:
        InputError: a document is twice in a ranking or in the judgments of a query.
    """
    chosen = np.array(list(queries), dtype=np.int64)
    placed = run.numbers_of(qrels.queries)[chosen]
    chosen, placed = chosen[placed >= 0], placed[placed >= 0]
    _refuse_repeats(run, placed)
    _refuse_repeats(qrels, chosen)
    rankings = _Grouped(run, run.ranking.offsets, run.ranking.rows)
    order = np.argsort(qrels.query, kind="stable")
    pools = _Grouped(qrels, np.searchsorted(qrels.query[order], np.arange(len(qrels.queries) + 1)), order)
    size = np.diff(run.ranking.offsets)[placed]
    block = np.cumsum(size) // BLOCK
    for some in np.split(np.arange(len(chosen)), np.flatnonzero(np.diff(block)) + 1):
        grade = qrels.relevance[pools.rows_of(chosen[some])].tolist()
        found = zip(chosen[some].tolist(), rankings.lists(placed[some]), pools.lists(chosen[some]), strict=True)
        at = 0
        for query, ranking, judged in found:
            yield Answer(query, ranking, dict(zip(judged, grade[at : at + len(judged)], strict=True)))
            at += len(judged)


def condensed(answer: Answer) -> list[str]:
    """Return the ranking without the documents that have no grade of 0 or more (trec_eval ``-J``)."""
    return [document for document in answer.ranking if answer.grades.get(document, -1) >= 0]


class _Grouped(NamedTuple):
    """Rows of a table grouped by query: group g is ``order[offsets[g] : offsets[g + 1]]``, or these rows themselves."""

    table: Qrels | Run
    offsets: I64
    order: I32 | I64 | None

    def rows_of(self, groups: I64) -> I64:
        """Return the rows of some groups, one after the other."""
        size = self.offsets[groups + 1] - self.offsets[groups]
        before = np.cumsum(size) - size
        positions: I64 = np.arange(int(size.sum())) + np.repeat(self.offsets[groups] - before, size)
        return positions if self.order is None else self.order[positions].astype(np.int64)

    def lists(self, groups: I64) -> Iterator[list[str]]:
        """Yield the documents of each of some groups."""
        texts = _texts(self.table.doc_id, self.rows_of(groups))
        low = 0
        for size in (self.offsets[groups + 1] - self.offsets[groups]).tolist():
            yield texts[low : low + size]
            low += size


def _texts(column: Any, rows: I64) -> list[str]:
    """Return the ids of some rows; where they lie together, from one slice of the column, which is far quicker."""
    if not len(rows):
        return []
    low, high = int(rows.min()), int(rows.max())
    if high - low >= 2 * len(rows):
        return ids.strings_at(column, rows)
    texts = ids.strings_between(column, low, high + 1)
    if high - low + 1 == len(rows) and bool((rows[1:] > rows[:-1]).all()):  # all of them, as they stand
        return texts
    return list(map(texts.__getitem__, (rows - low).tolist()))


def _refuse_repeats(rows: Qrels | Run, queries: I64) -> None:
    """Refuse a document that occurs twice in one of some queries, which are indices into ``rows.queries``."""
    some = rows.repeated_rows
    some = some[np.isin(rows.query[some], queries)] if len(some) else some
    if not len(some):
        return
    held: dict[tuple[int, str], int] = {}
    pairs = zip(rows.query[some].tolist(), ids.strings_at(rows.doc_id, some), strict=True)
    for row, pair in zip(some.tolist(), pairs, strict=True):
        if held.setdefault(pair, row) < row:
            raise InputError(_twice(rows, held[pair], row))


def _twice(rows: Qrels | Run, row: int, again: int) -> str:
    """Return what to say of a document that two rows of a query name."""
    first, second = (rows.line_of(at) or at + 1 for at in (row, again))
    query, document = quoted(rows.query_of(again)), quoted(rows.doc_of(again))
    return (
        f"{rows.source.name}: query {query} holds document {document} twice, at "
        f"{'lines' if rows.has_lines else 'rows'} {first:,} and {second:,}; a document counts once, so keep one of them"
    )
