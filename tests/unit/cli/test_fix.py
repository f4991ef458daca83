"""``denominator fix``, as a person types it."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main

ROOT = Path(__file__).resolve().parents[3]
DUPE = "q_dupe Q0 d1 1 0.95 us\nq_dupe Q0 d1 2 0.90 us\nq_dupe Q0 d2 4 0.80 us\n"


@pytest.fixture
def fix(tmp_path, monkeypatch):
    """Return what runs the verb in a folder with a few files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.run").write_text(DUPE)
    (tmp_path / "crlf.run").write_bytes(b"q1 Q0 d1 1 2.0 us\r\nq1 Q0 d2 2 1.0 us\r\n")
    (tmp_path / "in.qrels").write_text("q_dupe 0 d1 1\nq_dupe 0 d2 1\n")
    (tmp_path / "twice.qrels").write_text("q1 0 d1 1\nq1 0 d1 2\n")
    return lambda *arguments, **more: CliRunner().invoke(main, ["fix", *arguments], catch_exceptions=False, **more)


def test_a_copy_is_written_to_the_current_folder_whatever_the_file_s(fix, tmp_path):
    """A shared folder gets no file that nobody asked for; -o names another place."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "crlf.run").rename(tmp_path / "shared" / "crlf.run")
    assert fix("shared/crlf.run").stdout.endswith("wrote: crlf.fixed.run\n")
    assert [path.name for path in (tmp_path / "shared").iterdir()] == ["crlf.run"]
    assert fix("shared/crlf.run").exit_code == 2, "it is not written over"
    assert fix("shared/crlf.run", "-o", "shared/mended.run").exit_code == 0
    assert "in the current folder" in " ".join(fix("--help").stdout.split())


def test_a_copy_is_written_and_the_file_stays(fix, tmp_path):
    """What was done is counted, where it was written is said, and the file itself stays."""
    done = fix("crlf.run")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "F102 lines-end-in-crlf: 2 lines made to end in LF\nwrote: crlf.fixed.run\n"
    assert (tmp_path / "crlf.fixed.run").read_bytes() == b"q1 Q0 d1 1 2.0 us\nq1 Q0 d2 2 1.0 us\n"
    assert b"\r" in (tmp_path / "crlf.run").read_bytes()


def test_what_nobody_named_is_not_overwritten(fix, tmp_path):
    """A file of the copy's name may be somebody else's; -o names it."""
    (tmp_path / "crlf.fixed.run").write_text("mine")
    done = fix("crlf.run")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "crlf.fixed.run: is there already; name the copy with -o" in done.stderr
    assert (tmp_path / "crlf.fixed.run").read_text() == "mine"
    assert fix("crlf.run", "-o", "crlf.fixed.run").exit_code == 0
    assert (tmp_path / "crlf.fixed.run").read_text() != "mine"


def test_a_file_is_replaced_only_where_that_is_asked_for(fix, tmp_path):
    """--in-place, and nothing else, writes over FILE."""
    assert "is FILE itself; use --in-place" in fix("crlf.run", "-o", "./crlf.run").stderr
    assert fix("crlf.run", "--in-place", "-o", "x").exit_code == 2
    assert "is no regular file" in fix("--kind", "run", "-", "--in-place", input=DUPE).stderr
    assert b"\r" in (tmp_path / "crlf.run").read_bytes()
    assert fix("crlf.run", "--in-place").stdout.endswith("wrote: crlf.run\n")
    assert b"\r" not in (tmp_path / "crlf.run").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["crlf.run", "in.qrels", "in.run", "twice.qrels"]


def test_where_nothing_is_to_be_mended_nothing_is_written(fix, tmp_path):
    """It is said, what would change scores is offered, and what score refuses is named."""
    done = fix("in.run", "--select", "F")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "in.run: nothing to mend; nothing was written\n"
        "not done, for it changes scores: 1 row left out by --select R101\n"
        "still refused by score: in.run:2: q_dupe/d1 already appeared on line 1. A run names a document once for a "
        'query; --lenient duplicates=best (in Python lenient="duplicates=best") keeps the copy with the higher score\n'
    )
    assert not (tmp_path / "in.fixed.run").exists()


def test_what_changes_a_score_is_named_for_each_query(fix):
    """By its AP where there are judgments; by the ranking otherwise."""
    told = "R101 ranking-repeats-document: 1 row left out (the best copy of each document stays)\n"
    told += "1 query of which the ranking is not what it was:\n"
    done = fix("in.run", "--select", "R101", "-o", "-", "--qrels", "in.qrels")
    assert done.stdout == DUPE.replace("q_dupe Q0 d1 2 0.90 us\n", "")
    assert done.stderr == f"{told}  q_dupe: AP 1.500 → 1.000\nwrote: -\n"
    done = fix("in.run", "--select", "R101", "-o", "-")
    assert done.stderr == f"{told}  q_dupe: 3 rows → 2, another ranking from rank 2 on\nwrote: -\n"
    done = fix("twice.qrels", "--qrels", "in.qrels", "--select", "Q102", "--keep", "last")
    assert "--qrels: FILE holds judgments itself" in done.stderr


def test_many_queries_are_counted_and_all_are_named_where_that_is_asked_for(fix, tmp_path):
    """Twenty lines of queries on a terminal, every one with -v."""
    (tmp_path / "many.run").write_text("".join(f"q{n} Q0 d 1 {score} t\n" for n in range(30) for score in (2, 1)))
    assert "  and 10 more queries (all with -v)\n" in fix("many.run", "--select", "R101").stdout
    assert fix("many.run", "--select", "R101", "-v", "-o", "x").stdout.count("2 rows → 1") == 30


def test_keep_and_sort_reach_the_repair(fix):
    """--keep says which copy or grade stays, --sort puts rows in order."""
    assert "d1 2 0.90" in fix("in.run", "--select", "R101", "--keep", "last", "-o", "-").stdout
    assert fix("twice.qrels", "--select", "Q102").exit_code == 2
    assert fix("twice.qrels", "--select", "Q102", "--keep", "best", "-o", "-").stdout == "q1 0 d1 2\n"
    rows = "q1 Q0 a 2 1 t\nq1 Q0 b 1 2 t\n"
    done = fix("--kind", "run", "-", "--sort", input=rows)
    assert done.stdout == "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n"
    assert done.stderr == "--sort: 2 rows moved\nwrote: -\n"
    assert "--sort: qrels have no ranking" in fix("in.qrels", "--sort").stderr


def test_what_is_compressed_stays_so_by_its_name(fix, tmp_path):
    """The copy of a .gz is a .gz, and -o decides by its own ending."""
    with gzip.open(tmp_path / "c.run.gz", "wb") as file:
        file.write((tmp_path / "crlf.run").read_bytes())
    assert fix("c.run.gz").stdout.endswith("wrote: c.fixed.run.gz\n")
    assert gzip.decompress((tmp_path / "c.fixed.run.gz").read_bytes()).count(b"\r") == 0
    assert fix("c.run.gz", "-o", "plain.run").exit_code == 0
    assert (tmp_path / "plain.run").read_bytes().startswith(b"q1 Q0")


def test_how_a_file_is_read_can_be_said(fix, tmp_path):
    """--encoding names what the copy no longer is; comments=rows keeps lines that begin with #."""
    (tmp_path / "l.run").write_bytes("q1 Q0 dé 1 2 t\n".encode("latin-1"))
    done = fix("l.run", "--encoding", "latin-1", "-o", "-")
    assert (done.stdout, done.stderr) == ("q1 Q0 dé 1 2 t\n", "written as UTF-8, not latin-1\nwrote: -\n")
    (tmp_path / "hash.run").write_text("#q Q0 a 1 2 t\np Q0 a 1 2 t\n")
    assert "1 comment line left out" in fix("hash.run").stdout
    assert "nothing to mend" in fix("hash.run", "-o", "x", "--lenient", "comments=rows").stdout
    assert "a repair has its code" in fix("hash.run", "--lenient", "tag=none").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["in.run", "--select", "R1O1"], "not the code of a repair; did you mean"),
        (["in.run", "--select", "D101"], "cutoff-caps-recall is not mended by rewriting a run"),
        (["nothing.run"], "there is no such file"),
        (["in.run", "-o", "no/where.run", "--select", "R101"], "there is no folder"),
        (["in.json", "--kind", "qrels"], "only files in TREC's format are mended: see `denominator convert`"),
        (["blank.run"], "nothing"),
    ],
)
def test_bad_input_is_one_line_and_status_2(fix, tmp_path, arguments, words):
    """No traceback, no file."""
    (tmp_path / "in.json").write_text('{"q": {"d": 1}}')
    (tmp_path / "blank.run").write_text("")
    before = sorted(os.listdir(tmp_path))
    done = fix(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("denominator: ")
    assert words in done.stderr or "empty" in done.stderr
    assert sorted(os.listdir(tmp_path)) == before


def test_the_examples_of_the_help_run(fix, tmp_path):
    """Every example is a command that works in the checkout."""
    text = fix("--help").stdout
    examples = [line.split() for line in text.splitlines() if line.startswith("    denominator fix")]
    assert len(examples) == 3
    for folder in ("qrels", "runs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for example in examples:
        done = subprocess.run([sys.executable, "-m", *example], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_an_empty_name_is_no_folder(fix):
    """A variable of the shell that is not set is called what it is, as the other verbs do."""
    done = fix("crlf.run", "-o", "")
    words = "denominator: -o '': expected the name of a file, or - for standard output\n"
    assert (done.exit_code, done.stderr) == (2, words)


def test_judgments_that_change_are_spoken_of_in_the_plural(fix):
    """Rankings are one each, judgments are several."""
    done = fix("twice.qrels", "--select", "Q102", "--keep", "first")
    assert "1 query of which the judgments are not what they were:\n" in done.stdout
