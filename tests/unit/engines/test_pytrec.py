"""The pytrec_eval engine: what it is given, what it is asked, and what comes back."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from denominator.engines import Settings, pytrec
from denominator.errors import EngineError, InputError
from denominator.measures import (
    AP,
    ERR,
    RR,
    Bpref,
    IPrec,
    Judged,
    Measure,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    P,
    R,
    RCap,
    Rprec,
    SetAP,
    SetF,
    SetP,
    SetR,
    Success,
    infAP,
    nDCG,
    parse_measure,
)
from inputs import judged, qrels_of, ranked, run_of

QRELS = judged("q1 a 1\nq1 b 2\nq2 a 1\nq3 c 1\nq3 d 0\nq4 d 1")
RUN = ranked("q1 x a y b z\nq2 x y a\nq3 d c x y z\nq4 d")


def values(qrels, run, measure, **settings) -> list[float]:
    """Return one measure's values, in the order of ``qrels.queries``."""
    return pytrec.score(qrels, run, [measure], Settings(**settings))[measure].tolist()


def value(qrels, run, measure, **settings) -> float:
    """Return one measure's value for the only query."""
    (only,) = values(qrels, run, measure, **settings)
    return only


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (AP, (1 / 2 + 2 / 4) / 3),
        (AP @ 2, 1 / 2 / 3),
        (RR, 1 / 2),
        (RR @ 1, 0),
        (RR(rel=2), 1 / 4),
        (RR(rel=2) @ 3, 0),
        (P @ 4, 2 / 4),
        (P(rel=2) @ 4, 1 / 4),
        (P(judged_only=True) @ 2, 1 / 2),
        (RR(judged_only=True) @ 2, 1 / 2),
        (RR(judged_only=True) @ 1, 0),
        (R @ 4, 2 / 3),
        (R(rel=3) @ 4, 0),
        (nDCG, (1 / math.log2(3) + 2 / math.log2(5)) / (3 + 2 / math.log2(3) + 1 / 2)),
        (nDCG @ 2, (1 / math.log2(3)) / (3 + 2 / math.log2(3))),
        (Success @ 1, 0),
        (Success @ 2, 1),
        (Rprec, 1 / 3),
        (Bpref, 0),
        (infAP, (1 / 2 + 1 / 2 * 1e-5 / (1 + 2e-5) + 1 / 4 + 3 / 4 * 2 / 3 * (1 + 1e-5) / (2 + 2e-5)) / 3),
        (IPrec @ 0.5, 0.5),
        (IPrec @ 0.9, 0),
        (SetP, 2 / 4),
        (SetP(relative=True), 2 / 3),
        (SetR, 2 / 3),
        (SetAP, 1 / 3),
        (SetF, 2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)),
        (SetF(beta=0.5), 1.5 * (1 / 2) * (2 / 3) / (0.5 * 1 / 2 + 2 / 3)),
        (NumQ, 1),
        (NumRet, 4),
        (NumRel, 3),
        (NumRel(rel=2), 2),
        (NumRelRet, 2),
        (parse_measure("gm_map"), math.log((1 / 2 + 2 / 4) / 3)),
        (parse_measure("relative_P_1"), 0),
        (parse_measure("Rprec_mult_2"), 2 / 6),
        (parse_measure("num_nonrel_judged_ret"), 1),
        (parse_measure("utility"), 2 - 2),
    ],
    ids=str,
)
def test_each_measure_is_the_one_that_was_meant(measure: Measure, expected: float):
    """Ranking: judged non-relevant, grade 1, unjudged, grade 2; a grade-3 document is missed."""
    qrels = judged("q n 0\nq a 1\nq b 2\nq c 3")
    assert value(qrels, ranked("q n a x b"), measure) == pytest.approx(expected, abs=1e-12)


def test_the_level_holds_where_a_measure_names_none():
    """`-l 2` makes grade 1 non-relevant for P@2; P(rel=1)@2 keeps its own level."""
    qrels, run = judged("q a 1\nq b 2"), ranked("q a b")
    assert value(qrels, run, P @ 2, level=2) == 0.5
    assert value(qrels, run, P(rel=1) @ 2, level=2) == 1


def test_a_level_between_two_grades_is_the_next_grade():
    """Grades are whole numbers, so at least 1.5 means at least 2."""
    assert value(judged("q a 1\nq b 2"), ranked("q a b"), AP, level=1.5) == 0.5


def test_the_depth_cuts_the_ranking_before_anything_else():
    """`-M 2` leaves two documents, also for measures without a cutoff and for counts."""
    qrels, run = judged("q a 1\nq b 1\nq n 0"), ranked("q x n a b")
    assert value(qrels, run, NumRet, depth=3) == 3
    assert value(qrels, run, AP, depth=3) == pytest.approx(1 / 6)
    assert value(qrels, run, NumRet, depth=3, judged_only=True) == 2
    assert value(qrels, run, AP, depth=3, judged_only=True) == 0.25


