"""Laws of the bounds, against brute force: every order of the ties, every labelling, every draw from a small corpus."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator import evaluate
from denominator.bounds import BOUNDED, floor, ties, unjudged
from denominator.engines import Settings
from denominator.engines.columnar import score
from denominator.measures import Measure, parse_measures
from inputs import qrels_of, run_of

EXACT = 1e-12

MEASURES = (
    *parse_measures("P@1 P@3 R@2 R@5 RR RR@2 Success@1 Success@3 AP AP@2 AP@4 nDCG nDCG@1 nDCG@3 RBP RBP(p=0.5)@2"),
    *parse_measures("P(rel=2)@3 AP(rel=2) RR(rel=3)"),
    Measure("nDCG", 3, dcg="exp-log2"),
    Measure("nDCG", None, dcg="exp-log2"),
    Measure("nDCG", 2, gains={1: 3, 2: 1, 0: 0.5}),
    Measure("nDCG", None, gains={1: 3, 2: 1}),
)
CONDENSED = (*parse_measures("P@2 R@2 RR AP"), Measure("nDCG", 3), Measure("AP", None, judged_only=True))

GRADES = st.sampled_from([-1, 0, 0, 1, 1, 2, 3])
SCORES = st.sampled_from([2.0, 1.0, 1.0, 1.0, 0.0, math.inf])
RETRIEVED = st.dictionaries(st.sampled_from([f"d{n}" for n in range(6)]), SCORES, min_size=1, max_size=6)
JUDGED = st.dictionaries(st.sampled_from([f"d{n}" for n in range(8)]), GRADES, min_size=1, max_size=7)
SETTINGS = st.sampled_from([Settings(level, depth) for level in (1, 2) for depth in (None, 1, 3)])


def inputs(judged, ranked):
    """Return qrels and a run of one query; `ranked` maps documents to scores, or lists them best first."""
    scored = ranked if isinstance(ranked, dict) else {doc: -float(rank) for rank, doc in enumerate(ranked)}
    return qrels_of(("q", *pair) for pair in judged.items()), run_of(("q", *pair) for pair in scored.items())


def values_of(cases, measures, how):
    """Return the engine's values of many pairs of judgments and ranking, as if each were a query of its own."""
    cases = list(cases)
    qrels = qrels_of((f"q{n}", *pair) for n, (judged, _) in enumerate(cases) for pair in judged.items())
    run = run_of((f"q{n}", doc, -float(at)) for n, (_, ranked) in enumerate(cases) for at, doc in enumerate(ranked))
    return score(qrels, run, measures, how)


def mean(values):
    """Return the mean, rounded once."""
    return math.fsum(values) / len(values)


def every_order(scored):
    """Yield every ranking that the scores allow."""
    groups = [
        [doc for doc, score in scored.items() if score == level] for level in sorted(set(scored.values()), reverse=True)
    ]
    for parts in itertools.product(*map(itertools.permutations, groups)):
        yield [doc for part in parts for doc in part]


def rank_of(scored):
    """Return the documents in ranked order: ties by id, descending."""
    return sorted(sorted(scored, reverse=True), key=lambda doc: -scored[doc])


@given(JUDGED, RETRIEVED, SETTINGS)
@settings(max_examples=60)
def test_tie_bounds_are_the_least_the_mean_and_the_greatest_over_all_orders(judged, scored, how):
    """Least, mean and greatest over every order of the tied documents are the three numbers."""
    found = ties(*inputs(judged, scored), MEASURES, how)
    orders = values_of(((judged, ranking) for ranking in every_order(scored)), MEASURES, how)
    for measure, values in orders.items():
        bounds = found[measure]
        for ours, theirs in zip(bounds, (min(values), mean(values), max(values)), strict=True):
            assert ours[0] == pytest.approx(theirs, abs=EXACT), measure
        assert bounds.low[0] <= bounds.expected[0] <= bounds.high[0]


@given(JUDGED, RETRIEVED)
@settings(max_examples=30)
def test_tie_bounds_of_condensed_lists_are_those_over_all_orders(judged, scored):
    """With judged_only the orders are condensed first, and documents without a judgment are tied with nothing."""
    how = Settings(judged_only=True)
    found = ties(*inputs(judged, scored), CONDENSED, how)
    orders = values_of(((judged, ranking) for ranking in every_order(scored)), CONDENSED, how)
    for measure, values in orders.items():
        for ours, theirs in zip(found[measure], (min(values), mean(values), max(values)), strict=True):
            assert ours[0] == pytest.approx(theirs, abs=EXACT), measure


@given(JUDGED, RETRIEVED, SETTINGS, st.sampled_from([None, None, 0, 1, 2, 4]), st.sampled_from([0, 0, 1, 2]))
@settings(max_examples=60)
def test_label_bounds_hold_every_labelling_and_are_attained(judged, scored, how, gmax, outside):
    """No labelling of the unjudged documents is beyond the bounds, and one is at each of them."""
    seen = rank_of(scored)[: how.depth]
    open_ = [doc for doc in seen if judged.get(doc, -1) < 0] + [f"o{number}" for number in range(outside)]
    top = max(0, *judged.values()) if gmax is None else gmax
    assume((top + 1) ** len(open_) <= 2500)
    found = unjudged(*inputs(judged, scored), MEASURES, gmax, outside, how)
    labellings = itertools.product(range(top + 1), repeat=len(open_))
    cases = (({**judged, **dict(zip(open_, labels, strict=True))}, rank_of(scored)) for labels in labellings)
    for measure, each in values_of(cases, MEASURES, how).items():
        assert found[measure].low[0] == pytest.approx(min(each), abs=EXACT), measure
        assert found[measure].high[0] == pytest.approx(max(each), abs=EXACT), measure


