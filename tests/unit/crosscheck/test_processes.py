"""Real implementations in real processes: what crashes, hangs or refuses is an answer, and the rest goes on."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from denominator.crosscheck import asking, crosscheck, processes
from denominator.errors import InputError, NoCommonQueriesError, UsageError

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 1.0}}
HUGE = "q1 0 d1 2000000\nq2 0 d3 1\n"
RANKED = "q1 Q0 d9 1 2.0 t\nq1 Q0 d1 2 1.0 t\nq2 Q0 d3 1 1.0 t\n"
HANGS = "nDCG"
"""Its time in trec_eval grows with the square of the highest grade: nearly an hour for this one."""


def by_tool(result, measure):
    return {line.tool: line for line in result.lines if str(line.question) == measure}


@pytest.fixture
def files(tmp_path):
    """Return judgments with a grade that pytrec_eval needs an hour for, and a run, as files."""
    qrels, run = tmp_path / "huge.qrels", tmp_path / "some.run"
    qrels.write_text(HUGE)
    run.write_text(RANKED)
    return qrels, run


def test_a_cutoff_of_zero_aborts_raw_pytrec_eval_and_nothing_else():
    """P_0 ends its process with SIGABRT and trec_eval's assertion; ours refuse it; the other measures are complete."""
    result = crosscheck(QRELS, RUN, ["P_0", "RR", "P@1"], tools=["ours", "pytrec_eval-raw"])
    zero = by_tool(result, "P_0")
    assert zero["pytrec_eval-raw"].answer.status == "crashed"
    assert "SIGABRT" in zero["pytrec_eval-raw"].answer.words
    assert "Assert" in zero["pytrec_eval-raw"].answer.words
    assert {zero[name].answer.status for name in ("columnar", "pytrec_eval", "reference")} == {"refused"}
    assert "cutoff" in zero["columnar"].answer.words
    for measure, mean in (("RR", 0.75), ("P@1", 0.5)):
        lines = by_tool(result, measure)
        assert [line.answer.mean for line in lines.values()] == [mean] * 4
        assert not any(line.apart for line in lines.values())
    assert [one.code for one in result.findings if "pytrec_eval-raw" in one.message] == ["X105"]


def test_a_library_that_does_not_return_has_hung_within_the_limit(files):
    """Raw pytrec_eval needs an hour for the nDCG of a grade of 2,000,000; the rest of the table is complete."""
    began = time.monotonic()
    limit = 12
    result = crosscheck(*files, f"RR {HANGS} AP", tools=["ours", "pytrec_eval-raw"], limit=limit)
    assert time.monotonic() - began < 4 * limit
    hung = by_tool(result, HANGS)["pytrec_eval-raw"].answer
    assert (hung.status, hung.words) == ("hung", "no answer within 12 s")
    assert by_tool(result, HANGS)["pytrec_eval"].answer.mean == pytest.approx(0.8155, abs=1e-4)
    for measure in ("RR", "AP"):
        assert [line.answer.mean for line in by_tool(result, measure).values()] == [0.75] * 4
    assert result.agree
    assert [one.code for one in result.findings] == ["X106"]


def test_judgments_below_zero_cost_raw_pytrec_eval_only_its_own_ndcg(tmp_path):
    """Where a query has no other judgments it reads memory that is not its own: it may crash, hang, or answer."""
    qrels, run = tmp_path / "negative.qrels", tmp_path / "some.run"
    grades = {
        f"q{at}": [-1 - (at + doc) % 3 if at % 3 == 0 else (at * doc) % 5 for doc in range(9)] for at in range(40)
    }
    qrels.write_text(
        "".join(f"{q} 0 d{doc} {grade}\n" for q, found in grades.items() for doc, grade in enumerate(found))
    )
    run.write_text("".join(f"{q} Q0 d{doc} {doc} {-doc} t\n" for q in grades for doc in range(12)))
    result = crosscheck(qrels, run, "nDCG RR nDCG@5", tools=["ours", "pytrec_eval-raw"], limit=10)
    assert result.agree
    assert all(line.answer.answered for line in result.lines if line.own)
    raw = result.of("pytrec_eval-raw")
    assert raw[1].answer.answered
    assert raw[1].apart == ()
    told = {one.code for one in result.findings}
    assert ("X105" in told) == any(line.answer.status == "crashed" for line in raw)
    assert ("X106" in told) == any(line.answer.status == "hung" for line in raw)


