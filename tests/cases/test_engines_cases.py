"""Reported failures of other evaluators, as small inputs with values worked by hand: every engine gets them right."""

from __future__ import annotations

import math

import numpy as np
import pytest

import denominator as dn
from denominator.engines import ENGINES, Settings, engine
from denominator.measures import parse_measure
from denominator.model import Qrels, Run
from inputs import judged, qrels_of, ranked, run_of

pytestmark = pytest.mark.parametrize("name", ENGINES)
LOG3 = math.log2(3)


def values(name: str, qrels: Qrels, run: Run, measure: str, **settings) -> list[float]:
    """Return an engine's values of one measure, in the order of the judgments."""
    one = parse_measure(measure)
    return engine(name).score(qrels, run, [one], Settings(**settings))[one].tolist()


def hold(name: str, qrels: Qrels, run: Run, expected: dict[str, list[float]], **settings) -> None:
    """Hold an engine to values per query; NaN stands for a query that it does not compute."""
    for measure, wanted in expected.items():
        found = values(name, qrels, run, measure, **settings)
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12, err_msg=measure)


def test_C011_ties_go_by_document_id_descending_not_by_the_order_given(name: str):
    """Three equal scores rank as c, b, a in byte order, so b is second whatever the line order."""
    run = run_of([("q", "b", 1.0), ("q", "a", 1.0), ("q", "c", 1.0)])
    expected = {"RR": [0.5], "AP": [0.5], "P@1": [0.0], "nDCG": [1 / LOG3]}
    hold(name, judged("q b 1"), run, expected)


def test_C013_a_tie_that_straddles_the_cutoff_has_the_official_value(name: str):
    """Ranked n1, n8, n7, n2, n3: relevant at 1 and 3, and rank 2 is one of three with the same score."""
    run = run_of([("q", "n1", 9.0), ("q", "n2", 5.0), ("q", "n7", 5.0), ("q", "n8", 5.0), ("q", "n3", 1.0)])
    expected = {"P@2": [1 / 2], "R@2": [1 / 2], "AP": [(1 + 2 / 3) / 2], "nDCG@2": [1 / (1 + 1 / LOG3)]}
    hold(name, judged("q n1 1\nq n7 1"), run, expected)


def test_C014_scores_that_tie_as_32_bit_floats_rank_as_written(name: str):
    """No two scores are equal as 64-bit floats, so the first is first: 1.0, where 32 bits give 1/3 and 1/2."""
    run = run_of(
        [
            ("near", "a", 0.99999999),
            ("near", "b", 0.99999998),
            ("near", "c", 0.999999975),
            ("near", "d", 0.5),
            ("large", "a", 16777217.0),
            ("large", "b", 16777216.0),
        ]
    )
    hold(name, judged("near a 1\nlarge a 1"), run, {"RR": [1, 1], "AP": [1, 1], "nDCG": [1, 1]})


def test_C020_judged_queries_that_the_run_lacks_are_not_computed_and_score_0(name: str):
    """The engines leave them open, and the mean over all four judged queries counts them as 0."""
    qrels = judged("one a 1\none b 0\ntwo c 1\ntwo d 1\nthree e 1\nfour f 1")
    run = ranked("one a b\ntwo c x")
    nan = math.nan
    ndcg = 1 / (1 + 1 / LOG3)
    expected = {
        "AP": [1, 0.5, nan, nan],
        "RR": [1, 1, nan, nan],
        "R@10": [1, 0.5, nan, nan],
        "nDCG": [1, ndcg, nan, nan],
    }
    hold(name, qrels, run, expected)
    scores = dn.evaluate(qrels, run, "AP RR R@10 nDCG", engine=name)
    assert [mean.value for mean in scores.means()] == pytest.approx([0.375, 0.5, 0.375, (1 + ndcg) / 4])
    assert [mean.value for mean in scores.means("answered")] == pytest.approx([0.75, 1, 0.75, (1 + ndcg) / 2])


