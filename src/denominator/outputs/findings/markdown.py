"""Tables for a page: the findings with their worst places, the fixes, and the per-query table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from denominator.outputs.findings.words import places, query_line, query_more, shown_lines, subject, summary, valued
from denominator.outputs.markdown import escaped
from denominator.quoting import plain, short

if TYPE_CHECKING:
    from denominator.findings import Finding, Findings
    from denominator.outputs.findings import Options

__all__ = ["render"]


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield GitHub-flavoured markdown; whatever comes from a file is escaped."""
    yield f"{_shown(summary(findings))}\n\n"
    if len(findings):
        yield _row(("severity", "code", "file", "places", "finding", "worst"))
        yield "| --- | --- | --- | ---: | --- | --- |\n"
        for one in findings:
            words = (one.severity.value, f"{one.code} {one.slug}", one.source, f"{one.count:,}", one.message)
            yield f"{_row(words).rstrip()} "
            for number, place in enumerate(_worst(one, options)):
                yield f"{'<br>' if number else ''}{_shown(place)}"
            yield " |\n"
        yield "\n"
        for code, fix in {one.code: one.fix for one in findings}.items():
            yield f"- **{_shown(code)}**: {_shown(fix)}\n"
        yield "\n"
    for table, most in shown_lines(findings, options):
        yield f"**{_shown(table.run)}**\n\n"
        for number in range(most):
            line = table.at(number)
            more = query_more(line)
            yield f"- {_shown(query_line(line))}{f'; {_shown(more)}' if more else ''}\n"
        yield f"- and {len(table) - most:,} more\n\n" if most < len(table) else "\n"


def _worst(one: Finding, options: Options) -> Iterator[str]:
    """Yield the places of a finding that are to be shown."""
    for place in places(one, options):
        line = f"line {place.line:,}" if place.line is not None else ""
        yield " ".join(part for part in (line, subject(place), valued(place.values)) if part)


def _row(cells: Sequence[str]) -> str:
    """Return a line of a table; it ends in a bar and a newline."""
    return f"| {' | '.join(map(_shown, cells))} |\n"


def _shown(text: str) -> str:
    """Return a text that a page shows as it is."""
    return escaped(short(plain(text), 4000))