def workers_of(process):
    """Return the processes that a process has started."""
    listed = Path(f"/proc/{process.pid}/task").glob("*/children")
    return [int(pid) for file in listed for pid in file.read_text().split()]


def is_alive(pid):
    """Return whether a process runs; one that ended and waits to be noticed does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are looked for in /proc")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ctrl_c_ends_the_workers_too(files, tmp_path, number, status):
    """Whoever stops the verb leaves no process and no folder behind, not even where one hangs in C code."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    arguments = ["crosscheck", *map(str, files), "-m", HANGS, "--with", "pytrec_eval-raw"]
    with subprocess.Popen(
        [sys.executable, "-m", "denominator", *arguments], stdout=-1, stderr=-1, env=environment
    ) as process:
        until = time.monotonic() + 60
        children: list[int] = []
        while time.monotonic() < until and not any(is_busy(pid) for pid in children):
            time.sleep(0.2)
            children = workers_of(process)
        assert children
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (status, b"")
    assert all(line.startswith(b"denominator: still asking ") for line in err.splitlines())
    assert list(temporary.iterdir()) == []
    until = time.monotonic() + 10
    while time.monotonic() < until and any(map(is_alive, children)):
        time.sleep(0.1)
    assert not any(map(is_alive, children))


def is_busy(pid):
    """Return whether a process has computed for so long that it can only be in the loop."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return int(fields[11]) / os.sysconf("SC_CLK_TCK") > 1.5


def test_a_file_that_is_refused_is_an_answer_of_each_tool(tmp_path):
    """A document twice: ours and pytrec_eval's parser refuse in their own words, with the file's own name."""
    qrels, run = tmp_path / "q.qrels", tmp_path / "twice.run"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 1\n")
    run.write_text("q1 Q0 d1 1 3 t\nq1 Q0 d1 2 2 t\nq1 Q0 d2 3 1 t\n")
    result = crosscheck(qrels, run, "R@2 RR", tools=["ours", "pytrec_eval-raw"])
    assert {line.answer.status for line in result.lines} == {"refused"}
    lines = by_tool(result, "R@2")
    assert str(run) in lines["columnar"].answer.words
    assert "assert object_id not in run[query_id]" in lines["pytrec_eval-raw"].answer.words
    assert result.agree is None
    assert len(result.silent) == 6
    assert "duplicates=first" in result.dialect
    assert "twice" in result.why_dialect
    assert [one.code for one in result.findings] == ["X107"] * 2


def test_lines_that_cannot_be_rows_are_an_answer_of_each_tool(tmp_path):
    """Five fields: nothing of ours can be compared, and every tool says what it makes of the file."""
    qrels, run = tmp_path / "q.qrels", tmp_path / "short.run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2\n")
    result = crosscheck(qrels, run, "RR", tools=["columnar", "pytrec_eval-raw"])
    assert [line.answer.status for line in result.lines] == ["refused", "refused"]
    assert [line.compared for line in result.lines] == [0, 0]
    assert "ValueError" in result.lines[1].answer.words


def test_real_grades_are_refused_by_who_takes_whole_ones(tmp_path):
    """With float_grades ours score them, and pytrec_eval's parser says that it cannot."""
    qrels = tmp_path / "real.qrels"
    qrels.write_text("q1 0 d1 0.5\nq1 0 d2 1.5\n")
    run = {"q1": {"d1": 2.0, "d2": 1.0}}
    strict = crosscheck(qrels, run, "RR", tools=["columnar", "pytrec_eval-raw"])
    assert [line.answer.status for line in strict.lines] == ["refused", "refused"]
    loose = crosscheck(qrels, run, "RR", tools=["columnar", "pytrec_eval-raw"], float_grades=True)
    assert [(line.answer.status, line.answer.mean) for line in loose.lines] == [("answered", 0.5), ("refused", None)]
    assert "invalid literal for int()" in loose.lines[1].answer.words


