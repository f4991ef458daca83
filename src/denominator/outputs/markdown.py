"""Tables for a page: the means, the queries if asked for, and the notes as a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from denominator.outputs.cells import HEADINGS, Grid, bound_cells, bound_headings, mean_cells, means_of, per_query, said
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["escaped", "render", "table"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$&])")


def render(scores: Scores, options: Options) -> str:
    """Return GitHub-flavoured markdown; whatever comes from a file is escaped."""
    rows = tuple((mean.run, label, *mean_cells(mean), *bound_cells(scores, mean)) for label, mean in means_of(scores))
    headings = ("run", "measure", *HEADINGS, *bound_headings(scores))
    parts = [table(Grid(headings, rows, texts=2))]
    if options.per_query:
        for run in scores.runs:
            parts += [f"**{escaped(run.name)}**\n", table(per_query(scores, run, scores.measures))]
    parts.append("".join(f"- {escaped(line)}\n" for line in said(scores)))
    return "\n".join(parts)


def table(grid: Grid) -> str:
    """Return a table, numbers to the right."""
    rule = ["---" if column < grid.texts else "---:" for column in range(len(grid.headings))]
    lines = [grid.headings, *grid.rows]
    written = [[escaped(cell) for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in [written[0], rule, *written[1:]])


def escaped(text: str) -> str:
    """Return a text that markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", " ".join(plain(text).split()))
