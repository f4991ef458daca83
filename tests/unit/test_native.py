"""Numbers of other libraries are taken as Python's own."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import denominator as dn

QRELS = {"q": {"a": 2, "b": 1}}
RUN = {"q": {"b": 2.0, "a": 1.0}}


@pytest.mark.parametrize("kind", [int, np.int64, np.int32, np.uint8])
def test_numpy_numbers_are_cutoffs_levels_depths_and_gains(kind):
    """As whoever loops over numpy.arange gives them; the measure prints as it would have been typed."""
    measure = dn.Measure("P", kind(2), rel=kind(2))
    assert str(measure) == "P(rel=2)@2"
    assert hash(measure) == hash(dn.parse_measure("P(rel=2)@2"))
    scores = dn.evaluate(QRELS, RUN, [measure], level=kind(1), depth=kind(1))
    assert [mean.value for mean in scores.means()] == [0.0]
    assert str(dn.Measure("nDCG", gains={kind(1): kind(3)})) == "nDCG(gains={1:3})"


@pytest.mark.parametrize("value", [True, np.bool_(True), "1", Decimal("1.5"), float("nan"), 10**400])
def test_what_is_no_number_is_refused_in_words(value):
    """Truth values, texts, numbers beyond a float and what is not a number at all."""
    with pytest.raises(dn.UsageError, match="expected"):
        dn.evaluate(QRELS, RUN, "AP", level=value)
    with pytest.raises(dn.UsageError, match="expected"):
        dn.evaluate(QRELS, RUN, "AP", depth=value)


def test_a_fraction_is_a_level():
    """Half a grade, as a fraction of whole numbers."""
    (mean,) = dn.evaluate(QRELS, RUN, "NumRel", level=Fraction(3, 2)).means()
    assert mean.value == 1
