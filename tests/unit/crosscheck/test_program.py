"""A program called trec_eval that stands on PATH is asked as people ask it."""

import os
import sys
import time
from pathlib import Path

import pytest

from denominator.crosscheck import crosscheck
from denominator.crosscheck.tools import chosen
from denominator.errors import MissingExtraError, UsageError

QRELS = {"q1": {"a": 1, "b": 2}, "q2": {"c": 1}, "q3": {"d": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"c": 1.0}}

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell script stands for the program")


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Put a script called trec_eval on PATH, with the lines that a test gives it."""

    def put(*lines):
        script = tmp_path / "bin" / "trec_eval"
        script.parent.mkdir(exist_ok=True)
        script.write_text("\n".join(["#!/bin/sh", *lines]) + "\n")
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{script.parent}:{os.environ['PATH']}")

    return put


def test_its_four_decimals_are_compared_as_such(program):
    """Our drop-in in its place: no difference at four decimals, levels and -J included, every query with -c."""
    program(f'exec "{sys.executable}" -m denominator trec_eval "$@"')
    measures = "nDCG@10 AP R@5 RR P(rel=2)@5 P(judged_only=True)@2 IPrec@0.1 SetF NumRet"
    result = crosscheck(QRELS, RUN, measures, tools=["columnar", "trec_eval"])
    lines = result.of("trec_eval")
    assert [line.answer.status for line in lines] == ["answered"] * 9
    assert not any(line.apart for line in lines)
    assert [line.n for line in lines] == [3] * 9
    assert lines[0].answer.call == "trec_eval -q -c -m ndcg_cut.10 QRELS RUN"


def test_one_that_dies_of_a_signal_has_crashed(program):
    """With its last words; one that says no has refused."""
    program("echo 'last words' >&2", "kill -SEGV $$")
    crashed = crosscheck(QRELS, RUN, "RR", tools=["trec_eval"]).lines[0].answer
    assert (crashed.status, crashed.words) == ("crashed", "ended by SIGSEGV: last words")
    program("echo 'cannot do that' >&2", "exit 4")
    refused = crosscheck(QRELS, RUN, "RR", tools=["trec_eval"]).lines[0].answer
    assert (refused.status, refused.words) == ("refused", "RuntimeError: cannot do that")


def test_one_that_waits_for_ever_is_ended_with_its_worker(program, tmp_path):
    """The whole group of the process goes, not only the worker."""
    program(f"echo $$ > {tmp_path}/pid", "sleep 300")
    hung = crosscheck(QRELS, RUN, "RR", tools=["trec_eval"], limit=3).lines[0].answer
    assert hung.status == "hung"
    pid = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 10
    while time.monotonic() < until and is_alive(pid):
        time.sleep(0.1)
    assert not is_alive(pid)


def is_alive(pid):
    """Return whether a process runs; one that ended and waits to be noticed does not."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_what_is_not_there_is_left_out_or_refused_by_name(monkeypatch, tmp_path):
    """Without a list it is said to be missing; by name it is an error that says how to get it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    there, missing = chosen(None)
    assert "trec_eval" in missing
    assert {tool.name for tool in there} >= {"columnar", "pytrec_eval", "reference", "pytrec_eval-raw"}
    with pytest.raises(MissingExtraError, match="no program trec_eval on PATH"):
        chosen(["trec_eval"])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'denominator\[peers\]'"):
        chosen(["ranx"])
    with pytest.raises(UsageError, match="unknown implementation"):
        chosen(["rank"])
