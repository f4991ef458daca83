"""The accessor of pandas frames, and the files that give frames back."""

import io
import subprocess
import sys

import pandas as pd
import pytest

import denominator as dn
from denominator.model import Run
from denominator.pandas import read_frame, write_frame

QRELS = pd.DataFrame({"qid": ["007", "007", "7"], "docno": ["d1", "d2", "d1"], "label": [2, 1, 1]})
RUN = pd.DataFrame({"qid": ["007", "7"], "docno": ["d1", "d2"], "score": [1.0, 2.0]})
EVERY = [("long", ".csv"), ("wide", ".csv"), ("means", ".csv"), ("long", ".parquet"), ("wide", ".parquet")]


@pytest.fixture
def scores():
    two = {"bm25": RUN, "NA": RUN.assign(docno="d1")}
    measures = "P@2 AP Unjudged@2 nDCG(dcg='exp-log2')@10 NumRet"
    return dn.evaluate(QRELS, two, measures, by={"007": "en", "7": "sw"})


def same(first, second):
    pd.testing.assert_frame_equal(first, second, check_exact=True)
    return True


def test_a_frame_evaluates_itself():
    """The values are those of evaluate, and so are the options."""
    scores = RUN.denominator.evaluate(QRELS, ["RR", "R@5"], queries="answered")
    assert [mean.value for mean in scores.means()] == [0.5, 0.25]
    assert scores.query_set.name == "answered"
    assert RUN.denominator.audit(QRELS, k=1, select="D101").of("D101")
    assert RUN.denominator.to_run().queries == ("007", "7")
    assert QRELS.denominator.to_qrels().relevance.tolist() == [2, 1, 1]
    assert RUN.denominator.to_run(lenient="duplicates=first").source.format == "frame"


def test_without_measures_a_frame_has_those_of_the_command_line():
    """What `denominator score` prints when nothing is said."""
    from denominator.cli.score import _measures

    scores = RUN.denominator.evaluate(QRELS)
    assert scores.measures == dn.parse_measures(_measures((), ()))
    assert [str(measure) for measure in scores.measures] == ["P@10", "R@10", "RR@10", "nDCG@10"]


def test_a_column_tells_runs_apart():
    """Each is scored under its name, in order of first appearance; category types too."""
    both = pd.concat([RUN.assign(system="second"), RUN.assign(system="first", docno="d1")])
    for frame in (both, both.astype({"system": "category"})):
        scores = frame.denominator.evaluate(QRELS, "RR", runs="system")
        assert {run.name: scores.means()[at].value for at, run in enumerate(scores.runs)} == {
            "second": 0.5,
            "first": 1.0,
        }
    assert len(both.denominator.audit(QRELS, runs="system").sources) == 3
    with pytest.raises(dn.UsageError, match="runs='name': no such column; there are qid, docno, score, system"):
        both.denominator.evaluate(QRELS, "RR", runs="name")
    with pytest.raises(dn.InputError, match="2 rows have no name of a run in column 'system'"):
        both.assign(system=["a", "a", None, None]).denominator.evaluate(QRELS, "RR", runs="system")


def test_nothing_that_is_given_is_changed():
    """Neither frame; nor does the accessor keep a copy that goes stale."""
    run, qrels = RUN.copy(), QRELS.copy()
    run.denominator.evaluate(qrels, "AP")
    assert same(run, RUN)
    assert same(qrels, QRELS)
    run.loc[1, "docno"] = "d1"
    assert run.denominator.evaluate(qrels, "RR").means()[0].value == 1.0


