"""A row for each implementation and measure."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from denominator.outputs.csv import safe
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck
    from denominator.outputs.crosscheck import Options

__all__ = ["COLUMNS", "render"]

COLUMNS = (
    *("qrels", "run", "measure", "tool", "version", "status", "mean", "queries", "compared", "differing"),
    *("explained_by_choice", "explained_by_ties", "without_number", "unexplained", "causes"),
    *("largest_query", "largest_ours", "largest_theirs", "words"),
)


def render(result: Crosscheck, options: Options) -> str:
    """Return the table with its headings; what a spreadsheet would run has an apostrophe in front."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in result.lines:
        largest = line.largest
        causes = " ".join(f"{one.choice}={one.theirs}" for one in line.causes)
        row = (
            *(result.qrels.name, result.run.name, str(line.question), line.tool, line.version, line.answer.status),
            *(line.answer.mean, line.n, line.compared, len(line.apart)),
            *(line.by_choice, line.by_ties, line.no_number, line.unexplained, causes),
            *((largest.query_id, largest.ours, largest.theirs) if largest is not None else (None, None, None)),
            line.answer.words,
        )
        writer.writerow([safe(plain(cell) if isinstance(cell, str) else cell) for cell in row])
    return out.getvalue()
