"""One run, and eleven numbers that tools print for its nDCG@10: each is explained by what that tool does."""

import pytest

from denominator.explain import explain
from denominator.formats import read_qrels, read_run

pytestmark = pytest.mark.shared

PRINTED = {
    "0.27248": set(),
    "0.27804": {"queries"},
    "0.27408": {"ties"},
    "0.26985": {"ties"},
    "0.28384": {"no_relevant"},
    "0.24946": {"queries", "no_relevant", "gain"},
    "0.24437": {"no_relevant", "gain"},
    "0.24133": {"ties", "queries", "gain"},
    "0.36458": {"ties", "queries", "gain"},
    "0.29317": {"ties", "no_relevant"},
}
"""What was printed → the choices that the first explanation changes. Which of several ways to leave out two queries it
names, the number alone cannot say: a tool's own set of choices comes first where single changes do not do."""


@pytest.fixture(scope="module")
def files(shared):
    folder = shared / "data" / "dialects"
    return read_qrels(folder / "qrels.txt"), read_run(folder / "A.run")


@pytest.mark.parametrize("digits", PRINTED)
def test_a_tool_s_number_is_explained(digits, files):
    """By the choices that the tool is known to make."""
    first = explain(f"nDCG@10={digits}", *files).answers[0].candidates[0]
    print(f"| {digits} | {first.words} | {', '.join(first.tools)} |")
    assert {change.choice for change in first.changes} == PRINTED[digits]
    assert first.reading is None


def test_an_option_of_a_tool_is_named_too(files):
    """rankkit with linear gain leaves out the same two queries as a single change does."""
    words = [one.words for one in explain("nDCG@10=0.2838", *files).answers[0].likely]
    assert any("as rankkit with gain=linear has it" in one for one in words)


@pytest.mark.parametrize("digits", ["0.20", "0.34", "0.39", "0.55"])
def test_made_up_numbers_are_far_fetched(digits, files):
    """Whatever is found for them is nothing that a number could be taken for."""
    answer = explain(f"nDCG@10={digits}", *files).answers[0]
    assert answer.far_fetched
    assert not answer.likely


def test_an_exact_match_names_its_tool_and_comes_before_a_range(files):
    """RR cut at 10 by the rank column is what the script of MS MARCO prints; each cause stands there once."""
    found = explain("RR=0.6393", *files).answers[0].candidates
    assert found[0].between is None
    assert "msmarco" in found[0].tools
    causes = [one.changes for one in found if one.reading is not None and one.reading.kind == "cutoff"]
    assert len(causes) == len(set(causes))
    assert [one.between is not None for one in found].index(True) > max(
        place for place, one in enumerate(found) if one.between is None and not one.far
    )


def test_a_number_that_changes_from_call_to_call_lies_among_the_orders_of_ties(files):
    """ranx printed 0.27193 once; no choice makes it, and ties may."""
    first = explain("nDCG@10=0.27193", *files).answers[0].candidates[0]
    assert first.between is not None
    assert first.between[0] < 0.27193 < first.between[1]
    assert "ranx" in first.tools
