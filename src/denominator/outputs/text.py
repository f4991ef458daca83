"""The table that people read in a terminal, 80 columns wide or what there is."""

from __future__ import annotations

import io
import shlex
import textwrap
from typing import TYPE_CHECKING, Any

from denominator.outputs.cells import HEADINGS, Grid, bound_lines, mean_cells, means_of, per_query, said, short_names
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denominator.measures import Measure
    from denominator.outputs import Options
    from denominator.scores import RunScores, Scores

__all__ = ["page", "render", "text_of"]

_LEAST = 5
"""A column of names is never narrower than the word above it."""


def page(options: Options) -> Any:
    """Return a rich console that keeps what is printed on it, in ``file``."""
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=options.width,
        force_terminal=options.colour,
        no_color=not options.colour,
        highlight=False,
        legacy_windows=False,
    )


def text_of(console: Any) -> str:
    """Return what was printed on a page, without blanks at the ends of lines and without empty lines around it."""
    lines = console.file.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def render(scores: Scores, options: Options) -> str:
    """Return the means, the rows if asked for, and what there is to say about them.

    Several runs stand under each other measure by measure, so that what is compared stands together.
    """
    from rich.text import Text

    console = page(options)
    if options.per_query:
        for run in scores.runs:
            for measures in _blocks(scores, run, options.width):
                title = Text(plain(run.name), style="bold")
                console.print(title, _table(per_query(scores, run, measures)), sep="\n")
    console.print(_means(scores))
    for line in bound_lines(scores):
        console.print(Text(line), soft_wrap=True)
    for line in [*said(scores), *_more(scores, options.width)]:
        console.print(Text(_hanging(line, options.width), style="dim"), soft_wrap=True)
    return text_of(console)


def _more(scores: Scores, width: int) -> Iterator[str]:
    """Yield, where something was noticed, how often, and the command that looks for more; whole, or without names."""
    noticed = len(scores.notes) + sum(len(run.notes) for run in scores.runs)
    if noticed:
        names = [scores.qrels.name, *(run.source.name for run in scores.runs)]
        line = f"{noticed:,} {'note' if noticed == 1 else 'notes'}; to look for more: denominator audit "
        whole = line + " ".join(map(shlex.quote, names))
        short = len(whole) + 2 <= width and plain(whole) == whole
        yield whole if short else line + ("QRELS RUN" if len(names) == 2 else "QRELS RUN...")


def _means(scores: Scores) -> Any:
    """Return the table of means: a measure a row for one run, sections of runs for several."""
    if len(scores.runs) + len(scores.failures) == 1:
        return _table(
            Grid(("measure", *HEADINGS), tuple((label, *mean_cells(mean)) for label, mean in means_of(scores)))
        )
    keep = [number for number, heading in enumerate(HEADINGS) if heading != "judged"]
    shown = short_names([run.name for run in scores.runs])
    sections: dict[str, list[tuple[str, ...]]] = {}
    for label, mean in means_of(scores):
        cells = mean_cells(mean)
        sections.setdefault(label, []).append((shown[mean.run], *(cells[number] for number in keep)))
    headings = ("run", *(HEADINGS[number] for number in keep))
    table = _table(Grid(headings, ()))
    for label, rows in sections.items():
        table.add_row(_cell(label, "bold"), *([""] * len(keep)))
        for row in rows:
            table.add_row(_cell("  " + row[0]), *(_cell(cell) for cell in row[1:]))
    return table


def _hanging(line: str, width: int) -> str:
    """Return a note wrapped at blanks only, so that ids and paths stay whole, with its first line set off."""
    return textwrap.fill(
        line,
        width,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(grid: Grid) -> Any:
    """Return a rich table: no lines but the one under the headings, long names folded, numbers never."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for number, heading in enumerate(grid.headings):
        if number < grid.texts:
            table.add_column(_cell(heading), overflow="fold", min_width=_LEAST)
        else:
            table.add_column(_cell(heading), justify="right", no_wrap=True)
    for row in grid.rows:
        table.add_row(*(_cell(cell) for cell in row))
    return table


def _cell(text: str, style: str = "") -> Any:
    """Return a cell whose brackets are brackets and not markup."""
    from rich.text import Text

    return Text(text, style=style)


def _blocks(scores: Scores, run: RunScores, width: int) -> Sequence[Sequence[Measure]]:
    """Divide the measures so that each block of columns fits the width beside the query ids."""
    grid = per_query(scores, run, scores.measures)
    widths = [max(len(row[column]) for row in (grid.headings, *grid.rows)) + 3 for column in range(len(grid.headings))]
    fixed = min(widths[0], width // 2) + sum(widths[1 + len(scores.measures) :])
    blocks: list[list[Measure]] = [[]]
    used = fixed
    for measure, wide in zip(scores.measures, widths[1:], strict=False):
        if blocks[-1] and used + wide > width:
            blocks.append([])
            used = fixed
        blocks[-1].append(measure)
        used += wide
    return blocks