def test_only_judged_documents_are_left_for_judged_only():
    """`-J` removes unjudged documents and those with a negative grade, and ranks close up."""
    qrels, run = judged("q a 1\nq n 0\nq spam -2"), ranked("q x spam n y a")
    assert value(qrels, run, RR) == 0.2
    assert value(qrels, run, RR, judged_only=True) == 0.5
    assert value(qrels, run, NumRet, judged_only=True) == 2


def test_the_cutoff_of_rr_cuts_for_rr_only():
    """RR@2 looks at two documents while AP asked in the same call sees all of them."""
    qrels, run = judged("q a 1"), ranked("q x y a")
    found = pytrec.score(qrels, run, [AP, RR @ 2, RR, RR @ 3], Settings())
    assert [found[measure].tolist() for measure in (AP, RR @ 2, RR, RR @ 3)] == [[1 / 3], [0], [1 / 3], [1 / 3]]


def test_measures_with_one_name_in_pytrec_eval_are_kept_apart():
    """set_F and 11pt_avg are answered without their parameters, IPrec@0.125 under the name of 0.12."""
    qrels, run = judged("\n".join(f"q d{n} 1" for n in range(8))), ranked("q x d0 x1 d1 d2")
    asked = [
        SetF,
        SetF(beta=3),
        SetF(beta=0.25),
        IPrec @ 0.125,
        IPrec @ 0.12,
        IPrec @ 0.25,
        parse_measure("11pt_avg"),
        parse_measure("11pt_avg_0.25,0.5"),
        parse_measure("11pt_avg_0.125"),
    ]
    together = pytrec.score(qrels, run, asked, Settings())
    for measure in asked:
        assert together[measure].tolist() == values(qrels, run, measure)
    assert len({together[measure][0] for measure in asked if measure.name == "SetF"}) == 3
    assert len({together[measure][0] for measure in asked if measure.name == "11pt_avg"}) == 3


def test_two_spellings_of_one_question_get_one_answer():
    """P@1 and P(rel=1)@1 are two measures with the same value at level 1."""
    found = pytrec.score(judged("q a 1"), ranked("q a"), [P @ 1, P(rel=1) @ 1], Settings())
    assert [array.tolist() for array in found.values()] == [[1], [1]]


def test_values_stand_in_the_order_of_the_judgments():
    """The run's order of queries plays no part; what is not in both is NaN or left out."""
    qrels = judged("q1 a 1\nq2 b 1\nq3 c 1")
    found = values(qrels, ranked("q3 x c\nother a\nq1 a"), RR)
    np.testing.assert_equal(found, [1, math.nan, 0.5])


def test_batches_join_without_a_seam(monkeypatch: pytest.MonkeyPatch):
    """However few queries or documents go over at once, the values are the same."""
    whole = values(QRELS, RUN, AP)
    monkeypatch.setattr(pytrec, "BATCH_QUERIES", 1)
    assert values(QRELS, RUN, AP) == whole
    monkeypatch.setattr(pytrec, "BATCH_QUERIES", 3)
    assert values(QRELS, RUN, AP) == whole
    monkeypatch.setattr(pytrec, "BATCH_DOCUMENTS", 6)
    assert values(QRELS, RUN, AP) == whole


@pytest.mark.parametrize(
    ("measure", "settings", "reason"),
    [
        (RCap @ 5, {}, "no such measure"),
        (ERR @ 10, {}, "no such measure"),
        (Judged @ 10, {}, "no such measure"),
        (parse_measure("rbp"), {"trec_eval": "10"}, "no such measure"),
        (nDCG(dcg="exp-log2") @ 10, {}, "no such measure"),
        (nDCG(gains={1: 5}), {}, "does not understand the parameters of ndcg"),
        (Measure("G", gains={1: 5}), {}, "does not understand the parameters of G"),
        (Measure("utility", a=2.0), {}, "does not understand the parameters of utility"),
        (parse_measure("runid"), {}, "no texts"),
        (parse_measure("relstring"), {}, "no texts"),
        (AP, {"level": 0}, "levels above 0"),
        (AP, {"level": math.nan}, "levels above 0"),
        (IPrec @ 0.1, {"trec_eval": "10"}, "embeds trec_eval 9"),
        (parse_measure("11pt_avg"), {"trec_eval": "10"}, "embeds trec_eval 9"),
        (P(rel=1) @ 5, {"level": 0}, None),
        (AP, {"trec_eval": "10"}, None),
        (IPrec @ 0.1, {}, None),
    ],
    ids=str,
)
def test_what_it_is_not_asked_is_nan_with_a_reason(measure: Measure, settings: dict, reason: str | None):
    """A measure it would misread, or lacks, is left to the columnar engine, and the reason can be printed."""
    given = pytrec.unsupported(measure, Settings(**settings))
    assert (given is None) == (reason is None)
    assert reason is None or reason in given
    found = value(judged("q a 1"), ranked("q a"), measure, **settings)
    assert math.isnan(found) == (reason is not None)


