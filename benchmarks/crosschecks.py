"""Cross-check public runs and print, for each implementation, how many of its values differ and why.

``python benchmarks/crosschecks.py DATA [RUN...]`` where DATA holds manifest.json (files of runs and their qrels), and a
RUN is a part of a run's name. Every value of every judged query counts as one: (implementation, measure, query).
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from denominator.crosscheck import crosscheck

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck, Line

MEASURES = "P@10 R@100 RR AP nDCG@10 nDCG Success@5 Rprec Bpref RBP(p=0.8)"
COLUMNS = ("compared", "differ", "choices", "ties", "no number", "unexplained")


def counted(line: Line) -> Counter[str]:
    """Return what one line adds to an implementation's counts."""
    names = {"refused": "refusals", "crashed": "crashed", "hung": "hung"}
    status = {names[line.answer.status]: 1} if line.answer.status in names else {}
    return Counter(
        {
            "compared": line.compared,
            "differ": len(line.apart),
            "choices": line.by_choice,
            "ties": line.by_ties,
            "no number": line.no_number,
            "unexplained": line.unexplained,
            **status,
        }
    )


def table(results: list[Crosscheck]) -> str:
    """Return the counts of each implementation over some runs."""
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        for line in result.lines:
            totals[line.tool].update(counted(line))
    rows = [f"{'implementation':<18}" + "".join(f"{name:>13}" for name in COLUMNS) + "  not answered"]
    for tool, counts in totals.items():
        rest = ", ".join(f"{counts[name]} {name}" for name in ("refusals", "crashed", "hung") if counts[name])
        rows.append(f"{tool:<18}" + "".join(f"{counts[name]:>13,}" for name in COLUMNS) + f"  {rest}")
    return "\n".join(rows)


def main(data: Path, wanted: list[str]) -> None:
    """Cross-check the runs and print what is left unexplained, then the counts."""
    entries = json.loads((data / "runs" / "manifest.json").read_text(encoding="utf-8"))
    results = []
    for entry in entries:
        if wanted and not any(part in entry["run"] for part in wanted):
            continue
        began = time.monotonic()
        result = crosscheck(data / entry["qrels"], data / entry["run"], MEASURES, limit=150)
        results.append(result)
        took = time.monotonic() - began
        print(f"{entry['run']}: {result.apart:,} apart, {result.unexplained:,} unexplained, {took:.0f} s", flush=True)
        ends = Counter((line.tool, line.answer.status, line.answer.words[:160]) for line in result.lines)
        for (tool, status, words), times in ends.items():
            if status not in ("answered", "lacking"):
                print(f"  {tool}: {times} measures {status}: {words}")
        for line in result.lines:
            if line.unexplained:
                causes = ", ".join(f"{one.choice}={one.theirs}" for one in line.causes)
                print(f"  {line.tool} {line.question}: {line.unexplained:,} unexplained, causes {causes}")
                for one in [one for one in line.apart if not one.explained][:2]:
                    print(f"    {one.query_id}: theirs {one.theirs!r}, ours {one.ours!r}")
    print(table(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
