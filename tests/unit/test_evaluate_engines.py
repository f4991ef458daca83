"""Who computes a row, and what happens when two who must agree do not."""

import numpy as np
import pytest

import denominator as dn
from denominator import engine_choice
from denominator.engines import columnar, pytrec
from inputs import judged, qrels_of, ranked, run_of

QRELS = judged("q1 a 1\nq1 b 0\nq2 c 1\nq3 d -1\nq4 e 1")
RUN = ranked("q1 x a b\nq2 c\nq3 d x")


def engines(scores, measure: str) -> list[str]:
    """Return who computed each row of a measure, without versions."""
    return [row.engine.split()[0] for row in scores.rows() if str(row.measure) == measure]


def large(queries: int = 300, depth: int = 5):
    """Return judgments and a run of that many queries, ties included."""
    rng = np.random.default_rng(3)
    rows = [(f"q{query}", f"d{at}") for query in range(queries) for at in range(depth)]
    qrels = qrels_of([(query, document, int(rng.integers(0, 4))) for query, document in rows])
    return qrels, run_of([(query, document, float(rng.integers(0, 3))) for query, document in rows])


def test_small_work_is_pytrec_evals():
    """auto has pytrec_eval compute, and columnar what pytrec_eval lacks or must not be given; each row says who."""
    scores = dn.evaluate(QRELS, RUN, "AP Judged@2")
    assert engines(scores, "AP") == ["pytrec_eval", "pytrec_eval", "columnar", "unanswered"]
    assert engines(scores, "Judged@2") == ["columnar", "columnar", "columnar", "unanswered"]
    assert set(scores.engines) == {"pytrec_eval", "columnar"}
    assert scores.engines_of(scores.runs[0], scores.measures[0]).startswith("pytrec_eval 0.")


def test_versions_are_those_installed(monkeypatch):
    """The quick look at folder names says what the metadata say, which are asked where it finds nothing."""
    from importlib.metadata import version

    installed = {"pytrec_eval": version("pytrec-eval-terrier"), "columnar": version("denominator")}
    assert dn.evaluate(QRELS, RUN, "AP Judged@2").engines == installed
    monkeypatch.setattr("denominator.engine_choice.os.path.isdir", lambda folder: False)
    assert dn.evaluate(QRELS, RUN, "AP Judged@2").engines == installed


def test_a_query_kept_from_pytrec_eval_is_named_with_the_reason():
    """Only negative judgments: pytrec_eval may never return, so columnar scores it and a note says so."""
    (note,) = [note for note in dn.evaluate(QRELS, RUN, "nDCG").runs[0].notes if note.kind == "withheld"]
    assert note.message == (
        "1 query was scored by columnar instead of pytrec_eval (q3): "
        "all its judgments are negative, on which pytrec_eval may never return."
    )
    assert not [note for note in dn.evaluate(QRELS, RUN, "Judged@2").runs[0].notes if note.kind == "withheld"]


@pytest.mark.parametrize("engine", ["pytrec_eval", "columnar", "reference"])
def test_an_engine_asked_for_computes_every_row_it_can(engine):
    """The choice of the caller holds, and all three give the same value."""
    scores = dn.evaluate(judged("q1 a 1\nq1 b 0\nq2 c 1"), RUN, "AP", engine=engine)
    assert engines(scores, "AP") == [engine, engine]
    assert [row.value for row in scores.rows()] == [0.5, 1.0]


@pytest.mark.parametrize(("engine", "measure"), [("reference", "IPrec@0.1"), ("pytrec_eval", "Judged@5")])
def test_an_engine_asked_for_what_it_lacks_is_an_error(engine, measure):
    """A named engine is not silently replaced for a whole measure."""
    with pytest.raises(dn.EngineError, match=f"the engine {engine} does not compute {measure}"):
        dn.evaluate(QRELS, RUN, ["AP", measure], engine=engine)


