"""The table of measures: every row is complete, true to the engines, and its worked number comes out."""

import math

import numpy as np
import pytest

from denominator.engines import Settings, columnar, reference_engine
from denominator.measures import REGISTRY, ceiling, fraction, parse_measure, undefined, worth_unanswered

TEXTS = ("title", "family", "formula", "denominator", "ceiling", "undefined", "distrust", "source")


@pytest.fixture
def value_of(hits_of):
    """Return a function that gives the columnar engine's values of one measure."""

    def values(text, *queries):
        measure = parse_measure(text)
        return columnar.score_hits(hits_of(*queries), [measure], Settings())[measure]

    return values


@pytest.mark.parametrize("spec", REGISTRY.values(), ids=REGISTRY)
def test_every_row_says_everything(spec):
    """Each text is there, and the formula's worked number too, except for what is a text."""
    for name in TEXTS:
        assert len(getattr(spec, name)) >= 3, name
    assert (spec.worked is None) == spec.text_valued
    assert all(param.text for param in spec.params.values())
    assert parse_measure(spec.example).spec is spec


def test_rows_agree_with_the_engines():
    """A row names the columnar and reference engines exactly where they have the measure."""
    for engine, has in (("columnar", columnar.MEASURES), ("reference", reference_engine.FORMULAS)):
        assert {name for name, spec in REGISTRY.items() if engine in spec.engines} == set(has)


@pytest.mark.parametrize("spec", [spec for spec in REGISTRY.values() if spec.worked], ids=lambda spec: spec.name)
def test_the_worked_number_comes_out(spec, value_of):
    """What was worked by hand is what the arithmetic beside it gives, and what the engine computes."""
    worked = spec.worked
    assert parse_measure(worked.measure).spec is spec
    arithmetic = eval(worked.by_hand, {"log2": math.log2, "log": math.log, "max": max, "min": min})
    assert worked.value == pytest.approx(arithmetic, abs=5e-5)
    assert value_of(worked.measure, (worked.ranking, worked.others)) == pytest.approx([worked.value], abs=1e-6)


@pytest.mark.parametrize("spec", [spec for spec in REGISTRY.values() if spec.worked], ids=lambda spec: spec.name)
def test_a_better_or_equal_ceiling_stands_above_the_worked_number(spec, hits_of):
    """No value is above its ceiling, and a fraction's counts give its value."""
    worked = spec.worked
    measure, hits = parse_measure(worked.measure), hits_of((worked.ranking, worked.others))
    highest = ceiling(hits, measure, 1)
    assert np.isnan(highest).all() or (highest >= worked.value - 1e-12).all()
    counts = fraction(hits, measure, 1)
    if counts is not None:
        numerator, denominator, _ = counts
        assert numerator / denominator == pytest.approx([worked.value])


FRACTIONS = {
    "P@10": (2, 10, 3),
    "P@2": (1, 2, 2),
    "P(rel=2)@5": (1, 5, 1),
    "P(judged_only=True)@2": (1, 2, 2),
    "R@2": (1, 3, 2),
    "R@100": (2, 3, 3),
    "RCap@2": (1, 2, 2),
    "relative_P@2": (1, 2, 2),
    "Success@1": (1, 1, 1),
    "Success(rel=3)@1": (0, 1, 0),
    "Rprec": (1, 3, 3),
    "Rprec_mult@2.0": (2, 6, 3),
    "SetP": (2, 5, 3),
    "SetP(relative=True)": (2, 3, 3),
    "SetP(judged_only=True)": (2, 3, 3),
    "SetR": (2, 3, 3),
    "Judged@2": (1, 2, 2),
    "Judged@10": (3, 5, 4),
    "Judged": (3, 5, 4),
    "Unjudged@10": (2, 5, 1),
    "unj@10": (2, 10, 1),
}


