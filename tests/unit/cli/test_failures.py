"""How every verb fails."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from denominator.cli import main
from denominator.cli.failures import BAD_INPUT, BROKEN_PIPE, INTERRUPTED, Verb
from denominator.errors import FormatError, InputError, MeasureError
from denominator.model import Fault, Severity


def verb(error):
    @click.command(cls=Verb)
    @click.argument("name")
    def command(name):
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (MeasureError("unknown measure 'x'"), BAD_INPUT, "denominator: unknown measure 'x'\n"),
        (PermissionError(13, "Permission denied", "a.run"), BAD_INPUT, "denominator: a.run: Permission denied\n"),
        (OSError(28, "No space left on device"), BAD_INPUT, "denominator: standard output: No space left on device\n"),
        (MemoryError("2 GB wanted"), BAD_INPUT, "denominator: not enough memory. 2 GB wanted\n"),
        (click.BadParameter("no good"), BAD_INPUT, "denominator: Invalid value: no good (see command --help)\n"),
        (KeyboardInterrupt(), INTERRUPTED, ""),
    ],
)
def test_what_is_said_and_returned(error, status, text):
    """A line under the program's name and a status; Ctrl-C says nothing."""
    result = CliRunner().invoke(verb(error), ["x"])
    assert (result.exit_code, result.stdout, result.stderr) == (status, "", text)


def test_every_fault_of_a_file_has_its_line():
    """What is wrong with a file is told at once, a line each."""
    faults = [Fault("x", Severity.ERROR, "bad", "a.run", line) for line in (3, 7)]
    result = CliRunner().invoke(verb(FormatError("a.run", faults)), ["x"])
    assert result.stderr == "denominator: a.run:3: bad\ndenominator: a.run:7: bad\n"


def test_wrong_arguments_are_one_line_too():
    """Click's own three lines become one."""
    result = CliRunner().invoke(verb(None), [])
    assert (result.exit_code, result.stderr) == (2, "denominator: Missing argument 'NAME'. (see command --help)\n")


def test_what_nobody_foresaw_keeps_its_traceback():
    """A mistake of ours is not dressed up as the user's."""
    result = CliRunner().invoke(verb(ZeroDivisionError("ours")), ["x"])
    assert isinstance(result.exception, ZeroDivisionError)


def test_a_reader_that_went_away_is_noticed_before_the_end():
    """What is still buffered when the verb is done meets the closed pipe where it can be caught: silence and 141."""
    code = (
        "import click\n"
        "from denominator.cli.failures import Verb\n"
        "@click.command(cls=Verb)\n"
        "def command(): print('buffered')\n"
        "command()"
    )
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1, env=buffered)
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", BROKEN_PIPE)
    process.stderr.close()


