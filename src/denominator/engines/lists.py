"""Qrels and run as plain lists and dicts, one query at a time, for engines that are not columnar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator import ids
from denominator.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from denominator.model import I64, Qrels, Run

__all__ = ["Answer", "answers", "condensed"]


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

    Lazily, so that a caller holds as many as it wants to. `queries` are indices into ``qrels.queries``.

    Raises:
        InputError: a document is twice in a ranking or in the judgments of a query.
    """
    in_run = {query: number for number, query in enumerate(run.queries)}
    judged = np.argsort(qrels.query, kind="stable")
    starts = np.searchsorted(qrels.query[judged], np.arange(len(qrels.queries) + 1)).tolist()
    for query in queries:
        answer = in_run.get(qrels.queries[query])
        if answer is None:
            continue
        retrieved, pooled = run.ranking.rows_of(answer), judged[starts[query] : starts[query + 1]]
        ranking = _texts(run.doc_id, retrieved)
        grades = dict(zip(_texts(qrels.doc_id, pooled), qrels.relevance[pooled].tolist(), strict=True))
        if len(set(ranking)) < len(ranking):
            raise InputError(_twice(run, retrieved))
        if len(grades) < len(pooled):
            raise InputError(_twice(qrels, pooled))
        yield Answer(query, ranking, grades)


def condensed(answer: Answer) -> list[str]:
    """Return the ranking without the documents that have no grade of 0 or more (trec_eval ``-J``)."""
    return [document for document in answer.ranking if answer.grades.get(document, -1) >= 0]


def _texts(column: Any, rows: I64) -> list[str]:
    """Return the ids of some rows of one query: they mostly lie together, and a slice of a column is quick to read."""
    if not len(rows):
        return []
    low, high = int(rows.min()), int(rows.max())
    if high - low >= 2 * len(rows):
        return ids.strings_at(column, rows)
    texts: list[str] = column.slice(low, high - low + 1).to_pylist()
    return [texts[row] for row in (rows - low).tolist()]


def _twice(rows: Qrels | Run, some: I64) -> str:
    """Return what to say of the first document that occurs twice among some rows of one query."""
    ordered = sorted(some.tolist())
    documents = [rows.doc_of(row) for row in ordered]
    first_at = {document: at for at, document in reversed(list(enumerate(documents)))}
    again = next(at for at, document in enumerate(documents) if first_at[document] < at)
    first, second = (rows.line_of(ordered[at]) or ordered[at] + 1 for at in (first_at[documents[again]], again))
    return (
        f"{rows.source.name}: query {rows.query_of(ordered[again])!r} holds document {documents[again]!r} twice, at "
        f"{'lines' if rows.has_lines else 'rows'} {first:,} and {second:,}; a document counts once, so keep one of them"
    )
