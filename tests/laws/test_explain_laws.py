"""What is said of reported numbers without a ranking, against every ranking there is."""

import itertools
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.explain import possible, read_reported, sums
from denominator.explain.sums import Counted, counted_sums, reciprocal_sums

DECIMAL = {"half-even": ROUND_HALF_EVEN, "half-up": ROUND_HALF_UP, "truncation": ROUND_DOWN}

nrels = st.lists(st.integers(0, 4), min_size=1, max_size=4)
cutoffs = st.integers(1, 4)
names = st.sampled_from(["P", "R", "RCap", "Success", "RR"])
decimals = st.integers(1, 3)


def values_of(name, rel, k):
    """Return every value that some ranking of k documents gives a query, from the ranking itself."""
    found = set()
    for ranking in itertools.product((False, True), repeat=k):
        hits = sum(ranking)
        if hits > rel:
            continue
        if name == "RR":
            found.add(Fraction(1, ranking.index(True) + 1) if hits else Fraction(0))
        elif name == "Success":
            found.add(Fraction(hits > 0))
        else:
            below = {"P": k, "R": rel, "RCap": min(rel, k)}[name]
            found.add(Fraction(hits, below) if below else Fraction(0))
    return found


def means_of(name, nrel, k):
    """Return every mean over the queries that some rankings give."""
    each = [values_of(name, rel, k) for rel in nrel]
    return {sum(choice, Fraction(0)) / len(nrel) for choice in itertools.product(*each)}


def printed(value, places, rounding):
    """Return a value as it is printed; 60 digits keep what three decimals need of a fraction with small factors."""
    exact = Decimal(value.numerator * 10**60 // value.denominator).scaleb(-60)
    if value.numerator * 10**60 % value.denominator:
        exact += Decimal(1).scaleb(-61)
    return str(exact.quantize(Decimal(1).scaleb(-places), rounding=DECIMAL[rounding]))


@given(names, nrels, cutoffs, decimals, st.data())
@settings(max_examples=300, deadline=None)
def test_a_number_can_be_exactly_where_some_ranking_prints_it(name, nrel, k, places, data):
    """The verdict, the value that is reached and the roundings that print it are those of an enumeration."""
    true = means_of(name, nrel, k)
    digits = f"{data.draw(st.integers(0, 10**places)) / 10**places:.{places}f}"
    verdict = possible(read_reported(f"{name}@{k}={digits}"), nrel=nrel)
    said = {mean: {how for how in DECIMAL if printed(mean, places, how) == digits} for mean in true}
    hits = {mean: how for mean, how in said.items() if how}
    assert verdict.answer == ("possible" if hits else "impossible")
    assert verdict.ceiling == max(true)
    if hits:
        assert set(verdict.roundings) == hits[verdict.reached]
    elif verdict.why == "grid":
        value = Fraction(digits)
        assert verdict.below == max((mean for mean in true if mean < value), default=None)
        assert verdict.above == min((mean for mean in true if mean > value), default=None)


@given(names, nrels, cutoffs, decimals, st.data())
@settings(deadline=None)
def test_what_some_ranking_prints_is_never_called_impossible(name, nrel, k, places, data):
    """Every mean that a ranking has, printed in any rounding, can be; from the number of queries alone too."""
    mean = data.draw(st.sampled_from(sorted(means_of(name, nrel, k))))
    digits = printed(mean, places, data.draw(st.sampled_from(sorted(DECIMAL))))
    reported = read_reported(f"{name}@{k}={digits}")
    assert possible(reported, nrel=nrel).answer == "possible"
    assert possible(reported, queries=len(nrel)).answer != "impossible"


counted = st.builds(lambda below, share: Counted(min(share, below), below), st.integers(1, 40), st.integers(0, 5))


@given(st.lists(counted, max_size=5), st.fractions(0, 5, max_denominator=1000), st.fractions(0, 1, max_denominator=50))
@settings(deadline=None)
def test_sums_of_counts_are_all_sums(queries, low, width):
    """What lies in a range, below it and above it, is what an enumeration finds."""
    each = [[Fraction(hits, one.denominator) for hits in range(one.top + 1)] for one in queries]
    true = sorted({sum(choice, Fraction(0)) for choice in itertools.product(*each)})
    for most in (sums.MOST_IN_SET, 0):  # held one by one, and as bits of a number
        with patch.object(sums, "MOST_IN_SET", most):
            _same(counted_sums(queries, low, low + width), true, low, low + width)


@given(st.lists(counted, min_size=1, max_size=4), st.fractions(0, 4, max_denominator=300))
@settings(deadline=None)
def test_a_sum_that_is_hit_is_a_sum(queries, low):
    """Where the sums are too many to hold, what is found is one of them, and a miss is no proof."""
    each = [[Fraction(hits, one.denominator) for hits in range(one.top + 1)] for one in queries]
    true = {sum(choice, Fraction(0)) for choice in itertools.product(*each)}
    with patch.object(sums, "MOST_IN_SET", 0), patch.object(sums, "MOST_STATES", 0):
        reach = counted_sums(queries, low, low + Fraction(1, 5))
    if reach is not None:
        assert not reach.whole
        assert set(reach.between(low, low + Fraction(1, 5))) <= true
        assert reach.between(low, low + Fraction(1, 5))


@given(st.integers(1, 4), st.integers(1, 7), st.fractions(0, 4, max_denominator=500), st.fractions(0, 1))
@settings(deadline=None)
def test_sums_of_reciprocal_ranks_are_all_sums(queries, k, low, width):
    """So do the sums that are found from the cheapest way to make each."""
    values = [Fraction(0), *(Fraction(1, rank) for rank in range(1, k + 1))]
    true = sorted({sum(some, Fraction(0)) for some in itertools.combinations_with_replacement(values, queries)})
    _same(reciprocal_sums(queries, k, low, low + width), true, low, low + width)


def _same(reach, true, low, high):
    assert reach.whole
    assert reach.between(low, high) == [sum_ for sum_ in true if low <= sum_ <= high][:1000]
    assert reach.below(low) == max((sum_ for sum_ in true if sum_ < low), default=None)
    assert reach.above(high) == min((sum_ for sum_ in true if sum_ > high), default=None)
