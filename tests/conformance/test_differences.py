"""Deliberate differences from trec_eval: docs/differences.md has a row for each test here, and no other row."""

import gzip
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from denominator.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "differences.md"


def _run(folder: Path, options: str, qrels: str, run: str) -> Result:
    """Run the verb on two files with these lines; `/` ends a line."""
    (folder / "qrels").write_text("".join(f"{line.strip()}\n" for line in qrels.split("/")), encoding="utf-8")
    (folder / "run").write_text("".join(f"{line.strip()}\n" for line in run.split("/")), encoding="utf-8")
    return CliRunner().invoke(main, ["trec_eval", *options.split(), str(folder / "qrels"), str(folder / "run")])


def _values(result: Result) -> list[str]:
    """Return the last column of what was printed."""
    assert result.exit_code == 0, result.output
    return [line.split("\t")[2] for line in result.stdout.splitlines()]


PERFECT = "q 0 a 3 / q 0 b 2 / q 0 c 1 / q 0 d 0", "q Q0 a 1 4 t / q Q0 b 2 3 t / q Q0 c 3 2 t / q Q0 d 4 1 t"


@pytest.mark.parametrize(("measure", "value"), [("ndcg", "0.0000"), ("ndcg_rel", "0.0000"), ("G", "0.0000")])
def test_gains_less_than_1_apart(tmp_path: Path, measure: str, value: str) -> None:
    """A perfect run scores 0 as in trec_eval, whose ideal ranking ends in the gain 0 of grade 0; a note says so."""
    result = _run(tmp_path, f"-m {measure}.1=0.2,2=0.5,3=0.9", *PERFECT)
    assert _values(result) == [value]
    assert "gains less than 1 apart; 1 queries have its wrong value" in result.stderr


def test_gains_in_the_order_of_the_arguments(tmp_path: Path) -> None:
    """2.5 and 1.9 change places in trec_eval's ideal ranking (1.9, 2.5, 1), so a perfect run passes 1.

    (2.5 + 1.9/log2 3 + 1/2) / (1.9 + 2.5/log2 3 + 1/2) = 4.1988 / 3.9773.
    """
    result = _run(tmp_path, "-m ndcg.3=2.5,2=1.9", *PERFECT)
    assert _values(result) == ["1.0557"]
    assert "gains less than 1 apart" in result.stderr


def test_num_rel_under_c_ignores_the_level(tmp_path: Path) -> None:
    """The summary of num_rel counts grades above 0 whatever -l says; each query's own count is right."""
    result = _run(tmp_path, "-q -c -l2 -m num_rel", "q 0 a 2 / q 0 b 1", "q Q0 a 1 2 t")
    assert _values(result) == ["1", "2"]
    assert "num_rel of all: with -c trec_eval counts grades above 0; at -l 2 it is 1" in result.stderr


@pytest.mark.parametrize(
    ("measure", "value"), [("utility.1,-2,3,0", "1.0000"), ("rbp_resid.p=0.5", "1.0000"), ("utility", "0.0000")]
)
def test_unanswered_queries_of_measures_with_parameters(tmp_path: Path, measure: str, value: str) -> None:
    """Version 10 ranks an invented document for a query without any: -2 for it and 3 for the relevant one not found."""
    options = f"-q -n -c --compat 10 -m {measure}"
    result = _run(tmp_path, options, "q1 0 a 1 / q2 0 a 1", "q1 Q0 a 1 2 t")
    assert _values(result)[1] == value
    assert ("as if they held one document" in result.stderr) == ("." in measure)


@pytest.mark.parametrize("measure", ["iprec_at_recall.0", "11pt_avg"])
def test_nothing_judged_under_J(tmp_path: Path, measure: str) -> None:
    """An empty condensed list has interpolated precision 0, where trec_eval prints -nan, in the summary too."""
    result = _run(tmp_path, f"-q -J -m {measure}", "q1 0 a 1 / q2 0 b 1", "q1 Q0 a 1 2 t / q2 Q0 z 1 2 t")
    assert _values(result) == ["1.0000", "0.0000", "0.5000"]
    assert "-J leaves 1 rankings empty" in result.stderr


@pytest.mark.parametrize(
    ("gains", "value"), [("1=0,2=0,3=0", "0.0000"), ("1=0.2,2=0.5,3=0.9", "1.0000"), ("1=2,2=3,3=4", "1.0000")]
)
def test_rndcg_without_a_gain_above_0(tmp_path: Path, gains: str, value: str) -> None:
    """Rndcg has its own value where trec_eval finds no gain above 0 and divides 0 by 0; a note says so."""
    result = _run(tmp_path, f"-m Rndcg.{gains}", *PERFECT)
    assert _values(result) == [value]
    assert ("prints -nan for 1 queries" in result.stderr) == (gains != "1=2,2=3,3=4")


def test_only_negative_judgments(tmp_path: Path) -> None:
    """A query with only negative judgments scores 0 and the others are scored, where trec_eval stops with status 4."""
    result = _run(tmp_path, "-q -m map -m ndcg", "q1 0 a -1 / q2 0 a 1", "q1 Q0 a 1 2 t / q2 Q0 a 1 2 t")
    assert _values(result) == ["0.0000", "0.0000", "1.0000", "1.0000", "0.5000", "0.5000"]
    assert "only grades below 0 are given for q1" in result.stderr


