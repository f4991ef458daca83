"""Whatever choice made a number, explain finds a choice that makes it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator import read_qrels, read_run
from denominator.dialects import CHOICES, DIALECTS, apply, dialect
from denominator.errors import DenominatorError
from denominator.explain import read_reported
from denominator.explain.explanation import Candidate
from denominator.explain.searching import explain
from denominator.measures import parse_measure

MEASURES = ("R@2", "P@2", "RR@3", "AP", "nDCG@3", "Success@1")
DOCS = [f"d{number}" for number in range(6)]

judgments = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    st.dictionaries(st.sampled_from(DOCS), st.integers(0, 3), min_size=1),
    min_size=1,
)
rankings = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q5"]),
    st.dictionaries(st.sampled_from(DOCS), st.sampled_from([1.0, 2.0, 3.0]), min_size=1),
    min_size=1,
)


def printed(value):
    return f"{value:.6f}"


@given(judgments, rankings, st.sampled_from(MEASURES), st.sampled_from(sorted(DIALECTS)))
@settings(max_examples=40, deadline=None)
def test_the_number_of_a_named_dialect_is_explained(judged, ranked, measure, name):
    """Some candidate prints it, and computing that candidate's dialect anew gives its value."""
    qrels, run = read_qrels(judged), read_run(ranked)
    wanted = parse_measure(measure)
    try:
        mean = apply(qrels, run, measure, name).mean(wanted)
    except DenominatorError:
        return
    if mean is None:
        return
    answer = explain([read_reported(f"{measure}={printed(mean)}")], qrels, run, pairs=False).answers[0]
    assert answer.candidates
    for one in answer.candidates:
        check(one, qrels, run)
        assert printed(one.value) == printed(mean) or set(one.roundings) < {"half-up", "half-even", "truncation"}


@given(judgments, rankings, st.sampled_from(MEASURES), st.data())
@settings(max_examples=40, deadline=None)
def test_the_number_of_one_changed_choice_is_explained(judged, ranked, measure, data):
    """With one step at most, whichever choice was changed."""
    qrels, run = read_qrels(judged), read_run(ranked)
    wanted = parse_measure(measure)
    choice = data.draw(st.sampled_from([one for one in CHOICES.values() if one.values and one.name != "trec_eval"]))
    value = data.draw(st.sampled_from([one for one in choice.values if one not in ("unstable", "error")]))
    try:
        mean = apply(qrels, run, measure, dialect("trec_eval-c").using(**{choice.name: value})).mean(wanted)
    except DenominatorError:
        return
    if mean is None:
        return
    answer = explain([read_reported(f"{measure}={printed(mean)}")], qrels, run, pairs=False).answers[0]
    assert answer.candidates
    assert answer.candidates[0].steps <= 1


@given(judgments, rankings, st.sampled_from(MEASURES), st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_more_is_found_with_pairs_than_without(judged, ranked, measure, thousandths):
    """Pairs are tried where single changes find nothing, and the nearest of more ways is no further away."""
    qrels, run = read_qrels(judged), read_run(ranked)
    reported = read_reported(f"{measure}={thousandths / 1000:.3f}")
    alone = explain([reported], qrels, run, pairs=False).answers[0]
    both = explain([reported], qrels, run, pairs=True).answers[0]
    assert len(both.candidates) >= len(alone.candidates)
    if alone.nearest is not None and both.nearest is not None:
        value = float(reported.value)
        assert both.tried > alone.tried
        assert abs(both.nearest.value - value) <= abs(alone.nearest.value - value) + 1e-12


def check(one: Candidate, qrels, run):
    """A candidate's value is that of its dialect and measure."""
    if one.queries or (one.reading is not None and one.reading.statistic != "mean"):
        return
    assert apply(qrels, run, one.measure, one.dialect).mean(one.measure) == one.value
