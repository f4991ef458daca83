"""Every alternative value that a finding states is what `score` prints with the option, repair or rows it names."""

import json
import math
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import denominator as dn
from denominator.audit.options import AuditOptions
from golden.folders import audited, folders
from stated import NOT_PRINTED, STATED, Case, how, reason, row_of

ROOT = Path(__file__).parents[2]

ids = st.sampled_from(["q1", "q2", "q3", "q4"])
documents = st.sampled_from([f"d{number}" for number in range(6)])
judgments = st.lists(st.tuples(ids, st.sampled_from("01"), documents, st.sampled_from([-1, 0, 0, 1, 1, 2])), min_size=1)
scores = st.sampled_from(["0.5", "1", "1", "1.00000001", "-2", "7", "inf", "nan"])
rows = st.tuples(ids, documents, st.integers(0, 4), scores, st.sampled_from("ab"))
rankings = st.lists(rows, min_size=1, max_size=25)


def cases(folder, findings, options):
    """Yield (case, name, value) for every number of some findings."""
    stems = {path.name: path.name.split(".")[0].rstrip("0123456789") for path in folder.iterdir()}
    runs = tuple(sorted(name for name, stem in stems.items() if stem == "run"))
    for finding in findings:
        case = Case(folder, runs, finding, options)
        for name, value in finding.numbers.items():
            yield case, name, value


def check(folder, findings, options):
    """Hold every number that the table knows to what `score` prints, and return how many these were."""
    held = 0
    for case, name, value in cases(folder, findings, options):
        got = how(case.finding.code, name)
        if got is None or value is None:
            continue
        get, measure = got
        printed = get(case, measure)
        assert math.isclose(printed, value, rel_tol=1e-12, abs_tol=1e-12), (case.finding.code, name, value, printed)
        held += 1
    return held


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_golden_numbers_are_what_score_prints(folder, tmp_path):
    """Whatever a golden finding states that a measure prints is what it prints."""
    copy = Path(shutil.copytree(folder, tmp_path / folder.name))
    said = json.loads((copy / "options.json").read_text()) if (copy / "options.json").exists() else {}
    options = AuditOptions(k=tuple(said.get("k", (10,))), level=said.get("level", 1))
    check(copy, audited(copy), options)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(judgments, rankings)
def test_the_numbers_of_any_files_are_what_score_prints(judged, ranked):
    """The same holds of judgments and runs with ties, repeats, contradictions, odd ranks and missing queries."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        lines = [f"{query} {second} {doc} {grade}\n" for query, second, doc, grade in judged]
        (folder / "qrels").write_text("".join(lines))
        lines = [f"{query} Q0 {doc} {rank} {score} {tag}\n" for query, doc, rank, score, tag in ranked]
        (folder / "run").write_text("".join(lines))
        options = AuditOptions(k=(1, 3), corpus_size=30)
        check(folder, audited(folder, select=(), k=[1, 3], corpus_size=30), options)


def test_the_numbers_of_the_larger_sample_are_what_score_prints(tmp_path):
    """The same holds of some hundred queries in several languages, and two systems of unlike kinds."""
    shutil.copy(ROOT / "qrels" / "harvest.qrels", tmp_path / "qrels")
    for number, system in enumerate(("bm25", "translated"), 1):
        shutil.copy(ROOT / "runs" / f"harvest-{system}.run", tmp_path / f"run{number}")
    found = audited(tmp_path, select=(), k=[5, 10])
    assert check(tmp_path, found, AuditOptions(k=(5, 10))) > 40


def test_every_number_has_a_row_or_a_reason():
    """No number is left out of the table unnoticed; what no measure prints is named with its reason; no row is idle."""
    used, missing = set(), set()
    for folder in folders():
        for case, name, value in cases(folder, audited(folder), AuditOptions()):
            code = case.finding.code
            used |= {row_of(code, name), reason(code, name, value)}
            if how(code, name) is None and reason(code, name, value) is None:
                missing.add((code, name))
    assert sorted(missing) == []
    assert [row[:2] for row in STATED if row[:2] not in used] == []
    assert [row for row in NOT_PRINTED if row[2] not in used] == []


def test_a_wrong_number_is_seen(tmp_path):
    """The table can fail: a number a thousandth off is none that score prints."""
    from dataclasses import replace

    folder = next(one for one in folders() if one.name == "D110")
    copy = Path(shutil.copytree(folder, tmp_path / folder.name))
    (*_, finding) = audited(copy)
    off = {name: value + 0.001 if isinstance(value, float) else value for name, value in finding.numbers.items()}
    with pytest.raises(AssertionError, match="D110"):
        check(copy, [replace(finding, numbers=off)], AuditOptions())
    assert dn.audit(copy / "qrels", copy / "run", select="D110")


@pytest.mark.parametrize(("code", "grade", "level"), [("Q105", 0, 1), ("Q106", -1, 1), ("Q112", 1, 2)])
def test_no_mean_is_stated_over_no_query(code, grade, level):
    """Where a finding is about all queries there are no others that a mean could be over."""
    (finding,) = dn.audit({"q1": {"d1": grade}}, {"q1": {"d1": 1.0}}, select=code, level=level)
    assert "over the other" not in finding.message
    assert "AP" not in finding.numbers