def test_C021_queries_without_judgments_do_not_enter_the_mean(name: str):
    """Two of the run's four queries are judged: the mean is over these two."""
    qrels, run = judged("one a 1\ntwo b 1"), ranked("one a\ntwo x b\nthree a\nfour a")
    hold(name, qrels, run, {"AP": [1, 0.5], "RR": [1, 0.5], "R@10": [1, 1], "nDCG": [1, 1 / LOG3]})
    assert dn.evaluate(qrels, run, "AP", engine=name).means()[0].value == 0.75


def test_C030_a_document_twice_is_refused_and_counts_once_if_asked(name: str):
    """Strict: an error with both lines. Keeping the best copy leaves a, n, b: AP = (1 + 2/3)/2."""
    rows = [("q", "a", 9.0), ("q", "n", 7.0), ("q", "a", 6.5), ("q", "b", 6.0)]
    qrels = judged("q a 1\nq b 1")
    with pytest.raises(dn.InputError, match=r"twice|more than once"):
        dn.evaluate(qrels, run_of(rows), "AP", engine=name)
    kept = dn.read_run(rows, lenient="duplicates=best")
    ideal = 1 + 1 / LOG3
    hold(name, qrels, kept, {"AP": [(1 + 2 / 3) / 2], "nDCG": [1.5 / ideal], "R@10": [1], "P@2": [0.5]})


def test_C035_a_document_with_the_id_of_its_query_is_a_document(name: str):
    """All ten relevant documents come first, document 0 of query 0 among them: every measure is 1."""
    qrels = qrels_of([("0", str(number), 1) for number in range(10)])
    run = run_of([("0", str(number), 20.0 - number) for number in range(10)])
    hold(name, qrels, run, {"R@10": [1], "P@10": [1], "AP": [1], "nDCG@10": [1]})


def test_C038_a_negative_grade_is_in_the_pool_but_not_judged(name: str):
    """The spam at rank 1 gains nothing, is no judged non-relevant document for bpref, and `-J` removes it."""
    qrels, run = judged("q spam -2\nq good 1\nq dull 0"), ranked("q spam good dull")
    hold(name, qrels, run, {"nDCG": [1 / LOG3], "AP": [0.5], "RR": [0.5], "Bpref": [1], "P@1": [0]})
    hold(name, qrels, run, {"P@1": [1]}, judged_only=True)


def test_C038_a_query_with_negative_grades_only_scores_0_and_stops_nothing(name: str):
    """It has no relevant document; the other query is scored, and the mean of AP is 0.5."""
    qrels, run = judged("bad spam -2\nbad dull -1\ngood a 1"), ranked("bad spam x\ngood a")
    open_ = name == "pytrec_eval"  # which is not given such a query
    hold(name, qrels, run, {"AP": [math.nan if open_ else 0, 1], "nDCG": [math.nan if open_ else 0, 1]})
    scores = dn.evaluate(qrels, run, "AP nDCG", engine=name)
    assert [mean.value for mean in scores.means()] == [0.5, 0.5]


def test_C047_the_cutoff_of_rr_is_not_ignored(name: str):
    """First relevant ranks 1, 12 and none: RR is 0.361, RR@10 is 0.333."""
    qrels = judged("one a 1\ntwo b 1\nthree c 1")
    unjudged = [f"x{number}" for number in range(11)]
    run = ranked(f"one a\ntwo {' '.join(unjudged)} b y\nthree x y z")
    hold(name, qrels, run, {"RR": [1, 1 / 12, 0], "RR@10": [1, 0, 0], "RR@12": [1, 1 / 12, 0]})


def test_C058_unjudged_documents_count_as_non_relevant_unless_left_out(name: str):
    """Top five u1 u2 a u3 n, then b: two of five judged, and the condensed list is a, n, b."""
    qrels, run = judged("q a 1\nq b 1\nq n 0\nq m 0"), ranked("q u1 u2 a u3 n b")
    ideal = 1 + 1 / LOG3
    expected = {
        "P@5": [1 / 5],
        "AP": [(1 / 3 + 2 / 6) / 2],
        "RR": [1 / 3],
        "nDCG": [(1 / 2 + 1 / math.log2(7)) / ideal],
        "AP(judged_only=True)": [(1 + 2 / 3) / 2],
        "Bpref": [(1 + 1 / 2) / 2],
    }
    hold(name, qrels, run, expected)
