"""The audit as Python calls it: what it reads, runs, leaves out, orders and returns."""

import copy
import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import denominator as dn
from denominator.audit import auditing
from denominator.audit.check import Check, Found
from denominator.audit.evidence import Evidence
from denominator.audit.options import AuditOptions
from denominator.audit.registry import CHECKS
from denominator.audit.settings import SETTINGS, options_of
from denominator.findings import Findings, Places
from denominator.formats import examine_qrels, examine_run
from denominator.frames import TABLES
from denominator.model import Severity
from denominator.tables import PANDAS

ROOT = Path(__file__).parents[3]
QRELS = {"q1": {"d1": 1, "d2": 1, "d3": 2}, "q2": {"d4": 1}}
RUN = {"q1": {"d1": 3.0, "d9": 2.0, "d2": 1.0}, "q2": {"d4": 1.0}}


def codes(found: Findings) -> set[str]:
    return {one.code for one in found}


def write(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return name


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_the_cutoffs_are_those_that_are_given():
    """k is a number, a list or a text; each cutoff has its finding."""
    assert [one.numbers["ceiling R@2"] for one in dn.audit(QRELS, RUN, k=2, select="D101")] == [pytest.approx(5 / 6)]
    assert len(dn.audit(QRELS, RUN, k=[1, 2], select="D101")) == 2
    assert len(dn.audit(QRELS, RUN, k="1, 2 1", select="D101")) == 2
    assert dn.audit(QRELS, RUN, select="D101").items == ()


def test_level_says_what_is_relevant():
    """At level 2 no query has more than one relevant document."""
    assert dn.audit(QRELS, RUN, k=1, select="D101").items
    assert not dn.audit(QRELS, RUN, k=1, select="D101", level=2).items


def test_select_and_ignore_choose_by_prefix():
    """The longest prefix decides; only the checks that ran are in `checked`."""
    assert dn.audit(QRELS, RUN, select="D101").checked == ("D101",)
    every = dn.audit(QRELS, RUN).checked
    assert every == tuple(CHECKS)
    assert dn.audit(QRELS, RUN, ignore="D").checked == tuple(code for code in every if code[0] != "D")
    assert "D101" in dn.audit(QRELS, RUN, select=["D101"], ignore="D").checked


def test_a_severity_can_be_changed():
    """What a user says of a code goes before what the check says."""
    (one,) = dn.audit(QRELS, RUN, k=1, select="D101", severities={"D101": "error"})
    assert one.severity is Severity.ERROR


def test_a_severity_goes_before_that_of_a_single_finding():
    """Also where a check gives one of its findings a severity of its own."""

    def rule(evidence):
        """Say something."""
        yield Found("run", "it is so", severity=Severity.ERROR)

    check = Check("D101", "it-is-so", Severity.INFO, "mend it", rule)
    evidence = Evidence.of(examined(QRELS, "qrels"), [], AuditOptions())
    assert next(check(evidence)).severity is Severity.ERROR
    changed = evidence.with_options(severities={"D101": Severity.WARNING})
    assert next(check(changed)).severity is Severity.WARNING


def examined(source, kind):
    from denominator.formats import examine_qrels

    return examine_qrels(source) if kind == "qrels" else examine_run(source)


def test_a_file_can_be_spared_a_code(tmp_path):
    """A pattern fits a file's name as given, its last part or its whole path; other files keep the code."""
    (tmp_path / "old").mkdir()
    runs = [write(tmp_path, name, "q1 Q0 d1 1 2 x\n") for name in ("old/a.run", "new.run")]
    sources = {one.source for one in dn.audit(QRELS, runs, k=1, select="D101")}
    assert sources == set(runs)
    for pattern in ("old/*", "a.run", f"{tmp_path}/old/*.run"):
        kept = dn.audit(QRELS, runs, k=1, select="D101", per_file_ignores={pattern: "D1"})
        assert {one.source for one in kept} == {"new.run"}


def test_findings_are_sorted_most_severe_first_then_by_code_and_file():
    """Files stand in the order in which they were given, the judgments first."""
    found = dn.audit(QRELS, {"b": RUN, "a": RUN}, k=(1, 2))
    order = [Severity.ERROR, Severity.WARNING, Severity.INFO]
    keys = [(order.index(one.severity), one.code) for one in found]
    assert keys == sorted(keys)
    assert [one.source for one in found.of("D101")] == ["b", "b", "a", "a"]


def test_judgments_can_be_audited_alone():
    """Without a run the checks of judgments run, and there is no table."""
    found = dn.audit(QRELS)
    assert found.tables == ()
    assert {one.source for one in found} <= {"dict"} | {found.sources[0].name}


def test_lines_that_are_no_rows_do_not_stop_an_audit(tmp_path):
    """A header and a short line are skipped, the other lines are audited, and score still refuses the file."""
    run = write(tmp_path, "a.run", "qid Q0 docid rank score tag\nq1 Q0 d1 1 2 x\nq1 d2 2\n")
    found = dn.audit(QRELS, run, k=1)
    assert found.failures == ()
    assert len(found.tables) == 1
    with pytest.raises(dn.FormatError):
        dn.evaluate(QRELS, run, "P@1")


def test_forgiven_faults_stay_among_the_faults(tmp_path):
    """Examining with a leniency skips the lines and lists their faults all the same."""
    run = write(tmp_path, "a.run", "qid Q0 docid rank score tag\nq1 Q0 d1 1 2 x\nq1 d2 2\n")
    reading = examine_run(run, lenient="header=skip,fields=skip")
    assert len(reading.rows) == 1
    assert [(one.kind, one.line) for one in reading.faults] == [("header", 1), ("field-count", 3)]


def test_a_run_that_cannot_be_read_does_not_lose_the_others(tmp_path):
    """It is in `failures`, and raise_for_errors raises what its reader raised."""
    run = write(tmp_path, "a.run", "q1 Q0 d1 1 2 x\n")
    found = dn.audit(QRELS, [run, "nosuch.run"], select="D101")
    assert [(one.run, type(one.error)) for one in found.failures] == [("nosuch.run", dn.InputError)]
    assert [table.run for table in found.tables] == [run]
    with pytest.raises(dn.InputError, match=r"nosuch\.run"):
        found.raise_for_errors()


def test_of_several_unreadable_runs_the_first_is_told():
    """When no run can be read, the error is that of the first."""
    with pytest.raises(dn.InputError, match=r"first\.run"):
        dn.audit(QRELS, ["first.run", "second.run"])


@pytest.mark.parametrize("content", ["", "just some words\n", "q1 Q0 d\xe9 1 2 x\n"])
def test_when_nothing_can_be_read_the_readers_error_is_raised(tmp_path, content):
    """Of an empty file, of one without a single row, and of bytes that are no text."""
    (tmp_path / "a.run").write_bytes(content.encode("latin-1"))
    with pytest.raises(dn.FormatError, match=r"a\.run"):
        dn.audit(QRELS, "a.run")


def test_encoding_and_format_of_a_file_can_be_given(tmp_path):
    """What the readers take is passed on: leniencies about lines, and grades that are real numbers."""
    qrels = write(tmp_path, "a.qrels", "q1 0 d1 0.5\n")
    run = write(tmp_path, "a.run", "#1 Q0 d1 1 2 x\nq1 Q0 d1 1 2 x\n")
    assert dn.audit(qrels, run, float_grades=True, lenient="comments=rows").sources[1].read_as.endswith("2 rows")
    with pytest.raises(dn.UsageError, match="duplicates"):
        dn.audit(qrels, run, float_grades=True, lenient="duplicates=best")


def test_truth_others_and_corpus_are_evidence(monkeypatch):
    """Checks see what was given beside the judgments and the runs."""
    seen = []

    def rule(evidence):
        """Look."""
        seen.append((evidence.truth.raw.queries, [other.raw.queries for other in evidence.others]))
        yield from ()

    check = dataclasses.replace(CHECKS["D101"], rule=rule)
    monkeypatch.setattr(auditing, "CHECKS", {"D101": check})
    dn.audit(QRELS, RUN, truth={"t": {"d": 1}}, others=[{"o": {"d": 1}}])
    assert seen == [(("t",), [("o",)])]


def test_findings_are_a_table_with_the_documented_types():
    """A row a place; a finding about a whole file has one row and no line."""
    found = dn.audit(QRELS, RUN, k=(1, 2), select="D101")
    frame = found.to_pandas()
    types = {name: PANDAS[kind] for name, kind in TABLES["findings"].items()}
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == types
    assert len(frame) == sum(one.count for one in found)
    assert list(frame["query_id"]) == ["q1", "q1"]
    assert frame["finding"].tolist() == [0, 1]
    assert json.loads(frame["numbers"][0]) == dict(found.items[0].numbers)
    assert json.loads(frame["values"][0]) == dict(found.items[0].places.at(0).values)
    whole = Findings((dataclasses.replace(found.items[0], places=Places.nowhere()),)).to_pandas()
    assert len(whole) == 1
    assert whole["line"].isna().all()
    assert {name: str(kind) for name, kind in Findings(()).to_pandas().dtypes.items()} == types
    assert found.to_polars().to_dicts() == found.to_arrow().to_pylist()


def test_findings_in_wide_form_count_the_places_of_each_code():
    """A row a file, a column a code, 0 where there is nothing."""
    found = dn.audit(QRELS, {"one": RUN, "two": {"q1": {"d1": 1.0}}}, k=1)
    wide = found.to_pandas("wide")
    for code, counts in wide.items():
        for source, count in counts.items():
            assert count == sum(one.count for one in found.of(code) if one.source == source)
    assert {str(kind) for kind in wide.dtypes} == {"int64"}
    assert wide.index.name == "source"
    assert (wide == 0).any(axis=None)
    with pytest.raises(dn.UsageError, match="form='tall'"):
        found.to_pandas("tall")


def test_errors_are_raised_on_demand():
    """Findings of severity ERROR are; others are not."""
    dn.audit(QRELS, RUN, k=1, select="D101").raise_for_errors()
    found = dn.audit(QRELS, RUN, k=1, select="D101", severities={"D101": "error"})
    with pytest.raises(dn.AuditError, match=r"D101 .* Fix: ") as caught:
        found.raise_for_errors()
    assert caught.value.findings == found.items
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_groups_gather_the_cutoffs_of_one_check_and_file():
    """Two cutoffs and two runs make two groups of two."""
    groups = dn.audit(QRELS, {"a": RUN, "b": RUN}, k=(1, 2), select="D101").groups()
    assert [(group.first.source, len(group.findings), group.count) for group in groups] == [("a", 2, 2), ("b", 2, 2)]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"corpussize": 3}, "did you mean corpus_size"),
        ({"k": 0}, r"k=0: expected numbers of documents"),
        ({"k": []}, "expected numbers of documents"),
        ({"k": True}, "expected numbers of documents"),
        ({"level": 0}, "expected a grade above 0"),
        ({"level": "x"}, "expected a grade above 0"),
        ({"corpus_size": 1.5}, "expected a number of documents"),
        ({"grades": (3, 0)}, "smallest and the largest"),
        ({"grades": "0..3"}, "smallest and the largest"),
        ({"min_judged": 1.1}, "share between 0 and 1"),
        ({"min_coverage": float("nan")}, "share between 0 and 1"),
        ({"max_tied": -1}, "share between 0 and 1"),
        ({"min_queries": 0}, "number of queries"),
        ({"select": "Z1"}, 'begins with "Z1"'),
        ({"ignore": ["D101", ""]}, "begins with"),
        ({"severities": {"D100": "error"}}, "did you mean D"),
        ({"severities": {"D101": "fatal"}}, "each with error, warning or info"),
        ({"severities": "D101"}, "expected codes|no check has"),
        ({"per_file_ignores": ["D101"]}, "file patterns"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(settings, words):
    """The message says what was given, what is expected, and the nearest name."""
    with pytest.raises(dn.UsageError, match=words):
        dn.audit(QRELS, RUN, **settings)


def test_every_option_of_the_audit_can_be_set():
    """The settings are the fields of AuditOptions, no more and no less."""
    assert set(SETTINGS) == {field.name for field in dataclasses.fields(AuditOptions)}


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ({"grades": "0-3"}, {"grades": (0, 3)}),
        ({"grades": "-2-3"}, {"grades": (-2, 3)}),
        ({"grades": [-2, 3]}, {"grades": (-2, 3)}),
        ({"level": "2"}, {"level": 2}),
        ({"level": 0.5}, {"level": 0.5}),
        ({"corpus_size": "24"}, {"corpus_size": 24}),
        ({"corpus_size": None}, {"corpus_size": None}),
        (
            {"min_coverage": "0.1", "min_judged": 0, "max_tied": 1},
            {"min_coverage": 0.1, "min_judged": 0, "max_tied": 1},
        ),
        ({"select": "D, D1"}, {"select": ("D", "D1")}),
    ],
)
def test_settings_are_understood_from_texts_and_values(given, held):
    """A command line has texts only, a configuration file and Python have values."""
    assert options_of(given) == AuditOptions(**held)


