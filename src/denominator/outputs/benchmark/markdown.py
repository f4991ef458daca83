"""The tables of a benchmark for a page, the sources with their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs.benchmark.grids import notes, tables
from denominator.outputs.markdown import escaped, table

if TYPE_CHECKING:
    from denominator.benchmark.standing import Benchmark
    from denominator.outputs import Options

__all__ = ["render"]


def render(found: Benchmark, options: Options) -> str:
    """Return GitHub-flavoured markdown; whatever comes from a file is escaped."""
    parts = []
    for one in tables(found):
        parts += [f"**{escaped(one.title)}**\n", table(one.grid)]
        lines = [escaped(line) for line in one.under]
        lines += [
            f"{escaped(f'[{number}]')} [{escaped(row.origin)}]({row.source})"
            + (f" ({escaped(row.note)})" if row.note else "")
            for number, row in enumerate(one.sources, start=1)
        ]
        if lines:
            parts.append("".join(f"- {line}\n" for line in lines))
    parts.append("".join(f"- {escaped(line)}\n" for line in notes(found)))
    return "\n".join(filter(None, parts))
