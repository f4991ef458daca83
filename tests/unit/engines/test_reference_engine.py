"""The reference engine: the textbook over whole runs, with trec_eval's 0 where the textbook is undefined."""

from __future__ import annotations

import math

import numpy as np
import pytest

import denominator as dn
from denominator.engines import Settings, engine
from denominator.errors import InputError, UsageError
from denominator.measures import parse_measure
from inputs import judged, ranked, run_of


def values(qrels, run, measure: str, **settings) -> list[float]:
    """Return one measure's values, in the order of ``qrels.queries``."""
    one = parse_measure(measure)
    return engine("reference").score(qrels, run, [one], Settings(**settings))[one].tolist()


@pytest.mark.parametrize("measure", ["R@5", "RCap@5", "AP", "AP@5", "nDCG", "nDCG@5", "Rprec", "Bpref", "infAP"])
def test_an_undefined_value_is_0_as_trec_eval_has_it(measure: str):
    """A query without relevant documents does not stop the others."""
    assert values(judged("none a 0\nsome a 1"), ranked("none a\nsome a"), measure) == [0, 1]


def test_unanswered_queries_and_other_measures_are_left_open():
    """NaN says that this engine computed nothing there."""
    qrels, run = judged("q1 a 1\nq2 a 1"), ranked("q2 a\nother a")
    np.testing.assert_equal(values(qrels, run, "P@1"), [math.nan, 1])
    np.testing.assert_equal(values(qrels, run, "SetF"), [math.nan, math.nan])


def test_settings_hold():
    """Level, depth and judged_only change what the textbook is given; a measure's own parameters win."""
    qrels, run = judged("q a 1\nq b 2\nq n 0"), ranked("q x a n b")
    assert values(qrels, run, "RR") == [1 / 2]
    assert values(qrels, run, "RR", level=2) == [1 / 4]
    assert values(qrels, run, "RR(rel=1)", level=2) == [1 / 2]
    assert values(qrels, run, "AP", depth=2) == [1 / 4]
    assert values(qrels, run, "AP", judged_only=True) == [(1 + 2 / 3) / 2]
    assert values(qrels, run, "AP(judged_only=True)") == [(1 + 2 / 3) / 2]
    assert values(qrels, run, "RR(judged_only=True)", depth=1) == [0]


def test_the_parameters_of_measures_arrive():
    """p of RBP, gmax of ERR, and gain of nDCG each change the value."""
    qrels, run = judged("q a 1\nq b 3"), ranked("q a b")
    assert values(qrels, run, "RBP(p=0.5)") == [0.75]
    assert values(qrels, run, "RBP(p=0.5)@1") == [0.5]
    assert values(qrels, run, "ERR(gmax=3)@1") == [1 / 8]
    assert values(qrels, run, "ERR(gmax=4)@1") == [1 / 16]
    log3 = math.log2(3)
    assert values(qrels, run, "nDCG") == pytest.approx([(1 + 3 / log3) / (3 + 1 / log3)])
    assert values(qrels, run, "nDCG(dcg='exp-log2')") == pytest.approx([(1 + 7 / log3) / (7 + 1 / log3)])
    assert values(qrels, run, "nDCG(gains={1:4})") == pytest.approx([1])


def test_what_the_textbook_refuses_is_not_hidden():
    """A grade above gmax, and a document that is retrieved twice, are errors and not zeros."""
    with pytest.raises(UsageError, match="got 1, but a document has grade 2"):
        values(judged("q a 2"), ranked("q a"), "ERR(gmax=1)")
    with pytest.raises(InputError, match='document "a" twice, at rows 1 and 2'):
        values(judged("q a 1"), run_of([("q", "a", 2.0), ("q", "a", 1.0)]), "AP")


def test_exponential_gains_of_grades_beyond_floats_are_scaled_alike():
    """2**2000 is no float, and the ratio of two such gains is a number all the same, as columnar has it."""
    qrels = {"q1": {"d1": 2000, "d2": 1999, "d3": 1}}
    run = {"q1": {"d2": 2.0, "d1": 1.0}}
    ours, textbook = (
        dn.evaluate(qrels, run, "nDCG(dcg='exp-log2')@5", engine=engine).means()[0].value
        for engine in ("columnar", "reference")
    )
    assert ours == pytest.approx(textbook, rel=1e-12)
    assert 0.5 < ours < 1
