"""What explains a difference is tested against the values, counted query by query, and never claimed without them."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from denominator.crosscheck import asking, crosscheck, questions
from denominator.crosscheck.answers import Answer
from denominator.crosscheck.causes import explained
from denominator.crosscheck.numbers import Numbers, same
from denominator.crosscheck.processes import Said, Workers
from denominator.crosscheck.rules import CHECKS
from denominator.crosscheck.tools import TOOLS
from denominator.dialects import CHOICES, apply, dialect
from denominator.errors import DenominatorError
from denominator.frames import TABLES
from denominator.measures import parse_measures
from denominator.tables import PANDAS
from inputs import qrels_of, run_of

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"d": 1}, "q3": {"e": 0}}
RUN = {"q1": {"b": 3.0, "x": 2.0, "a": 1.0}, "q3": {"e": 1.0}}
MEASURES = parse_measures("P@2 R@2 AP nDCG@2 RR")
SWITCHED = {
    "queries": ("answered", "answerable"),
    "gain": ("exponential", "binary"),
    "recall": ("capped", "k", "hit"),
    "precision": ("returned",),
    "ap": ("retrieved",),
    "ties": ("id-ascending", "file"),
    "ideal": ("retrieved",),
    "unjudged": ("removed",),
}
ROWS = st.dictionaries(
    st.tuples(st.sampled_from("1234"), st.sampled_from("abcdef")), st.integers(0, 3), min_size=4, max_size=20
)


def three(pairs):
    return [(query, document, value) for (query, document), value in pairs.items()]


@given(
    ROWS,
    ROWS,
    st.sampled_from(MEASURES),
    st.lists(st.sampled_from(sorted(SWITCHED)), max_size=2, unique=True),
    st.data(),
)
@settings(max_examples=60, deadline=None)
def test_a_choice_is_found_again_and_so_are_two_that_one_leads_to(judged, scored, measure, names, data):
    """Numbers made by switching a choice of ours are explained on every query, by that one or another that does it.

    Two are found where the one that helps most leads to the other, and never named where they do not do it.
    """
    qrels, run = qrels_of(three(judged)), run_of(three(scored))
    changes = {name: data.draw(st.sampled_from(SWITCHED[name])) for name in names}
    base = dialect("trec_eval-c")
    numbers = Numbers(qrels, run, MEASURES, base)
    ours, theirs = numbers.of(measure, {}), numbers.of(measure, changes)
    assume(ours is not None and theirs is not None)
    apart = ~same(ours, theirs, 1e-9)
    why = explained(numbers, measure, theirs, ours, np.zeros(len(ours), dtype=bool), "trec_eval-c", 1e-9)
    assume(why.causes or len(changes) < 2)
    assert (why.choices == apart).all()
    assert len(why.causes) <= len(changes)
    found = {cause.choice: cause.theirs for cause in why.causes}
    assert same(numbers.of(measure, found), theirs, 1e-9).all()
    assert all(cause.queries <= apart.sum() for cause in why.causes)
    assert not why.ties.any()


@given(ROWS, ROWS, st.sampled_from(MEASURES), st.floats(1e-6, 0.3))
@settings(max_examples=40, deadline=None)
def test_a_number_that_nobody_computes_stays_unexplained(judged, scored, measure, off):
    """A value that is off by something on one query is no choice's; the others are not blamed for it."""
    qrels, run = qrels_of(three(judged)), run_of(three(scored))
    numbers = Numbers(qrels, run, MEASURES, dialect("trec_eval-c"))
    ours = numbers.of(measure, {})
    theirs = ours.copy()
    theirs[0] += 2 + off
    why = explained(numbers, measure, theirs, ours, np.zeros(len(ours), dtype=bool), "pytrec_eval-raw", 1e-9)
    assert not why.choices.any()
    assert not why.ties.any()
    assert why.causes == ()


