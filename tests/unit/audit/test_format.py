"""Family F: what a reader saw of a file is a finding, with its lines and with the number that it changes."""

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import denominator as dn
from denominator import formats
from denominator.audit.ranks import Ranks
from denominator.audit.registry import CHECKS
from denominator.audit.sameness import fingerprint
from denominator.errors import FormatError
from denominator.model import Severity
from inputs import run_of

QRELS = "q1 0 d1 1\nq1 0 d2 1\nq2 0 d3 1\n"
RUN = "q1 Q0 d1 1 3.0 ours\nq1 Q0 d9 2 2.0 ours\nq1 Q0 d2 3 1.0 ours\nq2 Q0 d3 1 1.0 ours\n"


@pytest.fixture
def audit(tmp_path: Path):
    """Return a function that audits texts as files."""

    def run(qrels=QRELS, *runs, **settings) -> dn.Findings:
        def put(name, data):
            path = tmp_path / name
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            return str(path)

        named = {f"run{number}": put(f"run{number}", data) for number, data in enumerate(runs, 1)}
        return dn.audit(put("qrels", qrels), named or (), **settings)

    return run


def one(findings: dn.Findings, code: str):
    """Return the only finding of a code."""
    (found,) = findings.of(code)
    return found


def lines(found) -> list[int | None]:
    return [place.line for place in found.places]


def mean(qrels: str, run: str, measure: str, tmp_path: Path, **how) -> float:
    """Return what `score` prints for files of these texts."""
    (tmp_path / "q").write_text(qrels)
    (tmp_path / "r").write_text(run)
    judged = dn.read_qrels(str(tmp_path / "q"))
    return dn.evaluate(judged, dn.read_run(str(tmp_path / "r"), **how), [measure]).means()[0].value


def test_c003_comments_are_counted_and_pointed_at(audit):
    """The first and the last line of the qrels are comments: two, on lines 1 and 4."""
    found = one(audit("# pooled to depth 10\nq1 0 d1 1\nq1 0 d2 0\n# end\n", "q1 Q0 d1 1 2.0 s\n"), "F108")
    assert (lines(found), found.numbers["lines"], found.severity) == ([1, 4], 2, Severity.INFO)


def test_c003_a_comment_that_would_be_a_row_is_warned_of(audit):
    """A judgment for the query #q3 is not lost in silence."""
    found = one(audit(QRELS + "#q3 0 d5 1\n"), "F109")
    assert [(place.line, place.query_id) for place in found.places] == [(4, "#q3")]


def test_c004_a_line_of_seven_fields_is_an_error_with_its_line(audit):
    """Line 2 of the run has seven fields: an error, and the other line is audited."""
    found = one(audit("q1 0 d1 1\n", "q1 Q0 d1 1 0.9 sysA\nq1 Q0 my doc 2 0.8 sysA\n"), "F111")
    assert (found.severity, lines(found), dict(found.numbers)) == (Severity.ERROR, [2], {"lines": 1, "rows": 1})
    assert "6 of the format" in found.message


def test_c004_fields_left_out_on_demand_are_still_an_error(audit):
    """With fields=extra the first six fields are the row, and the audit says what was left out."""
    found = one(audit("q1 0 d1 1\n", "q1 Q0 d1 1 0.9 s\nq1 Q0 my doc 2 0.8 s\n", lenient="fields=extra"), "F111")
    assert dict(found.numbers) == {"lines": 1, "rows": 2}
    assert "beyond are left out" in found.message


def test_c005_a_header_would_halve_the_mean(audit):
    """One query and a header line: as a row it makes a mean of 1.0 read 0.5."""
    found = one(audit("qid iter docid rel\nq1 0 d1 1\nq1 0 d2 0\n", "q1 Q0 d1 1 2.0 s\n"), "F107")
    assert (found.severity, lines(found), found.numbers["share"]) == (Severity.ERROR, [1], 0.5)


