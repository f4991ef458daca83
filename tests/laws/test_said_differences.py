"""No sentence of the audit states a difference that its digits do not show."""

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from golden.folders import audited, folders

ROOT = Path(__file__).parents[2]

NUMBER = r"(?<![\d.,])(?P<first>\d[\d,]*(?:\.\d+)?)(?![\d.]*\d)"
VACUOUS = [
    rf"\b{NUMBER}%? (?:instead of|or) (?P=first)(?![\d.,]*\d)",
    r"(?:cannot exceed|at most|multiplied by|that is|mean is \S+ =) 1\.0+\b",
    rf"cannot exceed {NUMBER}:.* the ceiling is (?P=first)(?!\d)",
    rf"It is {NUMBER},.* would read (?P=first)(?!\d)",
    rf"\bis {NUMBER}(?: if|,? and (?:would be|divided by .* would read)|,) (?P=first)(?!\d)",
    rf"\bis {NUMBER} if none of them is relevant, (?P=first)(?!\d)",
    rf"{NUMBER} takes the grades as gains; .* would be (?P=first)(?!\d)",
    rf"{NUMBER} over .*, (?P=first) over ",
    rf"\bis {NUMBER} over .* could be (?P=first)(?!\d)",
]
"""How a sentence says that two numbers differ, with the same number twice; or that something is below 1 that is 1."""

ids = st.sampled_from(["q1", "q2", "q3", "q4"])
documents = st.sampled_from([f"d{number}" for number in range(6)])
judgments = st.lists(st.tuples(ids, documents, st.sampled_from([-1, 0, 0, 1, 1, 2])), min_size=1)
scores = st.sampled_from(["0.5", "1", "1", "1.00000001", "-2", "7", "inf", "nan", "-inf"])
rankings = st.lists(st.tuples(ids, documents, st.integers(0, 4), scores, st.sampled_from("ab")), min_size=1)


def vacuous(message):
    """Return the pieces of a message that state a difference which is not there."""
    return [found.group() for pattern in VACUOUS for found in re.finditer(pattern, message)]


def hold(findings):
    """Hold every message of some findings to the law."""
    for one in findings:
        assert vacuous(one.message) == [], f"{one.code}: {one.message}"


def test_what_is_vacuous_is_recognised():
    """The patterns see the sentences that a newcomer stumbled over, and let true ones pass."""
    for message in (
        "the means would read AP 0.000 instead of 0.000",
        "nDCG@10 cannot exceed 1.000: 1 of 4000 queries",
        "AP@10 cannot exceed 0.767: 1 of 9. It is 0.5, 65% of that ceiling; with lists of 10 the ceiling is 0.767",
        "P@10 is 0.200 if none of them is relevant, 0.200 if all are",
        "P@1, which divides by 1, is 0.500, and divided by the documents returned it would read 0.500",
        "|Rel| of the first query is 5 instead of 5, and",
        "every mean over 2,000 queries would be multiplied by 1.000",
    ):
        assert vacuous(message), message
    for message in (
        "the means would read AP 0.500 instead of 0.250, R@5 0.250 instead of 0.500",
        "keeps 10 documents instead of 1",
        "1 instead of 1,000",
        "0.1667 instead of 0.1666",
        "nDCG@10 cannot exceed 0.999: x. It is 0.500, 50% of that ceiling",
    ):
        assert vacuous(message) == [], message


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_golden_messages_state_differences_that_are_there(folder):
    """Whatever is said of golden files, by any check, at cutoffs small and large."""
    hold(audited(folder, select=(), k=[1, 5, 10]))


@settings(max_examples=100, deadline=None)
@given(judgments, rankings, st.booleans())
def test_messages_of_any_files_state_differences_that_are_there(tmp_path_factory, judged, ranked, bom):
    """The same holds of files with ties, repeats, contradictions, odd ranks and missing queries."""
    folder = tmp_path_factory.mktemp("files")
    mark = "\ufeff" if bom else ""
    (folder / "qrels").write_text(mark + "".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in judged))
    lines = [f"{query} Q0 {doc} {rank} {score} {tag}\n" for query, doc, rank, score, tag in ranked]
    (folder / "run").write_text(mark + "".join(lines))
    hold(dn.audit(folder / "qrels", folder / "run", k=[1, 3], corpus_size=30))


def test_samples_state_differences_that_are_there(tmp_path):
    """The same holds of the samples, and of a large query set in which one query changes a mean by next to nothing."""
    for name in ("agri", "harvest"):
        runs = sorted((ROOT / "runs").glob(f"{name}*.run"))
        hold(dn.audit(ROOT / "qrels" / f"{name}.qrels", runs, k=[1, 5, 10, 20]))
    shutil.copy(ROOT / "qrels" / "harvest.qrels", tmp_path / "qrels")
    judged = {f"q{number}": {"a": 1, "b": 0} for number in range(4000)}
    run = {query: {"a": 2.0, "b": 1.0} for query in judged}
    judged["q0"] = {f"d{number}": 2 for number in range(20)}
    judged["q1"] = {"a": 0}
    run["q2"] = {"b": 1.0, "x": 0.5}
    del run["q3"]
    hold(dn.audit(judged, run, k=[1, 2, 10]))
    (tmp_path / "qrels").write_text("qid 0 docid rel\n" + "".join(f"{query} 0 a 1\n" for query in judged))
    hold(dn.audit(tmp_path / "qrels", run, select="F"))