def test_the_order_of_ties_explains_only_what_lies_inside_the_interval():
    """Of three tied documents one is relevant: RR 1, 1/2 or 1/3 for a tool without an order, and nothing else."""
    qrels, run = qrels_of([("1", "b", 1), ("2", "b", 1)]), run_of([(q, d, 1.0) for q in "12" for d in "abc"])
    (measure,) = parse_measures("RR")
    numbers = Numbers(qrels, run, [measure], dialect("trec_eval-c"))
    ours = numbers.of(measure, {})
    none = np.zeros(2, dtype=bool)
    for value, inside in ((1.0, True), (1 / 3, True), (1.5, False), (0.25, False)):
        theirs = np.array([0.5, value])
        why = explained(numbers, measure, theirs, ours, none, "ranx", 1e-9)
        assert why.ties.tolist() == [False, inside], value
        assert not why.choices.any()
        assert [cause.theirs for cause in why.causes] == (["unstable"] if inside else [])
        stable = explained(numbers, measure, theirs, ours, none, "pytrec_eval-raw", 1e-9)
        assert not stable.ties.any()


def test_a_choice_must_give_the_tool_s_number_on_queries_that_agree_too():
    """Recall capped at k would give the 1.0 of query 3, and would lose query 2, on which nothing ties and all agree."""
    qrels = qrels_of([(query, doc, 1) for query in "123" for doc in "abc"])
    run = run_of([("1", "a", 1), ("1", "x", 1), ("2", "a", 2), ("2", "x", 1), ("3", "a", 2), ("3", "b", 1)])
    (measure,) = parse_measures("R@2")
    numbers = Numbers(qrels, run, [measure], dialect("trec_eval-c"))
    ours = numbers.of(measure, {})
    theirs = np.array([1 / 3, 1 / 3, 1.0])
    why = explained(numbers, measure, theirs, ours, np.zeros(3, dtype=bool), "ranx", 1e-9)
    assert why.causes == ()
    assert not why.choices.any()


def test_the_queries_that_need_a_cause_are_counted():
    """Two causes at once: one query left out of the mean, one where scores tie as 32-bit floats."""
    qrels = qrels_of([("1", "a", 1), ("2", "b", 1), ("3", "c", 1)])
    run = run_of([("1", "a", 0.99999999), ("1", "b", 0.99999998), ("3", "c", 1.0)])
    (measure,) = parse_measures("RR")
    numbers = Numbers(qrels, run, [measure], dialect("trec_eval-c"))
    theirs = apply(qrels, run, [measure], "pytrec_eval-raw").values[measure]
    why = explained(numbers, measure, theirs, numbers.of(measure, {}), np.zeros(3, dtype=bool), "pytrec_eval-raw", 1e-9)
    assert {(cause.choice, cause.theirs, cause.queries) for cause in why.causes} == {
        ("order", "score32", 1),
        ("queries", "answered", 1),
    }


# What is said of answers, with answers made up


@pytest.fixture
def answers(monkeypatch) -> dict:
    """Have every implementation answer what a test says: tool → what it adds to our values, or an `Answer`'s fields.

    A value of None is none.
    """
    said: dict = {}

    def all_(self, jobs, files, progress=None):
        out = []
        for tool, asked in jobs:
            given_ = []
            for question, words in asked:
                ours = apply(_qrels(files), _run(files), [question.measure], "trec_eval-c").values[question.measure]
                values = dict(zip(_qrels(files).queries, ours.tolist(), strict=True))
                for query, change in said.get(tool.name, {}).get("values", {}).items():
                    values[query] = change
                values = {query: value for query, value in values.items() if value is not None}
                fields = {"status": "answered", "mean": sum(values.values()) / len(values), "call": words.call}
                fields.update({key: value for key, value in said.get(tool.name, {}).items() if key != "values"})
                given_.append(Answer(tool.name, question, values=values, **fields))
            out.append(Said("1.0", tuple(given_), 0.0))
        return out

    monkeypatch.setattr(Workers, "all", all_)
    return said