def test_the_statuses_are_those_of_the_shell():
    """130 is SIGINT, 141 SIGPIPE, and 1 stays free for gates."""
    assert (BAD_INPUT, INTERRUPTED, BROKEN_PIPE) == (2, 130, 141)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_leaves_no_half_written_file(tmp_path, number, status):
    """Whatever asks the process to end: what was being written is taken away, what was there stays."""
    (tmp_path / "out").write_text("old")
    program = (
        "import os, sys, time\n"
        "from denominator import __main__, cli\n"
        "from denominator.formats.placing import placed\n"
        "def slow(*_, **__):\n"
        "    with placed('out') as file:\n"
        "        file.write(b'half'); file.flush(); print('ready', flush=True); time.sleep(60)\n"
        "cli.main.callback = None\n"
        "import denominator.cli.score as score\n"
        "score.command.callback = slow\n"
        "sys.argv = ['denominator', 'score', 'a', 'b']\n"
        "__main__.run()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # as nohup or a background job may have it ignored
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        assert len(list(tmp_path.iterdir())) == 2
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    assert process.returncode == status
    assert err == b""
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out", "old")]


@pytest.mark.parametrize("verb", ["score", "audit", "crosscheck", "benchmark"])
@pytest.mark.parametrize("name", ["k.csv", "k.md", "k.json"])
def test_no_verb_writes_over_what_it_reads(tmp_path, monkeypatch, verb, name):
    """The judgments, the run, a link to one of them: all are refused before anything is written."""
    monkeypatch.chdir(tmp_path)
    texts = {"q.qrels": "q1 0 d1 1\n", name: "q1 Q0 d1 1 2.5 t\n"}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    (tmp_path / f"link-{name}").symlink_to(name)
    for output in (name, f"./{name}", f"link-{name}", "q.qrels"):
        result = CliRunner().invoke(main, [verb, "q.qrels", name, "-o", output])
        assert result.exit_code == 2, output
        assert "is the input" in result.stderr or "names no format" in result.stderr, result.stderr
    assert {path: (tmp_path / path).read_text() for path in texts} == texts


@pytest.mark.parametrize("verb", ["score", "audit", "crosscheck", "benchmark"])
@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("", "-o '': expected the name of a file, or - for standard output"),
        ("x.xlsx", "-o x.xlsx: .xlsx names no format; expected "),
        ("x.pdf.gz", "-o x.pdf.gz: .pdf names no format; expected "),
    ],
)
def test_every_verb_refuses_a_name_that_names_no_format(tmp_path, monkeypatch, verb, output, words):
    """Nothing is read and nothing written where nobody can tell the format."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [verb, "absent.qrels", "absent.run", "-o", output])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"denominator: {words}")
    assert list(tmp_path.iterdir()) == []


def test_convert_does_not_write_over_what_it_reads(tmp_path):
    """A copy needs a name of its own; what is read stays as it is."""
    (tmp_path / "r.run").write_text("q1 Q0 d1 1 0.90 t\n")
    (tmp_path / "link").symlink_to("r.run")
    for output in ("r.run", "link"):
        result = CliRunner().invoke(main, ["convert", str(tmp_path / "r.run"), str(tmp_path / output)])
        assert result.exit_code == 2
        assert f"{output}: is the input" in result.stderr
    assert (tmp_path / "r.run").read_text() == "q1 Q0 d1 1 0.90 t\n"


@pytest.mark.parametrize(
    "arguments", [["convert", "--to", "json"], ["convert", "--to", "jsonl"], ["convert"], ["fix", "--select", "R103"]]
)
def test_no_verb_steers_a_terminal(tmp_path, arguments):
    """Ids come out with their control characters spelled out where a person looks, and as they are in a pipe."""
    import pty

    (tmp_path / "r.run").write_text("q\x9b31m Q0 d\u202ex 0 0.5 t\r\n", encoding="utf-8")
    verb, *options = arguments
    output = ["-o", "-"] if verb == "fix" else ["-"]
    command = [sys.executable, "-m", "denominator", verb, str(tmp_path / "r.run"), *output, *options]
    piped = subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode()
    assert "\x9b31m" in piped
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the other end is closed
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    assert process.wait(timeout=60) == 0
    assert "\x9b" not in shown.decode()
    assert "\u202e" not in shown.decode()
    assert "31m" in shown.decode()


def test_a_note_of_the_drop_in_spells_out_a_files_name(tmp_path):
    """The name of a file comes from whoever made it, as ids do."""
    (tmp_path / "q").write_text("q1 0 d1 1\n")
    name = tmp_path / "e\x1b]0;x\x07.run"
    name.write_text("q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 u\n")
    result = CliRunner().invoke(main, ["trec_eval", "-m", "recip_rank", str(tmp_path / "q"), str(name)])
    assert result.exit_code == 0
    assert "2 run tags" in result.stderr
    assert "\x1b" not in result.stderr
    assert "\x07" not in result.stderr


HOSTILE = ["\x1b[2J.run", "a\u202eb.run", "x\ndenominator: all is well.run"]
"""Names that would wipe the terminal, turn a line round, or say what no program said."""


@pytest.mark.parametrize("name", HOSTILE, ids=["escape", "override", "line"])
@pytest.mark.parametrize(
    "words",
    [
        "score G BAD",
        "score G GOOD -o BAD/x.csv",
        "score G GOOD --by BAD",
        "score GOOD G",
        "audit G BAD",
        "audit BAD G",
        "benchmark G BAD",
        "benchmark BAD GOOD",
        "crosscheck G BAD --with ours",
        "explain R@5=1 G BAD",
        "fix BAD",
        "fix --kind qrels BAD",
        "fix GOOD",
        "fix GOOD --sort --in-place",
        "fix GOOD -o BAD/x.run",
        "fix UNSORTED --sort",
        "convert BAD -",
        "convert GOOD BAD.csv",
        "convert --kind qrels GOOD out",
        "trec_eval BAD GOOD",
        "trec_eval GOOD G",
        "trec_eval --compat 10 G GOOD",
    ],
)
def test_no_name_of_a_file_steers_the_terminal(tmp_path, monkeypatch, words, name):
    """Control codes and line ends of a name are spelled out, whatever a verb has to say of the file."""
    monkeypatch.chdir(tmp_path)
    files = {
        "G": ("g.qrels", "q1 0 d1 1\nq2 0 d1 1\n"),
        "BAD": (name, "q1 Q0 d1 1 3.0 t\nbad line\n"),
        "GOOD": (f"good{name}", "q1 Q0 d1 1 3.0 t\nq1 Q0 d2 2 2.0 t\n"),
        "UNSORTED": (f"unsorted{name}", "q1 Q0 d1 1 1.0 t\nq1 Q0 d2 2 2.0 t\n"),
    }
    for path, text in files.values():
        (tmp_path / path).write_text(text)
    args = words.split(" ")
    for word, (path, _) in files.items():
        args = [path + arg.removeprefix(word) if arg.split(".")[0].split("/")[0] == word else arg for arg in args]
    result = CliRunner().invoke(main, args, color=True)
    assert isinstance(result.exception, SystemExit | None)
    assert result.output
    assert not {"\x1b", "\u202e"} & set(result.output)
    assert not [line for line in result.output.split("\n") if line.startswith("denominator: all is well")]


@pytest.mark.parametrize("error", [InputError("a\x1b[2J.run: bad\nfine", "all"), OSError(5, "bad", "a\x1b[2J.run")])
def test_an_error_spells_out_what_its_lines_hold(error):
    """Each argument of an error is a line of its message; what else would begin one is no line end."""
    result = CliRunner().invoke(verb(error), ["x"], color=True)
    text = "a\\x1b[2J.run: bad"
    more = "\\x0afine\ndenominator: all" if isinstance(error, InputError) else ""
    assert result.stderr == f"denominator: {text}{more}\n"


def test_an_error_keeps_its_lines_where_it_is_copied():
    """What is pickled comes back with the same message."""
    error = pickle.loads(pickle.dumps(MeasureError("one", "two\x1b")))
    assert (str(error), error.args) == ("one\ntwo\\x1b", ("one", "two\x1b"))


@pytest.mark.parametrize("arguments", ["--queries {}", "--trec-eval {}", "--by {}", "--{}", "--dialect {}"])
def test_what_was_typed_is_shown_cut_where_it_is_long(tmp_path, monkeypatch, arguments):
    """Click's own messages too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text("q1 0 d1 1\n")
    (tmp_path / "r").write_text("q1 Q0 d1 1 2.5 t\n")
    result = CliRunner().invoke(main, ["score", "q", "r", *arguments.format("x" * 5000).split()])
    assert result.exit_code == 2
    assert result.stderr.startswith("denominator: ")
    assert len(result.stderr) < 700


def test_no_verb_takes_an_empty_name_for_a_folder(tmp_path, monkeypatch):
    """Of what it writes, `convert` is told as the verbs with -o are."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["convert", "absent.run", ""])
    assert result.stderr == "denominator: OUT '': expected the name of a file, or - for standard output\n"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["score", "--help"]])
def test_help_that_nobody_reads_ends_as_every_verb_does(arguments):
    """With 141 and in silence, whether a verb or the program shows it."""
    process = subprocess.Popen([sys.executable, "-m", "denominator", *arguments], stdout=-1, stderr=-1)
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", BROKEN_PIPE)
    process.stderr.close()
