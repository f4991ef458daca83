"""Parquet, Arrow and Feather: columns by any of their names, ids as text."""

import io

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from denominator.errors import FormatError, InputError
from denominator.formats import read_qrels, read_run


def parquet(columns) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def arrow(columns, *, stream: bool) -> bytes:
    buffer = io.BytesIO()
    table = pa.table(columns)
    with (pa.ipc.new_stream if stream else pa.ipc.new_file)(buffer, table.schema) as writer:
        writer.write_table(table)
    return buffer.getvalue()


RUN = {"qid": ["q1", "q1"], "docno": ["d1", "d2"], "score": [0.5, 0.25], "rank": [1, 2], "query": ["text", "text"]}


def test_parquet_is_read_by_the_usual_names(file, as_tuples):
    """PyTerrier's names, a rank column, and a column that is not needed."""
    run = read_run(file(parquet(RUN)))
    assert as_tuples(run) == [("q1", "d1", 0.5), ("q1", "d2", 0.25)]
    assert run.rank.tolist() == [1, 2]
    assert run.line_of(0) is None
    assert run.source.read_as.startswith("Parquet run, columns qid, docno, score, rank, 2 rows")


@pytest.mark.parametrize("stream", [True, False])
def test_arrow_files_and_streams_are_read(file, as_tuples, stream):
    """Both of Arrow's own layouts hold the same rows."""
    run = read_run(file(arrow(RUN, stream=stream)))
    assert as_tuples(run) == [("q1", "d1", 0.5), ("q1", "d2", 0.25)]
    assert run.source.format == "arrow"


def test_feather_is_read_and_its_first_kind_refused(file, tmp_path):
    """Feather is an Arrow file; the layout from before Arrow 1.0 is named."""
    pyarrow.feather.write_feather(pa.table(RUN), tmp_path / "run.feather", compression="uncompressed")
    assert len(read_run(tmp_path / "run.feather")) == 2
    with pytest.raises(InputError, match="Feather of the first kind"):
        read_run(file(b"FEA1" + bytes(50)))


def test_ranxs_layout_is_read(file, as_tuples):
    """q_id, doc_id, score, for qrels too."""
    qrels = read_qrels(file(parquet({"q_id": ["q1"], "doc_id": ["d1"], "score": [2]})))
    assert as_tuples(qrels) == [("q1", "d1", 2)]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
)
def test_every_text_type_is_an_id(file, as_tuples, kind):
    """Plain, large, view and dictionary-coded texts give the same ids, in pieces or whole."""
    ids = pa.chunked_array([pa.array(["b"]), pa.array(["a", "b"])]).cast(kind)
    run = read_run(file(arrow({"query_id": ids, "doc_id": ["x", "y", "z"], "score": [3, 2, 1]}, stream=True)))
    assert as_tuples(run) == [("b", "x", 3.0), ("a", "y", 2.0), ("b", "z", 1.0)]


def test_damaged_files_are_refused_with_a_sentence(file):
    """A file that is cut short begins as what it was and cannot be read."""
    for data, words in ((parquet(RUN)[:200], "Parquet"), (arrow(RUN, stream=False)[:200], "Arrow")):
        with pytest.raises(InputError, match=f"begins as .*{words}.* cannot be read"):
            read_run(file(data))


def test_rows_without_an_id_are_named(file):
    """A null, an empty id or one with a NUL has its row named."""
    columns = {"query_id": ["q", None, "q", "r"], "doc_id": ["a", "b", "", "c\0"], "score": [1.0, 2.0, 3.0, 4.0]}
    with pytest.raises(FormatError) as raised:
        read_run(file(parquet(columns)))
    assert [fault.message.split(":")[0] for fault in raised.value.faults] == ["row 2", "row 3", "row 4"]


def test_texts_that_are_not_utf8_are_refused(file):
    """Arrow does not look at the bytes of a text; here they are looked at."""
    bad = pa.StringArray.from_buffers(1, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff"))
    with pytest.raises(InputError, match="document ids that are not UTF-8"):
        read_run(file(arrow({"query_id": ["q"], "doc_id": bad, "score": [1]}, stream=False)))


def test_missing_columns_are_named_with_those_that_are_there(file):
    """The message says what was looked for and what was found."""
    with pytest.raises(
        InputError, match=r"no score \(or sim\) among qid, docno, label; query_id, doc_id and score are"
    ):
        read_run(file(parquet({"qid": ["q"], "docno": ["d"], "label": [1]})))


@pytest.mark.parametrize(("form", "title"), [("parquet", "Parquet"), ("arrow", "an Arrow file")])
def test_a_file_that_is_not_of_the_asked_for_format_is_not_called_damaged(file, form, title):
    """Nothing in a TREC run begins as Parquet does."""
    path = file(b"q1 Q0 d1 1 2.5 t\n")
    with pytest.raises(InputError, match=rf": was to be read as {title} and is none; name its own format, or none$"):
        read_run(path, format=form)


@pytest.mark.parametrize("score", [None, float("nan")])
def test_a_score_that_is_null_may_be_missing_or_nan(file, score):
    """Pandas writes NaN as null: one message for both, and nan=last ranks both."""
    path = file(parquet({"query_id": ["q1", "q1"], "doc_id": ["d1", "d2"], "score": [1.0, score]}))
    with pytest.raises(FormatError, match="score is missing or NaN \\(1 row; 1 query\\), which has no place"):
        read_run(path)
    assert len(read_run(path, lenient="nan=last")) == 2
