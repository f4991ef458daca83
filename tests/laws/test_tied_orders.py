"""Between the best and the worst order of tied documents lies every other one, for measures without a closed form."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.crosscheck.numbers import RISING, Numbers
from denominator.dialects import apply, dialect
from denominator.measures import parse_measure
from inputs import qrels_of, run_of

DOCUMENTS = "abcde"
GRADES = st.dictionaries(st.sampled_from([*DOCUMENTS, "y", "z"]), st.integers(-1, 3), min_size=1, max_size=6)
SCORES = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(1, 2), min_size=1, max_size=5)
ASKED = {"P": "P@2", "R": "R@2", "RR": "RR", "Success": "Success@2", "AP": "AP", "nDCG": "nDCG@3", "RBP": "RBP(p=0.8)"}


def orders_of(scores):
    """Yield every order in which documents with equal scores may stand."""
    blocks = [
        list(itertools.permutations(sorted(doc for doc, score in scores.items() if score == value)))
        for value in sorted(set(scores.values()), reverse=True)
    ]
    for some in itertools.product(*blocks):
        yield [doc for block in some for doc in block]


@pytest.mark.parametrize("choices", [{}, {"rbp": "graded"}, {"negative": "zero"}], ids=str)
@pytest.mark.parametrize("name", RISING)
@given(grades=GRADES, scores=SCORES)
@settings(max_examples=25, deadline=None)
def test_the_two_orders_are_the_lowest_and_the_highest(name, choices, grades, scores):
    """Against every order, one after the other; both ends are reached."""
    measure = parse_measure(ASKED.get(name, name))
    qrels = qrels_of([("q", doc, grade) for doc, grade in grades.items()])
    run = run_of([("q", doc, float(score)) for doc, score in scores.items()])
    base = dialect("trec_eval-c")
    low, high = Numbers(qrels, run, [measure], base).tied(measure, choices)
    every = []
    for order in orders_of(scores):
        placed = run_of([("q", doc, -float(at)) for at, doc in enumerate(order)])
        every.append(apply(qrels, placed, [measure], base.using(**choices)).values[measure][0])
    np.testing.assert_allclose([low[0], high[0]], [min(every), max(every)], rtol=0, atol=1e-12)
