"""Ids go through frames and files of every kind unchanged, whatever their type was; 007 stays 007."""

import io
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from denominator import Qrels, Run
from denominator.framefiles import read_frame, write_frame

LETTERS = st.sampled_from(list("aA07#,:;/<>%\"'\\{}[]-_.@é\u0301ß中\U0001f33d\u2028\u00a0\u0085\ufeff \t\n\r"))
IDS = st.one_of(
    st.sampled_from(
        ["007", "7", "07", "7.0", "NA", "nan", "None", "null", "1e5", "inf", "True", "-0", "0x7", " 7", "#1"]
    ),
    st.text(LETTERS, min_size=1, max_size=8),
)
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 5e-324, 0.1 + 0.2, 1.7976931348623157e308, math.inf, -math.inf, 1.0]),
    st.floats(allow_nan=False),
)
GRADES = st.integers(-2, 3)

TEXT_TYPES = {
    "object": lambda texts: pd.Series(texts, dtype=object),
    "string": lambda texts: pd.Series(texts, dtype="string"),
    "string[pyarrow]": lambda texts: pd.Series(texts, dtype="string[pyarrow]"),
    "category": lambda texts: pd.Series(pd.Categorical(texts)),
    "inferred": lambda texts: pd.Series(texts),
    "arrow": lambda texts: pd.Series(pd.array(texts, dtype=pd.ArrowDtype(pa.large_string()))),
}
INTEGER_TYPES = {
    "int64": lambda numbers: pd.Series(numbers, dtype="int64"),
    "Int64": lambda numbers: pd.Series(numbers, dtype="Int64"),
    "uint64": lambda numbers: pd.Series(numbers, dtype="uint64"),
    "object": lambda numbers: pd.Series(numbers, dtype=object),
    "category": lambda numbers: pd.Series(pd.Categorical(numbers)),
    "arrow": lambda numbers: pd.Series(pd.array(numbers, dtype=pd.ArrowDtype(pa.int64()))),
}
FLOAT_TYPES = {
    "float64": lambda numbers: pd.Series(numbers, dtype="float64"),
    "Float64": lambda numbers: pd.Series(numbers, dtype="Float64"),
    "category": lambda numbers: pd.Series(pd.Categorical([float(number) for number in numbers])),
    "object": lambda numbers: pd.Series([float(number) for number in numbers], dtype=object),
}


def rows_of(values):
    """Rows of distinct (query, document) pairs with a value each."""
    return st.dictionaries(st.tuples(IDS, IDS), values, min_size=1, max_size=8).map(
        lambda rows: [(query, doc, value) for (query, doc), value in rows.items()]
    )


def listed(rows):
    values = rows.score if isinstance(rows, Run) else rows.relevance
    return list(
        zip([rows.query_of(row) for row in range(len(rows))], rows.doc_id.to_pylist(), values.tolist(), strict=True)
    )


