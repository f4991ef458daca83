"""``denominator audit`` and ``denominator rules``, as a person types them."""

import json
import os
import pty
import subprocess
import sys
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from denominator.audit.registry import CHECKS
from denominator.audit.settings import SETTINGS
from denominator.cli import audit, main
from denominator.cli.audit import _FORMATS, _SUFFIXES
from denominator.crosscheck.rules import CHECKS as OF_CROSSCHECK
from denominator.outputs.findings import FORMATS

ROOT = Path(__file__).parents[3]
QRELS, RUN = "qrels/agri.qrels", "runs/agri.run"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)


def run(*arguments, verb="audit"):
    return CliRunner().invoke(main, [verb, *map(str, arguments)], catch_exceptions=False)


def found(*arguments):
    """Return the findings as JSON has them."""
    return json.loads(run(*arguments, "-f", "json").stdout)["findings"]


def test_formats_are_those_that_can_be_written():
    """The list of the option is the table of the outputs."""
    assert list(FORMATS) == list(_FORMATS)
    assert set(_SUFFIXES.values()) <= set(FORMATS)


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ((QRELS, RUN), 0),
        ((QRELS, RUN, "-k", "5", "--select", "D101", "--fail-on", "warning"), 0),
        ((QRELS, RUN, "-k", "5", "--select", "D101", "--fail-on", "info"), 1),
        ((QRELS, RUN, "--select", "D101", "--fail-on", "info"), 0),
        ((QRELS,), 0),
        (("nosuch.qrels", RUN), 2),
        ((QRELS, "nosuch.run"), 2),
        ((QRELS, RUN, "nosuch.run"), 2),
        ((QRELS, RUN, "--select", "Z"), 2),
        ((QRELS, RUN, "-k", "x"), 2),
        ((QRELS, RUN, "--lenient", "duplicates=best"), 2),
        (("-", "-"), 2),
        ((), 2),
    ],
)
def test_the_exit_status_says_how_it_went(arguments, status):
    """0 nothing that fails, 1 something, 2 a file or an option that cannot be used."""
    result = run(*arguments)
    assert result.exit_code == status, result.output
    assert (status == 2) == bool(result.stderr)


def test_less_severe_findings_can_be_left_out():
    """Only warnings and errors are shown, without the table, and the counts say what is not; the status stays."""
    every, some = run(QRELS, RUN, "-k", "5"), run(QRELS, RUN, "-k", "5", "--min-severity", "warning")
    assert "info D101" in every.stdout
    assert "info D101" not in some.stdout
    assert "warning D115" in some.stdout
    assert "query by query" not in some.stdout
    assert "0 errors, 3 warnings (info not shown)" in some.stdout
    failing = run(QRELS, RUN, "--min-severity", "error", "--fail-on", "warning")
    assert failing.exit_code == 1
    assert failing.stdout.startswith("0 errors (warning and info not shown), by ")
    severities = {one["severity"] for one in found(QRELS, RUN, "-k", "5", "--min-severity", "warning")}
    assert severities == {"warning"}


@pytest.mark.parametrize(("codes", "shown"), [("D101", True), ("T,D1", True), ("T", False), ("R101", False)])
def test_the_per_query_table_is_about_denominators(codes, shown):
    """Who selects checks of something else does not want to read what recall was divided by."""
    assert ("query by query" in run(QRELS, RUN, "-k", "5", "--select", codes).stdout) == shown


def test_the_counts_stand_first_and_last_and_count_every_file():
    """Truth and other judgments are files too."""
    lines = run(QRELS, RUN, "--other", "qrels/agri-dupe.qrels", "--truth", "qrels/agri-true.qrels").stdout.splitlines()
    assert lines[0] == lines[-1]
    assert lines[0].endswith(" of 4 files")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("D999", "those of D are D101 to D116"),
        ("D1O1", "did you mean D101"),
        ("Z1", "codes begin with D, F, I, J, Q, R, T"),
    ],
)
def test_an_unknown_code_is_answered_with_the_nearest(word, said):
    """Not with all of them: a line is read, a page is not."""
    for result in (run(word, verb="rules"), run(QRELS, RUN, "--select", word)):
        assert result.exit_code == 2
        assert said in result.stderr
        assert len(result.stderr) < 200


def test_one_run_that_cannot_be_read_does_not_lose_the_others():
    """The other run is audited and written, and the error told."""
    result = run(QRELS, "nosuch.run", RUN, "-k", "5")
    assert f"{RUN}, query by query:" in result.stdout
    assert "nosuch.run" in result.stderr