@pytest.mark.parametrize(("text", "expected"), FRACTIONS.items())
def test_fractions_worked_by_hand(text, expected, hits_of):
    """Numerator, denominator and best numerator of the ranking 2 - 0 1 - with one more of grade 1."""
    counts = fraction(hits_of(("2 - 0 1 -", "1")), parse_measure(text), 1)
    assert counts is not None
    assert tuple(int(column[0]) for column in counts) == expected


CEILINGS = {
    "P@10": 0.3,
    "R@2": 2 / 3,
    "AP": 1.0,
    "AP@2": 2 / 3,
    "RR@5": 1.0,
    "nDCG@5": 1.0,
    "nDCG(gains={1:0,2:0})": 0.0,
    "Success@3": 1.0,
    "Judged@10": 4 / 5,
    "SetP": 3 / 5,
    "SetF": 2 * 0.6 * 1 / 1.6,
    "SetAP": 0.6,
    "RBP": 1 - 0.8**3,
    "RBP@2": 1 - 0.8**2,
    "ERR(gmax=2)@1": 0.75,
    "ERR(gmax=2)@2": 0.75 + 0.25 * 0.25 / 2,
    "gm_map": 0.0,
    "NumRelRet": 3.0,
    "NumRet": math.nan,
    "Unjudged@5": math.nan,
    "utility": math.nan,
    "rbp": math.nan,
}


@pytest.mark.parametrize(("text", "expected"), CEILINGS.items())
def test_ceilings_worked_by_hand(text, expected, hits_of):
    """The highest value any ranking could get on the same judgments."""
    found = ceiling(hits_of(("2 - 0 1 -", "1")), parse_measure(text), 1)
    assert found == pytest.approx([expected], nan_ok=True)


def test_the_level_of_the_evaluation_holds_where_the_measure_names_none(hits_of):
    """rel= goes before the level, for the fraction, the ceiling and what is undefined."""
    hits = hits_of(("2 - 0 1 -", "1"))
    for text, level, whole in (("R@5", 1, 3), ("R@5", 2, 1), ("R(rel=1)@5", 2, 3), ("R(rel=2)@5", 1, 1)):
        counts = fraction(hits, parse_measure(text), level)
        assert counts is not None
        assert counts[1].tolist() == [whole]
    assert ceiling(hits, parse_measure("P@10"), 2).tolist() == [0.1]
    assert undefined(hits, parse_measure("R@5"), 3).tolist() == [True]
    assert undefined(hits, parse_measure("nDCG@5"), 3).tolist() == [False]


def test_undefined_rows_are_marked(hits_of):
    """No relevant document, no gain, 0/0, and an unanswered query for which no number is right."""
    queries = [("2 - 0", "1"), ("0 -", ""), ("- -", "-1"), (None, "1")]
    expected = {
        "R@5": [False, True, True, False],
        "nDCG": [False, True, True, False],
        "nDCG(gains={0:1})": [False, False, True, False],
        "P@5": [False, False, False, False],
        "RR": [False, False, False, False],
        "SetP(relative=True)": [False, True, True, False],
        "SetP(judged_only=True)": [False, False, True, False],
        "Unjudged@5": [False, False, False, True],
        "rbp_resid": [False, False, False, True],
        "num_nonrel_judged_ret": [False, False, False, True],
        "NumRel": [False, False, False, False],
    }
    for text, marks in expected.items():
        assert undefined(hits_of(*queries), parse_measure(text), 1).tolist() == marks, text


def test_what_an_unanswered_query_is_worth(hits_of):
    """0 for most, the lowest logarithm for geometric means, |Rel| for NumRel, nothing where 0 would be perfect."""
    hits = hits_of((None, "1 2 0"), ("1", ""))
    worth = {"AP": 0, "NumRet": 0, "utility": 0, "gm_map": math.log(1e-5), "gm_bpref": math.log(1e-5), "NumQ": 1}
    for text, value in worth.items():
        assert worth_unanswered(hits, parse_measure(text), 1).tolist() == [value, value]
    assert worth_unanswered(hits, parse_measure("NumRel"), 1).tolist() == [2, 1]
    assert worth_unanswered(hits, parse_measure("NumRel(rel=2)"), 1).tolist() == [1, 0]
    for text in ("Unjudged@5", "unj@5", "rbp_resid", "num_nonrel_judged_ret"):
        assert np.isnan(worth_unanswered(hits, parse_measure(text), 1)).all()


