"""The order rule: score descending as 64-bit floats, ties by id descending in byte order."""

import math

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from denominator import ids
from denominator.hits import match
from denominator.model import Qrels, Run, Source

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "10", "9"]),
        st.text(st.sampled_from("aé0-𝒳"), min_size=1, max_size=12),
        st.sampled_from([0.0, -0.0, 1.0, 0.99999998, 0.99999999, -3.0, math.inf, -math.inf]),
    ),
    max_size=40,
    unique_by=lambda row: row[:2],
)


def run_of(rows: list[tuple[str, str, float]]) -> Run:
    """Return a run with these rows, as they stand."""
    queries = tuple(dict.fromkeys(row[0] for row in rows))
    return Run(
        queries,
        np.array([queries.index(row[0]) for row in rows], dtype=np.int32),
        pa.array([row[1] for row in rows], type=pa.large_string()),
        Source("test", "dict", "test"),
        score=np.array([row[2] for row in rows], dtype=np.float64),
    )


def qrels_of(rows: list[tuple[str, str, int]]) -> Qrels:
    """Return qrels with these rows, as they stand."""
    queries = tuple(dict.fromkeys(row[0] for row in rows))
    return Qrels(
        queries,
        np.array([queries.index(row[0]) for row in rows], dtype=np.int32),
        pa.array([row[1] for row in rows], type=pa.large_string()),
        Source("test", "dict", "test"),
        relevance=np.array([row[2] for row in rows], dtype=np.int64),
    )


def ranked(run: Run) -> dict[str, list[str]]:
    """Return each query's documents, best first, as the model ranks them."""
    return {query: ids.strings_at(run.doc_id, run.ranking.rows_of(number)) for number, query in enumerate(run.queries)}


def expected(rows: list[tuple[str, str, float]]) -> dict[str, list[str]]:
    """Return the same by sorting in plain Python."""
    out: dict[str, list[tuple[float, bytes, str]]] = {}
    for query, doc, score in rows:
        out.setdefault(query, []).append((score, doc.encode(), doc))
    return {query: [doc for _, _, doc in sorted(docs, reverse=True)] for query, docs in out.items()}


@given(ROWS)
def test_the_order_is_score_then_id_both_descending(rows: list[tuple[str, str, float]]) -> None:
    """The vectorised order equals a plain sort, for rows in any order."""
    assert ranked(run_of(rows)) == expected(rows)


@given(ROWS)
def test_a_run_already_in_order_is_not_touched(rows: list[tuple[str, str, float]]) -> None:
    """Rows in ranked order need no permutation, and ranking them again changes nothing."""
    once = [
        (query, doc, {(q, d): s for q, d, s in rows}[query, doc])
        for query, docs in expected(rows).items()
        for doc in docs
    ]
    run = run_of(once)
    assert run.ranking.rows is None
    assert run.ranking.resorted == 0
    assert ranked(run) == expected(rows)


def test_blocks_do_not_show_in_the_order(monkeypatch) -> None:
    """The order is the same whatever the number of rows compared per step."""
    rows = [("q1", f"d{number % 13}{number}", 0.5) for number in range(100)]
    monkeypatch.setattr(ids, "BLOCK", 3)
    assert ranked(run_of(rows)) == expected(rows)


def test_scores_that_tie_only_in_32_bits_do_not_tie() -> None:
    """0.99999999 beats 0.99999998, although both are 1.0 as 32-bit floats."""
    assert ranked(run_of([("q", "b", 0.99999998), ("q", "a", 0.99999999)])) == {"q": ["a", "b"]}


def test_nan_ranks_last() -> None:
    """Where a leniency lets NaN in, it ranks below minus infinity."""
    rows = [("q", "a", math.nan), ("q", "b", -math.inf), ("q", "c", 1.0)]
    assert ranked(run_of(rows)) == {"q": ["c", "b", "a"]}


@given(
    ROWS,
    st.lists(
        st.tuples(
            st.sampled_from(["q1", "9", "none"]),
            st.text(st.sampled_from("aé0"), min_size=1, max_size=3),
            st.sampled_from([-1, 0, 1, 3]),
        ),
        max_size=30,
        unique_by=lambda row: row[:2],
    ),
)
def test_match_finds_exactly_the_judged_documents(rows, judged) -> None:
    """Every hit is a judged document at its position in the ranking, and none is missing."""
    hits = match(qrels_of(judged), run_of(rows))
    grades = {(query, doc): grade for query, doc, grade in judged}
    want = [
        (query, position, grades[query, doc])
        for query in hits.queries
        for position, doc in enumerate(expected(rows).get(query, []))
        if (query, doc) in grades
    ]
    got = [
        (hits.queries[query], position, grade)
        for query, position, grade in zip(hits.query.tolist(), hits.position.tolist(), hits.grade.tolist(), strict=True)
    ]
    assert got == want
    assert hits.retrieved.tolist() == [len(expected(rows).get(query, [])) for query in hits.queries]
    assert hits.answered.tolist() == [query in expected(rows) for query in hits.queries]


def test_two_pairs_with_one_hash_are_told_apart(monkeypatch) -> None:
    """A collision of hashes costs time, never a wrong match or a false duplicate."""
    monkeypatch.setattr(ids, "hash_pairs", lambda hashes, query, column: np.zeros(len(column), dtype=np.uint64))
    rows = [("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "a", 1.0), ("q1", "a", 0.5)]
    run, qrels = run_of(rows), qrels_of([("q1", "b", 1), ("q2", "a", 2), ("q3", "a", 3)])
    assert run.repeated_rows.tolist() == [0, 3]
    hits = match(qrels, run)
    assert list(zip(hits.query.tolist(), hits.grade.tolist(), strict=True)) == [(0, 1), (1, 2)]
