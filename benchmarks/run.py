"""Time whole processes, ours and the peers', on the workloads of `workloads.py`, and print one table of ratios.

    python benchmarks/run.py                              # everything, medians of 5
    python benchmarks/run.py --workloads A,B --runs 3
    python benchmarks/run.py --workloads A --write        # also update results.json and the table in README.md

Each tool runs as a user would run it: a fresh process that reads files, computes AP, nDCG@10, R@100 and RR, and prints
means. Tools take turns, so that a slow minute of the machine hits all of them. Time is wall time; CPU is user plus
system time of the process and its children; peak is the largest resident set of any one of them, as the kernel
reports it. A fork starts with its parent's peak, so this file imports the standard library only. A tool that
needs more than a minute is timed once. A tool that is not installed is listed as absent.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from workloads import DATA, WORKLOADS, Workload

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
README = HERE / "README.md"
BEGIN, END = "<!-- results -->", "<!-- end of results -->"
OURS = "denominator"
AUDIT = "denominator audit"
TIES = "denominator score --ties"
UNJUDGED = "denominator score --unjudged bounds"
MORE_OF_OURS = {AUDIT, TIES, UNJUDGED}  # what these take is divided by what scoring the same files takes
MEASURES = ["AP", "nDCG@10", "R@100", "RR"]
SLOW = 60.0  # seconds; a tool slower than this is timed once
LIMIT = 900.0  # seconds; a tool slower than this is stopped

Command = list[str]


@dataclass(frozen=True)
class Tool:
    """A program to time: what it needs, and the commands that do a workload's job, one after another."""

    name: str
    needs: Iterable[str]  # modules, or one executable
    commands: Callable[[Workload], list[Command]]
    only: str = ""  # the workloads it is meant for; empty means all

    def absent(self) -> list[str]:
        """What is not installed here."""
        return [need for need in self.needs if not shutil.which(need) and importlib.util.find_spec(need) is None]


@dataclass(frozen=True)
class Cost:
    """What one tool took for one workload: seconds, seconds, megabytes (2^20 bytes)."""

    wall: float
    cpu: float
    peak: float

    def __add__(self, other: Cost) -> Cost:
        """One after the other: times add, the larger peak stays."""
        return Cost(self.wall + other.wall, self.cpu + other.cpu, max(self.peak, other.peak))


@dataclass(frozen=True)
class Row:
    """One line of the table; `cost` is None where there is nothing to show but a remark."""

    workload: str
    tool: str
    cost: Cost | None = None
    samples: int = 0
    remark: str = ""


class ToolError(Exception):
    """A tool ended with an error or ran out of time."""


def script(name: str) -> Command:
    """A command that runs one of the peers' scripts."""
    return [sys.executable, str(HERE / "peers" / name)]


def beside_python(name: str) -> str:
    """The path of a console script of this environment."""
    return str(Path(sys.executable).parent / name)


def ours(workload: Workload) -> list[Command]:
    """One process, however many runs."""
    measures = ["-m", ",".join(MEASURES)]
    return [[beside_python(OURS), "score", *measures, str(workload.qrels_path()), *map(str, workload.run_paths())]]


def our_audit(workload: Workload) -> list[Command]:
    """The audit of the same files; its ratios are to what scoring them takes."""
    return [[beside_python(OURS), "audit", "-k", "10", str(workload.qrels_path()), *map(str, workload.run_paths())]]


def our_bounds(*options: str) -> Callable[[Workload], list[Command]]:
    """Scoring with bounds, and with P@10, which is bounded too."""
    measures = ["-m", ",".join(["P@10", *MEASURES])]
    return lambda workload: [
        [beside_python(OURS), "score", *measures, *options, str(workload.qrels_path()), *map(str, workload.run_paths())]
    ]


def one_script(name: str) -> Callable[[Workload], list[Command]]:
    """A peer's script that loops over the runs itself."""
    return lambda workload: [[*script(name), str(workload.qrels_path()), *map(str, workload.run_paths())]]


def ir_measures(workload: Workload) -> list[Command]:
    """The ir_measures command line takes one run at a time."""
    qrels = str(workload.qrels_path())
    return [[beside_python("ir_measures"), qrels, str(run), *MEASURES] for run in workload.run_paths()]


def trec_eval(workload: Workload) -> list[Command]:
    """The C program, with the measures' own names there."""
    wanted = [word for name in ("map", "ndcg_cut.10", "recall.100", "recip_rank") for word in ("-m", name)]
    qrels = str(workload.qrels_path())
    return [["trec_eval", "-c", *wanted, qrels, str(run)] for run in workload.run_paths()]


def bare_imports(workload: Workload) -> list[Command]:
    """The least that any Python evaluator built on these libraries can take."""
    del workload
    return [[sys.executable, "-c", "import numpy, pyarrow.csv, pytrec_eval"]]