CHANGES = {
    "P(rel=2)@5": "P@5",
    "P(judged_only=True)@3": "P@3",
    "R(rel=2)@5": "R@5",
    "R(judged_only=True)@3": "R@3",
    "RCap(rel=2)@5": "RCap@5",
    "relative_P(rel=2)@5": "relative_P@5",
    "AP(rel=2)": "AP",
    "AP(judged_only=True)": "AP",
    "gm_map(rel=2)": "gm_map",
    "RR(rel=2)": "RR",
    "RR(judged_only=True)": "RR",
    "nDCG(dcg='exp-log2')": "nDCG",
    "nDCG(gains={1:5})": "nDCG",
    "nDCG(judged_only=True)": "nDCG",
    "ndcg_rel(gains={1:5})": "ndcg_rel",
    "Rndcg(gains={1:5})": "Rndcg",
    "Success(rel=2)@2": "Success@2",
    "Success(judged_only=True)@1": "Success@1",
    "Rprec(rel=2)": "Rprec",
    "Rprec(judged_only=True)": "Rprec",
    "Rprec_mult(rel=2)@1": "Rprec_mult@1",
    "Bpref(rel=2)": "Bpref",
    "gm_bpref(rel=2)": "gm_bpref",
    "infAP(rel=2)": "infAP",
    "IPrec(rel=2)@0.5": "IPrec@0.5",
    "IPrec(judged_only=True)@0.5": "IPrec@0.5",
    "11pt_avg(points=[0.5])": "11pt_avg",
    "11pt_avg(rel=2)": "11pt_avg",
    "SetP(relative=True)": "SetP",
    "SetP(rel=2)": "SetP",
    "SetP(judged_only=True)": "SetP",
    "SetR(rel=2)": "SetR",
    "SetF(beta=2.0)": "SetF",
    "SetF(beta=0.0)": "SetF",
    "SetF(rel=2)": "SetF",
    "SetF(judged_only=True)": "SetF",
    "SetAP(rel=2)": "SetAP",
    "SetAP(judged_only=True)": "SetAP",
    "RBP(p=0.5)": "RBP",
    "RBP(rel=2)": "RBP",
    "rbp(p=0.5)": "rbp",
    "rbp(gains={1:3})": "rbp",
    "rbp_resid(p=0.5)": "rbp_resid",
    "ERR(gmax=3)": "ERR",
    "utility(a=2)": "utility",
    "utility(b=2)": "utility",
    "utility(c=2)": "utility",
    "utility(d=2)": "utility",
    "utility(d=1,docs=9)": "utility(d=1)",
    "utility(rel=2)": "utility",
    "G(gains={1:5})": "G",
    "binG(rel=2)": "binG",
    "NumRelRet(rel=2)": "NumRelRet",
    "NumRet(rel=2)": "NumRet",
    "NumRel(rel=2)": "NumRel",
    "num_nonrel_judged_ret(rel=2)": "num_nonrel_judged_ret",
}


@pytest.mark.parametrize(("text", "plain"), CHANGES.items())
def test_every_parameter_changes_something(text, plain, value_of):
    """There is a ranking on which the measure with the parameter has another value than without."""
    ranking = ("- 1 0 2 - 1", "1 2 0 0")
    assert value_of(text, ranking) != value_of(plain, ranking)


def test_every_parameter_of_the_registry_is_in_that_table():
    """No parameter is there without a test that it changes something."""
    tried = {(text.split("(")[0], part.split("=")[0]) for text in CHANGES for part in text.split("(")[1].split(",")}
    tried |= {("utility", "docs")}
    assert {(name, param) for name, spec in REGISTRY.items() for param in spec.params} <= tried
