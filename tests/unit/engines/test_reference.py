"""The textbook: numbers worked by hand, undefined cases, and nothing imported but the standard library."""

from __future__ import annotations

import ast
import math
import sys
from pathlib import Path

import pytest

from denominator.engines import reference
from denominator.errors import UndefinedError, UsageError

# The article's example: four queries, their judgments, and ten retrieved documents each.
GRADES = {
    "q_faw": {"m1": 3, "m2": 2, "m3": 1},
    "q_store": {"s1": 3, "s2": 2, "s3": 1},
    "q_milk": {"d1": 3, "d2": 2, "d3": 1},
    "q_broad": {"m1": 3, "m2": 3, "m3": 2, "m4": 2, "m5": 1, "m6": 1, "s1": 2, "s2": 1},
}
RANKINGS = {
    "q_faw": ["m2", "x3", "m1", "p1", "d2", "m3", "s1", "x1", "p3", "d5"],
    "q_store": ["d2", "s2", "x4", "s1", "p2", "s3", "m4", "d1", "p5", "x2"],
    "q_milk": ["d1", "s2", "x1", "d2", "x3", "d3", "m1", "p4", "s4", "x2"],
    "q_broad": ["m1", "s1", "m2", "m3", "x1", "m4", "m5", "m6", "s2", "d1"],
}
PER_QUERY = {  # P@5, R@5, capped recall@5, RR, nDCG@5 as the article prints them
    "q_faw": (0.4, 0.667, 0.667, 1.0, 0.735),
    "q_store": (0.4, 0.667, 0.667, 0.5, 0.536),
    "q_milk": (0.4, 0.667, 0.667, 1.0, 0.811),
    "q_broad": (0.8, 0.5, 0.8, 1.0, 0.88),
}
CUT_METRICS = [
    reference.precision_at_k,
    reference.recall_at_k,
    reference.capped_recall_at_k,
    reference.success_at_k,
]
RANKED_METRICS = [
    reference.reciprocal_rank,
    reference.ndcg_at_k,
    reference.average_precision,
    reference.r_precision,
    reference.rbp,
    reference.bpref,
    reference.inf_ap,
]
NEEDS_RELEVANT = [
    reference.ndcg_at_k,
    reference.average_precision,
    reference.r_precision,
    reference.bpref,
    reference.inf_ap,
]


@pytest.mark.parametrize("query", PER_QUERY)
def test_the_articles_numbers_come_out(query: str):
    """Each query's five numbers are those of the article, to three decimals."""
    ranking, grades = RANKINGS[query], GRADES[query]
    found = (
        reference.precision_at_k(ranking, grades, 5),
        reference.recall_at_k(ranking, grades, 5),
        reference.capped_recall_at_k(ranking, grades, 5),
        reference.reciprocal_rank(ranking[:5], grades),
        reference.ndcg_at_k(ranking, grades, 5),
    )
    assert tuple(round(value, 3) for value in found) == PER_QUERY[query]


def test_the_articles_reordering_moves_rr_and_ndcg_only():
    """Moving d1 from rank 1 to rank 4 of the same five leaves P and R, and moves RR and nDCG."""
    grades, moved = GRADES["q_milk"], ["s2", "x1", "d2", "d1", "x3"]
    assert reference.precision_at_k(moved, grades, 5) == 0.4
    assert round(reference.recall_at_k(moved, grades, 5), 3) == 0.667
    assert round(reference.reciprocal_rank(moved, grades), 3) == 0.333
    assert round(reference.ndcg_at_k(moved, grades, 5), 3) == 0.481


def test_the_articles_stages_and_true_labels():
    """Recall of the fetch is 1 for all four queries, and four more labels take q_broad's recall from 0.5 to 0.417."""
    assert all(reference.recall_at_k(RANKINGS[query], GRADES[query], 10) == 1 for query in GRADES)
    true = {**GRADES["q_broad"], "s3": 1, "x1": 1, "x2": 1, "s4": 1}
    assert round(reference.recall_at_k(RANKINGS["q_broad"], true, 5), 3) == 0.417