def test_a_missing_query_in_version_10(tmp_path: Path) -> None:
    """The message says that the run lacks the query, where trec_eval 10 says that the qrels do; status 4 as there."""
    result = _run(tmp_path, "-q --compat 10", "q1 0 a 1 / q2 0 a 1", "q1 Q0 a 1 2 t")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "1 of 2 judged queries are not in the run (q2)" in result.stderr


def test_comment_lines_of_version_10(tmp_path: Path) -> None:
    """Two comments in a row and one at the end are skipped, where trec_eval 10 reads a judgment, or crashes."""
    result = _run(tmp_path, "--compat 10 -m num_q", "# a b 1 / # c d 1 / q 0 a 1 / # end", "q Q0 a 1 2 t")
    assert _values(result) == ["1"]
    assert "3 comment lines" in result.stderr


def test_exact_repeats_in_qrels(tmp_path: Path) -> None:
    """A judgment given twice with the same grade counts once, where trec_eval stops with status 4."""
    result = _run(tmp_path, "-m num_rel", "q 0 a 1 / q 0 a 1", "q Q0 a 1 2 t")
    assert _values(result) == ["1"]
    assert "repeat" in result.stderr


@pytest.mark.parametrize(
    ("qrels", "run", "lines"),
    [("q 0 a 1", "q Q0 a 1 3 t / q Q0 b 2 2 t / q Q0 b 3 1 t", (2, 3)), ("q 0 a 1 / q 0 a 2", "q Q0 a 1 3 t", (1, 2))],
)
def test_repeats_that_are_refused(tmp_path: Path, qrels: str, run: str, lines: tuple[int, int]) -> None:
    """A repeated document or a second grade is refused with both lines and status 4, also beyond the depth of -M."""
    result = _run(tmp_path, "-M1", qrels, run)
    assert (result.exit_code, result.stdout) == (4, "")
    assert re.search(rf"\b{lines[0]}\b.*\b{lines[1]}\b|\b{lines[1]}\b.*\b{lines[0]}\b", result.stderr), result.stderr


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("q 0 a x", "q Q0 a 1 2 t"),
        ("q 0 a 1.5", "q Q0 a 1 2 t"),
        ("q 0 a 1", "q Q0 a 1 high t"),
        ("q 0 a 1", "q Q0 a 1 nan t"),
    ],
)
def test_values_that_are_no_numbers(tmp_path: Path, qrels: str, run: str) -> None:
    """A grade or score that is no number is refused with its line, where trec_eval reads 0, or what comes first."""
    result = _run(tmp_path, "", qrels, run)
    assert (result.exit_code, result.stdout) == (2, "")
    assert ":1: " in result.stderr


def test_recall_levels_out_of_order(tmp_path: Path) -> None:
    """11pt_avg.1,0 is 11pt_avg.0,1: trec_eval's loop expects ascending levels, and would give 1 here and not 1/2."""
    result = _run(tmp_path, "-m 11pt_avg.1,0", "q 0 a 1 / q 0 b 1", "q Q0 a 1 2 t")
    assert result.stdout == "11pt_avg_1,0          \tall\t0.5000\n"


@pytest.mark.parametrize("measure", ["official.5", "set_F.1,2", "P.-1", "ndcg.x=2", "iprec_at_recall.1.5"])
def test_parameters_that_mean_nothing(tmp_path: Path, measure: str) -> None:
    """Parameters that trec_eval takes and ignores, or cannot use, are refused before a file is read, with status 1."""
    result = _run(tmp_path, f"-m {measure}", "q 0 a 1", "q Q0 a 1 2 t")
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize("option", ["-l1.5", "-l-1", "-M0", "-Mten", "-N-1"])
def test_numbers_of_options(tmp_path: Path, option: str) -> None:
    """-l, -M and -N take whole numbers that make sense, where trec_eval reads 0 or what comes first; status 1."""
    result = _run(tmp_path, option, "q 0 a 1", "q Q0 a 1 2 t")
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize(
    ("options", "status"), [("-Z file", 2), ("-R prefs", 2), ("-R qrels_prefs", 2), ("-R qrels_jg", 2), ("-D1", 1)]
)
def test_what_is_not_there_yet(tmp_path: Path, options: str, status: int) -> None:
    """Z-scores, preferences, judgment groups and debugging output are refused with a sentence."""
    result = _run(tmp_path, options, "q 0 a 1", "q Q0 a 1 2 t")
    assert (result.exit_code, result.stdout) == (status, "")
    assert len(result.stderr.splitlines()) == 1


def test_compressed_files(tmp_path: Path) -> None:
    """Files compressed with gzip, bzip2, xz, Zstandard or LZ4 are read as they are."""
    (tmp_path / "qrels.gz").write_bytes(gzip.compress(b"q 0 a 1\n"))
    (tmp_path / "run.gz").write_bytes(gzip.compress(b"q Q0 a 1 2 t\n"))
    files = [str(tmp_path / "qrels.gz"), str(tmp_path / "run.gz")]
    assert _values(CliRunner().invoke(main, ["trec_eval", "-m", "map", *files])) == ["1.0000"]


def test_every_difference_is_in_the_table() -> None:
    """The page names each of these tests once, and only tests that exist."""
    named = re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8"))
    here = [name for name in globals() if name.startswith("test_") and name != "test_every_difference_is_in_the_table"]
    assert sorted(named) == sorted(here)
