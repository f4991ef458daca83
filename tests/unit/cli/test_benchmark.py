"""`denominator benchmark` and `denominator ciral`: tables, formats, and what they refuse."""

import csv
import io
import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.benchmark import judged
from denominator.benchmark.records import COLUMNS
from denominator.cli import benchmark, ciral, main

ROOT = Path(__file__).resolve().parents[3]
QRELS = "".join(f"q{number} 0 d1 1\nq{number} 0 d2 0\nq{number} 0 d3 1\n" for number in range(4))
RUN = "".join(
    f"q{number} Q0 {doc} {rank} {9 - rank} sys\n" for number in range(4) for rank, doc in enumerate(("d1", "d9"))
)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return what runs the program in a folder with judgments and runs; they stand for every split of CIRAL too."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DENOMINATOR_CIRAL", raising=False)
    (tmp_path / "made.qrels").write_text(QRELS)
    for name in ("a.run", "ha.run", "so.run", "sw.run", "yo.run"):
        (tmp_path / name).write_text(RUN)
    (tmp_path / "b.run").write_text(RUN.replace("q0", "p0"))

    def qrels_path(language, split, folder=None):
        return Path("made.qrels" if folder in (None, "here") else "missing")

    monkeypatch.setattr(judged, "qrels_path", qrels_path)
    return lambda *arguments: CliRunner().invoke(main, arguments, env={"COLUMNS": "80"})


def test_a_run_stands_among_the_published_systems(run):
    """The table has its own row, marked, between the others; ceilings, ranks, sources and warnings are there."""
    done = run("ciral", "a.run", "--lang", "sw", "--split", "dev")
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "ciral/sw/dev: made.qrels; 4 judged queries"
    assert max(map(len, lines)) <= 80
    (mine,) = [line for line in lines if line.startswith(" → a")]
    assert mine.split()[2:] == ["0.6131", "0.5000", "1.0000"]
    (bm25,) = [line for line in lines if line.startswith(" bm25-dt ")]
    assert bm25.split() == ["bm25-dt", "0.2571", "+0.3560", "0.5612", "-0.0612", "0.3118", "+0.6882", "[1]"]
    text = " ".join(done.stdout.split())
    for words in (
        "nDCG@20 0.6131 1.0000 61% 1 of 11 1 of 7 4",
        "[1] castorini/pyserini@49d2ae2c60 pyserini/2cr/ciral.yaml (state of 2023-11-10",
        "* from a secondary source",
        "BM25-DT top100 is bm25-dt",
        "Shallow judgments: 19.6 documents a query, |Rel| 8.2.",
        "The run: 50% of the first 20 documents are judged; they are what other systems found; what nobody judged",
    ):
        assert words in text


def test_several_runs_stand_in_one_table(run):
    """Each with its own rank; the differences are the first one's; unanswered queries are counted."""
    done = run("ciral", "a.run", "b.run", "--lang", "sw")
    text = " ".join(done.stdout.split())
    assert "run value ceiling of ceiling rank n answered" in text
    assert "R@100 a 0.5000 1.0000 50% 2 of 6 4 4 b 0.3750 1.0000 38% 5 of 6 4 3" in text
    assert "system nDCG@20 1st − R@100 1st − source" in text
    assert "Beside what is published; differences are those of a " in text
    assert "Differences are a minus the row, at the decimals of its source; those of the other runs are in" in text
    assert "Each run is ranked alone among the published systems" in text
    assert "Of the first 20 documents are judged: a.run 50%, b.run 38%; they are what" in text
    assert "a.run, b.run: Holds at most 2 documents a query" in text
    assert "b.run: Run answers 3 of 4 judged queries (missing: q0)." in text
    assert max(len(line) for line in done.stdout.splitlines() if "/" not in line) <= 80


def test_names_fold_behind_their_marks(run):
    """A name that is too long for its column is cut behind a blank or a mark, not inside a word."""
    long = "reranking-claude-3-5-sonnet-20240620.run"
    Path(long).write_text(RUN)
    lines = run("ciral", long, "--lang", "sw", "--split", "dev").stdout.splitlines()
    assert max(len(line) for line in lines if "/" not in line) <= 80
    at = next(number for number, line in enumerate(lines) if line.startswith(" → reranking"))
    assert [line[:20].rstrip() for line in lines[at : at + 3]] == [" → reranking-", " claude-3-5-sonnet-", " 20240620"]


