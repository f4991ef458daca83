"""Reported confusions about ties and unjudged documents, their intervals worked by hand, through evaluate().

Inputs are a few lines, written here.
"""

import math

import pytest

from denominator import evaluate
from inputs import judged, run_of


def near(value: float) -> object:
    return pytest.approx(value, abs=5e-7)


def run(text: str):
    """Return a run from lines of ``query document score``."""
    rows = [line.split() for line in text.splitlines()]
    return run_of((query, document, float(score)) for query, document, score in rows)


def test_c011_three_documents_share_the_top_score():
    """b is second by name: RR 1/2, between 1/3 and 1, and (1 + 1/2 + 1/3)/3 over all orders; so for nDCG and P@1."""
    scores = evaluate(judged("q1 b 1"), run("q1 b 1.0\nq1 a 1.0\nq1 c 1.0"), "RR AP nDCG P@1", ties=True)
    rr, ap, ndcg, p = scores.means()
    assert (rr.value, ap.value, ndcg.value, p.value) == (0.5, 0.5, near(0.63093), 0.0)
    assert rr.ties == (near(1 / 3), near(0.611111), 1.0)
    assert ap.ties == (near(1 / 3), near(0.611111), 1.0)
    assert ndcg.ties == (0.5, near(0.710310), 1.0)
    assert p.ties == (0.0, near(1 / 3), 1.0)
    assert str(rr) == "RR 0.500 [ties 0.333–1.000] ceiling 1.000 (1 judged, all answered)"


def test_c013_a_tie_straddles_the_cutoff():
    """d2, d7 and d8 have equal right to rank 2: P@2 1/2 becomes (1 + 1/3)/2, within 1/2 and 1; so for R and nDCG."""
    scores = evaluate(
        judged("q1 d1 1\nq1 d7 1"),
        run("q1 d1 9.0\nq1 d2 5.0\nq1 d7 5.0\nq1 d8 5.0\nq1 d3 1.0"),
        "P@2 R@2 AP nDCG@2",
        ties=True,
    )
    p, r, ap, ndcg = scores.means()
    assert (p.value, r.value, ap.value, ndcg.value) == (0.5, 0.5, near(0.833333), near(0.613147))
    assert p.ties == (0.5, near(0.666667), 1.0)
    assert r.ties == p.ties
    assert ndcg.ties == (near(0.613147), near(0.742098), 1.0)
    assert ap.ties == ((1 + 2 / 4) / 2, near((1 + (1 + 2 / 3 + 2 / 4) / 3) / 2), 1.0)


def test_c058_three_of_the_top_five_are_unjudged():
    """P@5 is 1/5 if none of the three is relevant and 4/5 if all are; RR is 1/3, and 1 if the first is.

    AP and nDCG have no such simple bounds, for more relevant documents enlarge |Rel| and the ideal too. Here both are
    lowest without one and highest with all three: of ranks 1 to 6 only rank 5 is then not relevant.
    """
    scores = evaluate(
        judged("q1 d1 1\nq1 d2 1\nq1 d3 0\nq1 d4 0"),
        run("q1 u1 9.0\nq1 u2 8.0\nq1 d1 7.0\nq1 u3 6.0\nq1 d3 5.0\nq1 d2 4.0"),
        "P@5 RR AP nDCG",
        unjudged="bounds",
    )
    p, rr, ap, ndcg = scores.means()
    assert (p.value, rr.value, ap.value, ndcg.value) == (0.2, near(1 / 3), near(0.333333), near(0.524981))
    assert p.unjudged == (0.2, None, 0.8)
    assert rr.unjudged == (near(1 / 3), None, 1.0)
    assert ap.unjudged == (near((1 / 3 + 2 / 6) / 2), None, near((1 + 1 + 1 + 1 + 5 / 6) / 5))
    discounts = [1 / math.log2(rank + 1) for rank in range(1, 7)]
    assert ndcg.unjudged == (near(0.524981), None, near((sum(discounts) - discounts[4]) / sum(discounts[:5])))
