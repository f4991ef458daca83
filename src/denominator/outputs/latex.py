"""Tables for a paper: plain ``tabular``, no package needed; the notes are comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs.cells import HEADINGS, Grid, bound_cells, bound_headings, mean_cells, means_of, per_query, said
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["render"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "–": "--",
    "·": r"\textperiodcentered{}",
    **{character: "\\" + character for character in "&%$#_{}"},
}


def render(scores: Scores, options: Options) -> str:
    """Return one tabular of the means and, if asked for, one of the queries of each run."""
    rows = tuple((mean.run, label, *mean_cells(mean), *bound_cells(scores, mean)) for label, mean in means_of(scores))
    headings = ("run", "measure", *HEADINGS, *bound_headings(scores))
    parts = ["".join(f"% {plain(line)}\n" for line in said(scores))]
    parts.append(_tabular(Grid(headings, rows, texts=2)))
    if options.per_query:
        for run in scores.runs:
            parts += [f"% {plain(run.name)}\n" + _tabular(per_query(scores, run, scores.measures))]
    return "\n".join(parts)


def _tabular(grid: Grid) -> str:
    """Return a table, numbers to the right."""
    columns = "l" * grid.texts + "r" * (len(grid.headings) - grid.texts)
    heading, *body = [" & ".join(_escaped(cell) for cell in row) + r" \\" for row in (grid.headings, *grid.rows)]
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\hline", heading, r"\hline", *body, r"\hline", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Return a text that LaTeX prints as it is."""
    return "".join(_SPECIAL.get(character, character) for character in plain(text))