def test_five_fields_are_audited_and_score_reads_them_when_told_to(audit, tmp_path):
    """A run without tags is an error, and its other numbers are those that `score --lenient tag=none` prints."""
    tagless = RUN.replace(" ours", "")
    findings = audit(QRELS, tagless, k=2)
    assert (lines(one(findings, "F105")), findings.failures) == ([1, 2, 3, 4], ())
    assert one(findings, "R112").numbers == one(audit(QRELS, RUN, k=2), "R112").numbers
    with pytest.raises(FormatError, match="tag=none"):
        mean(QRELS, tagless, "AP", tmp_path)
    assert mean(QRELS, tagless, "AP", tmp_path, lenient="tag=none") == mean(QRELS, RUN, "AP", tmp_path)


def test_the_row_lost_to_a_byte_order_mark_changes_the_numbers_as_said(audit, tmp_path):
    """What is stated is what `score` prints for the run without its first row."""
    found = one(audit(QRELS, "\ufeff" + RUN), "F103")
    rest = "".join(RUN.splitlines(keepends=True)[1:])
    for name in ("RR", "AP"):
        assert found.numbers[name] == mean(QRELS, RUN, name, tmp_path)
        assert found.numbers[f"{name} without the first row"] == mean(QRELS, rest, name, tmp_path)


def test_a_byte_order_mark_in_front_of_other_formats_has_no_row(audit):
    """In JSON the mark stands before no row: it is named, and nothing is said of a first row."""
    found = one(audit('\ufeff{"q1": {"d1": 1}}'), "F103")
    assert dict(found.numbers) == {}


def test_the_most_frequent_tag_alone_gives_the_numbers_that_are_said(audit, tmp_path):
    """What is stated is what `score` prints for the rows of that tag."""
    theirs = "q1 Q0 d8 1 9.0 theirs\nq2 Q0 d7 1 9.0 theirs\n"
    found = one(audit(QRELS, theirs + RUN), "F106")
    assert found.numbers["tags"] == 2
    assert [(place.line, place.values["tag"], place.values["count"]) for place in found.places] == [
        (3, "ours", 4),
        (1, "theirs", 2),
    ]
    for name in ("RR", "AP"):
        assert found.numbers[name] == mean(QRELS, theirs + RUN, name, tmp_path)
        assert found.numbers[f"{name} of one tag"] == mean(QRELS, RUN, name, tmp_path)


def test_a_reader_of_blocks_has_the_numbers_that_are_said(audit, tmp_path):
    """q1 in three blocks: only the last one is kept, in runs and in qrels."""
    scattered = (
        "q1 Q0 d1 1 3.0 s\nq2 Q0 d3 1 1.0 s\nq1 Q0 d9 2 2.0 s\nq3 Q0 d5 1 1.0 s\nq1 Q0 d8 4 0.5 s\nq1 Q0 d2 3 1.0 s\n"
    )
    last = "q2 Q0 d3 1 1.0 s\nq1 Q0 d8 4 0.5 s\nq1 Q0 d2 3 1.0 s\n"
    found = one(audit(QRELS, scattered), "F113")
    assert (lines(found), found.numbers["queries"], found.numbers["rows in last blocks"]) == ([3, 5], 1, 4)
    assert found.numbers["AP"] == mean(QRELS, scattered, "AP", tmp_path)
    assert found.numbers["AP last block"] == mean(QRELS, last, "AP", tmp_path)
    judged = one(audit("q1 0 d1 1\nq2 0 d3 1\nq1 0 d2 0\n"), "F113")
    assert (judged.numbers["|Rel|"], judged.numbers["|Rel| last block"]) == (2, 1)


def test_identical_runs_are_found_whatever_the_order_of_their_lines(audit):
    """Other tags, ranks and orders of lines do not hide a copy; another score does."""
    shuffled = "".join(reversed(RUN.replace("ours", "theirs").replace(" 1 3.0", " 7 3").splitlines(keepends=True)))
    findings = audit(QRELS, RUN, shuffled, RUN.replace("3.0", "3.5"), RUN, select="F114")
    assert [(one.source, one.numbers["rows"]) for one in findings] == [("run2", 4), ("run4", 4)]


