"""Laws of repairs, whatever the lines of a file are: what they leave alone, and what they never do."""

import importlib
import io
import random
import shutil
from collections import Counter
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import denominator as dn
from denominator.audit.auditing import FORGIVEN, run_checks
from denominator.audit.evidence import Evidence
from denominator.audit.options import AuditOptions
from denominator.audit.registry import CHECKS
from denominator.errors import FormatError, InputError
from denominator.formats import examine_qrels, examine_run
from denominator.repair.repairing import repaired, wanted
from denominator.repair.table import REPAIRS
from denominator.repair.text import Lines
from golden.folders import audited, folders

gaps = st.sampled_from([" ", " ", " ", "\t", "  ", " \t"])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\t\r\n"])
queries = st.sampled_from(["q1", "q2", "q3"])
documents = st.sampled_from([f"d{number}" for number in range(6)])
scores = st.sampled_from(["0.5", "1", "1", "1.00000001", "-2", "7e0", "inf", "nan", "0,5", "1e999"])
ranks = st.sampled_from(["0", "1", "1", "2", "03", "9", "0.5", "x"])
grades = st.sampled_from(["-1", "0", "0", "1", "1", "2", "0.5", "yes"])
odd = st.sampled_from(["", " ", "# a comment", "junk", "#q1 Q0 d1 1 2 t", "qid Q0 docno rank score tag"])

laws = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def texts(draw, kind):
    """Return the text of a file in which most lines are rows."""
    lines = []
    for _ in range(draw(st.integers(1, 16))):
        if draw(st.integers(0, 9)) == 0:
            lines.append(draw(odd) + draw(ends))
            continue
        query, doc = draw(queries), draw(documents)
        if kind == "run":
            fields = [query, "Q0", doc, draw(ranks), draw(scores), draw(st.sampled_from(["s", "s", "t", "t u", ""]))]
        else:
            fields = [query, draw(st.sampled_from("001")), doc, draw(grades)]
        lines.append(draw(gaps).join(field for field in fields if field) + draw(ends))
    text = "".join(lines)
    return text.rstrip("\n") if draw(st.booleans()) else text


files = st.sampled_from(["run", "qrels"]).flatmap(lambda kind: st.tuples(st.just(kind), texts(kind)))


def lines(kind, text):
    return Lines.of(f"some.{kind}", kind, text.encode(), lenient=MappingProxyType({}))


def mended(kind, text, codes, keep="best", sort=False):
    """Return the outcome of some repairs, or None where the file holds no row or would hold none."""
    try:
        return repaired(lines(kind, text), codes, keep=keep, sort=sort)
    except (FormatError, InputError):
        return None


def rows(file):
    """Return what counts for a score in each row, in the order of the lines, and equal NaN as equal."""
    table = file.reading.rows
    values = table.score if file.kind == "run" else table.relevance
    return [(table.query_of(row), table.doc_of(row), repr(values[row].item())) for row in range(len(table))]


@laws
@given(files, st.booleans())
def test_what_is_done_unasked_changes_no_score(file, sort):
    """The rows of the copy are those of the file with the scores they had, but for judgments that repeat exactly."""
    kind, text = file
    outcome = mended(kind, text, wanted((), kind), sort=sort and kind == "run")
    if outcome is None:
        return
    before, after = Counter(rows(outcome.before)), Counter(rows(outcome.after))
    assert set(before) == set(after)
    assert kind == "qrels" or before == after
    assert outcome.queries == [] or kind == "qrels"


@laws
@given(files, st.sampled_from(sorted(REPAIRS)))
def test_a_repair_leaves_nothing_to_do(file, code):
    """Made again, it changes nothing, and says so; distances alone have an opposite that has one."""
    kind, text = file
    if kind not in REPAIRS[code].kinds.split() or code == "R110":
        return
    first = mended(kind, text, [code])
    if first is None:
        return
    again = repaired(first.after, [code], keep="best")
    if code == "R111":  # minus the rank may be one score for all again, where the ranks are
        assert repaired(again.after, [code]).after.lines == again.after.lines
        return
    assert again.after.data() == first.after.data()


@laws
@given(files, st.sampled_from(sorted(REPAIRS)))
def test_after_a_repair_its_check_finds_nothing(file, code):
    """Whatever a file held of what a check finds fault with is mended, but for what the repair says it leaves."""
    kind, text = file
    if kind not in REPAIRS[code].kinds.split():
        return
    outcome = mended(kind, text, [code])
    if outcome is None or "left as they are" in "".join(one.remark for _, one in outcome.mended):
        return
    found = _audit(kind, outcome.after.data(), code)
    assert [finding.message for finding in found if finding.code == code] == []


def _audit(kind, data, code):
    """Audit a run against other judgments, or judgments under a run."""
    other = {"run": b"q1 0 d1 1\nq2 0 d2 1\n", "qrels": b"q1 Q0 d1 1 2 t\nq2 Q0 d2 1 2 t\n"}[kind]
    qrels, run = (other, data) if kind == "run" else (data, other)
    evidence = Evidence.of(
        examine_qrels(_file(qrels, "qrels"), lenient=FORGIVEN),
        [examine_run(_file(run, "run"), lenient=FORGIVEN)],
        AuditOptions(select=(code,)),
    )
    return run_checks(evidence)


def _file(data, name):
    file = io.BytesIO(data)
    file.name = name
    return file