def test_more_queries_than_judgments_are_counted():
    """A query that nobody judged is in nobody's values here, and one that is not answered leaves pytrec_eval's mean."""
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 1}}
    run = {"q1": {"d1": 1.0}, "q9": {"d1": 1.0}}
    result = crosscheck(qrels, run, "RR", tools=["columnar", "pytrec_eval-raw"])
    ours, raw = result.lines
    assert (ours.answer.mean, ours.n, raw.answer.mean, raw.n) == (0.5, 2, 1.0, 1)
    assert [(one.query_id, one.ours, one.theirs, one.explained) for one in raw.apart] == [("q2", 0.0, None, "choices")]
    assert [(one.choice, one.theirs, one.queries) for one in raw.causes] == [("queries", "answered", 1)]


def test_no_common_query_is_refused_at_once():
    """Nobody could say anything of such files."""
    with pytest.raises(NoCommonQueriesError, match="no query in common"):
        crosscheck({"q1": {"d1": 1}}, {"q2": {"d1": 1.0}}, "RR", tools=["columnar", "pytrec_eval-raw"])


GREEDY = """
from denominator.crosscheck.workers.channel import Answer, serve

class Greedy:
    def version(self):
        return "1"

    def load(self, qrels, run):
        pass

    def answer(self, ask):
        return Answer({"q1": len(bytearray(int(ask.name)))}, None)

serve(Greedy())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is the system's")
def test_a_library_that_wants_too_much_memory_is_refused_it_and_says_so():
    """A worker may map as much as it was given; an allocation beyond that is an exception, and the next is answered."""
    asks = [{"name": str(size), "options": {}} for size in (8 << 30, 5)]
    job = {"qrels": "", "run": "", "limit": 30, "memory": 2 << 30, "asks": asks}
    done = subprocess.run([sys.executable, "-c", GREEDY], input=json.dumps(job), capture_output=True, text=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    refused, answered = said[2], said[4]
    assert (refused["event"], refused["ask"]) == ("refused", 0)
    assert refused["words"].startswith("MemoryError")
    assert answered["values"] == {"q1": 5.0}


def test_each_process_gets_its_share_of_the_memory_and_never_too_little(monkeypatch):
    """What is available is parted among the processes at work; where nobody says how much it is, there is no limit."""
    monkeypatch.setattr(processes.os, "cpu_count", lambda: 2)
    for available, share in ((20 << 30, 10 << 30), (1 << 30, processes.LEAST_MEMORY), (None, None)):
        monkeypatch.setattr(processes, "available_memory", lambda available=available: available)
        assert processes._share_of_memory() == share


SLEEPY = GREEDY.replace("len(bytearray(int(ask.name)))", "__import__('time').sleep(60)")
PARENT = """
import json, subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
job = {"qrels": "", "run": "", "limit": 60, "memory": None, "asks": [{"name": "1", "options": {}}]}
worker.stdin.write(json.dumps(job).encode() + b"\\n")
worker.stdin.close()
worker.stdout.readline()
print(worker.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system tells of a parent's end")
def test_a_worker_ends_with_the_process_that_asks_however_that_ended():
    """SIGKILL leaves nobody to clean up; the worker is gone all the same."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, SLEEPY], stdout=subprocess.PIPE, text=True)
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    parent.stdout.close()
    until = time.monotonic() + 10
    while Path(f"/proc/{worker}/stat").exists() and time.monotonic() < until:
        state = Path(f"/proc/{worker}/stat").read_text().rsplit(")", 1)[1].split()[0]
        if state == "Z":  # gone, and not yet taken notice of
            break
        time.sleep(0.05)
    else:
        assert not Path(f"/proc/{worker}/stat").exists()


def test_no_room_for_the_two_files_is_said_of_the_place_where_they_would_lie(monkeypatch):
    """A full folder for temporary files is named, with what to do; it is not taken for standard output."""

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(asking, "given", full)
    with pytest.raises(InputError, match=r"No space left on device; .* TMPDIR"):
        crosscheck(QRELS, RUN, "RR", tools=["ours"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"tools": [None]}, r"tools=\[None\]: expected names"),
        ({"tools": 5}, r"tools=5: expected names"),
        ({"tools": "o"}, 'unknown implementation "o"'),
        ({"tools": "ours", "level": 10**400}, "level=.*expected a grade above 0"),
        ({"tools": "ours", "level": None}, "level=None: expected a grade above 0"),
        ({"tools": "ours", "limit": 0}, "limit=0: expected a number of seconds"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_in_words(arguments, words):
    """A wrong argument is an error of ours that names it, never one of Python's."""
    with pytest.raises(UsageError, match=words):
        crosscheck(QRELS, RUN, "RR", **arguments)