def test_large_work_is_columnars_and_a_part_is_scored_again(monkeypatch):
    """Above the limit columnar computes every row, and pytrec_eval scores 200 queries again and counts."""
    qrels, run = large()
    monkeypatch.setattr(engine_choice, "TRUSTED_ROWS", 1_499)
    scores = dn.evaluate(qrels, run, "AP nDCG@3 Judged@3")
    assert set(engines(scores, "AP")) == {"columnar"}
    (note,) = [note for note in scores.runs[0].notes if note.kind == "rechecked"]
    assert note.message == "pytrec_eval scored 200 of the 300 answered queries of test again: 400 values, all equal."
    monkeypatch.setattr(engine_choice, "TRUSTED_ROWS", 1_500)
    assert set(engines(dn.evaluate(qrels, run, "AP"), "AP")) == {"pytrec_eval"}


def test_the_limit_and_the_sample_are_for_the_call_not_for_each_run(monkeypatch):
    """Three runs of 1,500 rows are 4,500 rows, and each run has a third of the sample scored again."""
    qrels, run = large()
    monkeypatch.setattr(engine_choice, "TRUSTED_ROWS", 4_499)
    notes = [note for scored in dn.evaluate(qrels, [run] * 3, "AP").runs for note in scored.notes]
    assert [note.count for note in notes if note.kind == "rechecked"] == [67, 67, 67]


def test_large_and_small_work_give_the_same_numbers(monkeypatch):
    """Which engine computes never shows in a value."""
    qrels, run = large()
    small = [row.value for row in dn.evaluate(qrels, run, "AP nDCG P@3 Bpref infAP").rows()]
    monkeypatch.setattr(engine_choice, "TRUSTED_ROWS", 0)
    assert [row.value for row in dn.evaluate(qrels, run, "AP nDCG P@3 Bpref infAP").rows()] == small


def test_the_sample_is_the_same_every_time():
    """The seed is fixed, so a disagreement can be found again."""
    assert engine_choice._sample(list(range(1000)), 200) == engine_choice._sample(list(range(1000)), 200)
    assert engine_choice._sample([3, 1, 2], 200) == [3, 1, 2]


def off_by(ulps: int):
    """Return pytrec_eval's engine function, its values moved by some units in the last place."""

    def score(*arguments):
        return {
            measure: value + ulps * np.spacing(value) for measure, value in pytrec.__dict__["_true"](*arguments).items()
        }

    return score


@pytest.mark.parametrize(
    ("machine", "ulps", "agree"), [("x86_64", 1, False), ("AMD64", 1, False), ("arm64", 4, True), ("arm64", 5, False)]
)
def test_two_engines_that_part_are_an_error(monkeypatch, machine, ulps, agree):
    """On x86-64 every bit must be the same; elsewhere the last four may differ, and the note says that they do."""
    qrels, run = large()
    monkeypatch.setattr(engine_choice, "TRUSTED_ROWS", 0)
    monkeypatch.setattr("platform.machine", lambda: machine)
    monkeypatch.setitem(pytrec.__dict__, "_true", pytrec.score)
    monkeypatch.setattr(pytrec, "score", off_by(ulps))
    if agree:
        (note,) = [note for note in dn.evaluate(qrels, run, "AP").runs[0].notes if note.kind == "rechecked"]
        assert "differ in the last bits" in note.message
    else:
        with pytest.raises(dn.EngineDisagreement, match=r"test: AP of query .* by columnar and .* by pytrec_eval"):
            dn.evaluate(qrels, run, "AP")


def test_a_value_that_no_engine_has_is_an_error(monkeypatch):
    """An answered query without a number is never filled with 0."""
    monkeypatch.setitem(columnar.__dict__, "_true", columnar.score_hits)
    monkeypatch.setattr(
        columnar, "score_hits", lambda hits, asked, settings: {one: np.full(4, np.nan) for one in asked}
    )
    with pytest.raises(dn.EngineError, match='Judged@2: no engine has a value for the answered query "q1"'):
        dn.evaluate(QRELS, RUN, "Judged@2")
