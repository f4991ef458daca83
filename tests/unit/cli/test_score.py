"""``denominator score``, as a person types it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main, score
from denominator.outputs import FORMATS

ROOT = Path(__file__).parents[3]
QRELS, RUN = "qrels/agri.qrels", "runs/agri.run"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)


def run(*arguments, **options):
    return CliRunner().invoke(main, ["score", *map(str, arguments)], catch_exceptions=False, **options)


def means(*arguments) -> dict[str, float]:
    """Return measure → mean of the first run."""
    result = run(QRELS, RUN, "-f", "json", *arguments)
    assert result.exit_code == 0, result.stderr
    return {mean["measure"]: mean["value"] for mean in json.loads(result.stdout)["runs"][0]["means"]}


def spawn(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "denominator", *map(str, arguments)], stdout=-1, stderr=-1, cwd=ROOT, **options
    )


def test_the_default_is_four_measures_at_ten():
    """P, R, RR and nDCG at 10, as a table with notes."""
    result = run(QRELS, RUN)
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.stdout.splitlines()[2:6]] == ["P@10", "R@10", "RR@10", "nDCG@10"]
    assert "runs/agri.run read as: TREC run" in result.stdout


def test_cutoffs_are_those_of_the_default_measures():
    """-k takes lists and repeats."""
    assert list(means("-k", "5,3", "-k", "1"))[:4] == ["P@5", "P@3", "P@1", "R@5"]


def test_measures_are_lists_and_repeat():
    """-m takes several in one, in both spellings, in their order."""
    assert list(means("-m", "nDCG@5 map", "-m", "recall_5")) == ["nDCG@5", "AP", "R@5"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-k", "5", "-m", "AP"], "-k sets the cutoffs of the default measures; with -m write the cutoff in it"),
        (["-k", "0"], "-k 0: expected numbers of documents, 1 or more, in at most 18 digits, as in -k 5,10"),
        (["-k", "five"], "-k five: expected numbers of documents"),
        (["-k", ""], "-k : expected numbers of documents"),
        (["-m", "nDGC@10"], "did you mean"),
        (["-c", "--queries", "answered"], "-c means --queries judged; it cannot go with --queries answered"),
        (["-l", "nan"], "-l nan: expected a grade above 0"),
        (["-l", "inf"], "-l inf: expected a grade above 0"),
        (["-l", "1_0"], "-l 1_0: expected a grade above 0"),
        (["-l", "1e400"], "level=inf: expected a grade above 0"),
        (["-M", "9" * 30], "expected a number of documents, 1 or more, in at most 18 digits"),
        (["-M", "1_0"], "-M 1_0: expected a number of documents"),
        (["-k", "9" * 5000], "(5,000 characters): expected numbers of documents"),
        (["-k", "٥"], "-k ٥: expected numbers of documents"),
        (["-k", "5,,10"], "-k 5,,10: expected numbers of documents"),
        (["-k", "5,05"], "-k 5,05: the cutoff 5 is given twice"),
        (["-m", "nDCG(gains={1:-1})@5"], "a gain below 0 makes it no share of the ideal ranking"),
        (["-o", ""], "-o '': expected the name of a file"),
        (["--collapse", ""], "expected what stands between document and chunk"),
        (["-o", "x.xlsx"], "-o x.xlsx: .xlsx names no format; expected .txt, .trec, .json"),
        (["-o", "x.html"], ".html names no format"),
        (["-o", "x.parquet.gz"], "Parquet compresses its columns itself; leave .gz away"),
        (["-l", "0"], "level=0: expected a grade above 0"),
        (["-M", "0"], "-M 0: expected a number of documents"),
        (["--engine", "reference", "-m", "IPrec@0.1"], "the engine reference does not compute IPrec@0.1"),
        (["-f", "parquet"], "-f parquet writes bytes, not text; name a file with -o FILE"),
        (["-f", "trec", "-m", "RCap@5"], "trec_eval has no measure RCap@5"),
        (["--by", "absent"], "absent: there is no such file"),
        (["--run-format", "xml"], "xml"),
        (["--lenient", "everything=yes"], "everything"),
        (["--frobnicate"], "No such option"),
        (["-o", "qrels"], "qrels: is a folder"),
        (["-o", "nowhere/x.csv"], "there is no folder"),
    ],
)
def test_bad_usage_is_one_line_and_status_2(arguments, text):
    """No traceback, nothing on standard output, and what to do."""
    result = run(QRELS, RUN, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("denominator: ")
    assert text in line


def test_every_option_that_changes_numbers_changes_them(tmp_path):
    """-l, -M, -J, --queries and --trec-eval reach the scores."""
    assert means("-m", "AP", "-l", "2") != means("-m", "AP")
    assert means("-m", "AP", "-M", "1") != means("-m", "AP")
    assert means("-m", "AP", "-J") != means("-m", "AP")
    assert means("-m", "IPrec@0.4", "--trec-eval", "10") != means("-m", "IPrec@0.4")
    partly = tmp_path / "partly.run"
    partly.write_text("".join(Path(RUN).read_text().splitlines(keepends=True)[:10]))
    values = {}
    for queries in ("judged", "answered", "answerable"):
        (document,) = json.loads(run(QRELS, partly, "-m", "R@10", "-f", "json", "--queries", queries).stdout)["runs"]
        values[queries] = document["means"][0]["value"]
    assert values == {"judged": 0.25, "answered": 1.0, "answerable": 0.25}
    assert run(QRELS, partly, "-c").stdout == run(QRELS, partly).stdout


def test_the_engine_is_the_one_asked_for():
    """And is printed."""
    for engine in ("pytrec_eval", "columnar", "reference"):
        assert f"by {engine} " in " ".join(run(QRELS, RUN, "--engine", engine, "-m", "AP").stdout.split())


def test_reading_options_reach_the_readers(tmp_path):
    """Formats can be forced, faults put up with, real grades accepted, another encoding read."""
    assert run(QRELS, RUN, "--run-format", "trec", "--qrels-format", "trec").exit_code == 0
    assert run(QRELS, RUN, "--qrels-format", "json").exit_code == 2
    assert run("qrels/agri-dupe.qrels", "runs/agri-dupe.run").exit_code == 2
    lenient = run("qrels/agri-dupe.qrels", "runs/agri-dupe.run", "--lenient", "duplicates=first")
    assert lenient.exit_code == 0
    assert "duplicate" in lenient.stdout
    real = tmp_path / "real.qrels"
    real.write_text("q 0 d 0.5\n")
    (tmp_path / "one.run").write_text("q Q0 d 1 1 x\n")
    assert run(real, tmp_path / "one.run").exit_code == 2
    assert run(real, tmp_path / "one.run", "--float-grades").exit_code == 0
    (tmp_path / "latin.qrels").write_bytes("q 0 dé 1\n".encode("latin-1"))
    (tmp_path / "latin.run").write_bytes("q Q0 dé 1 1 x\n".encode("latin-1"))
    latin = (tmp_path / "latin.qrels", tmp_path / "latin.run")
    assert run(*latin).exit_code == 2
    assert run(*latin, "--encoding", "latin-1").exit_code == 0


def test_groups_have_their_means(tmp_path):
    """--by names the groups, each with its own mean, and the macro mean."""
    by = tmp_path / "groups"
    by.write_text("q_faw pests\nq_store pests\nq_milk dairy\nq_broad dairy\n")
    out = run(QRELS, RUN, "-k", "5", "--by", by).stdout
    assert "R@5 · dairy" in out
    assert "R@5 · macro mean" in out


def test_each_query_is_shown_when_asked_for():
    """-q shows the fraction of every query."""
    assert "0.500 (4/8)" in run(QRELS, RUN, "-k", "5", "-q").stdout
    assert "(4/8)" not in run(QRELS, RUN, "-k", "5").stdout


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_can_be_written_to_a_file(tmp_path, form):
    """-o writes the whole file and nothing else, and nothing to standard output."""
    out = tmp_path / "scores.out"
    result = run(QRELS, RUN, "-f", form, "-o", out, "-m", "P@5")
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.stat().st_size > 0
    assert [path.name for path in tmp_path.iterdir()] == ["scores.out"]


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("x.json", b"{"),
        ("x.csv", b"row,run"),
        ("x.tsv", b"row\trun"),
        ("x.md", b"| run"),
        ("x.parquet", b"PAR1"),
        ("x.txt", b" measure"),
    ],
)
def test_the_format_follows_the_name_of_the_file(tmp_path, name, begins):
    """Where -f does not say, the ending does."""
    assert run(QRELS, RUN, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_the_width_is_asked_for():
    """80 columns into a pipe, unless COLUMNS says otherwise; a file has 80."""
    wide = run(QRELS, RUN, "-q", "-m", "P@1 P@2 P@3 P@4 P@5 P@6 P@7 P@8", env={"COLUMNS": "200"}).stdout
    narrow = run(QRELS, RUN, "-q", "-m", "P@1 P@2 P@3 P@4 P@5 P@6 P@7 P@8").stdout
    assert max(map(len, wide.splitlines())) > 80 >= max(map(len, narrow.splitlines()))


def test_formats_list_is_that_of_the_outputs():
    """The command line keeps its own list so that --help imports nothing; it is the same one."""
    assert tuple(FORMATS) == score._FORMATS


def test_notes_go_to_standard_error_where_the_format_has_no_place(tmp_path):
    """A table for machines stays clean, and the notes are not lost."""
    result = run(QRELS, RUN, "-f", "csv")
    assert result.stdout.startswith("row,run,")
    assert "read as" not in result.stdout
    assert "read as: TREC run" in result.stderr
    assert run(QRELS, RUN, "-f", "json").stderr == ""


def test_a_bad_run_does_not_lose_the_good_one(tmp_path):
    """The good run is scored and printed, the bad one is named on standard error, and the status is 2."""
    bad = tmp_path / "bad.run"
    bad.write_text("one two\n")
    result = run(QRELS, bad, RUN, "-f", "json")
    assert result.exit_code == 2
    assert f"denominator: {bad}:1:" in result.stderr
    document = json.loads(result.stdout)
    assert [one["name"] for one in document["runs"]] == [RUN]
    assert document["failed"][0]["name"] == str(bad)


def test_when_no_run_is_good_nothing_is_written(tmp_path):
    """No empty table."""
    result = run(QRELS, tmp_path / "absent", "-o", tmp_path / "out.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_a_file_like_any_other():
    """- reads a run from the pipe; both files cannot come from it."""
    text = Path(RUN).read_text()
    assert run(QRELS, "-", "-m", "R@5", input=text).stdout.splitlines()[2].split()[:2] == ["R@5", "0.625"]
    twice = run("-", "-", input=text)
    assert twice.exit_code == 2
    assert "standard input can be read once" in twice.stderr


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
def test_no_colour_into_a_pipe(environment):
    """Escape sequences are for terminals."""
    out, _ = spawn("score", QRELS, RUN, env={**os.environ, **environment}).communicate()
    assert b"\x1b" not in out


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_colour_on_a_terminal_unless_told_not_to(environment, coloured):
    """A terminal gets colours, with NO_COLOR or a dumb one it does not, and the width is the terminal's."""
    # Windows has no terminals of this kind
    pty = pytest.importorskip("pty")
    parent, child = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "FORCE_COLOR")}
    command = [sys.executable, "-m", "denominator", "score", QRELS, RUN]
    process = subprocess.Popen(command, stdout=child, stderr=-3, cwd=ROOT, env={**kept, **environment})
    os.close(child)
    out = b""
    try:
        while chunk := os.read(parent, 4096):
            out += chunk
    except OSError:  # the other end is closed
        pass
    process.wait()
    os.close(parent)
    assert (b"\x1b[" in out) == coloured
    assert b"nDCG@10" in out


