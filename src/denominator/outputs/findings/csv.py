"""A row a place, between commas; a finding about a whole file has one row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from denominator.findings import Place
from denominator.outputs.csv import safe
from denominator.outputs.findings.json import dumped, finite
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.findings import Findings
    from denominator.outputs.findings import Options

__all__ = ["COLUMNS", "render"]

COLUMNS = (
    *("code", "slug", "severity", "source", "line", "query_id", "doc_id", "count", "message", "fix"),
    *("numbers", "values"),
)
"""`count` is the number of places of the finding; `numbers` and `values` are JSON objects."""


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield the rows under a heading.

    Control characters are written as escapes, and a text that a spreadsheet would run gets an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in findings:
        numbers = dumped(finite(one.numbers))
        for place in one.places if len(one.places) else (Place(),):
            cells = (
                *(one.code, one.slug, one.severity.value, one.source),
                *(place.line, place.query_id, place.doc_id, one.count, one.message, one.fix),
                *(numbers, dumped(finite(place.values))),
            )
            writer.writerow([safe(plain(cell) if isinstance(cell, str) else cell) for cell in cells])
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()
