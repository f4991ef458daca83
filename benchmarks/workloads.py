"""The workloads that the benchmarks time, as one table.

Standard library only: the runner imports this, and the runner must stay small (see `run.py`, peak memory).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Workload:
    """One collection size: how many queries, how deep the runs, how many judged documents a query has."""

    name: str
    queries: int
    depth: int
    judged: float  # mean judged documents per query; a fraction gives some queries one more
    graded: bool  # grades 0-3, as a pooled collection has; otherwise every judgment is 1
    runs: int = 1
    like: str = ""

    def qrels_path(self, folder: Path = DATA) -> Path:
        """Where this workload's judgments lie."""
        return folder / f"{self.name}.qrels"

    def run_paths(self, folder: Path = DATA) -> list[Path]:
        """Where this workload's runs lie, in order."""
        if self.runs == 1:
            return [folder / f"{self.name}.run"]
        return [folder / f"{self.name}-{number:02d}.run" for number in range(1, self.runs + 1)]


WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("A", 6_980, 1_000, 1.0655, graded=False, like="MS MARCO passage dev, 7 million rows"),
        Workload("B", 200_000, 10, 1.0655, graded=False, like="many queries, shallow runs, 2 million rows"),
        Workload("C", 50, 1_000, 200.0, graded=True, like="a TREC track: few queries, deep pools"),
        Workload("D", 50, 1_000, 200.0, graded=True, runs=40, like="C with 40 runs: a track's submissions"),
        Workload("E", 3, 10, 4.0, graded=True, like="three queries: start-up"),
    )
}
