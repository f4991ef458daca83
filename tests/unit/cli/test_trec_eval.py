"""``denominator trec_eval``: options as the C program's getopt takes them, exit status, what goes to which stream."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from denominator.cli import main

QRELS = "q1 0 a 1\nq1 0 b 2\nq2 0 a 1\n"
RUN = "q1 Q0 a 1 2 tag\nq1 Q0 c 2 1 tag\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with qrels and a run, in which q2 is not answered."""
    (tmp_path / "qrels").write_text(QRELS, encoding="utf-8")
    (tmp_path / "run").write_text(RUN, encoding="utf-8")
    return tmp_path


def _run(folder: Path, arguments: str, text: str | None = None) -> Result:
    """Run the verb; QRELS and RUN stand for the files."""
    names = {"QRELS": str(folder / "qrels"), "RUN": str(folder / "run")}
    words = [names.get(word, word) for word in arguments.split()]
    return CliRunner().invoke(main, ["trec_eval", *words], input=text)


@pytest.mark.parametrize(
    "spelling",
    [
        "-q -c -m map -M 1 -l 2 QRELS RUN",
        "-qcmmap -M1 -l2 QRELS RUN",
        "QRELS -qc RUN -mmap -l2 -M1",
        "-qcl2 -M 1 -m map -- QRELS RUN",
        "--query_eval_wanted --complete_rel_info_wanted --measure map --Max_retrieved_per_topic=1 --level 2 QRELS RUN",
        "--q --com --m=map --Max=1 --level_for_rel=2 QRELS RUN",
        "-q -q -c -o -D0 -m map -l 1 -l 2 -M1 -T trec_results -R qrels --compat 9 QRELS RUN",
    ],
)
def test_options_are_read_as_getopt_reads_them(files: Path, spelling: str) -> None:
    """Joined letters, attached values, options after files and shortened long names all mean the same."""
    result = _run(files, spelling)
    assert result.exit_code == 0, result.output
    assert result.stdout == "map                   \tq1\t0.0000\nmap                   \tall\t0.0000\n"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ("QRELS", 1, "1 files given, expected 2"),
        ("QRELS RUN RUN", 1, "3 files given, expected 2"),
        ("-x QRELS RUN", 1, "option -x not recognized"),
        ("-m", 1, "option -m requires argument"),
        ("--nonsense QRELS RUN", 1, "option --nonsense not recognized"),
        ("-m mapp QRELS RUN", 1, "map"),
        ("-m P. QRELS RUN", 1, "expected after the point"),
        ("-m P.0 QRELS RUN", 1, "1 or more"),
        ("-m P.5,5 QRELS RUN", 1, "given twice"),
        ("-m rbp QRELS RUN", 1, "version 10 has"),
        ("-m prefs QRELS RUN", 1, "prefs"),
        ("-l x QRELS RUN", 1, "-l x: expected a whole number, 0 or more"),
        ("-l -1 QRELS RUN", 1, "-l -1"),
        ("-M0 QRELS RUN", 1, "-M 0: expected a whole number, 1 or more"),
        ("-N 1.5 QRELS RUN", 1, "-N 1.5"),
        ("-D 3 QRELS RUN", 1, "no debugging output"),
        ("--compat 8 QRELS RUN", 1, "expected 9 (trec_eval 9.0.8) or 10"),
        ("-Z zscores QRELS RUN", 2, "Z-scores are not supported yet"),
        ("-R prefs QRELS RUN", 2, "prefs is not supported yet"),
        ("-R qrels_jg QRELS RUN", 2, "qrels_jg is not supported yet"),
        ("-R other QRELS RUN", 2, "other is not a format of trec_eval's"),
        ("-T other QRELS RUN", 2, "other is not a format of trec_eval's"),
        ("QRELS nowhere", 2, "nowhere"),
        ("RUN QRELS", 2, "run:1: 6 fields"),
        ("--compat 10 QRELS RUN", 4, "1 of 2 judged queries are not in the run (q2)"),
    ],
)
def test_what_is_wrong_is_said_with_trec_evals_status(files: Path, arguments: str, status: int, words: str) -> None:
    """1 is usage, 2 input, 4 what cannot be calculated; nothing is printed on standard output."""
    result = _run(files, arguments)
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert words in result.stderr
    assert all(line.startswith("denominator: ") for line in result.stderr.splitlines())


def test_no_query_in_common_is_status_7(files: Path) -> None:
    """Version 9 stops with 7 even under -c, with an id of each side."""
    (files / "run").write_text("q9 Q0 a 1 2 tag\n", encoding="utf-8")
    result = _run(files, "-c QRELS RUN")
    assert (result.exit_code, result.stdout) == (7, "")
    assert "q1" in result.stderr
    assert "q9" in result.stderr


def test_version_10_scores_an_empty_run_under_c(files: Path) -> None:
    """Version 10 under -c prints zeros where no query is in common; here a note says so."""
    (files / "run").write_text("q9 Q0 a 1 2 tag\n", encoding="utf-8")
    result = _run(files, "--compat 10 -c -m map QRELS RUN")
    assert (result.exit_code, result.stdout) == (0, "map                   \tall\t0.0000\n")
    assert "no query in common" in result.stderr


