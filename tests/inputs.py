"""Qrels and runs from plain rows, for tests of what comes after reading."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from denominator import ids
from denominator.model import Qrels, Run, Source

Grades = dict[str, dict[str, Any]]
Scored = dict[str, dict[str, float]]


def _columns(queries: Sequence[str], documents: Iterable[str]) -> tuple[tuple[str, ...], npt.NDArray[np.int32], Any]:
    known = {query: code for code, query in enumerate(dict.fromkeys(queries))}
    codes = np.array([known[query] for query in queries], dtype=np.int32)
    return tuple(known), codes, pa.array(documents, type=pa.large_string())


def qrels_of(rows: Iterable[tuple[str, str, float]]) -> Qrels:
    """Return qrels with these (query, document, grade) rows; a fraction among the grades makes them all real."""
    rows = list(rows)
    grades = np.array([row[2] for row in rows], dtype=None if rows else np.int64)
    columns = _columns([row[0] for row in rows], [row[1] for row in rows])
    return Qrels(*columns, Source("test", "rows", "test"), relevance=grades)


def run_of(rows: Iterable[tuple[str, str, float]]) -> Run:
    """Return a run with these (query, document, score) rows."""
    rows = list(rows)
    scores = np.array([row[2] for row in rows], dtype=np.float64)
    columns = _columns([row[0] for row in rows], [row[1] for row in rows])
    return Run(*columns, Source("test", "rows", "test"), score=scores)


def judged(text: str) -> Qrels:
    """Return qrels from lines of ``query document grade``."""
    return qrels_of((query, document, _number(grade)) for query, document, grade in map(str.split, text.splitlines()))


def ranked(text: str) -> Run:
    """Return a run from lines of ``query document document …``, best first."""
    lists = [line.split() for line in text.splitlines()]
    return run_of((query, document, -float(rank)) for query, *found in lists for rank, document in enumerate(found))


def _number(text: str) -> float:
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def grades_of(qrels: Qrels) -> Grades:
    """Return qrels as the nested dict that pytrec_eval takes."""
    out: Grades = {query: {} for query in qrels.queries}
    for row, document in enumerate(qrels.doc_id.to_pylist()):
        out[qrels.query_of(row)][document] = qrels.relevance[row].item()
    return out


def scores_of(run: Run) -> Scored:
    """Return a run as the nested dict that pytrec_eval takes, its scores replaced by n - position."""
    out: Scored = {}
    for number, query in enumerate(run.queries):
        found = ids.strings_at(run.doc_id, run.ranking.rows_of(number))
        out[query] = {document: float(len(found) - position) for position, document in enumerate(found)}
    return out
