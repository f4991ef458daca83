"""Where a run stands among published values: ranks of systems, differences at the decimals of the source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator import parse_measure
from denominator.benchmark.published import Published
from denominator.benchmark.standing import Standing, compared
from denominator.scores import Mean

PLACE = "https://github.com/a/b/blob/0123456789/c"


def row(value, system="s", decimals=4, secondary=False, same_as=""):
    """Return a published value."""
    return Published("x", "dev", system, "AP", value, decimals, PLACE, secondary, same_as)


def standing(value, *rows):
    """Return a run's standing among rows."""
    mean = Mean("run", parse_measure("AP"), value, 10, 10, 10, 0, 10, 1.0, "judged")
    return Standing(mean, True, compared(value, rows))


def test_the_rank_counts_those_that_are_better():
    """From 1 up; equal values share the better place."""
    rows = (row(0.1, "a"), row(0.2, "b"), row(0.3, "c"))
    assert str(standing(0.4, *rows).rank) == "1 of 4"
    assert str(standing(0.25, *rows).rank) == "2 of 4"
    assert str(standing(0.2, *rows).rank) == "2= of 4"
    assert str(standing(0.0, *rows).rank) == "4 of 4"


def test_values_are_compared_at_the_decimals_of_the_source():
    """A printed 0.2571 is what 0.25712 prints as: no difference, and no better place."""
    (beside,) = standing(0.257_12, row(0.2571)).beside
    assert beside.difference == 0
    assert standing(0.257_12, row(0.2571)).rank.tied == 1
    assert standing(0.257_12, row(0.2571, decimals=5)).beside[0].difference == pytest.approx(2e-5)
    assert standing(0.5, row(0.257)).beside[0].difference == 0.243


def test_a_mean_of_rounded_values_is_no_surer_than_they_are():
    """0.22785 of four decimals may be what 0.22787 is, and is not what 0.22795 is."""
    assert standing(0.227_87, row(0.227_85)).beside[0].difference == 0
    assert standing(0.227_95, row(0.227_85)).beside[0].difference == pytest.approx(1e-4)


def test_a_system_with_two_names_counts_once():
    """Two sources report it; secondary ones are left out of the other rank."""
    rows = (row(0.5, "bm25"), row(0.5, "BM25 (default)", same_as="bm25"), row(0.9, "llm", secondary=True))
    found = standing(0.6, *rows)
    assert (str(found.rank), str(found.primary_rank)) == ("2 of 3", "1 of 2")
    assert [one.row.system for one in found.beside] == ["llm", "BM25 (default)", "bm25"]


def test_the_value_of_a_primary_source_counts_before_a_secondary_one():
    """Of one system under two names that differ, the run is ranked by the makers' value."""
    rows = (row(0.5, "copy", secondary=True, same_as="bm25"), row(0.7, "bm25"))
    assert str(standing(0.6, *rows).rank) == "2 of 2"


def test_nothing_published_is_no_rank():
    """And a run without a value stands nowhere."""
    assert standing(0.5).rank is None
    assert standing(None, row(0.5)).beside == ()


@given(st.floats(0, 1), st.lists(st.sampled_from([0.1, 0.25, 0.2501, 0.9]), min_size=1))
def test_better_equal_and_worse_are_everybody(value, values):
    """The place, the tied and the rest make up all systems."""
    found = standing(value, *(row(one, str(number)) for number, one in enumerate(values)))
    worse = sum(one.difference > 0 for one in found.beside)
    assert found.rank.of == len(values) + 1
    assert found.rank.place - 1 + found.rank.tied + worse == len(values)
