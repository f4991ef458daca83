"""Laws of the columnar engine: pytrec_eval's values to the last bit, and no query disturbs another."""

import math
from itertools import accumulate

import numpy as np
import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator.engines import Settings, columnar
from denominator.engines.columnar import sums
from denominator.measures import TrecMeasure, parse_measures, parse_trec
from inputs import grades_of, qrels_of, run_of, scores_of

QUERIES = ["q1", "q2", "q10", "9"]
DOCUMENTS = [f"d{number}" for number in range(14)]
SCORES = [3.0, 2.0, 2.0, 1.0, 0.99999999, 0.99999998, 0.0, -0.0, -1.5, math.inf]
GRADES = [-3, -1, 0, 0, 0, 1, 1, 2, 3, 4, 9]
ROWS = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS))
QRELS = st.dictionaries(ROWS, st.sampled_from(GRADES), min_size=1, max_size=40)
RUN = st.dictionaries(ROWS, st.sampled_from(SCORES), min_size=1, max_size=50)
ASKED = (
    ("all_trec",),
    ("P.1,2,3,4,40", "recall.1,2,3", "ndcg_cut.1,2,3,4", "map_cut.1,2,3", "relative_P.1,2,3", "success.2,3"),
    ("iprec_at_recall.0.05,0.15,0.25,0.33,0.35,0.5,0.66,0.67,0.95", "Rprec_mult.0.05,0.1,0.3,0.55,1.1,3.3,5"),
    ("11pt_avg.0.2,0.5,0.8", "set_F.0.25"),
)


def rows(pairs: dict[tuple[str, str], float]) -> list[tuple[str, str, float]]:
    return [(*pair, value) for pair, value in pairs.items()]


def asked_of_pytrec_eval(asked: tuple[str, ...]) -> tuple[set[str], list[TrecMeasure]]:
    """Return what to ask pytrec_eval for, and the measures of ours that it answers (not texts)."""
    measures = [one for one in parse_trec(list(asked)) if one.family not in ("runid", "relstring")]
    names = {one.family for one in measures} if asked == ("all_trec",) else set(asked)
    return names, measures


def answer_of(theirs: dict[str, float], one: TrecMeasure, name: str) -> float:
    """Return pytrec_eval's value under the name it answers with: a single value has its family's name."""
    return theirs[name] if name in theirs else theirs[one.family]


@given(QRELS, RUN, st.sampled_from([1, 2, 3]), st.booleans(), st.sampled_from(ASKED))
@settings(max_examples=400, deadline=None)
def test_columnar_equals_pytrec_eval(judgments, scores, level, judged_only, asked):
    """Every value is the very double that pytrec_eval gives; where it divides 0 by 0, ours is 0."""
    qrels, run = qrels_of(rows(judgments)), run_of(rows(scores))
    grades = grades_of(qrels)
    assume(all(max(found.values()) >= 0 for found in grades.values()))  # on such a query pytrec_eval may never return
    names, measures = asked_of_pytrec_eval(asked)
    raw = pytrec_eval.RelevanceEvaluator(grades, names, relevance_level=level, judged_docs_only_flag=judged_only)
    theirs = raw.evaluate(scores_of(run))
    flat = [measure for one in measures for measure in one.measures]
    ours = columnar.score(qrels, run, flat, Settings(level=level, judged_only=judged_only))
    for one in measures:
        for measure, name in zip(one.measures, one.names, strict=True):
            for number, query in enumerate(qrels.queries):
                value = ours[measure][number].item()
                if query not in theirs:
                    assert math.isnan(value), (name, query)
                    continue
                expected = answer_of(theirs[query], one, name)
                if math.isnan(expected):
                    assert judged_only
                    expected = 0.0
                assert value == expected, (name, query)


def test_deep_rankings_equal_pytrec_eval():
    """A query with more judged documents than are advanced together is summed in rank order as well."""
    random = np.random.default_rng(7)
    judgments = {("q1", f"d{number}"): int(random.integers(-1, 5)) for number in range(3 * sums.DEEP)}
    judgments |= {
        (f"q{query}", f"d{number}"): int(random.integers(0, 3)) for query in range(2, 40) for number in range(40)
    }
    scores = {pair: float(random.integers(0, 50)) for pair in judgments}
    scores |= {("q1", f"x{number}"): float(random.integers(0, 50)) for number in range(200)}
    qrels, run = qrels_of(rows(judgments)), run_of(rows(scores))
    names, measures = asked_of_pytrec_eval(("all_trec",))
    theirs = pytrec_eval.RelevanceEvaluator(grades_of(qrels), names).evaluate(scores_of(run))
    ours = columnar.score(qrels, run, [measure for one in measures for measure in one.measures], Settings())
    for one in measures:
        for measure, name in zip(one.measures, one.names, strict=True):
            expected = [answer_of(theirs[query], one, name) for query in qrels.queries]
            assert ours[measure].tolist() == expected, name


