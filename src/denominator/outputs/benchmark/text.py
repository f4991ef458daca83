"""The tables of a benchmark in a terminal, 80 columns wide or what there is."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING, Any

from denominator.outputs.benchmark.grids import notes, tables
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.benchmark.standing import Benchmark
    from denominator.outputs import Options
    from denominator.outputs.cells import Grid

__all__ = ["render"]

_NAMES = 14
"""The least width of a column of names."""


def render(found: Benchmark, options: Options) -> str:
    """Return where the runs stand, what is published beside them with its sources, and what to beware of."""
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        width=options.width,
        force_terminal=options.colour,
        no_color=not options.colour,
        highlight=False,
        legacy_windows=False,
    )
    for one in tables(found):
        _say(console, one.title, options.width, "", "bold")
        console.print(_table(one.grid))
        for line in one.under:
            _say(console, line, options.width, "", "dim")
        for number, row in enumerate(one.sources, start=1):
            note = f" ({row.note})" if row.note else ""
            _say(console, f"[{number}] {row.origin}{note}", options.width, "    ", "dim")
        console.print()
    for line in notes(found):
        _say(console, f"- {line}", options.width, "  ", "")
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n") + "\n"


def _say(console: Any, line: str, width: int, indent: str, style: str) -> None:
    """Print a line wrapped at blanks only, so that paths and addresses stay whole."""
    from rich.text import Text

    filled = textwrap.fill(plain(line), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    console.print(Text(filled, style=style), soft_wrap=True)


def _table(grid: Grid) -> Any:
    """Return a rich table: names folded, numbers never."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for number, heading in enumerate(grid.headings):
        if number < grid.texts:
            table.add_column(Text(heading), overflow="fold", min_width=min(_NAMES, _widest(grid, number)))
        else:
            table.add_column(Text(heading), justify="right", no_wrap=True)
    for row in grid.rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _widest(grid: Grid, column: int) -> int:
    """Return the width of the widest cell of a column."""
    return max(len(row[column]) for row in (grid.headings, *grid.rows))