def through(frame, ending):
    """Write and read a frame, in memory for once: laws ask hundreds of times."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"x{ending}"
        write_frame(frame, path)
        return read_frame(path)


@pytest.mark.parametrize("names", ["ir_datasets", "pyterrier"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@settings(max_examples=12)
@given(data=st.data())
def test_runs_and_judgments_survive_files_of_frames(names, ending, data):
    """Query, document and the exact value of every row, in order: through pandas and the disk and back."""
    for kind, read, values in ((Run, dn.read_run, SCORES), (Qrels, dn.read_qrels, GRADES)):
        rows = data.draw(rows_of(values))
        again = kind.from_pandas(through(read(rows).to_pandas(names), ending))
        assert listed(again) == rows
        assert [math.copysign(1, value) for *_, value in listed(again)] == [math.copysign(1, row[2]) for row in rows]


@pytest.mark.parametrize("of_doc", TEXT_TYPES)
@pytest.mark.parametrize("of_query", TEXT_TYPES)
@settings(max_examples=5)
@given(rows=rows_of(SCORES), index=st.sampled_from([[], ["query_id"], ["doc_id"], ["query_id", "doc_id"]]))
def test_every_type_of_text_holds_the_same_ids(of_query, of_doc, rows, index):
    """Columns or levels of an index, categories or not: the run is the same."""
    queries, docs, scores = map(list, zip(*rows, strict=True))
    frame = pd.DataFrame(
        {"query_id": TEXT_TYPES[of_query](queries), "doc_id": TEXT_TYPES[of_doc](docs), "score": scores}
    )
    run = Run.from_pandas(frame.set_index(index) if index else frame)
    assert listed(run) == rows
    assert "integer-ids" not in {note.kind for note in run.source.notes}


@pytest.mark.parametrize("of_ids", INTEGER_TYPES)
@settings(max_examples=10)
@given(numbers=st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=6, unique=True), in_index=st.booleans())
def test_whole_numbers_become_their_decimal_text_and_a_note_says_so(of_ids, numbers, in_index):
    """Exactly, beyond 2**53 too; as columns and as levels of an index."""
    ids = INTEGER_TYPES[of_ids](numbers)
    frame = pd.DataFrame({"qid": ids, "docno": ids, "score": 1.0})
    run = Run.from_pandas(frame.set_index("qid") if in_index else frame)
    assert listed(run) == [(str(number), str(number), 1.0) for number in numbers]
    assert [note.kind for note in run.source.notes].count("integer-ids") == 2


@pytest.mark.parametrize("of_ids", FLOAT_TYPES)
@pytest.mark.parametrize("role", ["qid", "docno"])
@settings(max_examples=10)
@given(numbers=st.lists(st.integers(0, 99), min_size=1, max_size=4, unique=True))
def test_floats_are_no_ids(of_ids, role, numbers):
    """7.0 may have been 7 or 007: refused, whatever holds it."""
    frame = pd.DataFrame({"qid": "q", "docno": [f"d{n}" for n in numbers], "score": 1.0}).assign(
        **{role: FLOAT_TYPES[of_ids](numbers)}
    )
    with pytest.raises(dn.InputError, match=r"float|the number"):
        Run.from_pandas(frame)


@settings(max_examples=12)
@given(rows=rows_of(SCORES))
def test_pandas_polars_and_arrow_hold_the_same_rows(rows):
    """From one to the other and back."""
    run = dn.read_run(rows)
    table = run.to_arrow()
    assert Run.from_polars(run.to_polars()).to_arrow().equals(table)
    assert Run.from_arrow(table).to_arrow().equals(table)
    assert Run.from_pandas(Run.from_polars(run.to_polars()).to_pandas()).to_arrow().equals(table)
    as_batch = pa.RecordBatch.from_pylist(table.to_pylist())
    assert listed(dn.read_run(as_batch)) == listed(dn.read_run(pl.from_arrow(table))) == rows


@pytest.mark.parametrize("form", ["long", "wide", "means"])
@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@settings(max_examples=10)
@given(judged=rows_of(GRADES), names=st.lists(IDS, min_size=1, max_size=2, unique=True))
def test_scores_survive_files_of_frames(form, ending, judged, names):
    """Whatever the ids, the runs' names, the groups and the values: every cell and every type comes back."""
    run = dn.read_run([(query, doc, 1.0) for query, doc, _ in judged[: (len(judged) + 1) // 2]])
    scores = dn.evaluate(
        judged, dict.fromkeys(names, run), "P@2 RR Unjudged@5 NumRet", by={query: query for query, *_ in judged}
    )
    for frame in (scores.to_pandas(form), scores.ledger().to_pandas("long" if form == "means" else form)):
        pd.testing.assert_frame_equal(through(frame, ending), frame, check_exact=True)


@settings(max_examples=10)
@given(rows=rows_of(SCORES))
def test_pandas_own_csv_loses_nothing_where_cells_end_in_no_carriage_return(rows):
    """`frame.to_csv` with pandas' own settings, read by `read_frame`."""
    rows = [row for row in rows if "\r" not in row[0] + row[1]] or [("007", "7", 1.0)]
    text = dn.read_run(rows).to_pandas().to_csv(index=False)
    assert listed(Run.from_pandas(read_frame(io.BytesIO(text.encode())))) == rows


def test_numpy_arrays_of_ids_are_read_too():
    """Texts of numpy's own type."""
    frame = pd.DataFrame({"qid": np.array(["007", "7"]), "docno": np.array(["a", "b"]), "score": np.array([1, 2])})
    assert Run.from_pandas(frame).queries == ("007", "7")
