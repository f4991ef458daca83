"""Formulas that were read in another tool's code give what that tool prints."""

import importlib.util

import pytest

from denominator.crosscheck import crosscheck

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("trectools") is None, reason="needs trectools: pip install 'denominator[peers]'"
)


def test_trectools_counts_a_document_of_one_query_for_all():
    """With pandas 3, get_rprec: document a, found for q1, is relevant to q2 too, which did not find it."""
    # the formula depends on pandas' version
    pandas = pytest.importorskip("pandas")
    if int(pandas.__version__.split(".")[0]) < 3:
        pytest.skip("pandas 2 keeps the column of a groupby")
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "c": 1}}
    run = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"c": 2.0, "y": 1.0}}
    (line,) = crosscheck(qrels, run, "Rprec", tools=["columnar", "trectools"]).of("trectools")
    assert [(one.query_id, one.ours, one.theirs, one.explained) for one in line.apart] == [("q2", 0.5, 1.0, "choices")]
    assert [(one.choice, one.queries) for one in line.causes] == [("formula", 1)]


def test_trectools_has_no_preferences_without_judged_non_relevant_documents():
    """get_bpref: 0 / 0 becomes 0, where trec_eval has 1 for each relevant document found."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1, "b": 0}}
    run = {"q1": {"a": 1.0, "x": 2.0}, "q2": {"a": 2.0, "b": 1.0}}
    (line,) = crosscheck(qrels, run, "Bpref", tools=["columnar", "trectools"]).of("trectools")
    assert [(one.query_id, one.ours, one.theirs, one.explained) for one in line.apart] == [("q1", 1.0, 0.0, "choices")]
    assert [(one.choice, one.queries) for one in line.causes] == [("formula", 1)]


def test_trectools_averages_ties_from_one_query_into_the_next():
    """get_rbp: the last line of q1 and the first of q2 have one score, and share what their places are worth."""
    qrels = {"q1": {"b": 1}, "q2": {"c": 1}}
    run = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"c": 2.0, "d": 1.0}}
    (line,) = crosscheck(qrels, run, "RBP(p=0.5)", tools=["columnar", "trectools"]).of("trectools")
    shared = (0.25 + 0.5) / 2
    assert [(one.ours, one.theirs, one.explained) for one in line.apart] == [
        (0.25, shared, "choices"),
        (0.5, shared, "choices"),
    ]
    assert [(one.choice, one.queries) for one in line.causes] == [("formula", 2)]


def test_trectools_looks_at_a_thousand_documents_unless_told_otherwise():
    """get_map and its like: a relevant document at rank 1,001 is not seen."""
    run = {"q1": {f"d{at:04}": float(-at) for at in range(1001)}}
    result = crosscheck({"q1": {"d0000": 1, "d1000": 1}}, run, "AP AP@1001", tools=["columnar", "trectools"])
    whole, cut = result.of("trectools")
    assert [(one.theirs, one.explained) for one in whole.apart] == [(0.5, "choices")]
    assert [(one.choice, one.queries) for one in whole.causes] == [("formula", 1)]
    assert cut.apart == ()
