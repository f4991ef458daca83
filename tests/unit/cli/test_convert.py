"""`denominator convert`: rows in, the same rows out, what happened on standard error."""

import gzip
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def convert(tmp_path, monkeypatch):
    """Return what runs the verb in an empty folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.run").write_text("q1 Q0 d1 7 0.5 sys\nq1 Q0 d2 8 0.75 sys\n")
    (tmp_path / "in.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    return lambda *arguments: CliRunner().invoke(main, ["convert", *arguments])


def test_a_run_is_converted_by_the_names(convert):
    """What was read and what was written is said; the rank is computed anew."""
    done = convert("in.run", "out.jsonl")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "read as: TREC run, 6 columns, 2 rows\nwrote: JSON lines run, 2 rows\n"
    assert convert("--kind", "run", "out.jsonl", "-").stdout == "q1 Q0 d1 2 0.5 sys\nq1 Q0 d2 1 0.75 sys\n"


def test_qrels_are_converted_to_what_is_asked_for(convert):
    """--to counts more than the name."""
    assert convert("--to", "json", "in.qrels", "-").stdout == '{\n"q1": {"d1": 1, "d2": 0}\n}\n'


def test_columns_say_what_names_do_not(convert, tmp_path):
    """Six columns are a run, four are qrels, a third column of ranks is a run."""
    for text, kind in (("q Q0 d 1 1 t\n", "run"), ("q 0 d 1\n", "qrels"), ("q\td\t1\n", "run")):
        (tmp_path / "in").write_text(text)
        assert f" {kind}, " in convert("in", "-").stderr
    (tmp_path / "in").write_text("- query: q\n  grades: {d: 1}\n")
    assert "golden YAML qrels" in convert("in", "-").stderr


def test_where_nothing_says_run_or_qrels_it_is_asked_for(convert, tmp_path):
    """Nested JSON may be both; it is not guessed."""
    (tmp_path / "in.json").write_text('{"q": {"d": 1}}')
    done = convert("in.json", "-")
    assert done.exit_code == 2
    assert done.stderr == (
        "denominator: in.json: a run or qrels? Neither its name nor its columns say; give --kind run or --kind qrels\n"
    )
    assert convert("--kind", "qrels", "in.json", "-").stdout == "q 0 d 1\n"


def test_options_reach_the_reader(convert, tmp_path):
    """--from, --lenient, --float-grades and --encoding each change what is read."""
    (tmp_path / "twice.run").write_text("q Q0 d 1 2 t\nq Q0 d 2 1 t\n")
    assert convert("twice.run", "-").exit_code == 2
    done = convert("twice.run", "-", "--lenient", "duplicates=first")
    assert done.stdout == "q Q0 d 1 2.0 t\n"
    assert "note: " in done.stderr
    (tmp_path / "real.qrels").write_text("q 0 d 0.5\n")
    assert convert("real.qrels", "-").exit_code == 2
    assert convert("real.qrels", "-", "--float-grades").stdout == "q 0 d 0.5\n"
    (tmp_path / "latin.qrels").write_bytes("q 0 dé 1\n".encode("latin-1"))
    assert convert("latin.qrels", "-").exit_code == 2
    assert convert("latin.qrels", "-", "--encoding", "latin-1").stdout == "q 0 dé 1\n"
    (tmp_path / "five.run").write_text("q d 5\n")
    assert convert("five.run", "-").exit_code == 2
    assert convert("five.run", "-", "--from", "msmarco").stdout == "q Q0 d 1 -5.0 run\n"


def test_bad_input_ends_in_sentences_and_leaves_no_file(convert, tmp_path):
    """A fault, an id that does not fit, a place that is not there: exit 2, no traceback, nothing written."""
    (tmp_path / "bad.run").write_text("q Q0 d 1 high t\nq Q0\n")
    done = convert("bad.run", "out.json")
    assert done.exit_code == 2
    assert "bad.run:1: score" in done.stderr
    assert "bad.run:2:" in done.stderr
    (tmp_path / "blank.run").write_text('{"query_id": "q", "doc_id": "a b", "score": 1}\n')
    assert "has a blank" in convert("blank.run", "out.trec").stderr
    assert "there is no folder" in convert("in.run", "none/out.run").stderr
    assert {entry.name for entry in tmp_path.iterdir()} == {"in.run", "in.qrels", "bad.run", "blank.run"}


def test_the_help_has_examples_that_run(tmp_path):
    """Every line of the examples in --help does what it says, from the top of the project."""
    text = CliRunner().invoke(main, ["convert", "--help"]).stdout
    examples = re.findall(r"^\s*denominator (convert .+)$", text, flags=re.MULTILINE)
    assert len(examples) == 3
    for example in examples:
        words = [str(ROOT / word) if (ROOT / word).is_file() else word for word in shlex.split(example)]
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", "from denominator.cli import main; main()", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert "wrote: " in done.stderr
    assert {entry.name for entry in tmp_path.iterdir()} == {"agri.jsonl.gz", "agri.json"}


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    """`denominator convert … - | head -1` says nothing."""
    (tmp_path / "long.run").write_text("".join(f"q Q0 d{n} {n} {-n} t\n" for n in range(100_000)))
    done = subprocess.run(
        f"{shlex.quote(sys.executable)} -c 'from denominator.cli import main; main()' convert long.run - | head -1",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "q Q0 d0 1 0.0 t\n" or done.stdout == "q Q0 d0 1 -0.0 t\n"
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr


def test_the_formats_of_the_option_are_those_that_are_written():
    """The help does not import the writers to know their names."""
    from denominator.cli import convert
    from denominator.formats import write

    assert tuple(write.WRITTEN) == convert.WRITTEN


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "qrels"),
        ("query-id\tcorpus-id\tscore\trank\nq\td\t1\t1\n", "run"),
        ('{"query_id": "q", "doc_id": "d", "relevance": 1}\n', "qrels"),
        ('{"query_id": "q", "retrieved": ["d"]}\n', "run"),
        ('{"query_id": "q", "doc_id": "d", "score": 1.5}\n', None),
        ("query-id\tcorpus-id\tscore\nq\td\t1.5\n", None),
        ("q 0 d 1\nq 0 e 0.5\n", "qrels"),
        ("q Q0 d 1 1 t\n", "run"),
    ],
)
def test_headers_and_keys_say_what_names_do_not(convert, tmp_path, text, kind):
    """A file says it, or standard input does in the same words; what both may be called is asked for."""
    (tmp_path / "in").write_text(text)
    by_name = convert("in", "--float-grades", "--to", "jsonl", "-")
    piped = CliRunner().invoke(main, ["convert", "-", "--float-grades", "--to", "jsonl", "-"], input=text)
    assert (piped.exit_code, piped.stdout) == (by_name.exit_code, by_name.stdout)
    if kind is None:
        assert by_name.exit_code == piped.exit_code == 2
        assert "give --kind" in by_name.stderr
        assert "give --kind" in piped.stderr
    else:
        assert f" {kind}, " in by_name.stderr
        assert f" {kind}, " in piped.stderr


def test_standard_input_longer_than_a_look_is_read_whole(convert, tmp_path):
    """What was looked at to tell the kind is not lost, packed or not."""
    rows = "".join(f"q{n // 100} Q0 d{n} 1 {-n} t\n" for n in range(300_000))
    assert len(rows) > 4 << 20
    for data in (rows.encode(), gzip.compress(rows.encode(), 1)):
        done = CliRunner().invoke(main, ["convert", "-", "out.jsonl"], input=data)
        assert done.exit_code == 0, done.stderr
        assert "300,000 rows" in done.stderr


def test_one_row_is_counted_in_the_singular(convert, tmp_path):
    """In what was read, and in what was written."""
    (tmp_path / "one.run").write_text("q1 Q0 d1 1 0.5 sys\n")
    assert [line.split(", ")[-1] for line in convert("one.run", "out").stderr.splitlines()] == ["1 row", "1 row"]
