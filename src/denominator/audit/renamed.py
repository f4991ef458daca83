"""A run as it would be if some of its ids were written as the judgments write them.

Ids are only ever renamed to judged ids that the run lacks, each at most once, so that no document comes to stand twice.
Of several ids that would do, the best-ranked document has it, or the first query in byte order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.compared import Compared, means_of
from denominator.cached import cached_property
from denominator.hits import match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.audit.evidence import RunEvidence
    from denominator.hints import Keys
    from denominator.model import I64, Run

__all__ = ["Documents", "Partners", "as_renamed", "pairs_of", "with_documents", "with_queries"]

FEW = 1 << 16
"""Up to so many ids are taken without Arrow's kernels, whose import costs more."""


class Documents:
    """The documents of the judged queries of one run, a query at a time."""

    def __init__(self, run: RunEvidence) -> None:
        """Look at nothing yet."""
        self._run = run
        self._code = {query: code for code, query in enumerate(run.ranked.queries)}

    @cached_property
    def _judged(self) -> tuple[I64, I64]:
        """The rows of the judgments, grouped by query, and where each query begins."""
        code = self._run.qrels.judged.query
        counts = np.bincount(code, minlength=len(self._run.qrels.judged.queries))
        return np.argsort(code, kind="stable"), np.concatenate([[0], np.cumsum(counts)])

    def judged(self, query: int) -> list[str]:
        """Return the judged documents of a query, in byte order."""
        rows, first = self._judged
        return sorted(ids.strings_at(self._run.qrels.judged.doc_id, rows[first[query] : first[query + 1]]))

    def grades(self, query: int) -> dict[str, float]:
        """Return the grade of each judged document of a query."""
        rows, first = self._judged
        some, judged = rows[first[query] : first[query + 1]], self._run.qrels.judged
        return dict(zip(ids.strings_at(judged.doc_id, some), judged.relevance[some].tolist(), strict=True))

    def rows(self, query: int) -> I64:
        """Return the rows of ``run.ranked`` that answer a judged query, best first."""
        code = self._code.get(self._run.hits.queries[query])
        return np.zeros(0, dtype=np.int64) if code is None else self._run.ranked.ranking.rows_of(code)

    def retrieved(self, query: int, most: int | None = None) -> list[str]:
        """Return the documents that answer a judged query, best first."""
        return ids.strings_at(self._run.ranked.doc_id, self.rows(query)[:most])


@dataclass(frozen=True, eq=False)
class Partners:
    """Retrieved documents that would be judged ones under another id, in the order of their queries and ranks."""

    rows: I64
    """Rows of ``run.ranked``."""
    judged: list[str]
    """The judged id of each."""
    query: I64
    """The judged query of each, as an index."""


def pairs_of(run: RunEvidence, queries: Iterable[int], keys: Keys) -> Partners:
    """Return the retrieved documents whose id would be a judged one that was not retrieved, under a change of ids."""
    left, right = keys
    documents = Documents(run)
    found: list[tuple[int, str, int]] = []
    for query in queries:
        rows, retrieved = documents.rows(query), documents.retrieved(query)
        judged = documents.judged(query)
        known = set(judged)
        there = known.intersection(retrieved)
        wanted: dict[str, str] = {}
        for text in judged:
            if text not in there:
                wanted.setdefault(left(text), text)
        if not wanted:
            continue
        for row, text in zip(rows.tolist(), retrieved, strict=True):
            partner = None if text in known else wanted.pop(right(text), None)
            if partner is not None:
                found.append((row, partner, query))
    return Partners(
        np.array([row for row, _, _ in found], dtype=np.int64),
        [text for _, text, _ in found],
        np.array([query for _, _, query in found], dtype=np.int64),
    )


def with_documents(run: Run, rows: I64, texts: Sequence[str]) -> Run:
    """Return a run in which some rows have other document ids."""
    import pyarrow as pa

    at = np.arange(len(run), dtype=np.int64)
    at[rows] = len(run) + np.arange(len(rows))
    both = pa.concat_arrays([run.doc_id, ids.column_of(texts)])
    return replace(run, doc_id=ids.taken(both, at) if len(at) <= FEW else both.take(pa.array(at)))


def with_queries(run: Run, names: Mapping[str, str]) -> Run:
    """Return a run in which some queries have other ids."""
    return replace(run, queries=tuple(names.get(query, query) for query in run.queries))


def as_renamed(run: RunEvidence, measures: Sequence[str], renamed: Run) -> Compared:
    """Return the means of some measures for a run as it is and with its ids changed."""
    return Compared(run, run.means(measures), means_of(run, match(run.qrels.judged, renamed), measures))
