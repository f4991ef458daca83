"""Chunks collapsed to documents: the best-scored one of each, counted and said."""

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import denominator as dn
from denominator import ids
from denominator.cli import main
from denominator.collapse import collapsed
from inputs import run_of

chunk_ids = st.text(alphabet="ab#é", min_size=1, max_size=6)
rows = st.lists(st.tuples(st.sampled_from("pq"), chunk_ids, st.sampled_from([0.5, 1.0, 2.0])), min_size=1)
marks = st.sampled_from(["#", "##", "a#", "é"])


def cut(text: str, mark: str) -> str:
    front, found, _ = text.rpartition(mark)
    return front if found and front else text


@given(rows, marks)
def test_collapsing_keeps_the_best_score_of_each_document(rows, mark):
    """A document has the highest score of its chunks, its id being what stands before the last separator."""
    best: dict[tuple[str, str], float] = {}
    for query, doc, score in rows:
        key = query, cut(doc, mark)
        best[key] = max(best.get(key, score), score)
    run = collapsed(run_of(rows), mark)
    assert {(run.query_of(row), run.doc_of(row)): run.score[row] for row in range(len(run))} == best
    assert len(run) == len(best)


@given(rows, marks)
def test_the_note_counts_the_chunks(rows, mark):
    """What was done is said with its counts."""
    run = collapsed(run_of(rows), mark)
    (note,) = run.source.notes
    assert note.count == sum(cut(doc, mark) != doc for _, doc, _ in rows)
    assert f"of {len(rows):,} rows hold a chunk" in note.message
    assert f"leaves {len(run):,} rows" in note.message


@given(st.lists(st.text(alphabet="a#é€", min_size=1, max_size=20), max_size=50), marks)
def test_ids_are_cut_as_rpartition_cuts_them(texts, mark):
    """The column's bytes are cut where Python would cut the texts."""
    column, held = ids.before_last(ids.column_of(texts), mark)
    assert column.to_pylist() == [cut(text, mark) for text in texts]
    assert held.tolist() == [cut(text, mark) != text for text in texts]


def test_ids_are_cut_in_every_block():
    """Columns longer than a block, and slices of columns, are cut in the same way."""
    texts = [f"d{number}#{number % 7}" for number in range(40_000)]
    column, held = ids.before_last(ids.column_of(["x", *texts]).slice(1), "#")
    assert column.to_pylist() == [text.split("#")[0] for text in texts]
    assert held.all()


@given(st.lists(st.text(alphabet="aé", min_size=1, max_size=3)))
def test_ids_beyond_ascii_are_told(texts):
    """The column's bytes say which ids are not ASCII."""
    assert ids.not_ascii(ids.column_of(texts)).tolist() == [not text.isascii() for text in texts]


def test_different_pairs_of_one_hash_stay_apart(monkeypatch):
    """Where two pairs share a hash, the texts decide."""
    monkeypatch.setattr(ids, "hash_pairs", lambda query_hash, query, column: query_hash[query] * 0)
    run = collapsed(run_of([("p", "a#1", 1.0), ("p", "b#1", 2.0), ("q", "a#1", 3.0), ("p", "a#2", 4.0)]), "#")
    assert sorted((run.query_of(row), run.doc_of(row), run.score[row]) for row in range(len(run))) == [
        ("p", "a", 4.0),
        ("p", "b", 2.0),
        ("q", "a", 3.0),
    ]


def test_evaluate_collapses_runs_and_not_judgments():
    """With collapse the best chunk stands for its document; without it no chunk is judged."""
    qrels = {"q": {"a": 1, "b#1": 1}}
    run = {"q": {"c#1": 3.0, "a#1": 2.0, "a#2": 1.0}}
    assert dn.evaluate(qrels, run, "RR").means()[0].value == 0.0
    scores = dn.evaluate(qrels, run, "RR R@5", collapse="#")
    assert [mean.value for mean in scores.means()] == [0.5, 0.5]
    assert "collapsed" in [note.kind for note in scores.runs[0].notes]


@pytest.mark.parametrize("mark", ["", " ", "a b", "\t"])
def test_a_separator_that_no_id_holds_is_refused(mark):
    """An empty separator, or one with a blank, is an error before anything is read."""
    with pytest.raises(dn.UsageError, match="collapse"):
        dn.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "RR", collapse=mark)


@pytest.mark.parametrize("mark", ["#", "long#mark", "x" * 50, "9223372036854775807"])
def test_a_separator_that_is_longer_than_all_ids_cuts_nothing(mark):
    """Together, or each of them."""
    run = {"q": {"a": 2.0, "b": 1.0}}
    (mean,) = dn.evaluate({"q": {"b": 1}}, run, "RR", collapse=mark).means()
    assert mean.value == 0.5
    assert not dn.audit({"q": {"b": 1}}, run, collapse=mark, select="R101")


def test_score_collapses_and_says_so(tmp_path):
    """The command has the option, prints the number, and notes what it did."""
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 b#1 1 3 t\nq Q0 a#4 2 2 t\nq Q0 a#1 3 1 t\n")
    files = [str(tmp_path / "qrels"), str(tmp_path / "run")]
    done = CliRunner().invoke(main, ["score", *files, "-m", "RR", "--collapse", "#"])
    assert done.exit_code == 0
    assert "0.500" in done.output
    assert '3 of 3 rows hold a chunk (cut at the last "#")' in " ".join(done.output.split())
