"""A row a mean and a row a published value beside it; the columns are those of :mod:`denominator.benchmark.records`.

Texts that a spreadsheet would run get an apostrophe in front, as in :mod:`denominator.outputs.csv`.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from denominator.benchmark.records import COLUMNS
from denominator.outputs.csv import safe

if TYPE_CHECKING:
    from denominator.benchmark.standing import Benchmark
    from denominator.outputs import Options

__all__ = ["render"]


def render(found: Benchmark, options: Options) -> str:
    """Return the table with a heading; numbers as Python prints them, so that they read back bit for bit."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in found.records():
        writer.writerow([safe(record[name]) for name in COLUMNS])
    return out.getvalue()