EVERY = parse_measures(
    "all_trec rbp rbp_resid unj nDCG(dcg='exp-log2')@3 nDCG(gains={1:2.5,3:0.75}) Rndcg(gains={0:0.5,2:-1}) "
    "G(gains={1:0.3}) ndcg_rel(gains={2:0.1,4:7.7}) RBP(p=0.5)@3 ERR(gmax=9)@5 Judged@3 Unjudged@3 RCap@2 RR@2 AP@3 "
    "P(judged_only=True)@2 rbp(gains={0:-1,2:0.5})",
    trec_eval="10",
)
NUMERIC = [measure for measure in EVERY if not measure.spec.text_valued]


@given(QRELS, RUN, st.sampled_from(["9", "10"]))
@settings(max_examples=100, deadline=None)
def test_a_query_has_the_same_values_alone(judgments, scores, trec_eval):
    """The value of a query does not depend on the other queries of the file."""
    together = columnar.score(qrels_of(rows(judgments)), run_of(rows(scores)), NUMERIC, Settings(trec_eval=trec_eval))
    queries = qrels_of(rows(judgments)).queries
    for number, query in enumerate(queries):
        alone = columnar.score(
            qrels_of([row for row in rows(judgments) if row[0] == query]),
            run_of([row for row in rows(scores) if row[0] == query]),
            NUMERIC,
            Settings(trec_eval=trec_eval),
        )
        for measure in NUMERIC:
            assert np.array_equal(together[measure][[number]], alone[measure], equal_nan=True), str(measure)


@given(QRELS, RUN, st.integers(1, 6))
@settings(max_examples=100, deadline=None)
def test_a_depth_is_a_shorter_run(judgments, scores, depth):
    """Looking at the first n documents gives what a run of these n documents gives."""
    qrels, run = qrels_of(rows(judgments)), run_of(rows(scores))
    first = {(query, doc): s for query, found in scores_of(run).items() for doc, s in list(found.items())[:depth]}
    cut = columnar.score(qrels, run, NUMERIC, Settings(depth=depth))
    short = columnar.score(qrels, run_of(rows(first)), NUMERIC, Settings())
    for measure in NUMERIC:
        assert np.array_equal(cut[measure], short[measure], equal_nan=True), str(measure)


@given(QRELS, RUN)
@settings(max_examples=100, deadline=None)
def test_judged_only_is_the_run_without_unjudged_documents(judgments, scores):
    """The condensed list gives what a run gives from which every unjudged document was taken out."""
    kept = {pair: score for pair, score in scores.items() if judgments.get(pair, -1) >= 0}
    left = {query for query, _ in kept}
    qrels = qrels_of(rows(judgments))
    same = np.array([query in left for query in qrels.queries])
    condensed = columnar.score(qrels, run_of(rows(scores)), NUMERIC, Settings(judged_only=True))
    without = columnar.score(qrels, run_of(rows(kept)), NUMERIC, Settings())
    for measure in NUMERIC:
        assert np.array_equal(condensed[measure][same], without[measure][same]), str(measure)


@given(st.lists(st.lists(st.floats(-9, 9), max_size=6), min_size=1, max_size=6), st.sampled_from(["add", "multiply"]))
def test_running_sums_restart_at_every_query(groups, step):
    """Running sums and products equal a plain loop over each query, to the last bit."""
    starts = np.cumsum([0, *map(len, groups)])
    ufunc, plain = (np.add, float.__add__) if step == "add" else (np.multiply, float.__mul__)
    values = np.array([value for group in groups for value in group], dtype=np.float64)
    expected = [value for group in groups for value in accumulate(group, plain)]
    assert sums.running(ufunc, values, starts).tolist() == expected


@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_logarithms_are_those_of_c(kind):
    """log2 of every rank is math.log2's double, whichever way it is looked up."""
    ranks = np.arange(1, 3000)
    assert sums.log2_of(ranks.astype(kind)).tolist() == [math.log2(rank) for rank in range(1, 3000)]