def test_precision_divides_by_k_also_when_less_was_retrieved():
    """Fewer results than k leave empty places, which count as wrong."""
    assert reference.precision_at_k(["m1"], GRADES["q_faw"], 5) == 0.2


def test_a_hit_just_below_the_cutoff_does_not_count():
    """The document at rank k + 1 is outside of every measure with a cutoff."""
    ranking, grades = ["x1", "x2", "a"], {"a": 1}
    assert reference.precision_at_k(ranking, grades, 2) == 0
    assert reference.recall_at_k(ranking, grades, 2) == 0
    assert reference.reciprocal_rank(ranking, grades, 2) == 0
    assert reference.ndcg_at_k(ranking, grades, 2) == 0
    assert reference.average_precision(ranking, grades, 2) == 0
    assert reference.success_at_k(ranking, grades, 2) == 0
    assert reference.rbp(ranking, grades, 0.5, 2) == 0
    assert reference.err(ranking, grades, 2, max_grade=1) == 0


def test_none_retrieved_is_zero_and_all_retrieved_is_one():
    """With nothing relevant retrieved recall is 0; with all of it on top every share is 1."""
    grades = GRADES["q_faw"]
    assert reference.recall_at_k(["x1", "x2"], grades, 5) == 0
    perfect = ["m1", "m2", "m3", "x1"]
    for metric in (
        reference.ndcg_at_k,
        reference.average_precision,
        reference.r_precision,
        reference.bpref,
        reference.reciprocal_rank,
    ):
        assert metric(perfect, grades) == 1


def test_the_level_decides_what_counts_as_relevant():
    """At level 2 the grade-1 document leaves the numerator and the denominator."""
    ranking, grades = RANKINGS["q_faw"], GRADES["q_faw"]
    assert reference.recall_at_k(ranking, grades, 5, level=2) == 1
    assert reference.precision_at_k(ranking, grades, 10, level=2) == 0.2
    assert reference.average_precision(ranking, grades, level=2) == pytest.approx((1 + 2 / 3) / 2)
    assert reference.capped_recall_at_k(ranking, grades, 1, level=3) == 0
    assert reference.reciprocal_rank(ranking, grades, level=3) == pytest.approx(1 / 3)
    assert reference.success_at_k(ranking, grades, 1, level=3) == 0
    assert reference.r_precision(ranking, grades, level=3) == 0
    assert reference.rbp(ranking, grades, 0.5, level=3) == 0.125
    assert reference.bpref(["a", "b", "c"], {"a": 1, "b": 2, "c": 3}, level=2) == pytest.approx(0)
    assert reference.inf_ap(["a", "b"], {"a": 1, "b": 2}, level=2) == pytest.approx(0.5, abs=1e-4)


def test_a_negative_grade_is_neither_relevant_nor_judged():
    """A grade of -2 has gain 0, is no judged non-relevant document for bpref, and is in the pool for infAP."""
    ranking, grades = ["spam", "good"], {"spam": -2, "good": 1}
    assert reference.ndcg_at_k(ranking, grades) == pytest.approx(1 / math.log2(3))
    assert reference.average_precision(ranking, grades) == 0.5
    assert reference.bpref(ranking, grades) == 1
    assert reference.err(ranking, grades, max_grade=1) == 0.25
    assert reference.inf_ap(ranking, grades) == pytest.approx(0.75)
    assert reference.inf_ap(ranking, {"good": 1}) == 0.5


def test_the_gain_of_ndcg_can_be_chosen():
    """With gain 2**g - 1, ranks (2, 1) of grades (1, 3) give (1 + 7/log2 3) / (7 + 1/log2 3)."""
    found = reference.ndcg_at_k(["b", "a"], {"a": 3, "b": 1}, gain=lambda grade: 2**grade - 1)
    assert found == pytest.approx((1 + 7 / math.log2(3)) / (7 + 1 / math.log2(3)))


def test_rbp_prints_another_number_for_another_p():
    """Relevant at ranks 1 and 3: (1 - p)(1 + p²)."""
    ranking, grades = ["a", "x", "b"], {"a": 1, "b": 1}
    assert reference.rbp(ranking, grades) == pytest.approx(0.2 * 1.64)
    assert reference.rbp(ranking, grades, p=0.95) == pytest.approx(0.05 * 1.9025)
    assert reference.rbp(ranking, grades, k=2) == pytest.approx(0.2)


