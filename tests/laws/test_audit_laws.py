"""Laws of the audit, whatever the files hold."""

import re
from collections import Counter

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import denominator as dn
from denominator.audit.auditing import run_checks
from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
from denominator.audit.options import AuditOptions
from denominator.audit.registry import CHECKS
from denominator.formats.subset import subset
from denominator.outputs.findings import FORMATS, Options, render
from inputs import qrels_of, run_of

ABOUT_ORDER = "F"
"""Families of checks about lines and their order, which an order of rows may change; others are in `EXCEPT`."""
EXCEPT = frozenset({"T108", "R110", "R111"})
"""Checks that are about the order of lines: ties kept in file order, and lines that stand for missing ranks."""

ids = st.sampled_from(["q1", "q2", "q3"])
documents = st.sampled_from([f"d{number}" for number in range(8)])
judgments = st.lists(st.tuples(ids, documents, st.sampled_from([-1, 0, 1, 2, 1000])), min_size=1, max_size=20)
scores = st.sampled_from([0.0, 0.5, 1.0, 1.00000001, -1.0, float("inf"), float("-inf"), float("nan")])
rankings = st.lists(st.tuples(ids, documents, scores), min_size=1, max_size=25)
OPTIONS = AuditOptions(k=(1, 3), corpus_size=30, grades=(0, 2), min_coverage=0.5)
laws = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def evidence(qrels, *runs):
    judged = QrelsEvidence(qrels, ())
    return Evidence(judged, tuple(RunEvidence(run, (), judged, 1) for run in runs), OPTIONS)


def frozen(rows):
    """Return rows whose columns cannot be written to."""
    for column in (rows.query, getattr(rows, "score", None), getattr(rows, "relevance", None)):
        if column is not None:
            column.setflags(write=False)
    return rows


def said(findings):
    """Return what was found, as texts that can be compared: places and queries as sets."""
    return Counter(
        (one.code, one.severity, one.message, repr(sorted((str(k), repr(v)) for k, v in one.numbers.items())))
        for one in findings
    )


@laws
@given(judgments, rankings)
def test_an_audit_of_anything_ends_and_changes_nothing(judged, ranked):
    """No rows make a check crash, write to its input, or give a finding without code, sentence or file."""
    qrels, run = frozen(qrels_of(judged)), frozen(run_of(ranked))
    before = (qrels.relevance.copy(), run.score.copy(), run.doc_id.to_pylist())
    findings = run_checks(evidence(qrels, run))
    for one in findings:
        assert one.code in CHECKS
        assert one.message
        assert not one.message.endswith(".")
        assert one.fix
        assert one.source in {"test"}
        assert len(list(one.places)) == len(one.places)
    assert np.array_equal(before[0], qrels.relevance)
    assert np.array_equal(before[1], run.score, equal_nan=True)
    assert before[2] == run.doc_id.to_pylist()


@laws
@given(judgments, rankings, st.randoms(use_true_random=False))
def test_findings_do_not_depend_on_the_order_of_rows(judged, ranked, random):
    """Rows of distinct pairs may stand in any order; only checks about lines and their order may tell."""
    judged = [*{row[:2]: row for row in judged}.values()]
    ranked = [*{row[:2]: row for row in ranked}.values()]
    other_judged, other_ranked = random.sample(judged, len(judged)), random.sample(ranked, len(ranked))
    codes = [code for code in CHECKS if not code.startswith(ABOUT_ORDER) and code not in EXCEPT]
    one, two = (
        [found for found in run_checks(evidence(qrels_of(a), run_of(b))) if found.code in codes]
        for a, b in ((judged, ranked), (other_judged, other_ranked))
    )
    assert said(one) == said(two)


@laws
@given(judgments, rankings)
def test_the_same_files_give_the_same_findings(judged, ranked):
    """Nothing depends on the run before, on a clock or on chance."""
    first, second = ("".join(render(run_checks(evidence(qrels_of(judged), run_of(ranked))), "json")) for _ in range(2))
    assert first == second


@laws
@given(judgments, rankings)
def test_the_table_is_what_score_prints(judged, ranked):
    """R@k, its ceiling and |Rel| are those of evaluate() on the files with every pair once."""
    qrels = {query: {} for query, _, _ in judged}
    for query, document, grade in judged:
        qrels[query].setdefault(document, grade)
    run = {query: {} for query, _, _ in ranked}
    for query, document, score in ranked:
        if score == score:
            run[query][document] = max(score, run[query].get(document, float("-inf")))
    run = {query: scored for query, scored in run.items() if scored}
    if not set(run) & set(qrels):
        return
    numbers = [(query, document, score) for query, scored in run.items() for document, score in scored.items()]
    (table,) = run_checks(evidence(qrels_of(judged), run_of(numbers))).tables
    scores = dn.evaluate(qrels, run, "R@1 R@3 NumRel", engine="columnar")
    values = {(row.query_id, str(row.measure)): row.value for row in scores.rows()}
    for line in table:
        assert line.rel == values.get((line.query_id, "NumRel")) or not line.answered
        if line.recall is not None:
            assert line.recall == values[line.query_id, f"R@{line.k}"]
            assert line.recall <= line.ceiling == min(1, line.k / line.rel)


@laws
@given(judgments, rankings, st.sampled_from(sorted(FORMATS)))
def test_every_format_holds_what_was_found(judged, ranked, form):
    """Whatever is found can be written in every format, and each code is there."""
    findings = run_checks(evidence(qrels_of(judged), run_of(ranked)))
    text = "".join(render(findings, form, Options(verbose=True)))
    assert {one.code for one in findings} <= set(re.findall(r"\b[A-Z]\d{3}\b", text))


def test_subsets_are_what_the_evidence_is_made_of():
    """Evidence keeps the better copy of a document: an audit can say what a number would be."""
    qrels, run = qrels_of([("q1", "d1", 1)]), run_of([("q1", "d1", 1.0), ("q1", "d1", 2.0), ("q1", "d2", 1.5)])
    ranked = evidence(qrels, run).runs[0].ranked
    assert ranked.score.tolist() == subset(run, np.array([False, True, True])).score.tolist()