@given(
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0.0, 0.5, 1.0, 2.5]), min_size=1, max_size=4),
    st.permutations("abcdefg"),
    st.sampled_from([None, 0.75, 3.0]),
)
@settings(max_examples=40)
def test_label_bounds_of_real_valued_grades_hold_a_fine_grid_of_labels(judged, ranking, gmax):
    """Labels between the grades change nothing: the extremes lie at the judged grades and at the ends."""
    judged = {**judged, "z": 0.5}
    measures = parse_measures("nDCG nDCG@2 nDCG@4")
    open_ = [doc for doc in ranking[:5] if doc not in judged]
    assume(len(open_) <= 3)
    top = max(judged.values()) if gmax is None else gmax
    ends = sorted({0.0, top, *(grade for grade in judged.values() if grade <= top)})
    grid = sorted({*ends, *((low + high) / 2 for low, high in itertools.pairwise(ends))})
    qrels, run = inputs({doc: np.float64(grade) for doc, grade in judged.items()}, ranking[:5])
    found = unjudged(qrels, run, measures, gmax)
    labellings = itertools.product(grid, repeat=len(open_))
    cases = (({**judged, **dict(zip(open_, labels, strict=True))}, ranking[:5]) for labels in labellings)
    for measure, each in values_of(cases, measures, Settings()).items():
        assert found[measure].low[0] == pytest.approx(min(each), abs=EXACT), measure
        assert found[measure].high[0] == pytest.approx(max(each), abs=EXACT), measure


@given(JUDGED, st.lists(st.sampled_from([f"d{n}" for n in range(6)]), min_size=1, max_size=5, unique=True), SETTINGS)
@settings(max_examples=40)
def test_the_floor_is_the_mean_over_every_order_of_the_candidates(judged, candidates, how):
    """A random order of the retrieved documents: every permutation counts once."""
    found = floor(*inputs(judged, candidates), MEASURES, settings=how)
    orders = values_of(((judged, order) for order in itertools.permutations(candidates)), MEASURES, how)
    for measure, values in orders.items():
        assert found[measure][0] == pytest.approx(mean(values), abs=EXACT), measure


@given(
    st.dictionaries(st.sampled_from("abcdef"), GRADES, min_size=1, max_size=6),
    st.integers(1, 4),
    SETTINGS,
)
@settings(max_examples=25)
def test_the_floor_of_a_corpus_is_the_mean_over_every_draw(judged, drawn, how):
    """Every ordered draw of as many documents as were retrieved, from a corpus of six."""
    found = floor(*inputs(judged, "abcdef"[:drawn]), MEASURES, 6, how)
    draws = values_of(((judged, draw) for draw in itertools.permutations("abcdef", drawn)), MEASURES, how)
    for measure, values in draws.items():
        assert found[measure][0] == pytest.approx(mean(values), abs=EXACT), measure


PAIRS = st.tuples(st.sampled_from(["q1", "q2", "q10"]), st.sampled_from([f"d{n}" for n in range(9)]))


@given(
    st.dictionaries(PAIRS, GRADES, min_size=1, max_size=20),
    st.dictionaries(PAIRS, SCORES, min_size=1, max_size=24),
    SETTINGS,
)
@settings(max_examples=60)
def test_bounds_hold_the_value_and_queries_do_not_touch_each_other(judgments, retrieved, how):
    """Each value lies within its bounds, exactly; and a query has the same bounds alone as among others."""
    assume({query for query, _ in judgments} & {query for query, _ in retrieved})
    qrels = qrels_of((*pair, grade) for pair, grade in judgments.items())
    run = run_of((*pair, score) for pair, score in retrieved.items())
    asked = {"level": how.level, "depth": how.depth, "ties": True, "unjudged": "bounds", "gmax": 3, "floor": True}
    scores = evaluate(qrels, run, MEASURES, **asked)
    found, values = scores.runs[0].bounds, scores.runs[0].values
    for measure in MEASURES:
        zero_gains = measure.name == "nDCG" and 0 in (measure["gains"] or {})  # unjudged is then less than any label
        for bounds in (found.ties,) if zero_gains else (found.ties, found.unjudged):
            assert (bounds[measure].low <= values[measure]).all(), measure
            assert (values[measure] <= bounds[measure].high).all(), measure
    for at, query in enumerate(scores.queries):
        if not scores.runs[0].answered[at]:
            continue
        alone = evaluate(
            qrels_of((*pair, grade) for pair, grade in judgments.items() if pair[0] == query),
            run_of((*pair, score) for pair, score in retrieved.items() if pair[0] == query),
            MEASURES,
            **asked,
        )
        for measure in MEASURES:
            for ours, theirs in (
                (found.ties[measure], alone.runs[0].bounds.ties[measure]),
                (found.unjudged[measure], alone.runs[0].bounds.unjudged[measure]),
            ):
                for one, other in zip(ours, theirs, strict=True):
                    assert one is other or one[at] == pytest.approx(other[0], abs=EXACT), (measure, query)
            assert found.floor[measure][at] == pytest.approx(alone.runs[0].bounds.floor[measure][0], abs=EXACT)


def test_what_is_not_bounded_has_no_bounds():
    """Only the measures that are named are bounded; others have None for every kind of bound."""
    qrels, run = inputs({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0})
    measures = parse_measures("Bpref infAP ERR(gmax=3) Rprec SetP NumRet gm_map P@1")
    for found in (ties(qrels, run, measures), unjudged(qrels, run, measures), floor(qrels, run, measures)):
        assert [measure.name for measure, bounds in found.items() if bounds is not None] == ["P"]
    assert "P" in BOUNDED
