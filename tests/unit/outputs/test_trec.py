"""trec_eval's layout."""

import pytest

from denominator import InputError, UsageError, evaluate
from denominator.outputs import Options, render
from inputs import judged, ranked

QRELS, RUN = judged("q2 a 1\nq1 b 1\nq3 c 1"), ranked("q2 a\nq1 x b")


def test_lines_are_trec_evals():
    """Names in 22 characters, tabs, four decimals, counts whole; queries first, NumQ and gm_map in the summary only."""
    scores = evaluate(QRELS, RUN, "NumQ AP gm_map P@5 NumRelRet")
    assert render(scores, "trec", Options(per_query=True)) == (
        "map                   \tq1\t0.5000\n"
        "P_5                   \tq1\t0.2000\n"
        "num_rel_ret           \tq1\t1\n"
        "map                   \tq2\t1.0000\n"
        "P_5                   \tq2\t0.2000\n"
        "num_rel_ret           \tq2\t1\n"
        "map                   \tq3\t0.0000\n"
        "P_5                   \tq3\t0.0000\n"
        "num_rel_ret           \tq3\t0\n"
        "num_q                 \tall\t3\n"
        "map                   \tall\t0.5000\n"
        "gm_map                \tall\t0.0171\n"
        "P_5                   \tall\t0.1333\n"
        "num_rel_ret           \tall\t2\n"
    )
    assert "q1" not in render(scores, "trec")


@pytest.mark.parametrize(
    ("measures", "options", "text"),
    [
        ("RCap@5", {}, "trec_eval has no measure RCap@5"),
        ("AP P(rel=2)@5", {}, r"for P\(rel=2\)@5 use -l 2"),
        ("P(judged_only=True)@5", {}, "use -J"),
    ],
)
def test_what_trec_eval_lacks_is_refused(measures, options, text):
    """A name that trec_eval would print for something else is not printed."""
    with pytest.raises(UsageError, match=text):
        render(evaluate(QRELS, RUN, measures, **options), "trec")


def test_options_that_hold_for_all_measures_are_no_obstacle():
    """P(rel=2) under -l 2 is trec_eval's P, and so is judged_only under -J."""
    scores = evaluate(QRELS, RUN, "P(rel=2,judged_only=True)@5", level=2, judged_only=True)
    assert render(scores, "trec") == "P_5                   \tall\t0.0000\n"


def test_several_runs_are_refused():
    """The layout has no place for a run's name."""
    with pytest.raises(UsageError, match="holds one run, found 2"):
        render(evaluate(QRELS, [RUN, RUN], "AP"), "trec")


def test_a_row_without_a_value_has_no_line():
    """0 would be perfect, and the layout has no word for none."""
    text = render(evaluate(QRELS, RUN, "num_nonrel_judged_ret"), "trec", Options(per_query=True))
    assert [line.split("\t")[1] for line in text.splitlines()] == ["q1", "q2", "all"]


@pytest.mark.parametrize("query", ["q 1", "q\t1", "q\n1", "q\r1"])
def test_an_id_that_would_forge_a_line_is_refused(query):
    """A line end in an id would begin a line of its own; without -q the ids are not printed."""
    scores = evaluate({query: {"d": 1}}, {query: {"d": 1.0}}, "AP")
    with pytest.raises(InputError, match=r"query id .* holds a blank or a line end"):
        render(scores, "trec", Options(per_query=True))
    assert render(scores, "trec").count("\n") == 1
