"""Laws over engines and registry: independent implementations agree, and what is not the matter changes nothing.

The columnar engine is held to raw pytrec_eval in test_columnar_laws; here the three engines are held to one another,
with inputs in which ties, negative grades, unjudged documents, missing and extra queries are the rule.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator.engines import ENGINES, Settings, columnar, engine, pytrec
from denominator.engines.reference_engine import FORMULAS
from denominator.measures import REGISTRY, Measure, NumRet, parse_measures
from inputs import grades_of, qrels_of, run_of

QUERIES = ["q1", "q2", "10", "no_query"]
DOCUMENTS = ["a", "b", "é", "d#1", "d:2", "0", "00", "z", "𝒳", "y"]
SCORES = [2.0, 1.0, 0.99999999, 0.99999998, 0.0, -0.0, -3.0]
GRADES = [-2, -1, 0, 0, 1, 1, 2, 3, 4]
PAIRS = st.tuples(st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS))
QRELS = st.dictionaries(PAIRS, st.sampled_from(GRADES), min_size=1, max_size=25)
RUN = st.dictionaries(PAIRS, st.sampled_from(SCORES), min_size=1, max_size=35)
CHOICES = st.builds(
    Settings,
    level=st.sampled_from([1, 2, 1.5, 7]),
    depth=st.sampled_from([None, None, 1, 3]),
    judged_only=st.booleans(),
    trec_eval=st.sampled_from(["9", "10"]),
)


def _asked() -> tuple[Measure, ...]:
    """Every numeric measure of the registry, with and without cutoffs, a level of its own and judged_only."""
    measures = []
    for spec in REGISTRY.values():
        if spec.text_valued:
            continue
        cutoffs = {"cutoff": (1, 2, 5, 30), "recall": (0.0, 0.12, 0.125, 0.5, 1.0), "multiple": (0.2, 1.0, 2.0)}
        chosen = cutoffs[spec.cutoff_word] if spec.cutoff != "none" else ()
        for cutoff in (*chosen, *([] if spec.cutoff == "required" else [None])):
            variants = [{}, {"rel": 2}, {"judged_only": True}, {"rel": 3, "judged_only": True}]
            measures += [Measure(spec.name, cutoff, **v) for v in variants if v.keys() <= spec.params.keys()]
    extra = parse_measures("nDCG(dcg='exp-log2')@3 nDCG(dcg='exp-log2') nDCG(gains={1:5,2:1})@3 SetF(beta=0.3)")
    others = parse_measures("SetP(relative=True) RBP(p=0.5) RBP(p=0.95)@3 ERR(gmax=9)@3 11pt_avg_0.25,0.5 ERR(gmax=9)")
    return tuple(dict.fromkeys([*measures, *extra, *others]))


ASKED = _asked()
TEXTBOOK = tuple(measure for measure in ASKED if measure.name in FORMULAS)


def rows(pairs: dict[tuple[str, str], float]) -> list[tuple[str, str, float]]:
    """Return rows of (query, document, number)."""
    return [(*pair, value) for pair, value in pairs.items()]


def same(found: dict[Measure, np.ndarray], expected: dict[Measure, np.ndarray], why: str = "") -> None:
    """Hold every value to be the same double, and NaN in the same places."""
    assert found.keys() == expected.keys()
    for measure, values in expected.items():
        np.testing.assert_array_equal(found[measure], values, err_msg=f"{measure} {why}")


def test_the_laws_ask_for_something_of_every_measure():
    """Each numeric measure of the registry is asked for, and the textbook engine has what the registry says it has."""
    assert {measure.name for measure in ASKED} == {name for name, spec in REGISTRY.items() if not spec.text_valued}
    assert set(FORMULAS) == {name for name, spec in REGISTRY.items() if "reference" in spec.engines}
    computed = {measure.name for measure in ASKED if pytrec.unsupported(measure, Settings()) is None}
    assert computed == {
        name for name, spec in REGISTRY.items() if "pytrec_eval" in spec.engines and not spec.text_valued
    }


@given(QRELS, RUN, CHOICES)
@settings(max_examples=100, deadline=None)
def test_the_pytrec_eval_engine_equals_columnar(judgments, scores, choices):
    """Same doubles for every measure and setting; NaN exactly where it says that it does not compute."""
    qrels, run = qrels_of(rows(judgments)), run_of(rows(scores))
    ours, theirs = (module.score(qrels, run, ASKED, choices) for module in (columnar, pytrec))
    kept_from_it = pytrec.withheld(qrels, run, choices)
    judged = {query for query, _ in (pair for pair, grade in judgments.items() if grade >= 0)}
    assert set(kept_from_it) == (set(qrels.queries) - judged) & set(run.queries)
    left = columnar.score(qrels, run, [NumRet], choices._replace(judged_only=True))[NumRet]
    for measure in ASKED:
        asked = pytrec.unsupported(measure, choices) is None
        condensed = choices.judged_only or dict(measure.params).get("judged_only", False)
        for number, query in enumerate(qrels.queries):
            value = theirs[measure][number]
            answered = query in run.queries and not (condensed and left[number] == 0)
            if asked and answered and query not in kept_from_it:
                assert value == ours[measure][number], (measure, query)
            else:
                assert np.isnan(value), (measure, query)


@given(QRELS, RUN, CHOICES)
@settings(max_examples=100, deadline=None)
def test_the_textbook_equals_columnar(judgments, scores, choices):
    """Within 1e-12, with 0 where the textbook is undefined, for every measure that it has."""
    qrels, run = qrels_of(rows(judgments)), run_of(rows(scores))
    expected = columnar.score(qrels, run, TEXTBOOK, choices)
    found = engine("reference").score(qrels, run, TEXTBOOK, choices)
    for measure in TEXTBOOK:
        np.testing.assert_allclose(found[measure], expected[measure], rtol=0, atol=1e-12, err_msg=str(measure))


@given(QRELS, st.dictionaries(PAIRS, st.integers(-(1 << 24), 1 << 24), min_size=1, max_size=35), st.integers(1, 3))
@settings(max_examples=100, deadline=None)
def test_raw_pytrec_eval_says_the_same_of_scores_that_differ_as_32_bit_floats(judgments, scores, level):
    """Where no two scores of a query tie, our ranks in place of the scores change no value."""
    assume(len({(query, score) for (query, _), score in scores.items()}) == len(scores))
    qrels, run = qrels_of(rows(judgments)), run_of(rows(scores))
    grades = grades_of(qrels)
    assume(all(max(found.values()) >= 0 for found in grades.values()))
    nested: dict[str, dict[str, float]] = {}
    for (query, document), score in scores.items():
        nested.setdefault(f"id {query}", {})[document] = float(score)
    names = {"AP": "map", "RR": "recip_rank", "Bpref": "bpref", "infAP": "infAP", "nDCG": "ndcg", "NumRet": "num_ret"}
    names |= {"nDCG@2": "ndcg_cut_2", "P@2": "P_2", "R@2": "recall_2", "AP@2": "map_cut_2", "SetF(beta=1.0)": "set_F"}
    raw = pytrec_eval.RelevanceEvaluator(
        {f"id {query}": found for query, found in grades.items()}, set(names.values()), relevance_level=level
    ).evaluate(nested)
    measures = parse_measures(list(names))
    ours = pytrec.score(qrels, run, measures, Settings(level=level))
    for measure, name in zip(measures, names.values(), strict=True):
        for number, query in enumerate(qrels.queries):
            expected = raw.get(f"id {query}", {}).get(name, np.nan)
            np.testing.assert_equal(ours[measure][number], expected, err_msg=f"{measure} of {query}")


@pytest.mark.parametrize("name", ENGINES)
@given(judgments=QRELS, scores=RUN, choices=CHOICES, seed=st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_the_order_of_rows_changes_nothing(name, judgments, scores, choices, seed):
    """Scores decide: shuffled lines of a run or of judgments give the same doubles."""
    measures = TEXTBOOK if name == "reference" else ASKED
    expected = by_query(name, rows(judgments), rows(scores), measures, choices)
    shuffle = random.Random(seed)
    mixed = [shuffle.sample(rows(given_), len(given_)) for given_ in (judgments, scores)]
    assert by_query(name, *mixed, measures, choices) == expected


@pytest.mark.parametrize("name", ENGINES)
@given(judgments=QRELS, scores=RUN, choices=CHOICES, added=st.lists(st.sampled_from(DOCUMENTS), unique=True))
@settings(max_examples=40, deadline=None)
def test_a_query_without_judgments_changes_nothing(name, judgments, scores, choices, added):
    """What a run retrieved for a query that nobody judged is in no value."""
    measures = TEXTBOOK if name == "reference" else ASKED
    expected = by_query(name, rows(judgments), rows(scores), measures, choices)
    more = [("unjudged", document, 1.0) for document in added]
    assert by_query(name, rows(judgments), [*more, *rows(scores)], measures, choices) == expected


def by_query(
    name: str, judgments: Sequence, scores: Sequence, measures: Sequence[Measure], choices: Settings
) -> dict[tuple[Measure, str], str]:
    """Return every value as text, to the last bit, under its measure and query."""
    qrels = qrels_of(judgments)
    found = engine(name).score(qrels, run_of(scores), measures, choices)
    return {
        (measure, query): float(value).hex()
        for measure in measures
        for query, value in zip(qrels.queries, found[measure], strict=True)
    }
