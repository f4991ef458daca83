"""What the search finds, and what it says where it finds nothing."""

import importlib

import pytest

from denominator.dialects import CHOICES
from denominator.errors import FormatError, MeasureError, NoCommonQueriesError, UsageError
from denominator.explain import explain, read_reported
from denominator.explain.changes import FOR, Change, changes_for, readings_of
from denominator.formats import examine_qrels, examine_run, read_qrels, read_run
from denominator.measures import R, nDCG, parse_measure

QRELS = {"q1": {"a": 1, "b": 2, "c": 1}, "q2": {"a": 1}, "q3": {"x": 0}, "q4": {"d": 3}}
RUN = {"q1": {"a": 3.0, "y": 3.0, "z": 2.0, "b": 1.0}, "q2": {"y": 2.0, "a": 1.0}, "q3": {"x": 1.0}}


def answer(reported, qrels=QRELS, run=RUN, **options):
    return explain(reported, qrels, run, **options).answers[0]


def test_the_function_takes_what_the_readers_take():
    """Dicts, rows that were read, and texts or reported numbers, one or several."""
    by_dict = answer("R@2=0.3333")
    read = explain([read_reported("R@2=0.3333")], read_qrels(QRELS), examine_run(read_run(RUN)).rows)
    assert by_dict.value == read.answers[0].value == pytest.approx((1 / 3 + 1 + 0 + 0) / 4)
    assert len(explain(["R@2=0.3", "P@2=0.3"], QRELS, RUN).answers) == 2
    assert str(answer("recall=0.33", k=2).reported.measure) == "R@2"


def test_a_number_between_the_extremes_of_ties_says_so():
    """q1's first two documents tie: RR can be 1 or 1/2 there, and a mean between is one that ties can make."""
    run = {"q1": {"a": 1.0, "y": 1.0}, "q2": {"a": 1.0, "z": 1.0}}
    found = answer("RR=0.31", run=run, pairs=False)
    between = [one for one in found.candidates if one.between is not None]
    assert between[0].between == (0.25, 0.5)
    assert "another order of its ties" in between[0].words
    assert "ranx" in between[0].tools


def test_a_number_outside_the_extremes_of_ties_is_not_said_to_be_one():
    """0.6 is more than any order of the ties gives."""
    run = {"q1": {"a": 1.0, "y": 1.0}, "q2": {"a": 1.0, "z": 1.0}}
    assert not [one for one in answer("RR=0.61", run=run, pairs=False).candidates if one.between is not None]


def test_the_value_of_one_query_is_found_and_named():
    """R@4 of q1 is 2/11; of no mean."""
    qrels = {**QRELS, "q1": dict.fromkeys("abcdefghijk", 1)}
    found = answer("R@4=0.181818", qrels, pairs=False)
    own = [one for one in found.candidates if one.queries]
    assert own[0].queries == ("q1",)
    assert own[0].n == 1
    assert "of one query, not the mean: q1" in own[0].words


def test_a_change_that_changes_nothing_explains_nothing():
    """Recall as it is is explained by no change of the gain, the order or the level."""
    found = answer("R@2=0.3333")
    assert not found.candidates[0].is_changed
    assert all(one.value != found.value or one.n != found.n for one in found.candidates[1:])


def test_how_many_fit_by_chance_is_worked_out():
    """The width that is printed so, over the width that all numbers cover, times how many there are."""
    found = answer("R@2=0.012")
    low, high = found.covered
    assert found.by_chance == pytest.approx(found.numbers * 0.0015 / (high - low))
    assert found.tried > found.numbers > 1


def test_far_fetched_explanations_come_last_and_are_no_likely_ones():
    """Another measure's value and digits cut off are far-fetched; a single change is not."""
    found = answer("R@2=0.33", pairs=False)
    assert not found.candidates[0].far
    assert [one.far for one in found.candidates] == sorted(one.far for one in found.candidates)
    assert found.candidates == found.likely + found.far_fetched
    for one in found.far_fetched:
        named = one.reading is not None and one.reading.kind == "name"
        assert named or one.queries or one.roundings == ("truncation",)


def test_a_range_of_ties_is_not_one_that_is_only_cut_to_the_number():
    """0.25 to 0.5 holds nothing that is rounded to 0.2."""
    run = {"q1": {"a": 1.0, "y": 1.0}, "q2": {"a": 1.0, "z": 1.0}}
    assert not [one for one in answer("RR=0.24", run=run, pairs=False).candidates if one.between is not None]


