"""Which texts are scores and grades."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.formats import numbers


@pytest.mark.parametrize(
    ("text", "score"),
    [
        *(("1", 1.0), ("-1.5", -1.5), ("+2", 2.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("1E-2", 0.01)),
        *(("inf", math.inf), ("-Infinity", -math.inf), ("1e-999", 0.0), ("0" * 400 + "1", 1.0)),
    ],
)
def test_a_score_is_what_c_and_python_both_read(text: str, score: float) -> None:
    """Sign, decimal point and exponent, and the words for infinity."""
    values = numbers.scores([text])
    assert values.array.tolist() == [score]
    assert not values.unusable().size


@pytest.mark.parametrize(
    "text", ["1_000", "0x10", "0x1p3", "nan(1)", "", " 1", "1 ", "1,5", "٣", "1e", ".", "--1", "abc", "True"]
)
def test_what_only_one_of_them_reads_is_no_score(text: str) -> None:
    """Underscores, hexadecimal, blanks and other scripts' digits are told, not read."""
    values = numbers.scores([text, "1"])
    assert values.not_numbers == {0: text}
    assert math.isnan(values.array[0])
    assert values.unusable().tolist() == [0]


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan", "NAN"])
def test_nan_is_a_score_that_others_judge(text: str) -> None:
    """NaN is read as what it is; strict reading refuses it."""
    values = numbers.scores([text])
    assert math.isnan(values.array[0])
    assert not values.unusable().size


def test_a_score_beyond_floats_is_no_infinity() -> None:
    """1e999 would tie with every other such score, so it is told."""
    values = numbers.scores(["1e999", "-1e400", "inf"])
    assert values.overflows == {0: "1e999", 1: "-1e400"}
    assert values.array.tolist() == [math.inf, -math.inf, math.inf] or np.isnan(values.array[:2]).all()


def test_a_number_beyond_floats_is_no_infinity_either() -> None:
    """Python's whole numbers, fractions and decimals have no limit; one of thousands of digits is not even shown."""
    found = [10**400, -(10**400), 10**5000, Decimal("1e400"), Fraction(10**400, 3), math.inf, Decimal("-Infinity")]
    values = numbers.scores(found)
    assert (list(values.overflows), values.not_numbers) == ([0, 1, 2, 3, 4], {})
    assert values.overflows[2] == "int of thousands of digits"
    grades = numbers.grades([10**400, 2**63, "9" * 5000, "1e999", math.inf])
    assert (list(grades.overflows), list(grades.not_numbers)) == ([0, 1, 2, 3], [4])


@pytest.mark.parametrize(
    ("text", "grade"), [("0", 0), ("-2", -2), ("+1", 1), ("007", 7), ("9223372036854775807", 2**63 - 1)]
)
def test_a_grade_is_a_sign_and_digits(text: str, grade: int) -> None:
    """Grades are whole numbers of 64 bits."""
    values = numbers.grades([text])
    assert (values.array.tolist(), values.array.dtype) == ([grade], np.int64)


@pytest.mark.parametrize("text", ["0.9", "1.0", "1e0", ".5"])
def test_a_real_grade_is_told_unless_asked_for(text: str) -> None:
    """1.0 is text for a real number; with real grades allowed nothing is told."""
    assert numbers.grades([text, "1"]).fractions == {0: text}
    allowed = numbers.grades([text, "1"], real_allowed=True)
    assert allowed.fractions == {}
    assert allowed.array.tolist() == [float(text), 1.0]


@pytest.mark.parametrize("text", ["rel", "", "0x1", "1_0", "nan", "inf"])
def test_a_grade_that_is_no_number_is_told(text: str) -> None:
    """NaN and infinity are no grades."""
    assert numbers.grades([text]).not_numbers == {0: text}


@pytest.mark.parametrize("text", ["9223372036854775808", "-99999999999999999999"])
def test_a_grade_beyond_64_bits_is_told(text: str) -> None:
    """It is not wrapped around and not made a float."""
    values = numbers.grades([text, "1"])
    assert values.overflows == {0: text}
    assert values.unusable().tolist() == [0]


@pytest.mark.parametrize(("found", "grade"), [(2, 2), (2.0, 2), (np.int32(3), 3), (np.float32(1.0), 1)])
def test_numbers_that_are_no_text_are_grades_when_whole(found: object, grade: int) -> None:
    """A frame holds 2.0 where a column once had a gap: that is the grade 2."""
    assert numbers.grades([found]).array.tolist() == [grade]


@pytest.mark.parametrize("found", [None, True, np.True_, [1], object()])
def test_what_is_no_number_at_all_is_told(found: object) -> None:
    """A missing value and a truth value are no scores."""
    assert list(numbers.scores([found]).not_numbers) == [0]
    assert list(numbers.grades([found]).not_numbers) == [0]


@given(st.lists(st.text("0123456789+-.eE_xinfa ", max_size=6), max_size=8))
def test_many_texts_are_read_as_each_alone(texts: list[str]) -> None:
    """Reading a column at once and reading its texts one by one give the same numbers and the same troubles."""
    for convert in (numbers.scores, numbers.grades):
        together, alone = convert(texts), [convert([text]) for text in texts]
        assert list(map(repr, together.array.astype(float).tolist())) == [repr(float(one.array[0])) for one in alone]
        assert sorted(together.not_numbers) == [row for row, one in enumerate(alone) if one.not_numbers]
        assert sorted(together.overflows) == [row for row, one in enumerate(alone) if one.overflows]
