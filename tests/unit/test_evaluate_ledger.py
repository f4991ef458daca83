"""Numerators, denominators and ceilings."""

import pytest

from denominator import evaluate
from inputs import judged, ranked

QRELS = judged("q a 3\nq b 2\nq c 1\nq d 0\nq e 1\nr f 1")
RUN = ranked("q x a d b\nr f")


def ledger(measure: str, **options) -> list[str]:
    """Return the ledger of a measure: q, then r."""
    return [str(row) for row in evaluate(QRELS, RUN, measure, **options).ledger()]


@pytest.mark.parametrize(
    ("measure", "q", "r"),
    [
        (
            "P@3",
            "P@3 0.333 = 1/3, ceiling 1.000 (3/3), 33% of ceiling",
            "P@3 0.333 = 1/3, ceiling 0.333 (1/3), 100% of ceiling",
        ),
        (
            "R@2",
            "R@2 0.250 = 1/4, ceiling 0.500 (2/4), 50% of ceiling",
            "R@2 1.000 = 1/1, ceiling 1.000 (1/1), 100% of ceiling",
        ),
        ("R(rel=2)@4", "R(rel=2)@4 1.000 = 2/2, ceiling 1.000 (2/2), 100% of ceiling", None),
        ("Success@1", "Success@1 0.000 = 0/1, ceiling 1.000 (1/1), 0% of ceiling", None),
        ("Judged@4", "Judged@4 0.750 = 3/4, ceiling 1.000 (4/4), 75% of ceiling", None),
        ("Rprec", "Rprec 0.500 = 2/4, ceiling 1.000 (4/4), 50% of ceiling", None),
        ("AP@2", "AP@2 0.125, ceiling 0.500, 25% of ceiling", None),
        ("RR", "RR 0.500, ceiling 1.000, 50% of ceiling", None),
        ("Unjudged@4", "Unjudged@4 0.250 = 1/4", None),
        ("NumRet", "NumRet 4.000", None),
    ],
)
def test_a_value_shows_what_it_is_made_of(measure, q, r):
    """Counts as whole numbers where the value is their ratio; a ceiling where more is better."""
    found = ledger(measure)
    assert found[0] == q
    if r is not None:
        assert found[1] == r


@pytest.mark.parametrize(
    ("measure", "depth", "ceiling"),
    [
        ("P@4", 2, 0.5),
        ("R@4", 2, 0.5),
        ("AP", 2, 0.5),
        ("Success@4", 2, 1.0),
        ("NumRelRet", 2, 2.0),
        ("nDCG@4", 1, pytest.approx(3 / (3 + 2 / 1.584962500721156 + 1 / 2 + 1 / 2.321928094887362))),
    ],
)
def test_a_depth_lowers_the_ceiling(measure, depth, ceiling):
    """Of two documents looked at at most two are relevant, whatever the cutoff and the denominator."""
    row, _ = evaluate(QRELS, RUN, measure, depth=depth).ledger()
    assert row.ceiling == ceiling


def test_a_set_measure_is_compared_with_the_best_set_of_its_size():
    """Four of the four relevant could have been returned; a missing query could have been answered."""
    scores = evaluate(QRELS, ranked("q x a d b"), "SetP SetR SetF")
    assert [(row.value, row.ceiling) for row in scores.ledger()] == [(0.5, 1.0), (0.0, 1.0)] * 3
    small = evaluate(judged("q a 1\nq b 0"), ranked("q a"), "SetF", depth=9)
    assert [(row.value, row.ceiling) for row in small.ledger()] == [(1.0, 1.0)]


def test_the_counts_are_those_of_the_condensed_and_cut_ranking():
    """-J takes x out first, so a and d are the first two; -M 1 leaves nothing relevant."""
    assert ledger("P@2", judged_only=True)[0].startswith("P@2 0.500 = 1/2")
    assert ledger("P@2", depth=1)[0].startswith("P@2 0.000 = 0/2")
    assert ledger("P(judged_only=True)@2")[0].startswith("P(judged_only=True)@2 0.500 = 1/2")


def test_the_counts_are_those_of_their_own_query():
    """Whatever the order of the queries in the files, a query's value and counts stand in its row."""
    qrels = judged("b x 1\nb y 1\nc x 1\nc y 1\nc z 1\na x 1")
    rows = evaluate(qrels, ranked("c x\na x\nb y x"), "R@2").ledger()
    assert [(row.query_id, row.value, row.numerator, row.denominator) for row in rows] == [
        ("a", 1.0, 1, 1),
        ("b", 1.0, 2, 2),
        ("c", 1 / 3, 1, 3),
    ]


def test_without_a_value_there_is_no_share():
    """A missing query has no share of unjudged documents; a query with nothing relevant has a ceiling of 0."""
    _, missing = evaluate(judged("q a 1\nr b 1"), ranked("q a"), "Unjudged@1").ledger()
    assert (str(missing), missing.share_of_ceiling) == ("Unjudged@1 has no value", None)
    (nothing,) = evaluate(judged("q a 0"), ranked("q a"), "R@1").ledger()
    assert (nothing.ceiling, nothing.share_of_ceiling) == (0.0, None)
