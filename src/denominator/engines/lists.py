"""Qrels and run as plain lists and dicts, one query at a time, for engines that are not columnar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator import ids
from denominator.errors import InputError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denominator.model import I64, Qrels, Run

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
    place = run.number_of
    chosen = np.array([query for query in queries if qrels.queries[query] in place], dtype=np.int64)
    placed = np.array([place[qrels.queries[query]] for query in chosen.tolist()], dtype=np.int64)
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
    order: I64 | None

    def rows_of(self, groups: I64) -> I64:
        """Return the rows of some groups, one after the other."""
        size = self.offsets[groups + 1] - self.offsets[groups]
        before = np.cumsum(size) - size
        positions: I64 = np.arange(int(size.sum())) + np.repeat(self.offsets[groups] - before, size)
        return positions if self.order is None else self.order[positions]

    def lists(self, groups: I64) -> Iterator[list[str]]:
        """Yield the documents of each of some groups, each document once."""
        texts = _texts(self.table.doc_id, self.rows_of(groups))
        low = 0
        for group, size in zip(
            groups.tolist(), (self.offsets[groups + 1] - self.offsets[groups]).tolist(), strict=True
        ):
            documents = texts[low : low + size]
            if len(set(documents)) < size:
                raise InputError(_twice(self.table, self.rows_of(np.array([group]))))
            low += size
            yield documents


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
    return [texts[row] for row in (rows - low).tolist()]


def _twice(rows: Qrels | Run, some: I64) -> str:
    """Return what to say of the first document that occurs twice among some rows of one query."""
    ordered = sorted(some.tolist())
    documents = [rows.doc_of(row) for row in ordered]
    first_at = {document: at for at, document in reversed(list(enumerate(documents)))}
    again = next(at for at, document in enumerate(documents) if first_at[document] < at)
    first, second = (rows.line_of(ordered[at]) or ordered[at] + 1 for at in (first_at[documents[again]], again))
    query, document = quoted(rows.query_of(ordered[again])), quoted(documents[again])
    return (
        f"{rows.source.name}: query {query} holds document {document} twice, at "
        f"{'lines' if rows.has_lines else 'rows'} {first:,} and {second:,}; a document counts once, so keep one of them"
    )
