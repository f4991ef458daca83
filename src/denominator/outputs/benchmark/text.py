"""The tables of a benchmark in a terminal, 80 columns wide or what there is."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, Any

from denominator.outputs.benchmark.grids import notes, tables
from denominator.outputs.text import page, text_of
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
    console = page(options)
    for one in tables(found):
        _say(console, one.title, options.width, "", "bold")
        console.print(_table(one.grid, options.width))
        for line in one.under:
            _say(console, line, options.width, "", "dim")
        for number, row in enumerate(one.sources, start=1):
            note = f" ({row.note})" if row.note else ""
            _say(console, f"[{number}] {row.origin}{note}", options.width, "    ", "dim")
        console.print()
    for line in notes(found):
        _say(console, f"- {line}", options.width, "  ", "")
    return text_of(console)


def _say(console: Any, line: str, width: int, indent: str, style: str) -> None:
    """Print a line wrapped at blanks only, so that paths and addresses stay whole."""
    from rich.text import Text

    filled = textwrap.fill(plain(line), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    console.print(Text(filled, style=style), soft_wrap=True)


def _table(grid: Grid, width: int) -> Any:
    """Return a rich table: names folded behind their words and marks, numbers never."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    table.add_column(Text(grid.headings[0]))
    for heading in grid.headings[1:]:
        table.add_column(Text(heading), justify="right", no_wrap=True)
    widths = [max(map(len, column)) for column in zip(grid.headings, *grid.rows, strict=True)]
    left = max(width - 2 * len(widths) - sum(widths[1:]), min(_NAMES, widths[0]))
    for name, *numbers in grid.rows:
        table.add_row(Text(_folded(name, left)), *(Text(cell) for cell in numbers))
    return table


def _folded(name: str, width: int) -> str:
    """Return a name in lines of some width, cut behind blanks and ``. - _ /``, inside a word only where it is wider.

    >>> _folded("RankGPT reranking-claude-3-5-sonnet", 14).split("\\n")
    ['RankGPT', 'reranking-', 'claude-3-5-', 'sonnet']
    """
    indent = name[: len(name) - len(name.lstrip(" "))]
    room = width - len(indent)
    lines = [""]
    for piece in re.findall(r"[^\s._/-]*[\s._/-]|[^\s._/-]+", name[len(indent) :]):
        if lines[-1] and len(lines[-1] + piece.rstrip()) > room:
            lines.append("")
        lines[-1] += piece
        while len(lines[-1].rstrip()) > room:
            lines[-1:] = [lines[-1][:room], lines[-1][room:]]
    return "\n".join(f"{indent}{line.rstrip()}" for line in lines)