def _qrels(files):
    from denominator import read_qrels

    return read_qrels(files.qrels)


def _run(files):
    from denominator import read_run

    return read_run(files.run)


def codes(result):
    return [one.code for one in result.findings]


def test_a_result_is_copied_and_pickled_whole():
    """With every answer, so that it can be kept, or come from another process."""
    result = crosscheck(QRELS, RUN, "RR AP", tools=["ours"])
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert other.to_pandas().equals(result.to_pandas())
        assert [str(one) for one in other.findings] == [str(one) for one in result.findings]


def test_nothing_is_found_where_all_agree(answers):
    """No difference, no finding."""
    result = crosscheck(QRELS, RUN, "RR AP", tools=["ours", "pytrec_eval-raw"])
    assert result.agree
    assert (result.apart, result.unexplained) == (0, 0)
    assert codes(result) == []


def test_a_crosscheck_is_a_frame(answers):
    """A row for each implementation and measure, with the documented columns and types whatever was answered."""
    answers["ranx"] = {"status": "hung", "words": "no answer", "mean": None}
    answers["ir_measures"] = {"values": {"q1": 0.123}}
    result = crosscheck(QRELS, RUN, "RR AP", tools=["columnar", "ir_measures", "ranx"])
    frame = result.to_pandas()
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == {
        name: PANDAS[kind] for name, kind in TABLES["crosscheck"].items()
    }
    assert frame.tool.tolist() == ["columnar", "ir_measures", "ranx"] * 2
    assert frame.apart.tolist() == [len(line.apart) for line in result.lines] == [0, 1, 0] * 2
    assert frame.status.tolist() == ["answered", "answered", "hung"] * 2
    assert (frame.apart == frame.by_choice + frame.by_ties + frame.no_number + frame.unexplained).all()
    assert result.to_arrow().num_rows == 6


def test_our_own_engines_may_not_differ_in_a_bit(answers):
    """The last bit of one value of one of our engines is an error, X101, that no choice excuses."""
    answers["pytrec_eval"] = {"values": {"q1": 1.0 - 2**-53}}
    result = crosscheck(QRELS, RUN, "RR", tools=["ours"])
    assert not result.agree
    assert codes(result) == ["X101"]
    (finding,) = result.findings
    assert finding.severity.value == "error"
    assert finding.places.at(0).query_id == "q1"
    assert result.of("pytrec_eval")[0].causes == ()
    answers["pytrec_eval"] = {}
    answers["reference"] = {"values": {"q1": 1.0 - 1e-13}}
    assert crosscheck(QRELS, RUN, "RR", tools=["ours"]).agree  # the textbook is held to 1e-12
    answers["reference"] = {"values": {"q1": 1.0 - 1e-11}}
    assert codes(crosscheck(QRELS, RUN, "RR", tools=["ours"])) == ["X101"]


def test_a_number_without_an_explanation_is_said(answers):
    """X103 names the query, with both values."""
    answers["ir_measures"] = {"values": {"q1": 0.123}}
    result = crosscheck(QRELS, RUN, "RR", tools=["columnar", "ir_measures"])
    assert codes(result) == ["X103"]
    place = next(iter(result.findings)).places.at(0)
    assert (place.query_id, dict(place.values)) == ("q1", {"measure": "RR", "ours": 1.0, "theirs": 0.123})
    assert result.unexplained == 1


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"status": "crashed", "words": "ended by SIGSEGV"}, "X105"),
        ({"status": "hung", "words": "no answer within 60 s"}, "X106"),
        ({"status": "refused", "words": "ValueError: no"}, "X107"),
        ({"refused": {"q1": "one document"}, "values": {"q1": float("nan")}}, "X107"),
    ],
)
def test_every_other_end_has_its_finding(answers, said, code):
    """Once for a tool and its words, whatever the number of measures."""
    answers["ranx"] = said
    result = crosscheck(QRELS, RUN, "RR P@1", tools=["columnar", "ranx"])
    assert set(codes(result)) == {code}
    words = said.get("words") or "one document"
    assert all(words in one.message and "ranx" in one.message for one in result.findings)