def test_the_queries_withheld_are_named_with_their_reasons():
    """Each withheld query is NaN, has a reason, and does not disturb the query beside it."""
    qrels = judged("good a 1\nspam a -1\nspam b -2\nhuge a 1001\nvoid a 1")
    qrels = replace(qrels, queries=(*qrels.queries, "unjudged", "absent"))
    run = ranked("huge a\nspam a\nunjudged a\nother a\ngood a")
    run = replace(run, queries=(*run.queries, "void"))
    reasons = pytrec.withheld(qrels, run, Settings())
    assert list(reasons) == ["spam", "huge", "void", "unjudged"]
    for query, part in {"spam": "negative", "huge": "1,000", "void": "empty", "unjudged": "no judgments"}.items():
        assert part in reasons[query]
    np.testing.assert_equal(values(qrels, run, nDCG), [1, *[math.nan] * 5])


def test_a_grade_of_exactly_a_thousand_is_scored():
    """The limit itself is still quick."""
    assert value(judged("q a 1000"), ranked("q a"), nDCG) == 1


def test_real_grades_are_withheld_altogether():
    """pytrec_eval takes whole grades only; a file of real-valued gains goes to the columnar engine."""
    qrels, run = judged("q a 0.5\nr b 1"), ranked("q a\nr b")
    assert set(pytrec.withheld(qrels, run, Settings())) == {"q", "r"}
    np.testing.assert_equal(values(qrels, run, AP), [math.nan, math.nan])


def test_a_ranking_too_long_for_32_bits_is_withheld_unless_the_depth_cuts_it(monkeypatch: pytest.MonkeyPatch):
    """Beyond the limit two positions would share a score."""
    monkeypatch.setattr(pytrec, "LONGEST_RANKING", 3)
    qrels, run = judged("q a 1\nr b 1"), ranked("q x y z a\nr x b z")
    assert list(pytrec.withheld(qrels, run, Settings())) == ["q"]
    np.testing.assert_equal(values(qrels, run, RR), [math.nan, 0.5])
    assert values(qrels, run, RR, depth=3) == [0, 0.5]


def test_a_ranking_of_which_nothing_is_left_is_nan():
    """With nothing judged retrieved `-J` would make pytrec_eval divide 0 by 0; the other query is scored."""
    qrels, run = judged("q a 1\nr b 1"), ranked("q x y\nr x b")
    np.testing.assert_equal(values(qrels, run, IPrec @ 0.0, judged_only=True), [math.nan, 1])


@pytest.mark.parametrize("answer", [{"0": {"map": math.nan}}, {"0": {}}], ids=["nan", "nothing"])
def test_no_nan_of_pytrec_evals_own_leaves_silently(monkeypatch: pytest.MonkeyPatch, answer: dict):
    """If it computes no number where it should, that is an error that names measure and query."""
    fake = SimpleNamespace(RelevanceEvaluator=lambda *_, **__: SimpleNamespace(evaluate=lambda _: answer))
    monkeypatch.setitem(sys.modules, "pytrec_eval", fake)
    with pytest.raises(EngineError, match='no number for AP of query "q"'):
        value(judged("q a 1"), ranked("q a"), AP)


def test_the_same_document_twice_is_our_error_with_both_places():
    """In a run and in qrels alike, the message names query, document and both rows."""
    twice = [("q", "d1", 3), ("q", "d3", 2), ("q", "d1", 1)]
    with pytest.raises(InputError, match='query "q" holds document "d1" twice, at rows 1 and 3'):
        value(judged("q d1 1"), run_of(twice), AP)
    with pytest.raises(InputError, match='query "q" holds document "d1" twice, at rows 1 and 3'):
        value(qrels_of(twice), ranked("q d1"), AP)


def test_pytrec_eval_is_imported_when_it_is_asked():
    """Importing the engine, or asking it only what it cannot do, costs nothing."""
    import subprocess

    code = (
        "import sys; from denominator.engines import pytrec; from denominator.engines import Settings\n"
        "print('pytrec_eval' in sys.modules, 'pandas' in sys.modules, 'pyarrow.compute' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"] * 3
