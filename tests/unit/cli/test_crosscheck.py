"""``denominator crosscheck``, as a person types it."""

import csv
import importlib.util
import io
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import crosscheck, main
from denominator.cli.crosscheck import _FORMATS, _SUFFIXES
from denominator.cli.waiting import Waiting
from denominator.crosscheck import asking, tools
from denominator.crosscheck.tools import TOOLS, chosen
from denominator.errors import MissingExtraError
from denominator.outputs.crosscheck import FORMATS

ROOT = Path(__file__).parents[3]
QRELS, RUN = "qrels/agri.qrels", "runs/agri.run"
SOME = ("--with", "columnar,pytrec_eval-raw", "-m", "nDCG@5")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)


def run(*arguments):
    return CliRunner().invoke(main, ["crosscheck", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def twice(tmp_path):
    """Return a pair of files whose unanswered query raw pytrec_eval leaves out."""
    qrels, run_file = tmp_path / "q.qrels", tmp_path / "r.run"
    qrels.write_text("q1 0 a 1\nq2 0 b 1\n")
    run_file.write_text("q1 Q0 a 1 1.0 t\n")
    return qrels, run_file


def test_formats_are_those_that_can_be_written():
    """The list of the option is the table of the outputs."""
    assert list(FORMATS) == list(_FORMATS)
    assert set(_SUFFIXES.values()) <= set(FORMATS)


def test_help_shows_examples_that_run(tmp_path):
    """Each example of the help ends with 0."""
    examples = [line.split('"') for line in crosscheck._EXAMPLES.splitlines() if line.startswith("  denominator")]
    assert len(examples) == 3
    for parts in examples:
        words = [word for at, part in enumerate(parts) for word in ([part] if at % 2 else part.split())]
        words = [str(tmp_path / word) if word == "check.md" else word for word in words]
        assert run(*words[2:]).exit_code == 0


def test_help_names_every_implementation():
    """And says what each exit status means."""
    text = " ".join(run("--help").stdout.split())
    assert all(name in text for name in TOOLS)
    assert "1 our own engines differ" in text


@pytest.mark.parametrize(
    "arguments",
    [
        (QRELS, RUN, "--with", "nosuch"),
        (QRELS, RUN, "--with", ","),
        (QRELS, RUN, "-m", "nDGC@10", "--with", "columnar"),
        (QRELS, RUN, "-m", "", "--with", "columnar"),
        (QRELS, RUN, "--limit", "0", "--with", "columnar"),
        (QRELS, RUN, "--limit", "-1"),
        (QRELS, RUN, "--limit", "soon"),
        (QRELS, RUN, "-l", "0", "--with", "columnar"),
        (QRELS, "nosuch.run"),
        ("nosuch.qrels", RUN),
        ("-", "-"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(arguments):
    """Status 2, the reason on standard error, nothing on standard output."""
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("denominator: ")
    assert "Traceback" not in done.stderr


def test_text_shows_who_says_what_and_why(twice):
    """Means with their denominators, the largest difference, the cause, and the counts."""
    done = run(*twice, *SOME, "-v")
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    assert "2 judged queries, 1 answered" in text
    assert "columnar 0.1.0 0.5000 2 none" in text
    assert "1.0000 1 1 of 2" in text
    assert "q2: no value where ours is 0.0000" in text
    assert "1 of 2 (by queries)" in text
    assert "queries=answered, ours judged:" in text
    assert "pytrec_eval-raw: nDCG@5 on 1" in text
    assert "One engine of ours was asked" in text
    assert "agree (" not in text
    assert 'RelevanceEvaluator(qrels, {"ndcg_cut_5"}).evaluate(run)' in text
    assert "1 difference in 2 values of other implementations: 1 explained by a choice." in text
    assert "X102" in text


def test_json_has_everything(twice):
    """Every line, every query that differs, the findings; the counts are those of the text."""
    document = json.loads(run(*twice, *SOME, "-f", "json").stdout)
    assert (document["agree"], document["apart"], document["unexplained"], document["judged"]) == (None, 1, 0, 2)
    raw = document["lines"][1]
    assert (raw["tool"], raw["mean"], raw["queries"], raw["differing"], raw["explained_by_choice"]) == (
        "pytrec_eval-raw",
        1.0,
        1,
        1,
        1,
    )
    assert raw["apart"] == [{"query_id": "q2", "ours": 0.0, "theirs": None, "explained": "choices"}]
    assert [one["code"] for one in document["findings"]] == ["X102"]


def test_csv_and_markdown_have_a_row_for_each_answer(twice, tmp_path):
    """The ending of -o says the format."""
    rows = list(csv.DictReader(io.StringIO(run(*twice, *SOME, "-f", "csv").stdout)))
    assert [(row["tool"], row["differing"], row["causes"]) for row in rows] == [
        ("columnar", "0", ""),
        ("pytrec_eval-raw", "1", "queries=answered"),
    ]
    page = tmp_path / "check.md"
    assert run(*twice, *SOME, "-o", page).stdout == ""
    assert page.read_text().count("\n| ") == 4 - 0
    assert "queries=answered" in page.read_text()


def test_the_level_is_asked_of_every_implementation(tmp_path):
    """-l 2 makes a document of grade 1 not relevant, there and here."""
    qrels, run_file = tmp_path / "q.qrels", tmp_path / "r.run"
    qrels.write_text("q1 0 a 1\nq1 0 b 2\n")
    run_file.write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n")
    for level, mean in (("1", 1.0), ("2", 0.5)):
        arguments = ("--with", "ours,pytrec_eval-raw", "-m", "RR", "-l", level, "-f", "json")
        document = json.loads(run(qrels, run_file, *arguments).stdout)
        assert [line["mean"] for line in document["lines"]] == [mean] * 4
        assert document["apart"] == 0


@pytest.mark.skipif(importlib.util.find_spec("trectools") is None, reason="needs trectools")
def test_a_level_that_a_tool_lacks_is_not_called_a_measure(twice):
    """It has AP and Success is none of its measures: each is said under its own table, and nowhere else."""
    text = run(*twice, "--with", "columnar,trectools", "-m", "AP Success@5", "-l", "2").stdout
    assert text.count("no such relevance level: trectools") == 1
    assert text.count("no such measure: trectools") == 1
    assert "What they say" not in text


@pytest.mark.skipif(importlib.util.find_spec("trectools") is None, reason="needs trectools")
def test_the_differences_that_are_counted_are_those_of_the_tables(tmp_path):
    """trectools leaves q1 out, which the run lacks, and counts q3, which has no judgments: a mean over two, as ours."""
    qrels, run_file = tmp_path / "q.qrels", tmp_path / "r.run"
    qrels.write_text("q1 0 a 1\nq2 0 b 1\n")
    run_file.write_text("q2 Q0 b 1 1.0 t\nq3 Q0 b 1 1.0 t\n")
    arguments = (qrels, run_file, "--with", "columnar,trectools", "-m", "RR", "--verbose")
    text = run(*arguments).stdout
    assert "none (1 left out, worth 0 here too)" in text
    assert "left out: q1" in text
    assert "No difference in 2 values of other implementations." in text
    assert "Why" not in text
    assert "X102" not in text
    document = json.loads(run(*arguments, "-f", "json").stdout)
    assert document["apart"] == 0
    assert [(line["left_out"], line["differing"]) for line in document["lines"]] == [([], 0), (["q1"], 0)]


def test_other_formats_are_written_as_trec_for_the_others(tmp_path):
    """A run in JSON, judgments in BEIR's table: everybody gets the same two TREC files."""
    qrels, run_file = tmp_path / "q.tsv", tmp_path / "r.json"
    qrels.write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    run_file.write_text('{"q1": {"x": 2.0, "a": 1.0}}')
    document = json.loads(run(qrels, run_file, "--with", "ours,pytrec_eval-raw", "-m", "RR", "-f", "json").stdout)
    assert [line["mean"] for line in document["lines"]] == [0.5] * 4
    assert document["run"]["source"] == str(run_file)


def test_one_of_the_files_may_be_standard_input(twice):
    """As everywhere."""
    qrels, run_file = twice
    arguments = ["crosscheck", str(qrels), "-", *SOME, "-f", "json"]
    done = CliRunner().invoke(main, arguments, input=run_file.read_bytes(), catch_exceptions=False)
    assert json.loads(done.stdout)["apart"] == 1
    assert json.loads(done.stdout)["run"]["source"] == "-"


def test_the_status_is_one_where_our_engines_differ(monkeypatch, twice):
    """Whatever other tools say has no say in it."""
    crosschecked = asking.crosschecked

    def differing(*arguments, **options):
        result = crosschecked(*arguments, **options)
        raw = result.lines[1]
        return replace(result, lines=(result.lines[0], replace(raw, own=True)))

    assert run(*twice, *SOME).exit_code == 0
    monkeypatch.setattr(asking, "crosschecked", differing)
    done = run(*twice, *SOME)
    assert done.exit_code == 1
    assert "OUR OWN ENGINES DIFFER" in done.stdout


def test_files_without_a_common_query_are_refused_before_anybody_is_asked(monkeypatch, twice, tmp_path):
    """In one line, with status 2, as `score` does."""
    other = tmp_path / "other.run"
    other.write_text("q9 Q0 a 1 1.0 t\n")
    monkeypatch.setattr(asking, "_said", None)
    done = run(twice[0], other)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "no query in common" in done.stderr


def test_our_refusal_is_said_once_and_is_the_status(tmp_path):
    """A document twice: who takes it has the table, our reason stands once in a line, and no engine of ours agrees."""
    qrels, run_file = tmp_path / "q.qrels", tmp_path / "r.run"
    qrels.write_text("q1 0 a 1\n")
    run_file.write_text("q1 Q0 a 1 2.0 t\nq1 Q0 a 2 1.0 t\nq1 Q0 b 3 0.5 t\nq1 Q0 b 4 0.4 t\n")
    done = run(qrels, run_file, "--with", "ours,pytrec_eval-raw", "-m", "RR P@1 AP")
    text = " ".join(done.stdout.split())
    assert done.exit_code == 1
    assert text.count("already appeared") == 1
    assert "columnar, pytrec_eval, reference, every measure: refused: " in text
    assert "--lenient" not in text
    assert "\\x0a" not in text
    assert "None of our engines gives an answer" in text


@pytest.mark.parametrize("answers", [1, 2])
def test_engines_without_an_answer_are_no_agreement(monkeypatch, twice, answers):
    """Where some of ours hang, the status is 1 and the words say so, whether or not the others agree."""
    crosschecked = asking.crosschecked

    def hanging(*arguments, **options):
        result = crosschecked(*arguments, **options)
        lines = [
            replace(line, n=None, compared=0, answer=replace(line.answer, status="hung", values={}, mean=None))
            if at >= answers
            else line
            for at, line in enumerate(result.lines)
        ]
        return replace(result, lines=tuple(lines))

    monkeypatch.setattr(asking, "crosschecked", hanging)
    done = run(*twice, "--with", "ours", "-m", "RR")
    assert done.exit_code == 1
    text = " ".join(done.stdout.split())
    assert f"NOT ALL OF OUR ENGINES ANSWERED ({answers} of 3 answers given)" in text
    assert ("where two gave one, they agree" in text) == (answers == 2)


def test_installed_stands_for_those_that_are_there(monkeypatch):
    """As no list does; one that is named beside it must be there."""
    monkeypatch.setattr(tools, "_is_there", lambda tool: tool.name in ("columnar", "ranx"))
    assert chosen(["installed"]) == chosen(None)
    there, missing = chosen(["installed"])
    assert [tool.name for tool in there] == ["columnar", "ranx"]
    assert sorted([*missing, "columnar", "ranx"]) == sorted(TOOLS)
    with pytest.raises(MissingExtraError, match="trectools"):
        chosen(["installed", "trectools"])


def test_who_is_still_asked_is_said_where_nobody_watches(monkeypatch, capsys):
    """After some seconds, then seldom, one line each time with the names."""
    clock = iter([0.0, 1.0, 6.0, 7.0, 40.0])
    monkeypatch.setattr("denominator.cli.waiting.time.monotonic", lambda: next(clock))
    with Waiting() as waiting:
        for names in (("ranx", "trectools"), ("ranx", "trectools"), ("ranx",), ("ranx",)):
            waiting(names, 9)
    assert capsys.readouterr().err.splitlines() == [
        "denominator: still asking ranx, trectools (6 s)",
        "denominator: still asking ranx (40 s)",
    ]


def test_a_terminal_has_a_bar_that_goes_away(monkeypatch, capsys):
    """One line, rewritten, no wider than the terminal, and wiped at the end."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Waiting(50) as waiting:
        waiting(("ranx", "trectools"), 4)
        waiting(("ranx",), 4)
    told = capsys.readouterr().err
    assert "\n" not in told
    assert "[######......] 2/4 still asking ranx, trectools" in told
    assert all(len(part) < 50 for part in told.split("\r"))
    assert told.endswith(" \r")


def test_ids_steer_no_terminal(tmp_path):
    """Control characters of ids and names are spelled out in text."""
    qrels, run_file = tmp_path / "q.qrels", tmp_path / "r.run"
    qrels.write_text("q\x1b[31m1 0 a 1\nq2 0 a 1\n")
    run_file.write_text("q2 Q0 a 1 1.0 t\n")
    done = run(qrels, run_file, *SOME, "-v")
    assert "\\x1b[31m1" in done.stdout
    assert "\x1b" not in done.stdout + run(qrels, run_file, *SOME, "-f", "markdown").stdout


def test_a_crosscheck_of_a_small_file_takes_seconds():
    """Every worker imports what it needs and no more."""
    began = time.monotonic()
    assert run(QRELS, RUN, *SOME).exit_code == 0
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--limit", "1e30", "--limit 1e30: expected a number of seconds above 0 and below 100,000, as in --limit 30"),
        ("-l", "9" * 20, f"level={'9' * 20}: expected a grade above 0, below 9,223,372,036,854,775,808"),
    ],
)
def test_a_number_beyond_its_limit_is_shown_as_it_was_typed(option, value, words):
    """And the limit is named."""
    result = CliRunner().invoke(main, ["crosscheck", QRELS, RUN, option, value])
    assert (result.exit_code, result.stderr) == (2, f"denominator: {words}\n")
