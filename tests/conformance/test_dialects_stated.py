"""One run, one qrels file, thirteen numbers: every one that tools print comes out of a dialect, or is shown not to."""

import pytest

from denominator.dialects import apply, dialect
from denominator.formats import read_qrels, read_run
from denominator.measures import nDCG

AT = nDCG @ 10

PRINTED = [
    ("trec_eval-c", {}, 0.27248, 50),
    ("ir_measures", {}, 0.27248, 50),
    ("trec_eval-9", {}, 0.27804, 49),
    ("pytrec_eval-raw", {}, 0.27804, 49),
    ("beir", {}, 0.27804, 49),
    ("trectools", {}, 0.27408, 50),
    ("rankkit", {"gain": "linear"}, 0.28384, 48),
    ("rankkit", {}, 0.24946, 48),
    ("retrieval-eval", {}, 0.24437, 49),
    ("rankflow", {}, 0.24133, 49),
    ("retrieval-eval-gate", {}, 0.36458, 49),
    ("evidently", {}, 0.29317, 48),
]
"""Dialect, the choice that was changed, what the tool printed, and over how many queries."""


@pytest.fixture(scope="module")
def files(shared):
    """Return the made collection's judgments and the run A."""
    folder = shared / "data" / "dialects"
    return read_qrels(folder / "qrels.txt"), read_run(folder / "A.run")


@pytest.mark.shared
@pytest.mark.parametrize(("name", "choices", "printed", "queries"), PRINTED)
def test_what_a_tool_printed_comes_out_of_its_dialect(files, name, choices, printed, queries):
    """nDCG@10 to the last digit that was printed, over as many queries."""
    applied = apply(*files, AT, dialect(name).using(**choices))
    assert applied.n(AT) == queries
    assert round(applied.mean(AT), 5) == printed


@pytest.mark.shared
def test_ranx_is_somewhere_between_the_best_and_the_worst_order_of_the_ties(files):
    """The three numbers of three calls lie between the extremes over all orders, and the dialect says why."""
    from denominator.bounds import ties

    bounds = ties(*files, [AT])[AT]
    low, high = bounds.low.mean(), bounds.high.mean()
    applied = apply(*files, AT, "ranx")
    assert [note.kind for note in applied.notes] == ["unstable-ties"]
    for printed in (0.27193, 0.26985, 0.27245, applied.mean(AT)):
        assert low <= printed <= high


@pytest.mark.shared
def test_beir_divides_two_measures_of_one_report_by_two_numbers_of_queries(files):
    """nDCG over the 49 answered queries, MRR over the 50 judged ones."""
    applied = apply(*files, "nDCG@10 RR@10", "beir")
    assert [applied.n(measure) for measure in applied.values] == [49, 50]