@given(
    st.lists(
        st.tuples(st.sampled_from("pq"), st.sampled_from("abc"), st.sampled_from([0.0, -0.0, 1.0, 2.0])), max_size=6
    )
)
def test_only_equal_rows_have_equal_fingerprints(rows):
    """A change of any one row changes the fingerprint; an order of rows, and the sign of 0, do not."""
    print_ = fingerprint(run_of(rows))
    assert fingerprint(run_of([(q, d, s + 0.0) for q, d, s in reversed(rows)])) == print_
    for at in range(len(rows)):
        query, document, score = rows[at]
        for other in (("r", document, score), (query, "z", score), (query, document, score + 0.5)):
            assert fingerprint(run_of([*rows[:at], other, *rows[at + 1 :]])) != print_


def test_a_million_bad_lines_are_counted_and_only_some_listed(audit):
    """The readers spell out the first 200; the finding counts them all."""
    found = one(audit(QRELS, RUN + "q1 Q0 d7 bad\n" * 3000), "F112")
    assert found.numbers["lines"] == 3000
    assert 200 <= len(found.places) <= 201
    assert f"the first {len(found.places)} are listed" in found.message


def test_findings_of_every_file_are_made(audit, tmp_path):
    """Truth and other judgments are looked at as the judgments are."""
    (tmp_path / "t").write_bytes(QRELS.replace("\n", "\r\n").encode())
    (tmp_path / "o").write_text(QRELS.strip())
    findings = audit(QRELS, RUN, truth=str(tmp_path / "t"), others=[str(tmp_path / "o")], select="F")
    assert [(one.code, Path(one.source).name) for one in findings] == [("F102", "t"), ("F110", "o")]


def test_clean_files_have_no_finding_of_this_family(audit):
    """Two clean files: nothing to say."""
    assert len(audit(QRELS, RUN, select="F")) == 0


REFUSED_AS_A_WHOLE = {
    "run": {
        "bom-inside": (RUN + "\ufeffq1 Q0 d7 1 1.0 s\n").encode(),
        "control-character": RUN.encode() + b"q1 Q0 d\x001 1 1.0 s\n",
        "encoding": b"q1 Q0 d\xff 1 1.0 s\n",
        "empty": b"# nothing\n",
        "json": b'{"query_id": "q1"\n',
        "json-shape": b'{"q1": 3}',
        "document-id": b'{"q1": {"": 1.0}}',
        "query-id": b'{"": {"d1": 1.0}}',
        "nul": b"query-id\tcorpus-id\tscore\nq1\td\x001\t1\n",
    },
    "qrels": {
        "yaml-shape": b"- query: q1\n  grades: 3\n- query: q2\n  grades: {d1: 1}\n",
        "yaml": b"- query: q1\n  grades: {d1: 1\n",
    },
}
"""Faults that no reading survives: the audit stops, or lists the run among its failures, with the reader's error."""

SURVIVED = {
    "run": {
        "header": ("F107", b"qid Q0 docid rank score tag\n"),
        "field-count": ("F112", b"q1 Q0 d7\n"),
        "extra-fields": ("F111", b"q1 Q0 d 7 1 1.0 s\n"),
        "missing-tag": ("F105", b"q1 Q0 d7 1 1.0\n"),
        "score-number": ("F116", b"q1 Q0 d7 1 high s\n"),
        "score-overflow": ("F117", b"q1 Q0 d7 1 1e999 s\n"),
        "nan-score": ("T105", b"q1 Q0 d7 1 nan s\n"),
        "duplicate": ("R101", b"q1 Q0 d1 1 1.0 s\n"),
        "repeated-key": ("F120", b'{"q1": {"d1": 1.0}, "q1": {"d2": 1.0}}'),
    },
    "qrels": {
        "grade-number": ("F118", b"q1 0 d7 yes\n"),
        "grade-overflow": ("F119", b"q1 0 d7 99999999999999999999\n"),
        "grade-fraction": ("Q110", b"q1 0 d7 0.5\n"),
        "conflict": ("Q102", b"q1 0 d1 0\n"),
        "subtopics": ("Q103", b"q1 2 d1 0\n"),
    },
}
"""Faults of severity ERROR that a reading survives: the check that tells each, and a line that shows it."""


