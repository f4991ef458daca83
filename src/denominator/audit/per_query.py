"""What each query's recall and precision were divided by: the table under an audit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.findings import QueryLine, QueryTable

if TYPE_CHECKING:
    from denominator.audit.evidence import RunEvidence
    from denominator.audit.options import AuditOptions
    from denominator.model import I64

__all__ = ["query_table"]


def query_table(run: RunEvidence, options: AuditOptions, corpus_size: int | None) -> QueryTable:
    """Return a line for each judged query and cutoff, the lowest share of its recall ceiling first."""
    level, cutoffs, queries = options.level, options.k, len(run.hits.queries)
    rel = run.hits.relevant(level)
    values = run.scores([f"R@{k}" for k in cutoffs])
    recalls = [values[f"R@{k}"] for k in cutoffs]
    ceilings = [np.minimum(1.0, k / np.maximum(rel, 1)) for k in cutoffs]
    shares = np.concatenate([recall / ceiling for recall, ceiling in zip(recalls, ceilings, strict=True)])
    shares[np.tile(rel == 0, len(cutoffs))] = -1.0  # nothing to find: no other query is worse judged
    worst = np.lexsort((np.concatenate(ceilings), shares))
    hits = _Hits(run, level)

    def at(number: int) -> QueryLine:
        cut, query = divmod(int(worst[number]), queries)
        k, relevant = cutoffs[cut], int(rel[query])
        duplicates, positional, distinct = hits.among(query, k)
        return QueryLine(
            run.name,
            run.hits.queries[query],
            k,
            relevant,
            bool(run.hits.answered[query]),
            None if corpus_size is None else relevant / corpus_size,
            float(recalls[cut][query]) if relevant else None,
            float(ceilings[cut][query]) if relevant else None,
            min(1.0, relevant / k),
            duplicates,
            positional,
            distinct,
        )

    return QueryTable(run.name, len(worst), at)


class _Hits:
    """Counts the relevant rows among the first of a query, each copy and each document."""

    def __init__(self, run: RunEvidence, level: float) -> None:
        """Look at nothing yet."""
        self._run, self._level = run, level
        self._code = {query: code for code, query in enumerate(run.raw.queries)}
        self._judged: tuple[I64, I64] | None = None

    def among(self, query: int, k: int) -> tuple[tuple[str, ...], int, int]:
        """Return the documents repeated among the first k rows, and how many rows and documents are relevant."""
        raw, name = self._run.raw, self._run.hits.queries[query]
        if name not in self._code:
            return (), 0, 0
        counts = Counter(ids.strings_at(raw.doc_id, raw.ranking.rows_of(self._code[name])[:k]))
        relevant = self._relevant(query)
        twice = tuple(sorted(document for document, count in counts.items() if count > 1))
        found = [document for document in counts if document in relevant]
        return twice, sum(counts[document] for document in found), len(found)

    def _relevant(self, query: int) -> set[str]:
        """Return the relevant documents of a query."""
        judged = self._run.qrels.judged
        if self._judged is None:
            rows = np.flatnonzero(judged.relevance >= self._level)
            rows = rows[np.argsort(judged.query[rows], kind="stable")]
            self._judged = rows, judged.query[rows].astype(np.int64)
        rows, codes = self._judged
        low, high = np.searchsorted(codes, [query, query + 1])
        return set(ids.strings_at(judged.doc_id, rows[low:high]))