@pytest.mark.parametrize("option", ["-k", "--cutoffs"])
def test_cutoffs_are_lists_and_repeat(option):
    """Each cutoff has its finding."""
    ceilings = [one["numbers"] for one in found(QRELS, RUN, "--select", "D101", option, "2,3", option, "5")]
    assert [next(name for name in one if name.startswith("ceiling")) for one in ceilings] == [
        "ceiling R@2",
        "ceiling R@3",
        "ceiling R@5",
    ]


def test_every_setting_but_tables_is_an_option():
    """A setting of one value, or a list, can be given on the command line; tables only in a file."""
    names = {parameter.name for parameter in audit.command.params}
    assert set(SETTINGS) - names == {"per_file_ignores", "severities"}


def test_select_and_ignore_choose_checks():
    """Both take lists and repeat."""
    codes = {one["code"] for one in found(QRELS, RUN, "-k", "5", "--select", "D101,Q", "--select", "D103")}
    assert "D101" in codes
    assert {code for code in codes if code[0] == "D"} <= {"D101", "D103"}
    assert not {one["code"] for one in found(QRELS, RUN, "-k", "5", "--ignore", "D", "--ignore", "J")} & {"D101"}


@pytest.mark.parametrize(
    ("option", "value"),
    [("-l", "3"), ("--corpus-size", "24"), ("--grades", "0-1"), ("--min-queries", "3"), ("--min-judged", "0")],
)
def test_an_option_changes_what_is_found(option, value):
    """Each setting reaches the checks: something is found that was not, or no longer."""
    plain = run(QRELS, RUN, "-k", "5", "-f", "json").stdout
    assert run(QRELS, RUN, "-k", "5", "-f", "json", option, value).stdout != plain


def test_files_can_be_written_and_their_endings_say_how(tmp_path):
    """-o NAME.sarif is SARIF, .xml JUnit, .csv CSV, .json JSON, .md markdown; the terminal stays silent."""
    for ending, first in ((".sarif", "{"), (".xml", "<?xml"), (".csv", "code,"), (".json", "{"), (".md", "0 errors")):
        target = tmp_path / f"audit{ending}"
        result = run(QRELS, RUN, "--select", "D101", "-k", "5", "-o", target)
        assert (result.exit_code, result.output) == (0, "")
        assert target.read_text(encoding="utf-8").startswith(first)
    suite = ElementTree.parse(tmp_path / "audit.xml").getroot()[0]
    assert suite.get("timestamp")
    assert suite.get("hostname")


def test_verbose_shows_every_query():
    """318 queries are twenty lines, and with --verbose all."""
    short = run("qrels/harvest.qrels", "runs/harvest-bm25.run", "--select", "D101").stdout
    long = run("qrels/harvest.qrels", "runs/harvest-bm25.run", "--select", "D101", "--verbose").stdout
    assert short.count("|Rel|=") == 20
    assert long.count("|Rel|=") == 318


def test_reading_options_are_those_of_score(tmp_path):
    """Encoding, format and real grades reach the readers."""
    (tmp_path / "a.qrels").write_bytes("q1 0 d\xe9 0.5\n".encode("latin-1"))
    (tmp_path / "a.run").write_bytes("q1 Q0 d\xe9 1 1.0 x\n".encode("latin-1"))
    files = (tmp_path / "a.qrels", tmp_path / "a.run")
    assert run(*files).exit_code == 2
    result = run(*files, "--encoding", "latin-1", "--float-grades")
    assert "|Rel|=0" in result.stdout
    assert run(*files, "--encoding", "latin-1", "--float-grades", "--qrels-format", "beir").exit_code == 2
    assert run(*files, "--encoding", "latin-1", "--float-grades", "--run-format", "msmarco").exit_code == 2


def test_other_judgments_and_truth_are_read():
    """A file that is not there is an error, so they are looked at."""
    for option in ("--truth", "--other"):
        result = run(QRELS, RUN, option, "nosuch.qrels")
        assert result.exit_code == 2
        assert "nosuch.qrels" in result.stderr


