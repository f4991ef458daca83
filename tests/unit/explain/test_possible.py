"""Whether a number can be, on the cases that a reader can work out by hand."""

from fractions import Fraction

import pytest

from denominator.errors import UsageError
from denominator.explain import possible, read_reported


def verdict(text, **known):
    return possible(read_reported(text), **known)


def test_what_lies_above_the_ceiling_cannot_be():
    """Five documents hold at most five of eight relevant ones."""
    one = verdict("R@5=0.80", nrel=[8])
    assert (one.answer, one.why, one.ceiling) == ("impossible", "range", Fraction(5, 8))
    assert [str(other.measure) for other in one.others] == ["RCap@5", "P@5"]


def test_what_lies_between_two_means_cannot_be():
    """The article's 0.700 is no recall over its four queries, to three decimals; capped recall it is."""
    one = verdict("recall@5=0.700", nrel=[3, 3, 3, 8])
    assert (one.answer, one.below, one.above) == ("impossible", Fraction(67, 96), Fraction(17, 24))
    assert (str(one.others[0].measure), one.others[0].value) == ("RCap@5", Fraction(7, 10))


def test_digits_stand_for_an_interval():
    """To two decimals it can be: 67/96 is 0.6979."""
    one = verdict("recall@5=0.70", nrel=[3, 3, 3, 8])
    assert (one.answer, one.reached, one.roundings) == ("possible", Fraction(67, 96), ("half-even", "half-up"))


def test_a_number_that_only_cutting_makes_says_so():
    """2/3 is printed as 0.66 by nothing that rounds."""
    one = verdict("R@5=0.66", nrel=[3])
    assert (one.answer, one.roundings) == ("possible", ("truncation",))


@pytest.mark.parametrize(
    ("text", "known", "answer", "why"),
    [
        ("P@5=0.53", {"queries": 10}, "impossible", "grid"),
        ("P@5=0.54", {"queries": 10}, "possible", "grid"),
        ("hit@5=0.75", {"queries": 10}, "impossible", "grid"),
        ("MRR@10=0.95", {"queries": 3}, "impossible", "grid"),
        ("MRR@10=0.83", {"queries": 3}, "possible", "grid"),
        ("MRR=0.95", {"queries": 3}, "cannot tell", "cutoff"),
        ("MRR@1000=0.5", {"queries": 2}, "possible", "grid"),
        ("MRR@1000=0.777", {"queries": 2}, "cannot tell", "states"),
        ("R@5=0.5", {"queries": 10}, "cannot tell", "|Rel|"),
        ("RCap@5=0.5", {"queries": 10}, "cannot tell", "|Rel|"),
        ("nDCG@5=0.5", {"queries": 10}, "cannot tell", "real"),
        ("nDCG@5=1.1", {"queries": 10}, "impossible", "range"),
        ("MAP@5=0.7", {"nrel": [8, 8]}, "impossible", "range"),
        ("MAP=0.9", {"nrel": [1, 0]}, "impossible", "range"),
        ("R@5=0.5", {"nrel": [0, 0]}, "impossible", "range"),
        ("R@5=0", {"nrel": [0, 0]}, "possible", "grid"),
        ("Rprec=0.4", {"nrel": [2]}, "impossible", "grid"),
        ("P@5=0.9", {"nrel": [4] * 3}, "impossible", "range"),
        ("NumRelRet=7", {"queries": 3}, "cannot tell", "real"),
    ],
)
def test_each_measure_has_its_own_grid(text, known, answer, why):
    """Counts and first ranks can be worked out; what takes too many values, or lacks a number, nobody can tell."""
    one = verdict(text, **known)
    assert (one.answer, one.why) == (answer, why)


def test_a_grid_too_fine_to_hold_is_said_or_hit():
    """With |Rel| from 1 to 59 the common denominator has 25 digits: a sum is hit, or nobody can tell."""
    found = verdict("R@10=0.30", nrel=range(1, 60))
    assert found.answer == "possible"
    assert found.reached is not None
    assert found.roundings
    assert verdict("R@10=0.300000000000001", nrel=range(1, 60)).answer == "cannot tell"
    assert verdict("R@10=0.625", nrel=range(1, 60)).answer == "impossible"


def test_many_queries_are_no_harder():
    """Fifty thousand queries with one relevant document each, as in large question sets."""
    assert verdict("R@10=0.43127", nrel=[1] * 50_000).answer == "impossible"
    assert verdict("R@10=0.43128", nrel=[1] * 50_000).answer == "possible"
    assert verdict("MRR@10=0.43127", nrel=[1] * 50_000).answer == "possible"


def test_a_query_left_out_is_thought_of():
    """0.53 is no P@5 over ten queries, and one over nine."""
    assert [(other.n, other.value) for other in verdict("P@5=0.53", queries=10).others] == [(9, Fraction(8, 15))]
    fewer = verdict("R@5=0.833", nrel=[3, 3, 7])
    assert [(str(other.measure), other.n, other.dropped) for other in fewer.others if other.n == 2] == [("R@5", 2, 7)]


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({}, "say what is known"),
        ({"queries": 0}, "1 or more"),
        ({"queries": True}, "1 or more"),
        ({"nrel": []}, "nrel is empty"),
        ({"nrel": [3, -1]}, "0 or more"),
        ({"nrel": [3, 1.5]}, "0 or more"),
        ({"nrel": [3, 3], "queries": 3}, "leave one away"),
    ],
)
def test_what_makes_no_sense_is_refused(known, words):
    """An error says what was expected."""
    with pytest.raises(UsageError, match=words):
        verdict("R@5=0.5", **known)


@pytest.mark.parametrize(
    "nrel", [list(range(1, 23_001)), [10**8, 3], [10**12]], ids=["very many different", "a large one", "a huge one"]
)
def test_what_nobody_could_work_out_is_not_tried(nrel):
    """So many grids, or so fine ones, take neither minutes nor gigabytes: it is said that nobody can tell."""
    one = verdict("R@5=0.700", nrel=nrel)
    assert (one.answer, one.why) == ("cannot tell", "states")