def test_a_tool_that_stops_is_not_said_to_print_the_number():
    """BEIR's capped recall divides by zero where nothing is relevant; its formula is named all the same."""
    qrels = {"q1": dict.fromkeys("abcdef", 1), "q2": {"a": 1}}
    run = {"q1": {"a": 2.0, "y": 1.0}, "q2": {"a": 1.0}}
    assert "beir recall_cap" in answer("R@2=0.75", qrels, run).candidates[0].tools
    stops = answer("R@2=0.5", {**qrels, "q3": {"a": 0}}, run)
    tools = [tool for one in stops.candidates if one.changes and one.changes[0].value == "capped" for tool in one.tools]
    assert tools[0] == "the formula of beir recall_cap, which stops at a query without a relevant document"


def test_nothing_found_has_the_nearest_and_no_candidates():
    """The nearest is the one of all that were tried whose value is the nearest."""
    found = answer("R@2=0.0123")
    assert found.candidates == ()
    assert found.nearest is not None
    assert found.tried > 100


def test_pairs_can_be_left_out():
    """Capped recall over the answered queries takes two changes."""
    qrels = {**QRELS, "q1": {"a": 1, "z": 1, "c": 1, "d": 1, "e": 1}}
    text = f"R@3={(2 / 3 + 1 + 0) / 3:.6f}"
    both = answer(text, qrels).candidates[0]
    assert {change.choice: change.value for change in both.changes} == {"recall": "capped", "queries": "answered"}
    assert both.steps == 2
    assert not [one for one in answer(text, qrels, pairs=False).candidates if len(one.changes) == 2]


def test_other_numbers_decide_between_explanations():
    """Hit rate and positional counting both make R@2 = 1.0; a second number that only one of them makes decides."""
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1, "d": 1}}
    run = examine_run([("q1", "a", 4.0), ("q1", "a", 3.0), ("q2", "c", 2.0), ("q2", "c", 1.0)]).rows
    read = examine_qrels(qrels).rows
    alone = explain("R@2=1.0", read, run).answers[0]
    assert {change.choice for change in alone.candidates[0].changes} == {"duplicates"}
    with_precision = explain(["R@2=1.0", "P@2=0.5"], read, run).answers[0]
    assert {change.choice for change in with_precision.candidates[0].changes} == {"recall"}


def test_every_change_and_reading_has_words():
    """Of every value of every choice, and for every measure that has readings."""
    for choice in CHOICES.values():
        for value in choice.values:
            assert Change(choice.name, value, 1).words
    assert Change("level", 2, 1).words == "relevance from grade 2 up"
    for name in ("R@5", "P@5", "Success@5", "RR", "RR@5", "AP", "nDCG@5", "RCap@5", "Bpref", "NumRel"):
        readings = readings_of(parse_measure(name))
        assert all(one.words and one.measure.complete for one in readings)
        assert all((one.measure, one.statistic) != (parse_measure(name), "mean") for one in readings)


def test_changes_are_those_that_can_matter():
    """Gain for nDCG, denominators for recall; duplicates, levels and negative grades where the files have them."""
    qrels, run = read_qrels(QRELS), read_run(RUN)
    of_recall = {change.choice for change in changes_for(R @ 5, qrels, run)}
    assert "recall" in of_recall
    assert not of_recall & {"gain", "ideal", "ap", "precision", "duplicates", "negative", "rbp"}
    assert {"gain", "ideal"} <= {change.choice for change in changes_for(nDCG @ 5, qrels, run)}
    assert {change.value for change in changes_for(R @ 5, qrels, run) if change.choice == "level"} == {2, 3}
    assert set(FOR) <= set(CHOICES)


def test_what_makes_no_sense_is_refused():
    """No number, a text, another collection, or a score that is none."""
    with pytest.raises(UsageError, match="one or more"):
        explain([], QRELS, RUN)
    with pytest.raises(MeasureError, match="is a text"):
        explain("relstring=1", QRELS, RUN)
    with pytest.raises(NoCommonQueriesError):
        explain("R@2=0.5", QRELS, {"z9": {"a": 1.0}})
    with pytest.raises(FormatError):
        explain("R@2=0.5", QRELS, {"q1": {"a": float("nan")}})
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        # reading the attribute is the test
        importlib.import_module("denominator.explain").nope  # noqa: B018


def test_judgments_that_contradict_are_read_too():
    """Which of two grades counts is a choice of the dialect."""
    qrels = [("q1", "a", 0), ("q1", "a", 2), ("q1", "b", 1)]
    found = explain("nDCG@1=1.0", qrels, {"q1": {"a": 2.0, "b": 1.0}})
    assert found.duplicates == 2
    assert {change.choice for change in found.answers[0].candidates[0].changes} == {"duplicates"}


@pytest.mark.filterwarnings("ignore:overflow")
def test_numbers_beyond_floats_explain_nothing():
    """2 to the power of a huge grade is infinite for tools that gain so; the search goes on without it."""
    found = answer("nDCG@5=0.613", {"q1": {"d1": 2000, "d2": 1}, "q2": {"d3": 3}}, {"q1": {"d1": 2.0, "d2": 1.0}})
    assert found.covered is None or max(found.covered) < float("inf")
