"""Runs and judgments as frames: whose names, which types, and back."""

import pandas as pd
import pyarrow as pa
import pytest

import denominator as dn
from denominator import Qrels, Run
from inputs import run_of

RUN = b"""q1 Q0 d2 2 1.5 bm25
007 Q0 d1 1 0.5 bm25
q1 Q0 d1 1 2.5 bm25
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "x.run").write_bytes(RUN)
    return dn.read_run(tmp_path / "x.run")


@pytest.fixture
def qrels(tmp_path):
    (tmp_path / "x.qrels").write_bytes(b"q1 0 d1 2\n007 0 7 -1\n")
    return dn.read_qrels(tmp_path / "x.qrels")


def types(frame):
    return {name: str(kind) for name, kind in frame.dtypes.items()}


def test_a_run_has_the_columns_and_types_that_are_documented(run):
    """Rank and tag are there where the file had them; ids are of type string in every version of pandas."""
    expected = {"query_id": "string", "doc_id": "string", "score": "float64", "rank": "int64", "tag": "string"}
    assert types(run.to_pandas()) == expected
    assert types(run_of([("q", "d", 1.0)]).to_pandas()) == dict(list(expected.items())[:3])
    assert run.to_pandas()["query_id"].tolist() == ["q1", "007", "q1"]
    odd = dn.read_run({"q": {"d": 1.0}})
    assert types(Run(odd.queries, odd.query, odd.doc_id, odd.source, score=odd.score, rank=("x",)).to_pandas())[
        "rank"
    ] == ("string")


def test_judgments_have_theirs(qrels):
    """Whole grades stay whole; real ones are floats."""
    kinds = {"query_id": "string", "doc_id": "string", "relevance": "int64", "iteration": "string"}
    assert types(qrels.to_pandas()) == kinds
    real = dn.read_qrels({"q": {"d": 0.5}}, float_grades=True).to_pandas()
    assert types(real)["relevance"] == "float64"


def test_pyterriers_names_bring_pyterriers_ranks(run, qrels):
    """From 0, in the order of the ranking, whatever the file's rank column said."""
    frame = run.to_pandas("pyterrier")
    assert list(frame) == ["qid", "docno", "score", "rank", "tag"]
    assert frame["rank"].tolist() == [1, 0, 0]
    assert list(qrels.to_pandas("pyterrier")) == ["qid", "docno", "label", "iteration"]


def test_the_names_of_ir_measures_and_ir_datasets_are_the_same(run):
    """Both say query_id, doc_id, score; nobody else's names are known."""
    assert run.to_arrow("ir_measures").equals(run.to_arrow())
    with pytest.raises(dn.UsageError, match="names='trec': expected ir_datasets, ir_measures, pyterrier"):
        run.to_pandas("trec")


def test_ir_measures_takes_our_frames(run, qrels):
    """And gives the value that we give."""
    # in the extra [peers]
    ir_measures = pytest.importorskip("ir_measures")
    theirs = ir_measures.calc_aggregate([ir_measures.RR], qrels.to_pandas(), run.to_pandas())
    assert theirs[ir_measures.RR] == dn.evaluate(qrels, run, "RR").means()[0].value


@pytest.mark.parametrize("names", ["ir_datasets", "pyterrier"])
@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_rows_come_back_from_every_library(run, qrels, library, names):
    """Ids, order of rows, values, tags; the rank column too, where its names are ours."""
    for rows, kind, value in ((run, Run, "score"), (qrels, Qrels, "relevance")):
        frame = getattr(rows, f"to_{library}")(names)
        again = getattr(kind, f"from_{library}")(frame)
        assert again.queries == rows.queries
        assert again.query.tolist() == rows.query.tolist()
        assert again.doc_id.to_pylist() == rows.doc_id.to_pylist()
        assert getattr(again, value).tolist() == getattr(rows, value).tolist()
        if names == "ir_datasets":
            assert again.to_arrow().equals(rows.to_arrow())
        assert "integer-ids" not in {note.kind for note in again.source.notes}


def test_a_frame_of_another_library_is_refused_by_name(run):
    """Who asks for pandas and brings Arrow has made a mistake; the message says what reads it."""
    with pytest.raises(dn.InputError, match=r"pyarrow Table: expected a frame of pandas; denominator.read_run reads"):
        Run.from_pandas(run.to_arrow())
    with pytest.raises(dn.InputError, match=r"dict: expected a frame of polars; denominator.read_qrels reads"):
        Qrels.from_polars({"q": {"d": 1}})


def test_the_options_of_the_readers_hold(run):
    """What read_run and read_qrels forgive or allow."""
    frame = pd.concat([run.to_pandas(), run.to_pandas()])
    with pytest.raises(dn.FormatError):
        Run.from_pandas(frame)
    assert len(Run.from_pandas(frame, lenient="duplicates=first")) == 3
    grades = pa.table({"query_id": ["q"], "doc_id": ["d"], "relevance": [0.5]})
    assert Qrels.from_arrow(grades, float_grades=True).relevance.tolist() == [0.5]


def test_a_series_with_an_index_is_a_frame(run):
    """What groupby makes of a run: the best chunk of each document."""
    best = run.to_pandas().groupby(["query_id", "doc_id"], sort=False)["score"].max()
    assert Run.from_pandas(best).to_pandas()["score"].tolist() == [1.5, 0.5, 2.5]
    assert len(dn.read_run(best.rename(None))) == 3
    with pytest.raises(dn.InputError, match="pandas Series: no query_id"):
        dn.read_run(pd.Series([1.0]))