def test_a_broken_pipe_is_silent():
    """The reader goes away: no message, no traceback."""
    process = spawn("score", QRELS, RUN, "-q", "-f", "jsonl")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
    process.stderr.close()


def test_an_interruption_leaves_no_file(tmp_path):
    """Ctrl-C while a run is read: status 130, no traceback, no file, not even a half one."""
    pipe = tmp_path / "slow.run"
    os.mkfifo(pipe)
    out = tmp_path / "out"
    out.mkdir()
    process = spawn("score", QRELS, pipe, "-o", out / "scores.csv")
    with pipe.open("wb"):  # opened by the reader: it is waiting for rows now
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert list(out.iterdir()) == []


def test_the_bar_waits_for_a_second_and_for_a_terminal(monkeypatch):
    """Quick work, and work whose messages go to a file, show no bar; slow work on a terminal does."""
    shown = []
    monkeypatch.setattr(score._Bar, "_show", lambda self: shown.append(self.total))
    monkeypatch.setattr(score._Bar, "PATIENCE", 0.05)
    with score._Bar(3):
        time.sleep(0.1)
    assert shown == []
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with score._Bar(3):
        pass
    assert shown == []
    with score._Bar(3):
        time.sleep(0.2)
    assert shown == [3]


def test_the_examples_of_the_help_run(tmp_path, monkeypatch):
    """Every line that --help shows as an example works as it stands."""
    examples = [line.split("denominator score ")[1] for line in score._EXAMPLES.splitlines() if "denominator" in line]
    assert len(examples) == 5
    import shlex

    monkeypatch.chdir(tmp_path)
    for folder in ("qrels", "runs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for example in examples:
        result = CliRunner().invoke(main, ["score", *shlex.split(example)])
        assert result.exit_code == 0, result.output
    assert (tmp_path / "means.csv").exists()


@pytest.mark.parametrize("name", ["scores.csv.gz", "scores.csv.bz2"])
def test_a_compressed_name_gets_the_format_inside_it(tmp_path, name):
    """The ending before the compression says the format."""
    import bz2
    import gzip

    assert run(QRELS, RUN, "-o", tmp_path / name).exit_code == 0
    opened = {".gz": gzip, ".bz2": bz2}[Path(name).suffix].decompress((tmp_path / name).read_bytes())
    assert opened.startswith(b"row,run")


def test_a_formula_that_was_guarded_is_said(tmp_path):
    """The note says which ids have an apostrophe that is not theirs, and how to have them back."""
    (tmp_path / "x.qrels").write_text("=1 0 d 1\n'=1 0 d 1\n")
    (tmp_path / "x.run").write_text("=1 Q0 d 1 1 x\n'=1 Q0 d 1 1 x\n")
    arguments = (tmp_path / "x.qrels", tmp_path / "x.run", "-f", "csv")
    assert "2 texts that a spreadsheet could run ('=1, =1) got an apostrophe" in run(*arguments, "-q").stderr
    assert "apostrophe" not in run(*arguments).stderr


@pytest.mark.parametrize("form", ["csv", "tsv", "trec"])
def test_an_id_cannot_steer_a_terminal(tmp_path, form):
    """Into a file or a pipe an id goes as it is; a terminal gets its control characters spelled out."""
    # Windows has no terminals of this kind
    pty = pytest.importorskip("pty")
    query = "q\x1b[31m\x7f\u202e"
    (tmp_path / "x.qrels").write_text(f"{query} 0 d 1\n", encoding="utf-8")
    (tmp_path / "x.run").write_text(f"{query} Q0 d 1 1 x\n", encoding="utf-8")
    command = [sys.executable, "-m", "denominator", "score", "x.qrels", "x.run", "-m", "AP", "-q", "-f", form]
    exact = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout
    assert query.encode() in exact
    parent, child = pty.openpty()
    process = subprocess.Popen(command, cwd=tmp_path, stdout=child, stderr=-3)
    os.close(child)
    out = b""
    try:
        while chunk := os.read(parent, 4096):
            out += chunk
    except OSError:  # the other end is closed
        pass
    os.close(parent)
    assert process.wait() == 0
    assert b"q\\x1b[31m\\x7f\\u202e" in out
    assert not {b"\x1b", b"\x7f", "\u202e".encode()} & {out[at : at + 1] for at in range(len(out))}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk that is always full")
@pytest.mark.parametrize("verb", [["score", QRELS, RUN], ["score", QRELS, RUN, "-f", "csv"], ["trec_eval", QRELS, RUN]])
def test_a_full_disk_is_named(verb):
    """The message says where there is no room."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "denominator", *verb], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert b"denominator: standard output: No space left on device; make room" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    """A link that goes round in circles, and a full disk behind -o."""
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    result = run(QRELS, RUN, "-o", tmp_path / "loop.csv")
    assert result.exit_code == 2
    assert "loop.csv: Too many levels of symbolic links; take the link away" in result.stderr
    if Path("/dev/full").exists():
        assert "/dev/full: No space left on device; make room" in run(QRELS, RUN, "-o", "/dev/full").stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a limit on the size of files")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_output_is_whole_or_a_failure(tmp_path, unbuffered):
    """A disk that fills up half-way leaves no short table with status 0, buffered or not."""
    # Windows has no such limits
    resource = pytest.importorskip("resource")
    command = [sys.executable, "-m", "denominator", "score", QRELS, RUN, "-m", "all_trec", "-q", "-f", "json"]
    with (tmp_path / "out.json").open("wb") as out:
        done = subprocess.run(
            command,
            cwd=ROOT,
            stdout=out,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
            check=False,
        )
    assert done.returncode == 2
    assert b"standard output: File too large; raise the limit" in done.stderr


@pytest.mark.parametrize("dialect", ["trec_eval-9", "beir", "pytrec_eval-raw"])
def test_c_asks_for_every_judged_query_in_any_dialect(dialect, tmp_path):
    """What -c says counts more than what the tool does of itself."""
    run = tmp_path / "part.run"
    run.write_text("q_faw Q0 maize_1 1 1.0 t\n")
    asked = CliRunner().invoke(
        main, ["score", str(QRELS), str(run), "-m", "R@5", "--dialect", dialect, "-c", "-f", "json"]
    )
    itself = CliRunner().invoke(main, ["score", str(QRELS), str(run), "-m", "R@5", "--dialect", dialect, "-f", "json"])
    assert [json.loads(one.stdout)["runs"][0]["means"][0]["n"] for one in (asked, itself)] == [4, 1]


def test_what_is_all_but_its_ceiling_is_not_said_to_be_all_of_it(tmp_path):
    """999 of 1,000 are 99.9% of what could be found, not 100%."""
    documents = [f"d{number}" for number in range(1000)]
    (tmp_path / "q").write_text("".join(f"q1 0 {document} 1\n" for document in documents))
    (tmp_path / "r").write_text("".join(f"q1 Q0 {one} 1 {-at} t\n" for at, one in enumerate(documents[1:])))
    result = run(str(tmp_path / "q"), str(tmp_path / "r"), "-m", "R@1000")
    assert "99.9%" in result.stdout
    assert "100%" not in result.stdout