TOOLS = [
    Tool(OURS, [OURS], ours),
    Tool(AUDIT, [OURS], our_audit, only="A"),
    Tool(TIES, [OURS], our_bounds("--ties"), only="A"),
    Tool(UNJUDGED, [OURS], our_bounds("--unjudged", "bounds"), only="A"),
    Tool("pytrec_eval script", ["pytrec_eval"], one_script("pytrec_eval_script.py")),
    Tool("ir_measures", ["ir_measures"], ir_measures),
    Tool("ranx script", ["ranx"], one_script("ranx_script.py")),
    Tool("trec_eval", ["trec_eval"], trec_eval),
    Tool("imports alone", ["numpy", "pyarrow", "pytrec_eval"], bare_imports, only="E"),
]

# What we promise: ours divided by the peer's, and the audit and bounds divided by scoring the same files, at most.
PROMISES = {
    ("A", AUDIT): {"wall": 1.5, "peak": 1.3},
    ("A", TIES): {"cpu": 2.0},
    ("A", UNJUDGED): {"cpu": 3.0},
    ("A", "pytrec_eval script"): {"cpu": 0.33, "peak": 0.55},
    ("A", "ir_measures"): {"cpu": 0.18},
    ("B", "pytrec_eval script"): {"cpu": 0.6},
    ("B", "ir_measures"): {"cpu": 0.22},
    ("C", "pytrec_eval script"): {"wall": 1.5},
    ("D", "pytrec_eval script"): {"wall": 0.5},
    ("E", "imports alone"): {"wall": 2.0},
}


def environment() -> dict[str, str]:
    """The environment of every tool: modules are compiled once, as they are where a package was installed."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def time_command(command: Command, limit: float = LIMIT) -> Cost:
    """Run one process to its end; raise ToolError if it does not succeed in time."""
    with tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment()
        )
        timer = threading.Timer(limit, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if wall >= limit:
            raise ToolError(f"stopped after {limit:.0f} s")
        if process.returncode != 0:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().splitlines()[-1:]
            raise ToolError(f"exit {process.returncode}: {''.join(last)[:100]}")
    kilobyte = 1 if platform.system() == "Darwin" else 1024
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * kilobyte / 2**20)


def time_commands(commands: list[Command]) -> Cost:
    """Run processes one after another."""
    total = time_command(commands[0])
    for command in commands[1:]:
        total += time_command(command)
    return total


def median(costs: list[Cost]) -> Cost:
    """The median of each figure on its own."""
    return Cost(*(statistics.median(getattr(cost, part) for cost in costs) for part in ("wall", "cpu", "peak")))


def time_workload(workload: Workload, tools: list[Tool], runs: int) -> list[Row]:
    """Time all tools on one workload, in turns."""
    remarks: dict[str, str] = {}
    costs: dict[str, list[Cost]] = {tool.name: [] for tool in tools}
    for turn in range(runs):
        for tool in tools:
            slow = costs[tool.name] and costs[tool.name][0].wall > SLOW
            if tool.name in remarks or slow:
                continue
            if absent := tool.absent():
                remarks[tool.name] = f"absent: {', '.join(absent)} not installed"
                continue
            try:
                costs[tool.name].append(time_commands(tool.commands(workload)))
            except ToolError as failure:
                remarks[tool.name] = str(failure)
                continue
            print(f"{workload.name} {turn + 1}/{runs} {tool.name} {costs[tool.name][-1].wall:.2f} s", file=sys.stderr)
    return [
        Row(workload.name, tool.name, remark=remarks[tool.name])
        if tool.name in remarks
        else Row(workload.name, tool.name, median(costs[tool.name]), len(costs[tool.name]))
        for tool in tools
    ]


def import_seconds(runs: int) -> float | None:
    """The median of what `python -X importtime` says of `import denominator`; None if that fails."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {OURS}"]
    seen = []
    for _ in range(runs):
        lines = subprocess.run(command, capture_output=True, text=True, check=False).stderr.splitlines()
        seen += [int(line.split("|")[1]) / 1e6 for line in lines if line.split("|")[-1].strip() == OURS]
    return statistics.median(seen) if seen else None


def ratio(part: str, mine: Cost | None, row: Row) -> str:
    """Ours divided by the peer's, or the audit or bounds divided by scoring, with what is promised."""
    if mine is None or row.cost is None or row.tool == OURS:
        return ""
    value = getattr(mine, part) / getattr(row.cost, part)
    if row.tool in MORE_OF_OURS:
        value = 1 / value
    promise = PROMISES.get((row.workload, row.tool), {}).get(part)
    if promise is None:
        return f"{value:.2f}"
    return f"{value:.2f} ≤ {promise}" if value <= promise else f"**{value:.2f} > {promise}**"