def test_every_error_that_readers_tell_is_in_one_of_the_two_tables():
    """A kind of fault that is new in the readers has to be given a check, or be refused as a whole."""
    known = {kind for table in (REFUSED_AS_A_WHOLE, SURVIVED) for kinds in table.values() for kind in kinds}
    elsewhere = {"shape", "format", "document"}  # Python objects of no known shape; files of another kind; corpora
    assert told_as_errors() - known - elsewhere == set()


def told_as_errors() -> set[str]:
    """Return the kinds of fault that the readers' code tells with the severity ERROR."""
    kinds: set[str] = set()
    nouns = {"noun": ("score", "grade"), "": ("query", "document")}
    for path in Path(formats.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or any(word.arg == "severity" for word in node.keywords):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            at = {"add": 0, "lose": 0, "refusal": 1}.get(name, -1)
            if not 0 <= at < len(node.args):
                continue
            word = node.args[at]
            if isinstance(word, ast.Constant) and isinstance(word.value, str):
                kinds.add(word.value)
            elif isinstance(word, ast.JoinedStr):
                end = str(word.values[-1].value)  # type: ignore[attr-defined]  # each ends in a constant
                kinds |= {f"{noun}{end}" for noun in nouns["" if end == "-id" else "noun"]}
    return kinds - {"with", ""}


@pytest.mark.parametrize(("kind", "fault"), [(kind, fault) for kind in SURVIVED for fault in SURVIVED[kind]])
def test_what_score_refuses_and_an_audit_reads_is_an_error_of_some_check(audit, tmp_path, kind, fault):
    """No audit of a file that `score` refuses ends without an error."""
    code, odd = SURVIVED[kind][fault]
    clean = {"run": RUN, "qrels": QRELS}[kind].encode()
    data = odd if fault == "repeated-key" else odd + clean if fault == "header" else clean + odd
    (tmp_path / "odd").write_bytes(data)
    with pytest.raises(FormatError) as refused:
        {"run": dn.read_run, "qrels": dn.read_qrels}[kind](str(tmp_path / "odd"))
    assert fault in {one.kind for one in refused.value.faults}
    findings = audit(QRELS, data) if kind == "run" else audit(data, RUN)
    assert [one.severity for one in findings.of(code)] == [Severity.ERROR]
    assert CHECKS[code].severity is Severity.ERROR


@pytest.mark.parametrize(
    ("kind", "fault"), [(kind, fault) for kind in REFUSED_AS_A_WHOLE for fault in REFUSED_AS_A_WHOLE[kind]]
)
def test_what_no_reading_survives_stops_the_audit(audit, kind, fault):
    """The reader's own error is raised, with that kind of fault."""
    data = REFUSED_AS_A_WHOLE[kind][fault]
    with pytest.raises(FormatError) as refused:
        audit(QRELS, data) if kind == "run" else audit(data, RUN)
    assert fault in {one.kind for one in refused.value.faults}


ODD_LINES = [
    b"q1 Q0 d1 1 1.0 s",
    b"q1 Q0 d2 2 0.5 s",
    b"q2\tQ0\td1\t0\t0.5\tt",
    b"q1 Q0 d1 x nan s",
    b"q2 Q0 d5 1.5 inf s",
]
ODD_LINES += [b"q1 Q0 d3 1", b"q1 Q0 d4 1 0.5", b"q1 Q0 a b 1 0.5 s", b"q1 Q0 d5 1 1e999 s", b"q2 Q0 d6 1 -x s", b"# c"]
ODD_LINES += [
    b"#q Q0 d1 1 1.0 s",
    b"",
    b" q3 Q0 d1 99999999999999999999 1 s ",
    b"qid Q0 docid rank score tag",
    b"\xffx",
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(ODD_LINES), min_size=1, max_size=8), st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_no_file_that_score_refuses_is_found_without_an_error(tmp_path_factory, odd, end, bom):
    """Whatever the lines: the run can be scored, or a check of form or order says error, or nothing can be read."""
    path = tmp_path_factory.mktemp("odd") / "run"
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + end.join(odd))
    try:
        dn.read_run(str(path))
    except FormatError:
        refused = True
    else:
        refused = False
    try:
        findings = dn.audit({"q1": {"d1": 1, "d3": 0}, "q2": {"d5": 2}}, {"run": str(path)}, k=(1, 3), select="F,R,T,Q")
    except FormatError:
        assert refused
        return
    assert bool([one for one in findings.at_least(Severity.ERROR) if one.source == "run"]) == refused


