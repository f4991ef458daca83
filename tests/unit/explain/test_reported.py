"""Reported numbers as they are read: the measure, the digits, and the values that are printed so."""

from fractions import Fraction

import pytest

from denominator.errors import UsageError
from denominator.explain import read_reported


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("recall@5=0.7", "R@5"),
        ("R@5=0.7", "R@5"),
        ("recall_5=0.7", "R@5"),
        ("Recall @ 5 = 0.7", "R@5"),
        ("hit rate@10=0.7", "Success@10"),
        ("hit-rate@10=0.7", "Success@10"),
        ("top-20 accuracy=0.7", "Success@20"),
        ("top20_acc=0.7", "Success@20"),
        ("Accuracy@20=0.7", "Success@20"),
        ("MRR@10=0.7", "RR@10"),
        ("mrr=0.7", "RR"),
        ("MAP=0.7", "AP"),
        ("map@100=0.7", "AP@100"),
        ("ndcg_cut_10=0.7", "nDCG@10"),
        ("NDCG@10=0.7", "nDCG@10"),
        ("P(rel=2)@5=0.7", "P(rel=2)@5"),
        ("recall_cap@100=0.7", "RCap@100"),
    ],
)
def test_names_are_read_as_people_write_them(text, measure):
    """Papers, trec_eval and our own grammar name the same measures."""
    assert str(read_reported(text).measure) == measure


@pytest.mark.parametrize(
    ("text", "value", "unit", "percent"),
    [
        ("R@5=0.70", "7/10", "1/100", False),
        ("R@5=.7", "7/10", "1/10", False),
        ("R@5=1", "1", "1", False),
        ("R@5=1.00", "1", "1/100", False),
        ("R@5=70.0%", "7/10", "1/1000", True),
        ("R@5=70", "7/10", "1/100", True),
        ("R@5=43.17", "4317/10000", "1/10000", True),
        ("R@5=1.2", "6/5", "1/10", False),
        ("R@5=100%", "1", "1/100", True),
        ("NumRelRet=70", "70", "1", False),
    ],
)
def test_numbers_are_shares_or_percentages(text, value, unit, percent):
    """A percent sign, or a value that no share can have, makes it a percentage; a sum is none."""
    one = read_reported(text)
    assert (one.value, one.unit, one.percent) == (Fraction(value), Fraction(unit), percent)


@pytest.mark.parametrize(
    ("digits", "value", "roundings"),
    [
        ("0.62", "5/8", ("half-even", "truncation")),
        ("0.63", "5/8", ("half-up",)),
        ("0.38", "3/8", ("half-even", "half-up")),
        ("0.37", "3/8", ("truncation",)),
        ("0.66", "2/3", ("truncation",)),
        ("0.67", "2/3", ("half-even", "half-up")),
        ("0.70", "7/10", ("half-even", "half-up", "truncation")),
        ("0.70", "71/100", ()),
        ("0.0", "1/20", ("half-even", "truncation")),
    ],
)
def test_digits_stand_for_what_is_printed_so(digits, value, roundings):
    """Halves go to the even digit, or up, or everything behind is cut off; which is said."""
    assert read_reported(f"R@5={digits}").roundings(Fraction(value)) == roundings
    if digits in ("0.62", "0.38", "0.67", "0.70") and roundings:
        assert f"{float(Fraction(value)):.2f}" == digits  # Python prints exact halves to even


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("recall@5", "as in recall@5=0.70"),
        ("=0.70", "as in recall@5=0.70"),
        ("recall@5=", "is not a number"),
        ("recall@5=0,70", "behind a point"),
        ("recall@5=-0.7", "is not a number"),
        ("recall@5=nan", "is not a number"),
        ("recall@5=٠.٧", "is not a number"),
        ("recall@5=0." + "1" * 40, "at most 30 digits"),
        ("recoll@5=0.7", "unknown measure"),
        ("recall=0.7", "needs a cutoff"),
        ("recall@0=0.7", "1 or more"),
    ],
)
def test_what_cannot_be_read_is_said(text, words):
    """No number, no measure, no cutoff: an error says which, and how to write it."""
    with pytest.raises(UsageError, match=words):
        read_reported(text)


def test_a_cutoff_of_its_own_goes_before_none():
    """-k fills in what is missing, and contradicts nothing."""
    assert str(read_reported("recall=0.7", 5).measure) == "R@5"
    assert str(read_reported("MRR=0.7", 5).measure) == "RR@5"
    assert str(read_reported("recall@5=0.7", 5).measure) == "R@5"
    with pytest.raises(UsageError, match="-k 10 is another one"):
        read_reported("recall@5=0.7", 10)