def test_nan_is_no_number_and_needs_no_explanation(answers):
    """A tool that says NaN is counted apart from tools that say another number, and from queries that are left out."""
    answers["ranx"] = {"values": {"q1": float("nan")}}
    (_, line) = crosscheck(QRELS, RUN, "RR", tools=["columnar", "ranx"]).lines
    assert (len(line.apart), line.no_number, line.unexplained) == (1, 1, 0)


def test_a_query_left_out_that_is_worth_nothing_is_no_difference_where_the_means_are_over_as_many(answers):
    """Divided by 3 the sum of two values is our mean; divided by 2 it is another one, by the choice of queries."""
    answers["trectools"] = {"values": {"q2": None}, "mean": 1 / 3}
    result = crosscheck(QRELS, RUN, "RR", tools=["columnar", "trectools"])
    (_, line) = result.lines
    assert (line.left_out, line.apart, line.causes) == (("q2",), (), ())
    assert (result.apart, codes(result)) == (0, [])
    del answers["trectools"]["mean"]
    result = crosscheck(QRELS, RUN, "RR", tools=["columnar", "trectools"])
    (_, line) = result.lines
    assert (line.left_out, len(line.apart)) == ((), 1)
    assert (result.apart, codes(result)) == (1, ["X102"])


def test_ties_by_chance_are_a_warning(answers):
    """X104, where the tool has no order and its value is one of the possible ones."""
    run = {"q1": {"a": 1.0, "x": 1.0}}
    answers["ranx"] = {"values": {"q1": 1.0}}
    result = crosscheck({"q1": {"a": 1}}, run, "RR", tools=["columnar", "ranx"])
    assert codes(result) == ["X104"]


@pytest.mark.parametrize("one", CHECKS.values(), ids=list(CHECKS))
def test_every_finding_has_a_page(one):
    """What, why it matters with a number, how to fix it, when to ignore it; the code is the place in the table."""
    assert one.page.strip()
    for part in ("**Why it matters.**", "**Fix.**", "**When to ignore it.**"):
        assert part in one.page, one.code
    assert any(sign.isdigit() for sign in one.page)
    assert one.slug == one.slug.lower()
    assert list(CHECKS) == [f"X{101 + at}" for at in range(len(CHECKS))]


@pytest.mark.parametrize("name", TOOLS)
def test_a_level_is_asked_of_nobody_where_it_has_no_say(name):
    """Gains and not levels make nDCG and ERR: at level 2 each tool is asked what it is asked at level 1."""
    for measure in parse_measures("nDCG@10 nDCG ERR@10"):
        at_one, at_two = (TOOLS[name].asked(measure, level) for level in (1, 2))
        assert (at_one is None) == (at_two is None)
        assert at_one is None or TOOLS[name].own or at_two == at_one


def test_who_has_a_measure_but_no_such_level_lacks_only_the_level():
    """trectools and scikit-learn have AP, of any grade above 0; trectools has no Success at all."""
    for text, level, lacks in (
        ("AP", 2, "no such relevance level"),
        ("AP(rel=2)", 1, "no such relevance level"),
        ("Success@5", 2, "no such measure"),
    ):
        (question,) = questions.asked(text)
        assert asking._lacks(TOOLS["trectools"], question, level) == lacks


def test_every_dialect_of_a_tool_is_known():
    """The table of implementations names dialects that exist, and every choice of theirs can be put on ours."""
    base = dialect("trec_eval-c")
    for tool in TOOLS.values():
        known = dialect(tool.dialect)
        for name in CHOICES:
            try:
                base.using(**{name: getattr(known, name)})
            # reached only where a combination is refused
            except DenominatorError as error:  # pragma: no cover
                pytest.fail(f"{tool.name}: {error}")