def test_pools_are_a_split_of_test_a(run):
    """--pools is --split test-a-pools, whose baselines are others."""
    pools = run("ciral", "a.run", "--lang", "so", "--pools").stdout
    assert pools == run("ciral", "a.run", "--lang", "so", "--split", "test-a-pools").stdout
    assert pools != run("ciral", "a.run", "--lang", "so").stdout
    assert "Deep judgments" in pools
    done = run("ciral", "a.run", "--lang", "so", "--split", "dev", "--pools")
    assert (done.exit_code, done.stderr) == (
        2,
        "denominator: --pools are those of test-a; there are none for --split dev\n",
    )


def test_all_languages_have_a_row_each_and_a_macro_mean(run):
    """--all takes the run of each language; --lang names some; n counts languages."""
    done = run("ciral", "--all", "{lang}.run", "--split", "test-b")
    text = " ".join(done.stdout.split())
    assert "ciral/test-b over ha, so, sw, yo" in text
    assert "ha 0.5000 1.0000 50% 2 of 6 4 so 0.5000" in text
    assert "macro mean 0.5000 1.0000 50% 3 of 6 4" in text
    assert "the page's average of the four languages" in text
    some = run("ciral", "--all", "{lang}.run", "--split", "test-b", "--lang", "ha", "--lang", "yo")
    assert "ciral/test-b over ha, yo" in some.stdout
    assert "page's average" not in some.stdout
    one = run("ciral", "--all", "{lang}.run", "--split", "test-b", "--lang", "ha")
    assert one.exit_code == 0
    assert one.stdout == run("ciral", "ha.run", "--split", "test-b", "--lang", "ha").stdout
    Path("so.run").unlink()
    done = run("ciral", "--all", "{lang}.run", "--split", "test-b", "-f", "json")
    assert done.exit_code == 2
    assert done.stderr.startswith("denominator: so.run: ")
    assert {mean["n"] for mean in json.loads(done.stdout)["macro"]["means"]} == {3}


def test_json_holds_everything(run):
    """Judgments, official measures, choices, means with ranks, every published value, notes."""
    document = json.loads(run("ciral", "a.run", "--lang", "yo", "--split", "dev", "-f", "json").stdout)
    (part,) = document["datasets"]
    assert (part["dataset"], part["official"], part["dialect"]) == (
        "ciral/yo/dev",
        ["nDCG@20", "R@100", "RR@10"],
        "trec_eval-c",
    )
    (one,) = part["runs"]
    first = one["means"][0]
    assert (first["measure"], first["rank"]) == ("nDCG@20", {"place": 1, "of": 11, "tied": 0})
    assert first["published"][0].keys() == {
        *("system", "value", "difference", "secondary", "same_as", "source", "note"),
    }
    assert {note["kind"] for note in part["notes"]} >= {"few-queries", "shallow", "unjudged"}
    assert document["failed"] == []


def test_csv_has_a_row_a_value_and_says_the_notes_elsewhere(run):
    """Numbers read back bit for bit."""
    done = run("benchmark", "made.qrels", "a.run", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["measure"] for row in rows] == ["nDCG@10", "R@100", "R@10", "Judged@10"]
    assert float(rows[0]["value"]) == 0.6131471927654584
    assert "nothing is published for them" in done.stderr


def test_markdown_links_its_sources(run):
    """Whatever comes from a file is escaped; the sources are addresses."""
    text = run("ciral", "a.run", "--lang", "yo", "-f", "markdown").stdout
    assert "| measure | value | ceiling | of ceiling | rank | n |" in text
    assert "| system | nDCG@20 | run − | R@100 | run − | source |" in text
    assert "](https://github.com/castorini/pyserini/blob/0a0be2960d/pyserini/2cr/ciral.yaml)" in text


def test_the_output_goes_to_a_file_in_the_format_of_its_name(run, tmp_path):
    """-o with -f or without; an unknown ending is refused before anything is read."""
    for name, begins in (("out.json", "{"), ("out.csv", "row,"), ("out.md", "**made"), ("out.txt", "made.qrels;")):
        assert run("benchmark", "made.qrels", "a.run", "-o", name).stdout == ""
        assert (tmp_path / name).read_text().startswith(begins)
    done = run("benchmark", "none.qrels", "a.run", "-o", "out.pdf")
    assert (done.exit_code, done.stderr[:39]) == (2, "denominator: -o out.pdf: .pdf names no ")
    assert run("benchmark", "made.qrels", "a.run", "-o", "").exit_code == 2


