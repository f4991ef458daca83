"""Laws of an evaluation: who is in the mean, what a value is made of, and how high it can be."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator import engine_choice, evaluate
from denominator.measures import REGISTRY, Measure
from inputs import qrels_of, run_of

QUERIES = ["q1", "q2", "q10", "9"]
DOCUMENTS = [f"d{number}" for number in range(8)]
PAIRS = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS))
QRELS = st.dictionaries(PAIRS, st.sampled_from([-1, 0, 0, 1, 1, 2, 3]), min_size=1, max_size=24)
RUN = st.dictionaries(PAIRS, st.sampled_from([3.0, 2.0, 2.0, 1.0, 0.0, -1.5, math.inf]), min_size=1, max_size=28)
CUTOFFS = {"cutoff": (1, 3, 10), "recall": (0.0, 0.4, 1.0), "multiple": (0.5, 1.0, 2.0)}


def every_measure() -> list[Measure]:
    """Return every numeric measure of the registry, with and without a cutoff."""
    found = []
    for name, spec in REGISTRY.items():
        if spec.text_valued:
            continue
        if spec.cutoff != "required":
            found.append(Measure(name))
        if spec.cutoff != "none":
            found += [Measure(name, cutoff) for cutoff in CUTOFFS[spec.cutoff_word]]
        if "gains" in spec.params:
            found.append(Measure(name, gains={1: 5, 2: 1, 3: 0.5}))
        if "judged_only" in spec.params and spec.cutoff != "required":
            found.append(Measure(name, judged_only=True))
    return list(dict.fromkeys(found))


MEASURES = every_measure()
SOME = st.lists(st.sampled_from(MEASURES), min_size=1, max_size=6, unique=True)


def inputs(judgments, retrieved):
    """Return qrels and a run; at least one query is in both."""
    assume({query for query, _ in judgments} & {query for query, _ in retrieved})
    rows = [[(*pair, value) for pair, value in pairs.items()] for pairs in (judgments, retrieved)]
    return qrels_of(rows[0]), run_of(rows[1])


OPTIONS = st.fixed_dictionaries(
    {"level": st.sampled_from([1, 2]), "depth": st.sampled_from([None, 1, 3]), "judged_only": st.booleans()}
)


@given(QRELS, RUN, st.sampled_from(["judged", "answered", "answerable"]), st.sampled_from([1, 2]))
@settings(deadline=None)
def test_a_mean_is_the_plain_sum_over_its_queries(judgments, retrieved, queries, level):
    """Which queries are in a mean, and its value, are those of a few lines of plain Python."""
    qrels, run = inputs(judgments, retrieved)
    scores = evaluate(qrels, run, "AP P@3 nDCG", queries=queries, level=level)
    judged = sorted({query for query, _ in judgments})
    answered = {query for query, _ in retrieved}
    relevant = {query for (query, _), grade in judgments.items() if grade >= level}
    chosen = {"judged": judged, "answered": [q for q in judged if q in answered]}
    chosen["answerable"] = [q for q in judged if q in relevant]
    assert scores.queries == tuple(judged)
    for mean in scores.means():
        value = {row.query_id: row.value for row in scores.rows() if row.measure == mean.measure}
        total = 0.0
        for query in chosen[queries]:
            total += value[query]
        assert mean.n == len(chosen[queries])
        assert mean.value == (total / mean.n if mean.n else None)
        assert (mean.judged, mean.answered) == (len(judged), len(answered & set(judged)))
        assert mean.answerable == len(relevant)


@given(QRELS, RUN, OPTIONS, SOME)
@settings(deadline=None, max_examples=150)
def test_no_value_passes_its_ceiling(judgments, retrieved, options, measures):
    """For every measure of the registry that has one, under every option; and so for the means."""
    qrels, run = inputs(judgments, retrieved)
    scores = evaluate(qrels, run, measures, **options)
    for row in scores.ledger():
        if row.ceiling is not None:
            assert row.value <= row.ceiling + 1e-12, row
    for mean in scores.means():
        if mean.ceiling is not None:
            assert mean.value <= mean.ceiling + 1e-12, mean


@given(QRELS, RUN, OPTIONS, SOME)
@settings(deadline=None, max_examples=150)
def test_a_fraction_is_its_numerator_over_its_denominator(judgments, retrieved, options, measures):
    """Bit for bit, for every measure that says it is one; 0/0 is 0, as in trec_eval."""
    qrels, run = inputs(judgments, retrieved)
    for row in evaluate(qrels, run, measures, **options).ledger():
        if row.denominator is not None and row.value is not None:
            assert row.value == (row.numerator / row.denominator if row.denominator else 0.0), row


@given(QRELS, RUN, OPTIONS, SOME)
@settings(deadline=None, max_examples=150)
def test_only_a_missing_query_can_be_without_a_value(judgments, retrieved, options, measures):
    """Every answered query has a number for every measure; what has none is marked and is in no mean."""
    qrels, run = inputs(judgments, retrieved)
    scores = evaluate(qrels, run, measures, **options)
    none = [row for row in scores.rows() if row.value is None]
    assert all(not row.answered and row.undefined and row.measure.spec.unanswered is None for row in none)
    assert all(math.isfinite(row.value) for row in scores.rows() if row.value is not None)
    for mean in scores.means():
        assert mean.n == mean.judged - sum(row.measure == mean.measure for row in none)
        assert mean.value is None or math.isfinite(mean.value)


@given(QRELS, RUN, st.randoms(use_true_random=False), OPTIONS, SOME)
@settings(deadline=None)
def test_the_order_of_lines_changes_nothing(judgments, retrieved, random, options, measures):
    """Shuffled lines, and queries that come in another order, give the same rows and means, bit for bit."""
    qrels, run = inputs(judgments, retrieved)
    shuffled = [dict(random.sample(sorted(pairs.items()), len(pairs))) for pairs in (judgments, retrieved)]
    again = inputs(*shuffled)
    one, two = evaluate(qrels, run, measures, **options), evaluate(*again, measures, **options)
    assert list(one.rows()) == list(two.rows())
    assert one.means() == two.means()
    assert list(one.ledger()) == list(two.ledger())


@given(QRELS, RUN, OPTIONS, SOME, st.sampled_from(["9", "10"]))
@settings(deadline=None)
def test_large_and_small_work_agree(judgments, retrieved, options, measures, version):
    """Were the files large, columnar would compute and pytrec_eval check: the values are the same, bit for bit."""
    qrels, run = inputs(judgments, retrieved)
    small = evaluate(qrels, run, measures, trec_eval=version, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_choice, "TRUSTED_ROWS", 0)
        large = evaluate(qrels, run, measures, trec_eval=version, **options)
    assert [row[:6] for row in small.rows()] == [row[:6] for row in large.rows()]


@given(QRELS, RUN, st.lists(st.sampled_from(["A", "B"]), min_size=4, max_size=4))
@settings(deadline=None, max_examples=40)
def test_groups_divide_the_queries(judgments, retrieved, names):
    """Every judged query is in one group, and the groups' sums are the whole's."""
    qrels, run = inputs(judgments, retrieved)
    scores = evaluate(qrels, run, "AP NumRel", by=dict(zip(QUERIES, names, strict=True)))
    for mean in scores.means():
        parts = [part for part in scores.group_means() if part.measure == mean.measure]
        assert sum(part.n for part in parts) == mean.n
        sums = [part.value * (part.n if part.measure.name == "AP" else 1) for part in parts]
        assert math.isclose(sum(sums), mean.value * (mean.n if mean.measure.name == "AP" else 1), abs_tol=1e-12)