def test_the_accessor_is_there_once_the_module_is_imported():
    """And not before: importing the package touches nothing of pandas."""
    code = (
        "import pandas as pd, denominator as dn; dn.read_run({'q': {'d': 1.0}}).to_pandas();"
        "print(hasattr(pd.DataFrame, 'denominator')); import denominator.pandas;"
        "print(hasattr(pd.DataFrame, 'denominator'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(("form", "ending"), EVERY)
def test_scores_come_back_from_a_file(scores, tmp_path, form, ending):
    """Every value bit for bit, every type, the index, a run called NA and the zeros of 007."""
    frame = scores.to_pandas(form)
    write_frame(frame, tmp_path / f"scores{ending}")
    again = read_frame(tmp_path / f"scores{ending}")
    assert same(again, frame)
    assert again.attrs == (frame.attrs if ending == ".parquet" else {})


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("form", ["long", "means"])
@pytest.mark.parametrize(
    "asked",
    [{"ties": True}, {"unjudged": "bounds"}, {"floor": True}, {"ties": True, "unjudged": "bounds", "floor": True}],
)
def test_bounds_come_back_as_numbers(tmp_path, asked, form, ending):
    """Whichever were asked for, and missing where a measure has none."""
    frame = dn.evaluate(QRELS, RUN, "R@1 nDCG@10 Bpref", **asked).to_pandas(form)
    write_frame(frame, tmp_path / f"scores{ending}")
    assert same(read_frame(tmp_path / f"scores{ending}"), frame)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet"])
def test_ledgers_and_findings_come_back_too(scores, tmp_path, ending):
    """In long and in wide form."""
    found = RUN.denominator.audit(QRELS, k=1)
    for number, frame in enumerate(
        one.to_pandas(form) for one in (scores.ledger(), found) for form in ("long", "wide")
    ):
        path = tmp_path / f"{number}{ending}"
        write_frame(frame, path)
        assert same(read_frame(path), frame)


def test_what_pandas_writes_itself_comes_back(scores, tmp_path):
    """Parquet by pandas alone keeps the documented types; to_csv's counting index is left away."""
    frame = scores.to_pandas()
    frame.to_parquet(tmp_path / "x.parquet")
    assert same(pd.read_parquet(tmp_path / "x.parquet"), frame)
    frame.to_csv(tmp_path / "x.csv")
    assert same(read_frame(tmp_path / "x.csv"), frame)
    wide = scores.to_pandas("wide")
    wide.to_csv(tmp_path / "wide.csv")
    assert same(read_frame(tmp_path / "wide.csv"), wide)
    wide.to_parquet(tmp_path / "wide.parquet")
    assert same(read_frame(tmp_path / "wide.parquet"), wide)


def test_somebody_elses_csv_keeps_its_ids():
    """Where pandas.read_csv makes 7 of 007, nothing of NA and a number of 1e5."""
    text = b"qid,docno,score,rank,note\n007,NA,2.5,1,\n1e5,0012,1,2,x\n"
    frame = read_frame(io.BytesIO(text))
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        "qid": "string",
        "docno": "string",
        "score": "float64",
        "rank": "int64",
        "note": "string",
    }
    run = Run.from_pandas(frame)
    assert (run.queries, run.doc_id.to_pylist(), run.score.tolist()) == (("007", "1e5"), ["NA", "0012"], [2.5, 1.0])
    assert not run.source.notes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"run,query_id,AP\nr,q,high\n", '<file>: column "AP", row 1: "high" is not a number'),
        (b"run,query_id,AP\nr,q,1_0\n", '"1_0" is not a number'),
        (b"run,query_id,P@5 best\nr,q,0.5\n", '"0.5" is not a whole number'),
        (b"a,b\n1,2,3\n", "neither a Parquet nor a CSV file"),
        (b"PAR1 and then nothing", "neither a Parquet nor a CSV file"),
        (b"qid,docno\n\xff,d\n", "neither a Parquet nor a CSV file"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(text, message):
    """With the column and the row where there is one."""
    with pytest.raises(dn.InputError) as caught:
        read_frame(io.BytesIO(text))
    assert message.replace("<file>: ", "") in str(caught.value)


def test_a_run_that_is_no_score_stays_text_and_is_refused_by_the_reader():
    """A score column that holds a word."""
    frame = read_frame(io.BytesIO(b"qid,docno,score\nq,d,high\n"))
    with pytest.raises(dn.InputError, match="column score holds text where numbers are expected"):
        Run.from_pandas(frame)


@pytest.mark.parametrize("name", ["x.xlsx", "x", "x.parquet.gz"])
def test_other_endings_are_refused(name, tmp_path):
    """Nobody would know how to read it."""
    with pytest.raises(dn.UsageError, match=r"a frame is written as \.csv"):
        write_frame(RUN, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_frame_is_written_whole_or_not_at_all(tmp_path):
    """What cannot be written leaves what was there before."""
    (tmp_path / "x.parquet").write_bytes(b"before")
    with pytest.raises(Exception, match=r".+"):
        write_frame(pd.DataFrame({"x": [1, "mixed", object()]}), tmp_path / "x.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["x.parquet"]
    assert (tmp_path / "x.parquet").read_bytes() == b"before"
