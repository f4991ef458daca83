"""What is published for which data set, as ``denominator benchmark --list`` prints it."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from denominator.outputs.cells import Grid
from denominator.outputs.markdown import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.benchmark.published import Listed

__all__ = ["render"]

_HEADINGS = ("data set", "systems", "values", "secondary", "sources", "measures")
_SHOWN = 4


def render(rows: Sequence[Listed], form: str) -> str:
    """Return the list in a format of :data:`denominator.outputs.benchmark.FORMATS`."""
    if form == "json":
        return json.dumps([one._asdict() for one in rows], indent=1) + "\n"
    if form == "markdown":
        cells = tuple((one.id, ", ".join(one.measures), *_counts(one)) for one in rows)
        return table(Grid(("data set", "measures", *_HEADINGS[1:5]), cells, texts=2))
    if form == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(_HEADINGS)
        writer.writerows((one.id, *_counts(one), " ".join(one.measures)) for one in rows)
        return out.getvalue()
    wide = max(len(one.id) for one in rows)
    lines = [f"{'data set':<{wide}}  systems  values  secondary  measures"]
    for one in rows:
        more = f" and {len(one.measures) - _SHOWN} more" if len(one.measures) > _SHOWN else ""
        measures = ", ".join(one.measures[:_SHOWN]) + more
        lines.append(f"{one.id:<{wide}}  {one.systems:>7}  {one.values:>6}  {one.secondary:>9}  {measures}")
    lines.append("")
    lines.append("secondary: values whose source is neither the collection's nor that of the system's makers.")
    lines.append("Every other id of ir_datasets that has qrels works too, without published values.")
    return "".join(f"{line}\n" for line in lines)


def _counts(one: Listed) -> tuple[str, str, str, str]:
    """Return the numbers of a row."""
    return str(one.systems), str(one.values), str(one.secondary), str(len(one.sources))
