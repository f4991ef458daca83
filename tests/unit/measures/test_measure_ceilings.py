"""Ceilings and fractions against the columnar engine, on any ranking."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.engines import Settings
from denominator.engines.columnar import score_hits
from denominator.measures import REGISTRY, ceiling, fraction, parse_measure, parse_measures

AT = {"cutoff": (1, 3, 10), "recall": (0, 0.3, 1), "multiple": (0.2, 1, 2.5)}
NUMERIC = [spec for spec in REGISTRY.values() if not spec.text_valued]
PARAMETERS = (
    "P(judged_only=True)@3 R(rel=2)@3 AP(rel=2)@3 SetP(relative=True) SetP(judged_only=True) SetF(beta=4.0) "
    "SetF(beta=0.0) nDCG(gains={0:1,1:0,2:5})@3 RBP(p=0.5,rel=2)@3 ERR(gmax=3)@2"
)
MEASURES = [
    *(parse_measure(spec.name) for spec in NUMERIC if spec.cutoff != "required"),
    *(parse_measure(f"{spec.name}@{at}") for spec in NUMERIC if spec.cutoff != "none" for at in AT[spec.cutoff_word]),
    *parse_measures(PARAMETERS),
]

SIGNS = st.lists(st.sampled_from(["-", "-1", "0", "1", "2", "3"]), max_size=8).map(" ".join)
OTHERS = st.lists(st.sampled_from(["-1", "0", "1", "2", "3"]), max_size=6).map(" ".join)
QUERIES = st.lists(st.tuples(SIGNS, OTHERS), min_size=1, max_size=3)


@settings(max_examples=40)
@given(QUERIES, st.sampled_from([1, 2]))
def test_no_value_is_above_its_ceiling(hits_of, queries, level):
    """Whatever the ranking, the ceiling is a bound, and where less is better there is none."""
    hits = hits_of(*queries)
    values = score_hits(hits, MEASURES, Settings(level=level))
    for measure in MEASURES:
        highest = ceiling(hits, measure, level)
        assert np.isnan(highest).all() or (values[measure] <= highest + 1e-9).all(), measure
        assert np.isnan(highest).all() or measure.spec.better == "higher", measure


@settings(max_examples=40)
@given(QUERIES, st.sampled_from([1, 2]))
def test_a_fraction_is_the_value(hits_of, queries, level):
    """Numerator / denominator is what the engine computes, 0/0 is 0, and the best numerator bounds the numerator."""
    hits = hits_of(*queries)
    values = score_hits(hits, MEASURES, Settings(level=level))
    for measure in MEASURES:
        counts = fraction(hits, measure, level)
        assert (counts is None) == (measure.spec.fraction is None)
        if counts is None:
            continue
        numerator, denominator, best = counts
        quotient = np.divide(numerator, denominator, out=np.zeros(len(numerator)), where=denominator > 0)
        assert (quotient == values[measure]).all(), measure
        assert ((best >= numerator) if measure.spec.better == "higher" else (best <= numerator)).all(), measure


@settings(max_examples=40)
@given(judged=st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=8))
def test_the_ideal_ranking_reaches_the_ceiling(hits_of, judged):
    """A ceiling is no mere bound: the judged documents by descending gain get it."""
    for measure in MEASURES:
        gains = (measure["gains"] if "gains" in measure.spec.params else None) or {}
        by_gain = sorted(judged, key=lambda grade, gains=gains: gains.get(grade, grade), reverse=True)
        hits = hits_of((" ".join(map(str, by_gain)), ""))
        highest = ceiling(hits, measure, 1)
        value = score_hits(hits, [measure], Settings())[measure]
        set_of_this_size = measure.spec.family in ("sets", "judged")
        assert set_of_this_size or np.isnan(highest).all() or value == pytest.approx(highest, abs=2e-5), measure