def test_findings_are_copied_and_pickled_whole():
    """With every place, so that a pool of processes can audit."""
    run = {"q1": {"d1": 3.0, "d9": 2.0, "d8": 2.0}, "q7": {"d4": 1.0}}
    found = dn.audit(QRELS, run, k=[1, 2])
    assert sum(len(one.places) for one in found) > 2
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert str(other) == str(found)
        assert [[str(place) for place in one.places] for one in other] == [
            [str(place) for place in one.places] for one in found
        ]
        assert [list(table) for table in other.tables] == [list(table) for table in found.tables]
        assert other.to_pandas().equals(found.to_pandas())


def test_the_table_counts_copies_and_documents():
    """Three rows of the first five are relevant, of two documents; the worst query stands first."""
    qrels = {"q1": {"d1": 1, "d2": 1, "d3": 1}, "q3": {"d1": 1}, "q0": {"d1": 0}, "q2": {"d1": 1}}
    frame = [("q1", doc, -place) for place, doc in enumerate(["d1", "d1", "x", "d2", "y", "d3"])] + [("q2", "d1", 1)]
    import pandas as pd

    run = pd.DataFrame(frame, columns=["query_id", "doc_id", "score"]).astype({"score": np.float64})
    (table,) = dn.audit(qrels, run, k=5, corpus_size=12, select="D101").tables
    lines = list(table)
    assert [line.query_id for line in lines] == ["q0", "q3", "q1", "q2"]
    assert (lines[0].recall, lines[0].ceiling, lines[0].share_of_ceiling) == (None, None, None)
    assert (lines[1].answered, lines[1].recall, lines[1].share_of_ceiling) == (False, 0.0, 0.0)
    q1 = lines[2]
    assert (q1.duplicates, q1.positional_hits, q1.distinct_hits) == (("d1",), 3, 2)
    assert (q1.rel, q1.coverage, q1.precision_ceiling) == (3, 0.25, 0.6)
    assert q1.recall == 1.0, "with the copy gone d3 stands at rank 5, as score has it after the repair"
    assert (lines[3].duplicates, lines[3].positional_hits) == ((), 1)
    assert len(table) == 4


def test_what_was_read_before_is_audited_as_its_file_is():
    """A Qrels and a Run give the findings of their files, but those about lines, and keep their lines' numbers."""
    paths = ROOT / "qrels" / "agri-dupe.qrels", ROOT / "runs" / "agri-dupe.run"
    qrels, run = examine_qrels(paths[0]).rows, examine_run(paths[1]).rows
    objects, files = dn.audit(qrels, [run], k=5), dn.audit(*paths, k=5)
    assert [(one.code, one.message, one.places.first(3)) for one in objects] == [
        (one.code, one.message, one.places.first(3)) for one in files if not one.code.startswith("F")
    ]
    assert objects.of("R101")
    named = dn.audit(qrels, {"mine": run}, truth=qrels, others=[qrels], k=5)
    assert [one.name for one in named.sources][1] == "mine"
    assert len(named.sources) == 4