def test_help_and_version_go_where_the_c_program_sends_them(files: Path) -> None:
    """Help with the measures asked for goes to standard output, the version to standard error; both end with 0."""
    for spelling in ("-h", "--help"):
        told = _run(files, f"{spelling} -m ndcg_cut.5 -m map")
        assert told.exit_code == 0
        assert "--compat 9" in told.stdout
        assert told.stdout.index("\nmap: ") < told.stdout.index("\nndcg_cut: ")
    assert "\nmap: " not in _run(files, "-h").stdout
    version = _run(files, "-v")
    assert (version.exit_code, version.stdout) == (0, "")
    assert "9.0.8" in version.stderr
    assert "10.0" in _run(files, "-v --compat 10").stderr


def test_what_follows_the_tag_is_left(files: Path) -> None:
    """Fields after the run's tag are ignored, as in trec_eval; a qrels line with five fields is refused."""
    (files / "run").write_text("q1 Q0 a 1 2 tag and more\n", encoding="utf-8")
    assert _run(files, "-m runid QRELS RUN").stdout == "runid                 \tall\ttag\n"
    (files / "qrels").write_text("q1 0 a 1 more\n", encoding="utf-8")
    assert _run(files, "-m runid QRELS RUN").exit_code == 2


def test_only_version_10_knows_comments(files: Path) -> None:
    """A line that begins with # is a judgment like any other in version 9, and skipped in version 10."""
    (files / "qrels").write_text("#1 0 a 1\nq1 0 a 1\n", encoding="utf-8")
    (files / "run").write_text("#1 Q0 a 1 2 tag\nq1 Q0 a 1 2 tag\n", encoding="utf-8")
    assert _run(files, "-m num_q QRELS RUN").stdout == "num_q                 \tall\t2\n"
    assert _run(files, "--compat 10 -m num_q QRELS RUN").stdout == "num_q                 \tall\t1\n"


def test_a_closed_pipe_is_silent(files: Path) -> None:
    """Whoever reads only the first lines sees no complaint; the status is that of a program SIGPIPE ended."""
    program = "from denominator.cli import main; main()"
    command = [sys.executable, "-c", program, "trec_eval", "-q", str(files / "qrels"), str(files / "run")]
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_run_may_come_from_standard_input(files: Path) -> None:
    """A dash stands for standard input, as in version 10."""
    result = _run(files, "-m num_ret QRELS -", text=RUN)
    assert (result.exit_code, result.stdout) == (0, "num_ret               \tall\t2\n")


def test_ids_with_percent_signs_and_other_letters_are_printed_as_they_are(files: Path) -> None:
    """Ids are ids: a %, a # or a letter outside ASCII in a query id does not disturb the layout."""
    (files / "qrels").write_text("%d#ä 0 a 1\n", encoding="utf-8")
    (files / "run").write_text("%d#ä Q0 a 1 2 %s\n", encoding="utf-8")
    result = _run(files, "-q -m map -m runid QRELS RUN")
    assert result.stdout == (
        "map                   \t%d#ä\t1.0000\nrunid                 \tall\t%s\nmap                   \tall\t1.0000\n"
    )


def test_each_note_is_written_once_on_standard_error(files: Path) -> None:
    """What trec_eval drops in silence is said, and standard output stays clean."""
    result = _run(files, "-m recip_rank.10 -m P.5 -m P.10 QRELS RUN")
    assert [line.split("\t")[0].strip() for line in result.stdout.splitlines()] == ["recip_rank", "P_5"]
    assert result.stderr.splitlines() == [
        "denominator: note: -m recip_rank.10: trec_eval ignores .10, recip_rank takes no parameters",
        "denominator: note: -m P.10: trec_eval takes the parameters of the first -m P and ignores .10",
    ]


@pytest.mark.parametrize("option", ["-M", "-l", "-N"])
@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "1_0", "٥", "nan"])
def test_a_number_that_is_none_is_refused(files: Path, option: str, number: str) -> None:
    """ASCII digits, and no more than 64 bits hold; the message is short whatever was typed."""
    result = _run(files, f"{option} {number} QRELS RUN")
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"denominator: {option} " in result.stderr
    assert len(result.stderr) < 250


@pytest.mark.parametrize(
    "name", ["x" * 10_000, "P." + "9" * 5_000, "relstring." + "9" * 5_000, "utility." + "9" * 5_000]
)
def test_a_long_name_is_not_echoed_in_full(files: Path, name: str) -> None:
    """Status 1 and a line that can be read."""
    result = _run(files, f"-m {name} QRELS RUN")
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr) < 500


def test_a_cutoff_that_is_too_large_is_shown_as_it_was_typed(files):
    """Not as what 64 bits make of it."""
    result = _run(files, f"-m ndcg_cut.{'9' * 20} QRELS RUN")
    assert result.stderr.startswith(f"denominator: nDCG@{'9' * 20}: a cutoff is a number of documents; expected")


@pytest.mark.parametrize("arguments", ["--compat {}", "-R {}", "-T {}", "-m {}", "-m map.{}", "-m P.1{}", "--{}"])
def test_what_was_typed_is_shown_cut_where_it_is_long(files, arguments):
    """Its ends are enough to find it."""
    result = _run(files, f"{arguments.format('x' * 5000)} QRELS RUN")
    assert len(result.stderr) < 700