def table(rows: Iterable[Row]) -> str:
    """A Markdown table: what each tool took, and ours as a fraction of it."""
    rows = list(rows)
    mine = {row.workload: row.cost for row in rows if row.tool == OURS}
    lines = [
        "| workload | tool | wall s | CPU s | peak MB | ours/its wall | ours/its CPU | ours/its peak |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        if row.cost is None:
            cells = [row.remark.replace("|", "\\|"), *[""] * 5]
        else:
            once = " (once)" if row.samples == 1 else ""
            cells = [f"{row.cost.wall:.2f}{once}", f"{row.cost.cpu:.2f}", f"{row.cost.peak:.0f}"]
            cells += [ratio(part, mine.get(row.workload), row) for part in ("wall", "cpu", "peak")]
        lines.append(f"| {' | '.join([row.workload, row.tool, *cells])} |".replace("|  ", "| "))
    return "\n".join(lines) + "\n"


def machine() -> str:
    """What the figures were taken on."""
    names = [OURS, "pytrec-eval-terrier", "ir_measures", "ranx", "numpy", "pyarrow"]
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs"
    return f"Python {platform.python_version()}, {system}, {', '.join(versions)}"


Entry = dict[str, Any]  # date, machine, and the rows of one workload, as results.json holds them
Measured = dict[str, Entry]


def remember(measured: Measured, rows: Iterable[Row], runs: int, imported: float | None) -> Measured:
    """Put new rows in the place of those of the same workloads; what was not measured stays."""
    today = datetime.date.today().isoformat()
    taken = {"date": today, "on": machine(), "runs": runs}
    kept = dict(measured)
    for name in dict.fromkeys(row.workload for row in rows):
        kept[name] = {**taken, "rows": [asdict(row) for row in rows if row.workload == name]}
    if imported is not None:
        kept["import"] = {**taken, "seconds": round(imported, 4)}
    return dict(sorted(kept.items()))


def stored_rows(entry: Entry) -> list[Row]:
    """Rows back from what was stored."""
    return [Row(**{**values, "cost": values["cost"] and Cost(**values["cost"])}) for values in entry["rows"]]


def describe(measured: Measured) -> str:
    """The results as README text: one table, then when and on what each workload was measured."""
    workloads = {name: entry for name, entry in measured.items() if "rows" in entry}
    text = table(row for entry in workloads.values() for row in stored_rows(entry))
    if "import" in measured:
        text += f"\n`import {OURS}` alone: {measured['import']['seconds']} s (promised: below 0.1).\n"
    taken: dict[str, list[str]] = {}
    for name, entry in measured.items():
        taken.setdefault(f"{entry['date']}, medians of {entry['runs']}: {entry['on']}", []).append(name)
    return text + "".join(f"\nMeasured {when} ({', '.join(names)}).\n" for when, names in taken.items())


def insert(readme: str, results: str) -> str:
    """A README with the results between its two marks."""
    before, rest = readme.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{results}{END}{after}"


def main(arguments: list[str] | None = None) -> None:
    """Generate what is missing, time, print, and if asked write."""
    parser = argparse.ArgumentParser(description="Time denominator and its peers.")
    parser.add_argument("--workloads", default=",".join(WORKLOADS), help="comma-separated names (default: all)")
    parser.add_argument("--tools", help="comma-separated parts of tool names (default: all)")
    parser.add_argument("--runs", type=int, default=5, help="medians of this many (default: 5)")
    parser.add_argument("--write", action="store_true", help="update results.json and README.md")
    options = parser.parse_args(arguments)
    names = [name for name in options.workloads.split(",") if name]
    if unknown := [name for name in names if name not in WORKLOADS]:
        parser.error(f"no workload {', '.join(unknown)}: choose from {', '.join(WORKLOADS)}")
    if options.write and options.tools:
        parser.error("--write stores complete workloads: leave --tools out")
    wanted = options.tools.split(",") if options.tools else [""]
    tools = [tool for tool in TOOLS if any(part in tool.name for part in wanted)]

    generator = [sys.executable, str(HERE / "generate.py"), "--folder", str(DATA), "--workloads", ",".join(names)]
    subprocess.run(generator, check=True)
    rows: list[Row] = []
    for name in names:
        fitting = [tool for tool in tools if not tool.only or name in tool.only]
        rows += time_workload(WORKLOADS[name], fitting, options.runs)
    imported = import_seconds(options.runs) if "E" in names else None
    fresh = remember({}, rows, options.runs, imported)
    print(describe(fresh))
    if options.write:
        measured = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
        measured = remember(measured, rows, options.runs, imported)
        RESULTS.write_text(json.dumps(measured, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        README.write_text(insert(README.read_text(encoding="utf-8"), describe(measured)), encoding="utf-8")


if __name__ == "__main__":
    main()