def in_terminal(*arguments, **environment) -> str:
    """Return what the audit prints to a terminal of 80 columns."""
    main_end, other_end = pty.openpty()
    known = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen(
        [sys.executable, "-m", "denominator", "audit", *arguments],
        stdout=other_end,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env={**known, "TERM": "xterm", **environment},
    )
    os.close(other_end)
    pieces = []
    while True:
        try:
            piece = os.read(main_end, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(main_end)
    process.wait()
    return b"".join(pieces).decode()


def test_a_file_has_no_colours(tmp_path):
    """Also where the command itself runs in a terminal."""
    target = tmp_path / "audit.txt"
    assert in_terminal(QRELS, RUN, "-k", "5", "--select", "D101", "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8").splitlines()[2].startswith("info D101")


def test_colours_are_for_terminals_only():
    """A terminal has them unless NO_COLOR is set; a pipe and a file have none."""
    arguments = (QRELS, RUN, "-k", "5", "--select", "D101")
    assert "\x1b[36minfo\x1b[0m D101" in in_terminal(*arguments)
    assert "\x1b" not in in_terminal(*arguments, NO_COLOR="1")
    assert "\x1b" not in in_terminal(*arguments, TERM="dumb")
    assert "\x1b" not in run(*arguments).stdout


def test_a_closed_pipe_ends_it_quietly():
    """`| head` is no error to be told."""
    arguments = ["qrels/harvest.qrels", "runs/harvest-bm25.run", "--verbose"]
    with subprocess.Popen(
        [sys.executable, "-m", "denominator", "audit", *arguments], stdout=-1, stderr=-1, cwd=ROOT
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()
    assert process.returncode == 141


def test_help_shows_examples_that_run():
    """Each example of the help ends with 0."""
    examples = [line.split() for line in audit._EXAMPLES.splitlines() if line.startswith("  denominator")]
    assert len(examples) == 3
    for _, verb, *arguments in examples:
        wanted = [word for word in arguments if word not in ("-o", "audit.sarif", "--fail-on", "warning")]
        files = [str(name) for word in wanted for name in (sorted(ROOT.glob(word)) if "*" in word else [word])]
        assert run(*files, verb=verb).exit_code == 0


def test_rules_lists_every_check():
    """A line each with code, severity and slug, a cross-check's too; JSON has the fix and the page too."""
    known = [*CHECKS, *OF_CROSSCHECK]
    lines = run(verb="rules").stdout.splitlines()
    assert [line.split()[0] for line in lines[: len(known)]] == known
    rows = json.loads(run("-f", "json", verb="rules").stdout)
    assert [row["code"] for row in rows] == known
    assert all(set(row) == {"code", "slug", "severity", "fix", "page"} and all(row.values()) for row in rows)


def test_rules_explains_one_check_or_a_family():
    """A code is its page, a letter the pages of a family, in any case; an unknown one is refused."""
    text = run("D101", verb="rules").stdout
    assert text.startswith("D101 cutoff-caps-recall (info)\n\nRecall@k cannot reach 1")
    assert "5/8 = 0.625" in text
    assert [row["code"][0] for row in json.loads(run("d", "-f", "json", verb="rules").stdout)] == ["D"] * sum(
        code.startswith("D") for code in CHECKS
    )
    assert run("d101", "-f", "markdown", verb="rules").stdout.startswith("### D101 cutoff-caps-recall\n")
    assert run("D999", verb="rules").exit_code == 2


def test_the_page_of_rules_is_what_the_command_prints():
    """docs/rules.md is the output of `denominator rules -f markdown`."""
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert page == run("-f", "markdown", verb="rules").stdout, "run: denominator rules -f markdown > docs/rules.md"


EVIL = [
    "\x1b[2J\x1b]0;x\x07",
    "<script>alert(1)</script>",
    "=cmd()",
    "@SUM(1)",
    "::error::x",
    "%0A",
    "[a](http://b)",
    "{0}",
]


@pytest.mark.parametrize("form", FORMATS)
def test_evil_files_do_no_harm(tmp_path, form):
    """Every check may name every id, tag and rank of the files; nothing of it reaches a terminal as it is."""
    huge = "y" * 3_000_000
    judged = [f"{one} 0 {one} {grade}" for grade, one in enumerate([*EVIL, huge])]
    twice = [f"{one} 0 {one} 0" for one in EVIL]
    rows = [f"{one} Q0 {doc} {one} {rank} {one}" for one in [*EVIL, huge] for rank, doc in enumerate([*EVIL, one])]
    (tmp_path / "a.qrels").write_text("\n".join([*judged, *twice]), encoding="utf-8")
    (tmp_path / "a.run").write_text("\n".join([*rows, "a b", EVIL[0]]), encoding="utf-8")
    result = run(tmp_path / "a.qrels", tmp_path / "a.run", "-f", form, "--corpus-size", "10")
    assert result.exit_code == 1, result.stderr
    strange = {c for c in set(result.stdout) if unicodedata.category(c) in {"Cc", "Cf", "Cs"}}
    assert strange <= {"\n"}
    if form not in ("json", "csv"):
        assert len(result.stdout) < 500_000
