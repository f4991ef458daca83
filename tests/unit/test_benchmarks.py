"""The benchmark generator and the runner's table are right on tiny sizes; nothing here is timed."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path

import pytest

import generate
import run
from run import Cost, Row, ToolError
from workloads import WORKLOADS, Workload

TINY = Workload("T", 7, 20, 3.5, graded=True, runs=2)


def columns(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in path.read_text(encoding="utf-8").splitlines()]


def test_generated_runs_have_every_query_in_rank_order_without_duplicates(tmp_path: Path):
    generate.generate(TINY, tmp_path)
    for number, path in enumerate(TINY.run_paths(tmp_path), start=1):
        rows = columns(path)
        assert [int(row[3]) for row in rows] == list(range(1, 21)) * 7
        assert len({row[0] for row in rows}) == 7
        assert len({(row[0], row[2]) for row in rows}) == len(rows) == 140
        assert {row[5] for row in rows} == {f"system{number:02d}"}
        assert all(float(row[4]) >= float(following[4]) for row, following in pairwise(rows) if row[0] == following[0])


def test_generated_judgments_have_the_number_and_grades_asked_for_and_overlap_the_run(tmp_path: Path):
    generate.generate(TINY, tmp_path)
    rows = columns(TINY.qrels_path(tmp_path))
    assert {[row[0] for row in rows].count(query) for query, *_ in rows} == {3, 4}
    assert {row[3] for row in rows} <= {"0", "1", "2", "3"}
    assert len({row[3] for row in rows}) > 1
    retrieved = {(row[0], row[2]) for row in columns(TINY.run_paths(tmp_path)[0])}
    found = sum((row[0], row[2]) in retrieved for row in rows)
    assert 0 < found < len(rows)


def test_generating_twice_gives_the_same_bytes_and_leaves_existing_files_alone(tmp_path: Path):
    for folder in ("one", "two"):
        arguments = ["--queries", "4", "--depth", "5", "--judged", "1", "--folder", str(tmp_path / folder)]
        generate.main([*arguments, "--name", "X"])
    for name in ("X.run", "X.qrels", "X.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    (tmp_path / "one" / "X.run").write_text("mine")
    generate.main([*arguments[:-1], str(tmp_path / "one"), "--name", "X"])
    assert (tmp_path / "one" / "X.run").read_text() == "mine"


def test_the_first_of_forty_runs_is_the_single_run(tmp_path: Path):
    one, many = Workload("one", 3, 5, 2.0, graded=True), Workload("many", 3, 5, 2.0, graded=True, runs=2)
    generate.generate(one, tmp_path)
    generate.generate(many, tmp_path)
    assert one.run_paths(tmp_path)[0].read_bytes() == many.run_paths(tmp_path)[0].read_bytes()
    assert one.qrels_path(tmp_path).read_bytes() == many.qrels_path(tmp_path).read_bytes()


def test_the_table_divides_ours_by_theirs_and_marks_broken_promises():
    rows = [
        Row("A", "denominator", Cost(2.0, 3.0, 500.0), 5),
        Row("A", "pytrec_eval script", Cost(10.0, 12.0, 625.0), 5),
        Row("A", "ranx script", Cost(100.0, 100.0, 1000.0), 1),
        Row("A", "trec_eval", remark="absent: trec_eval not installed"),
    ]
    lines = run.table(rows).splitlines()
    assert lines[2] == "| A | denominator | 2.00 | 3.00 | 500 | | | |"
    assert lines[3] == "| A | pytrec_eval script | 10.00 | 12.00 | 625 | 0.20 | 0.25 ≤ 0.33 | **0.80 > 0.55** |"
    assert lines[4] == "| A | ranx script | 100.00 (once) | 100.00 | 1000 | 0.02 | 0.03 | 0.50 |"
    assert lines[5] == "| A | trec_eval | absent: trec_eval not installed | | | | | |"


def test_the_audit_is_divided_by_scoring():
    rows = [
        Row("A", "denominator", Cost(2.0, 3.0, 500.0), 5),
        Row("A", "denominator audit", Cost(2.5, 4.5, 750.0), 5),
    ]
    line = run.table(rows).splitlines()[3]
    assert line == "| A | denominator audit | 2.50 | 4.50 | 750 | 1.25 ≤ 1.5 | 1.50 | **1.50 > 1.3** |"


def test_the_bounds_are_divided_by_scoring():
    rows = [
        Row("A", "denominator", Cost(2.0, 3.0, 500.0), 5),
        Row("A", "denominator score --ties", Cost(2.5, 4.5, 500.0), 5),
        Row("A", "denominator score --unjudged bounds", Cost(2.5, 12.0, 500.0), 5),
    ]
    ties, unjudged = run.table(rows).splitlines()[3:]
    assert ties.endswith("| 1.25 | 1.50 ≤ 2.0 | 1.00 |")
    assert unjudged.endswith("| 1.25 | **4.00 > 3.0** | 1.00 |")


def test_every_promise_is_about_a_workload_and_a_tool_that_exist():
    tools = {tool.name for tool in run.TOOLS}
    assert all(workload in WORKLOADS and tool in tools for workload, tool in run.PROMISES)


def test_new_results_replace_those_of_the_same_workload_only():
    first = run.remember({}, [Row("A", "denominator", Cost(1.0, 1.0, 1.0), 5)], 5, None)
    both = run.remember(first, [Row("E", "denominator", remark="exit 2: no")], 3, 0.0123)
    again = json.loads(json.dumps(both))
    assert list(again) == ["A", "E", "import"]
    assert run.stored_rows(again["A"]) == [Row("A", "denominator", Cost(1.0, 1.0, 1.0), 5)]
    text = run.describe(again)
    assert "| A | denominator | 1.00 |" in text
    assert "exit 2: no" in text
    assert "0.0123 s" in text
    assert "medians of 3" in text


def test_results_go_between_their_marks_in_the_readme():
    readme = run.README.read_text(encoding="utf-8")
    once = run.insert(readme, "NEW\n")
    assert f"{run.BEGIN}\nNEW\n{run.END}" in once
    assert run.insert(once, "NEW\n") == once
    assert once.split(run.BEGIN)[0] == readme.split(run.BEGIN)[0]


def test_a_process_is_timed_and_a_failing_or_endless_one_is_told():
    cost = run.time_command([sys.executable, "-c", "b'x' * 300_000_000"])
    assert cost.wall > 0
    assert cost.peak > 280
    with pytest.raises(ToolError, match="exit 3: bad"):
        run.time_command([sys.executable, "-c", "import sys; print('bad', file=sys.stderr); sys.exit(3)"])
    with pytest.raises(ToolError, match="stopped after 0 s"):
        run.time_command([sys.executable, "-c", "import time; time.sleep(60)"], limit=0.3)


def test_a_tool_that_is_not_installed_is_listed_as_absent():
    ghost = run.Tool("ghost", ["no_such_module_or_program"], lambda workload: [["false"]])
    (row,) = run.time_workload(TINY, [ghost], 2)
    assert row == Row("T", "ghost", remark="absent: no_such_module_or_program not installed")
