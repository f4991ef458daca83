"""Whatever a format can hold comes back from it unchanged: ids, order of rows, and every bit of a score."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.formats import read_qrels, read_run, write_qrels, write_run

FORMATS = ["trec", "json", "jsonl", "parquet"]
COMPRESSIONS = ["", ".gz", ".zst"]

LETTERS = st.sampled_from(list("aA07#,:/<>%\"'\\{}[]-_.@é\u0301ß中\U0001f33d\u2028\u00a0\u0085\ufeff"))
IDS = st.one_of(
    st.sampled_from(["1", "01", "001", "1.0", "NaN", "null", "query_id", "d#1", "nan", "1e5"]),
    st.text(LETTERS, min_size=1),
)
WORDS = st.one_of(IDS, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
"""Ids with blanks, control characters and everything else but NUL and half surrogate pairs."""

SCORES = st.one_of(
    st.sampled_from(
        [0.0, -0.0, 1e-300, 5e-324, 0.1 + 0.2, 1.7976931348623157e308, math.inf, -math.inf, 1.0, 2**53 + 1.0]
    ),
    st.floats(allow_nan=False),
)
GRADES = st.one_of(st.integers(-2, 3), st.sampled_from([2**62, -(2**62)]))


def pairs(ids, values):
    return st.dictionaries(st.tuples(ids, ids), values, min_size=1, max_size=12).map(
        lambda rows: [(query, doc, value) for (query, doc), value in rows.items()]
    )


def together(rows, values):
    """Rows with the queries in one piece each, as nested JSON holds them."""
    order = {query: place for place, query in reversed(list(enumerate(row[0] for row in rows)))}
    return sorted(rows, key=lambda row: order[row[0]])


def listed(rows, values):
    queries = [rows.queries[code] for code in rows.query.tolist()]
    return list(zip(queries, rows.doc_id.to_pylist(), values.tolist(), strict=True))


def fits_trec(rows):
    """Whether TREC's format can hold the ids."""
    no_blank = not any(set(text) & set(" \t\n\v\f\r") for row in rows for text in row[:2])
    return no_blank and not any(row[0].startswith(("#", "\ufeff")) for row in rows)


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_run_comes_back_from_every_format(form, compression, data):
    """Query, document and the exact 64-bit score of every row, in the order of the rows."""
    rows = data.draw(pairs(IDS if form == "trec" else WORDS, SCORES))
    if form == "trec":
        rows = [row for row in rows if fits_trec([row])] or [("q", "d", 1.0)]
    if form == "parquet":
        compression = ""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"out{compression}"
        write_run(read_run(rows), path, format=form)
        run = read_run(path, format=form)
    expected = together(rows, SCORES) if form == "json" else rows
    found = listed(run, run.score)
    assert found == expected
    assert [math.copysign(1, value) for *_, value in found] == [math.copysign(1, value) for *_, value in expected]


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_qrels_come_back_from_every_format(form, data):
    """Whole grades stay whole, negative and large ones too."""
    rows = data.draw(pairs(IDS if form == "trec" else WORDS, GRADES))
    if form == "trec":
        rows = [row for row in rows if fits_trec([row])] or [("q", "d", 1)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        write_qrels(read_qrels(rows), path, format=form)
        qrels = read_qrels(path, format=form)
    assert listed(qrels, qrels.relevance) == (together(rows, GRADES) if form == "json" else rows)
    assert qrels.relevance.dtype == "int64"


@pytest.mark.parametrize("form", ["json", "jsonl", "parquet"])
@settings(max_examples=60, deadline=None)
@given(rows=pairs(WORDS, SCORES))
def test_a_written_file_is_recognised_for_what_it_is(form, rows):
    """No id, however odd, makes a file look like another format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        write_run(read_run(rows), path, format=form)
        assert read_run(path).source.format == form


@settings(max_examples=60, deadline=None)
@given(rows=pairs(IDS, SCORES))
def test_ranks_that_are_written_are_those_of_the_ranking(rows):
    """The rank column agrees with the one order rule, so no reader sees ranks and scores disagree."""
    rows = [row for row in rows if fits_trec([row])] or [("q", "d", 1.0)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        write_run(read_run(rows), path, format="trec")
        run = read_run(path, format="trec")
    for query in range(len(run.queries)):
        assert run.rank[run.ranking.rows_of(query)].tolist() == list(range(1, len(run.ranking.rows_of(query)) + 1))