@laws
@given(files, st.sampled_from(sorted(REPAIRS)))
def test_what_is_not_mended_stays_to_the_byte(file, code):
    """A repair that counts nothing returns the file as it was; one that counts has changed it."""
    kind, text = file
    if kind not in REPAIRS[code].kinds.split():
        return
    outcome = mended(kind, text, [code])
    if outcome is None:
        return
    count = sum(one.count for _, one in outcome.mended)
    assert (outcome.after.data() == outcome.before.data()) == (count == 0)
    assert outcome.before.data() == text.encode()


@laws
@given(texts("run"), st.sampled_from(["best", "first", "last"]))
def test_copies_and_nan_are_left_out_as_a_leniency_leaves_them_out(text, keep):
    """`fix --select R101 --keep X` is `score --lenient duplicates=X`, F116, F117 numbers=drop, T105 nan=drop."""
    outcome = mended("run", text, ["F116", "F117", "T105", "R101"], keep=keep)
    if outcome is None:
        return
    skipped = {"header": "skip", "fields": "skip", "tag": "none", "numbers": "drop"}
    settled = {**skipped, "nan": "drop", "duplicates": keep}
    try:
        lenient = dn.read_run(_file(text.encode(), "run"), lenient=settled)
        fixed = dn.read_run(_file(outcome.after.data(), "run"), lenient=skipped)
    except FormatError:
        return
    assert _pairs(fixed) == _pairs(lenient)


def _pairs(run):
    return [(run.query_of(row), run.doc_of(row), run.score[row].item()) for row in range(len(run))]


@laws
@given(texts("qrels"), st.sampled_from([("best", "max"), ("first", "first"), ("last", "last")]))
def test_contradictions_are_settled_as_a_leniency_settles_them(text, keep):
    """`fix --select Q102,Q103 --keep X` is `score --lenient conflicts=X`."""
    outcome = mended("qrels", text, ["Q102", "Q103", "F118"], keep=keep[0])
    if outcome is None:
        return
    skipped = {"header": "skip", "fields": "skip", "numbers": "drop"}
    try:
        settled = dn.read_qrels(
            _file(text.encode(), "qrels"), lenient={**skipped, "conflicts": keep[1]}, float_grades=True
        )
    except FormatError:
        return
    fixed = dn.read_qrels(_file(outcome.after.data(), "qrels"), lenient=skipped, float_grades=True)
    assert {(q, d): g for q, d, g in _grades(fixed)} == {(q, d): g for q, d, g in _grades(settled)}


def _grades(qrels):
    return [(qrels.query_of(row), qrels.doc_of(row), qrels.relevance[row].item()) for row in range(len(qrels))]


BY_LINE = {
    "T108": "is about the order of the lines",
    "R101": "which copy is the last depends on the lines",
    "R110": "where there are no ranks the lines stand for them",
    "R111": "where there are no ranks the lines stand for them",
    "Q102": "which grade is the first depends on the lines",
    "Q103": "which grade is the first depends on the lines",
    "I109": "knows a file by its bytes",
}
"""Checks that may tell one order of lines from another, and why; family F is about lines."""


def _said(findings):
    """Return what was found, as it can be compared."""
    return Counter((one.code, one.severity, one.source, one.message, len(one.places)) for one in findings)


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_findings_of_golden_files_do_not_depend_on_the_order_of_their_lines(folder, tmp_path):
    """Shuffled, the golden files are found to be what they are; only checks about lines may tell."""
    if folder.name.startswith("F") or folder.name in BY_LINE:
        return
    copy = Path(shutil.copytree(folder, tmp_path / folder.name))
    before = _said(audited(copy))
    for path in copy.iterdir():
        if path.name.rstrip("0123456789") in ("run", "qrels", "truth", "other"):
            shuffled = path.read_text(encoding="utf-8").splitlines(keepends=True)
            random.Random(path.name).shuffle(shuffled)
            path.write_text("".join(shuffled), encoding="utf-8")
    assert _said(audited(copy)) == before


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_no_check_changes_the_columns_of_golden_files(folder, monkeypatch):
    """Deep copies of every column before an audit with all checks equal the columns after it."""
    auditing = importlib.import_module("denominator.audit.auditing")
    seen = []

    def looking(evidence):
        tables = [evidence.qrels.raw, *(run.raw for run in evidence.runs), *(one.raw for one in evidence.others)]
        tables += [evidence.truth.raw] if evidence.truth is not None else []
        before = [_columns(table) for table in tables]
        found = run_checks(evidence)
        seen.extend(zip(before, [_columns(table) for table in tables], strict=True))
        return found

    monkeypatch.setattr(auditing, "run_checks", looking)
    audited(folder, select=())
    assert seen
    for before, after in seen:
        assert before.keys() == after.keys()
        for name, column in before.items():
            assert np.array_equal(column, after[name], equal_nan=column.dtype.kind == "f"), name


def _columns(table):
    """Return deep copies of all columns of a table."""
    out = {
        "queries": np.array(table.queries),
        "query": table.query.copy(),
        "doc_id": np.array(table.doc_id.to_pylist()),
    }
    out["notes"] = np.array([note.message for note in table.source.notes])
    for name in ("score", "relevance", "rank", "line"):
        column = getattr(table, name, None)
        if column is not None:
            out[name] = np.array(column)
    for name in ("tag", "iteration"):
        labels = getattr(table, name, None)
        if labels is not None:
            out[name] = np.array([labels.values[code] for code in labels.code.tolist()])
    return out


def test_the_checks_that_tell_orders_apart_are_checks():
    """No exception outlives its check."""
    assert set(BY_LINE) <= set(CHECKS)