def test_err_divides_by_the_top_of_the_scale():
    """One document of grade 1 at rank 1 satisfies with 1/2 on a scale to 1, and with 1/16 on a scale to 4."""
    assert reference.err(["a"], {"a": 1}, max_grade=1) == 0.5
    assert reference.err(["a"], {"a": 1}, max_grade=4) == 0.0625


@pytest.mark.parametrize("metric", NEEDS_RELEVANT)
@pytest.mark.parametrize("grades", [{}, {"a": 0}, {"a": -1}])
def test_what_divides_by_no_relevant_document_is_undefined(metric, grades):
    """Without a relevant document there is nothing to divide by, and an error says so."""
    with pytest.raises(UndefinedError, match="undefined"):
        metric(["a", "b"], grades)


@pytest.mark.parametrize("metric", [reference.recall_at_k, reference.capped_recall_at_k])
def test_recall_of_nothing_is_undefined(metric):
    """Recall with |Rel| = 0 raises an ArithmeticError that counts what was judged."""
    with pytest.raises(ArithmeticError, match=r"\|Rel\| = 0, none of the 2 judged documents"):
        metric(["a"], {"a": 0, "b": 0}, 5)


def test_what_does_not_divide_by_rel_is_defined_without_relevant_documents():
    """P, RR, Success, RBP and ERR have a value of 0 there."""
    assert reference.precision_at_k(["a"], {}, 1) == 0
    assert reference.reciprocal_rank(["a"], {}) == 0
    assert reference.success_at_k(["a"], {}, 1) == 0
    assert reference.rbp(["a"], {}) == 0
    assert reference.err(["a"], {}, max_grade=1) == 0


@pytest.mark.parametrize("metric", [*CUT_METRICS, *RANKED_METRICS])
def test_a_document_twice_in_the_ranking_is_refused_with_both_ranks(metric):
    """A repeated document would be counted twice; the message names it and where it stands."""
    arguments = [] if metric in RANKED_METRICS else [5]
    with pytest.raises(ValueError, match="'d1' is in the ranking twice, at ranks 1 and 3"):
        metric(["d1", "d3", "d1", "d2"], {"d1": 1, "d2": 1}, *arguments)
    with pytest.raises(ValueError, match="at ranks 1 and 2"):
        reference.err(["a", "a"], {"a": 1}, max_grade=1)


@pytest.mark.parametrize("k", [0, -1, 2.5])
@pytest.mark.parametrize("metric", [*CUT_METRICS, reference.ndcg_at_k, reference.average_precision])
def test_a_cutoff_is_a_whole_number_of_at_least_one(metric, k):
    """There is no first 0, first -1 or first 2.5 documents."""
    with pytest.raises(UsageError, match="whole number of at least 1"):
        metric(["a"], {"a": 1}, k)


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5, math.nan])
def test_rbp_refuses_a_p_that_is_no_probability(p):
    """With p = 0 or 1 there is no reader to describe."""
    with pytest.raises(UsageError, match="between 0 and 1"):
        reference.rbp(["a"], {"a": 1}, p)


def test_err_refuses_a_grade_above_the_scale():
    """A grade above max_grade would satisfy with a chance above 1."""
    with pytest.raises(UsageError, match="got 3, but a document has grade 4"):
        reference.err(["a"], {"a": 4}, max_grade=3)


def test_the_textbook_imports_nothing_but_the_standard_library():
    """A reader can copy the file: it needs Python and the package's own names of errors."""
    tree = ast.parse(Path(reference.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    outside = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    assert outside == {"denominator.errors"}


@pytest.mark.parametrize("name", reference.__all__)
def test_each_metric_says_what_it_divides_by_and_when_not_to_trust_it(name: str):
    """Formula, denominator, distrust, source and a number worked by hand are in each docstring."""
    page = getattr(reference, name).__doc__
    assert page.splitlines()[0].endswith(".")
    for word in ("Formula: ", "Denominator: ", "rust", "Source: ", ">>> "):
        assert word in page