@pytest.mark.shared
@pytest.mark.parametrize(
    ("qrels", "runs", "code", "count"),
    [
        ("runs/clef-tar-2017.qrels.gz", "runs/clef-tar-2017/ECNU-run2.run.gz", "F102", 30_000),
        ("runs/clef-tar-2018.qrels.gz", "runs/clef-tar-2018/ECNU_RUN3.run.gz", "F102", 30_000),
        ("runs/clef-tar-2018.qrels.gz", "runs/clef-tar-2018/ECNU_RUN3.run.gz", "F104", 30_000),
        ("runs/clef-tar-2018.qrels.gz", None, "F102", 759),
        ("runs/clef-tar-2018.qrels.gz", None, "F104", 759),
        ("formats/compat.qrels", "formats/compat.run.gz", "F101", 1),
        ("formats/beir-nfcorpus.test.tsv.gz", None, "F102", 12_335),
        ("formats/beir-nfcorpus.test.trec.qrels.gz", None, "F102", 12_334),
        ("formats/backgroundlinking18.qrels.gz", None, "F113", 50),
        ("runs/dl19.qrels.gz", "formats/msmarco-3col.run.gz", "F121", 11_773),
        ("formats/ranx/qrels.trec", None, "F110", 5),
        ("ciral/qrels/qrels.ciral-v1.0-ha-dev.tsv", None, "F110", 165),
        ("trec_eval-10.0/qrels.test.with-comments", None, "F108", 3),
        ("trec_eval-10.0/qrels.test", "trec_eval-10.0/results.trunc", "F111", 5),
    ],
)
def test_what_the_public_files_show_is_found(shared, qrels, runs, code, count):
    """Each oddity of a public file is found by its check, with its count."""
    data = shared / "data"
    findings = dn.audit(str(data / qrels), [str(data / runs)] if runs else (), select=code)
    source = str(data / (runs or qrels))
    (found,) = [one for one in findings.of(code) if one.source == source]
    assert found.numbers.get("lines", found.numbers.get("queries", found.numbers.get("rows"))) == count


@pytest.mark.shared
@pytest.mark.parametrize(("language", "where"), [("ha", [406]), ("so", [97, 245, 880, 970, 1559])])
def test_lines_that_end_in_tabs_are_pointed_at(shared, language, where):
    """The test-a judgments of two languages end some lines in tabs: each line is listed."""
    findings = dn.audit(str(shared / f"data/ciral/qrels/qrels.ciral-v1.0-{language}-test-a.tsv"), select="F")
    assert [(one.code, lines(one)) for one in findings] == [("F104", where)]


@pytest.mark.shared
def test_clean_public_files_have_no_error_of_form_or_order(shared):
    """cacm, dl19 and the CIRAL dev runs: nothing here is wrong or refused."""
    data = shared / "data"
    pairs = [("runs/cacm.qrels.gz", ["runs/cacm/bm25.run.gz"]), ("runs/dl19.qrels.gz", ["runs/dl19/bm25.run.gz"])]
    for language in ("ha", "so", "sw", "yo"):
        runs = sorted(data.glob(f"ciral/runs/{language}-dev.*"))
        assert runs
        pairs.append((f"ciral/qrels/qrels.ciral-v1.0-{language}-dev.tsv", runs))
    for qrels, runs in pairs:
        findings = dn.audit(str(data / qrels), [str(data / run) for run in runs], select="F,R")
        assert findings.at_least(Severity.WARNING) == ()
    assert Ranks.of(dn.read_run(str(data / "runs/cacm/bm25.run.gz"))).counts
    assert np.all(Ranks.of(dn.read_run(str(data / "runs/cacm/bm25.run.gz"))).low == 1)
