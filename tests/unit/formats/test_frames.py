"""Frames of pandas, polars and pyarrow: columns by any of their names, ids exact or refused."""

import io
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from denominator.errors import FormatError, InputError, UsageError
from denominator.formats import examine_run, read_qrels, read_run

RUN = {"qid": ["q1", "q1", "q2"], "docno": ["b", "a", "c"], "score": [0.5, 0.25, 1.0]}
ROWS = [("q1", "b", 0.5), ("q1", "a", 0.25), ("q2", "c", 1.0)]
MAKERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "batch": pa.RecordBatch.from_pydict,
}


@pytest.fixture(params=MAKERS, ids=str)
def make(request):
    return MAKERS[request.param]


def test_every_frame_holds_the_same_rows(make, as_tuples):
    """The library does not matter."""
    run = read_run(make(RUN))
    assert as_tuples(run) == ROWS
    assert "columns qid, docno, score" in run.source.read_as
    qrels = read_qrels(make({"query_id": ["q"], "doc_id": ["d"], "relevance": [2], "iteration": ["0"]}))
    assert as_tuples(qrels) == [("q", "d", 2)]
    assert qrels.iteration.values == ("0",)
    assert qrels.relevance.dtype == np.int64


def test_whole_number_ids_become_exact_text_with_a_note(make, as_tuples):
    """Twenty digits stay twenty digits; that zeros may have been lost before is said."""
    run = read_run(make({"query_id": [7, 7], "doc_id": [9007199254740993, 12], "score": [1, 0]}))
    assert as_tuples(run) == [("7", "9007199254740993", 1.0), ("7", "12", 0.0)]
    assert [note.kind for note in run.source.notes] == ["integer-ids", "integer-ids"]
    assert "lost before" in run.source.notes[0].message


@pytest.mark.parametrize("column", ["query_id", "doc_id"])
def test_float_ids_are_refused(make, column):
    """7.0 may have been 7, 007 or 7.00: nobody knows any more."""
    columns = {"query_id": ["q"], "doc_id": ["d"], "score": [1.0]} | {column: [7.0]}
    with pytest.raises(InputError, match=f"column {column} holds floats"):
        read_run(make(columns))


def test_truth_values_and_texts_are_no_numbers(make):
    """Neither is an id nor a score, and the message names the column."""
    with pytest.raises(InputError, match="column doc_id holds bool"):
        read_run(make({"query_id": ["q"], "doc_id": [True], "score": [1.0]}))
    with pytest.raises(InputError, match="column score holds bool where numbers"):
        read_run(make({"query_id": ["q"], "doc_id": ["d"], "score": [True]}))
    with pytest.raises(InputError, match="column score holds text where numbers"):
        read_run(make({"query_id": ["q"], "doc_id": ["d"], "score": ["0.5"]}))


def test_missing_ids_are_faults_with_their_row(make):
    """None, NaN and null: no id."""
    with pytest.raises(FormatError, match="row 2: document id"):
        read_run(make({"query_id": ["q", "q"], "doc_id": ["d", None], "score": [1.0, 2.0]}))


def test_missing_values_are_faults(make):
    """A missing score is NaN, a missing grade is none; both are refused."""
    with pytest.raises(FormatError, match="NaN"):
        read_run(make({"query_id": ["q", "q"], "doc_id": ["d", "e"], "score": [1.0, None]}))
    with pytest.raises(FormatError, match="query q, document e: the grade is missing"):
        read_qrels(make({"query_id": ["q", "q"], "doc_id": ["d", "e"], "relevance": [1, None]}))


def test_grades_held_as_floats_are_whole_numbers_or_refused(make):
    """1.0 is 1; 0.5 is refused unless real grades are allowed, and then stays 0.5."""
    columns = {"query_id": ["q", "q"], "doc_id": ["d", "e"]}
    whole = read_qrels(make(columns | {"relevance": [1.0, 2.0]}))
    assert whole.relevance.dtype == np.int64
    with pytest.raises(FormatError, match="grade"):
        read_qrels(make(columns | {"relevance": [1.0, 0.5]}))
    assert read_qrels(make(columns | {"relevance": [1, 2]}), float_grades=True).relevance.dtype == np.float64
    with pytest.raises(FormatError, match="grade"):
        read_qrels(make(columns | {"relevance": [1.0, float("inf")]}), float_grades=True)


def test_ranks_stand_in_for_scores(make, as_tuples):
    """A frame with ranks only: minus the rank, and that is noted."""
    run = read_run(make({"query_id": ["q", "q"], "doc_id": ["d", "e"], "rank": [1, 2]}))
    assert as_tuples(run) == [("q", "d", -1.0), ("q", "e", -2.0)]
    assert [note.kind for note in run.source.notes] == ["scores-from-ranks"]


def test_tags_are_kept(make):
    """The tag column may be text or numbers."""
    assert read_run(make(RUN | {"run_id": ["a", "b", "a"]})).tag.values == ("a", "b")
    assert read_run(make(RUN | {"tag": [1, 1, 2]})).tag.values == ("1", "2")


def test_two_columns_for_one_role_are_refused(make):
    """qid and query_id: nobody knows which is meant."""
    with pytest.raises(InputError, match="query_id and qid may both hold the query_id"):
        read_run(make(RUN | {"query_id": ["1", "2", "3"]}))