def test_options_reach_what_they_are_for(run, tmp_path):
    """Further measures, the folder of CIRAL, and how runs are read."""
    assert "AP" in run("benchmark", "made.qrels", "a.run", "-m", "AP P@3").stdout
    (tmp_path / "here").mkdir()
    for verb in (["ciral", "a.run", "--lang", "so"], ["benchmark", "made.qrels", "a.run"]):
        done = run(*verb, "--ciral-dir", "nowhere")
        assert (done.exit_code, done.stderr) == (2, "denominator: --ciral-dir nowhere: no such folder\n")
    assert run("ciral", "a.run", "--lang", "so", "--ciral-dir", "here").exit_code == 0
    assert run("ciral", "a.run", "--lang", "so", "--ciral-dir", "elsewhere").exit_code == 2
    (tmp_path / "twice.run").write_text(RUN + RUN)
    assert run("benchmark", "made.qrels", "twice.run").exit_code == 2
    assert run("benchmark", "made.qrels", "twice.run", "--lenient", "duplicates=first").exit_code == 0
    assert run("benchmark", "made.qrels", "a.run", "--run-format", "beir").exit_code == 2


def test_one_run_that_fails_does_not_lose_the_others(run):
    """It is named on standard error, and the status says so."""
    done = run("benchmark", "made.qrels", "a.run", "none.run")
    assert done.exit_code == 2
    assert "none.run" in done.stderr
    assert "nDCG@10" in done.stdout
    assert "none.run: not scored" in done.stdout


def test_the_list_says_what_is_published(run):
    """In every format; with nothing else on the line."""
    text = run("benchmark", "--list").stdout
    (line,) = [line for line in text.splitlines() if line.startswith("ciral/sw/test-a ")]
    assert line.split() == ["ciral/sw/test-a", "5", "14", "0", "nDCG@20,", "R@100"]
    assert len(json.loads(run("benchmark", "--list", "-f", "json").stdout)) == 17
    assert len(list(csv.reader(io.StringIO(run("benchmark", "--list", "-f", "csv").stdout)))) == 18
    assert "| ciral/sw/test-a | nDCG@20, R@100 | 5 | 14 | 0 |" in run("benchmark", "--list", "-f", "markdown").stdout
    assert run("benchmark", "--list", "made.qrels").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["benchmark"], "expected DATASET and RUN..., or --list"),
        (["benchmark", "made.qrels"], "expected DATASET and RUN..., or --list"),
        (["benchmark", "no/such.qrels", "a.run"], "no such file, and no data set's id either"),
        (["benchmark", "ciral/fr/dev", "a.run"], "language fr: CIRAL has ha, so, sw, yo"),
        (["benchmark", "ciral/sw/test-a", "ciral/ha/test-a", "a.run"], "Hausa, Swahili are never merged"),
        (["ciral", "a.run"], "expected RUN and one --lang of ha, so, sw, yo; or --all"),
        (["ciral", "a.run", "--lang", "ha", "--lang", "so"], "expected RUN and one --lang"),
        (["ciral", "--lang", "ha"], "expected RUN and one --lang"),
        (["ciral", "a.run", "--all", "{lang}.run"], "--all names the runs; leave a.run away"),
        (["ciral", "--all", "a.run"], "One file is never scored in several languages: the query ids"),
        (["ciral", "ciral/sw/dev", "--lang", "sw"], "test-a"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(run, arguments, words):
    """Status 2 and a line that says what was expected."""
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr


def test_the_examples_of_the_help_run(monkeypatch):
    """Those on the samples as they stand; the others name files of the user's."""
    monkeypatch.chdir(ROOT)
    lines = [line.strip() for verb in (benchmark, ciral) for line in (verb.command.epilog or "").splitlines()]
    examples = [line for line in lines if line.startswith("denominator ")]
    assert len(examples) == 6
    for example in examples:
        words = shlex.split(example)[1:]
        done = CliRunner().invoke(main, words)
        if "my.run" in words or "runs/{lang}.run" in words:
            assert done.exit_code == 2
            assert "Usage" not in done.stderr
        else:
            assert done.exit_code == 0, done.stderr


def test_a_terminal_gets_no_control_codes_in_a_table(tmp_path, monkeypatch, capsys):
    """The name of a run stays as it is where CSV goes to a file or another program."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "a\x1b[2J.run").write_text("q1 Q0 d1 1 2.5 t\n")
    arguments = ["benchmark", "g.qrels", "a\x1b[2J.run", "-f", "csv"]
    assert "g.qrels,a\x1b[2J.run," in CliRunner().invoke(main, arguments).stdout
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(arguments, standalone_mode=False)
    assert "g.qrels,a\\x1b[2J.run," in capsys.readouterr().out