def test_pyterriers_inner_docid_is_not_taken_for_the_id(make, as_tuples):
    """PyTerrier's results hold docno and, beside it, docid: a number inside its index."""
    assert as_tuples(read_run(make(RUN | {"docid": [5, 6, 7]}))) == ROWS


def test_category_and_nullable_types_are_accepted(as_tuples):
    """pandas' category, string and Int64, and polars' Categorical."""
    frame = pd.DataFrame(RUN).astype({"qid": "category", "docno": "string", "score": "Float64"})
    assert as_tuples(read_run(frame)) == ROWS
    assert as_tuples(read_run(pd.DataFrame(RUN).astype({"docno": "category"}))) == ROWS
    assert as_tuples(read_run(pl.DataFrame(RUN).cast({"qid": pl.Categorical, "score": pl.Float32}))) == ROWS
    ids = pd.DataFrame({"query_id": pd.array([1, 2], dtype="Int64"), "doc_id": ["a", "b"], "score": [1, 2]})
    assert as_tuples(read_run(ids)) == [("1", "a", 1.0), ("2", "b", 2.0)]


def test_levels_of_a_pandas_index_are_columns(as_tuples):
    """What groupby and set_index make of a run."""
    frame = pd.DataFrame(RUN)
    assert as_tuples(read_run(frame.set_index(["qid", "docno"]))) == ROWS
    assert as_tuples(read_run(frame.set_index("qid"))) == ROWS
    assert as_tuples(read_run(frame.iloc[::-1])) == ROWS[::-1]


def test_columns_of_mixed_objects_are_read_cell_by_cell(as_tuples):
    """A pandas column may hold a text beside a whole number, or beside a float that is no id."""
    frame = pd.DataFrame({"query_id": ["q", 7], "doc_id": ["a", "b"], "score": [1.0, 2.0]})
    assert as_tuples(read_run(frame)) == [("q", "a", 1.0), ("7", "b", 2.0)]
    with pytest.raises(FormatError, match="row 2: query id"):
        read_run(frame.assign(query_id=["q", 7.5]))
    with pytest.raises(FormatError, match='query q, document b: the score is the text "2"'):
        read_run(frame.assign(query_id="q", score=pd.Series([1.0, "2"], dtype=object)))


def test_a_lazy_frame_is_not_computed_here():
    """Who pays for a query should know; the message says how."""
    with pytest.raises(InputError, match="collect"):
        read_run(pl.DataFrame(RUN).lazy())


def test_a_column_that_occurs_twice_is_refused():
    """pandas allows two columns of one name."""
    frame = pd.DataFrame([["q", "d", 1.0, 2.0]], columns=["query_id", "doc_id", "score", "score"])
    with pytest.raises(InputError, match="score and score may both hold"):
        read_run(frame)


def test_a_format_cannot_be_forced_on_a_frame(make):
    """Formats are for files."""
    with pytest.raises(UsageError, match="format"):
        read_run(make(RUN), format="trec")


def test_no_frame_library_is_imported_by_us():
    """Reading a dict brings in neither pandas nor polars."""
    code = (
        "import sys; from denominator.formats import read_run; read_run({'q': {'d': 1.0}});"
        "print([name for name in ('pandas', 'polars', 'pyarrow.compute') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


JUDGED = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "relevance": [1, 0]})
FOUND = pd.DataFrame({"qid": ["q", "q"], "docno": ["a", "b"], "score": [9.5, 1.0]})


@pytest.mark.parametrize(
    ("read", "source"),
    [(read_qrels, FOUND), (read_qrels, {"q": {"a": 9.5}}), (read_qrels, [("q", "a", 9.5)]), (read_run, JUDGED)],
)
def test_swapped_frames_and_dicts_are_asked_about(read, source):
    """As swapped files are: a run in the place of qrels, or the other way round."""
    with pytest.raises(InputError, match=r"Are qrels and run swapped\?"):
        read(source)
    if read is read_run:  # without a column of grades nothing speaks for it
        with pytest.raises(InputError, match=r"score are expected$"):
            read_run(JUDGED[["qid", "docno"]])


@pytest.mark.parametrize(
    ("read", "rows", "advice"),
    [
        (read_run, [("q", "a", 1.0), ("q", "a", 2.0)], 'lenient="duplicates=best" keeps the copy'),
        (read_run, [("q", "a", float("nan"))], 'mend the run, or lenient="nan=last" ranks such rows last'),
        (read_qrels, [("q", "a", 1.5)], "or float_grades=True takes them"),
    ],
)
def test_what_is_no_file_is_mended_in_python(read, rows, advice):
    """No option of the command line is advised for a frame or a list; for a file both forms are."""
    value = "score" if read is read_run else "relevance"
    for source in (rows, pd.DataFrame(rows, columns=["qid", "docno", value])):
        with pytest.raises(FormatError) as caught:
            read(source)
        assert advice in str(caught.value)
        assert "--" not in str(caught.value)
    assert all("--" not in fault.words for fault in examine_run([("q", "a", 1.0), ("q", "a", 2.0)]).faults)
    with pytest.raises(FormatError, match=r"--lenient duplicates=best \(in Python lenient="):
        read_run(io.BytesIO(b"q Q0 a 1 2.0 t\nq Q0 a 2 1.0 t\n"))
