"""What people read in a terminal: the findings, most severe first, and what each query was divided by."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from denominator.model import Severity
from denominator.outputs.findings.words import (
    counted,
    group_head,
    places,
    query_line,
    query_more,
    shown_lines,
    subject,
    summary,
    valued,
)
from denominator.quoting import plain, short

if TYPE_CHECKING:
    from denominator.findings import Finding, Findings, Group, Place
    from denominator.outputs.findings import Options

__all__ = ["render"]

GROUPS = 100
"""How many (check, file) groups are shown where not all are: a terminal is no place for thousands."""
MESSAGES = 6
"""How many messages of one group are shown where not all are."""

_COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36"}


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield the lines, the counts first and last; without `verbose` there are never more than a few hundred."""
    yield from _wrapped(summary(findings), options)
    if not len(findings) and not findings.tables:
        return
    yield "\n"
    groups = findings.groups()
    shown = groups if options.verbose else groups[:GROUPS]
    told: set[str] = set()
    for group in shown:
        yield from _group(group, options)
        if group.first.code not in told:
            told.add(group.first.code)
            yield from _wrapped(f"fix: {plain(group.first.fix)}", options, "  ")
        yield "\n"
    if len(groups) > len(shown):
        yield from _wrapped(f"… and {len(groups) - len(shown):,} more; --verbose shows them, -f json has them", options)
        yield "\n"
    yield from _tables(findings, options)
    yield from _wrapped(summary(findings), options)


def _group(group: Group, options: Options) -> Iterator[str]:
    """Yield one check's verdict on one file."""
    severity = group.first.severity
    for number, line in enumerate(_wrapped(group_head(group), options, rest="    ")):
        if options.colour and not number:
            line = f"\x1b[{_COLOURS[severity]}m{severity.value}\x1b[0m{line[len(severity.value) :]}"
        yield line
    findings = group.findings if options.verbose else group.findings[:MESSAGES]
    for one in findings:
        yield from _wrapped(_sentence(one.message), options, "  ")
        for place in places(one, options):
            yield from _wrapped(_place(one, place), options, "    ")
        hidden = len(one.places) - len(one.places.first(3))
        if hidden and not options.verbose:
            yield f"    … {hidden:,} more\n"
    if len(group.findings) > len(findings):
        yield f"  … {counted(len(group.findings) - len(findings), 'more message')}\n"


def _sentence(message: str) -> str:
    """Return a message as a sentence with its full stop, whatever a check made of it."""
    text = short(message, 4000)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _place(finding: Finding, place: Place) -> str:
    """Return ``file:line query document values``."""
    where = f"{short(finding.source, 400)}:{place.line}" if place.line is not None else ""
    return " ".join(part for part in (where, subject(place), valued(place.values)) if part)


def _tables(findings: Findings, options: Options) -> Iterator[str]:
    """Yield for each run the queries with the lowest share of their ceilings."""
    for table, most in shown_lines(findings, options):
        worst = f", the {most:,} lowest of {len(table):,}" if most < len(table) else ""
        yield from _wrapped(f"{short(table.run, 400)}, query by query{worst}:", options)
        for number in range(most):
            line = table.at(number)
            yield from _wrapped(query_line(line), options, "  ")
            more = query_more(line)
            if more:
                yield from _wrapped(more, options, "    ")
        yield "\n"
    hidden = len(findings.tables) - len(list(shown_lines(findings, options)))
    if hidden:
        yield f"… and {counted(hidden, 'more run')}; --verbose shows {'it' if hidden == 1 else 'them'}\n\n"


def _wrapped(text: str, options: Options, indent: str = "", rest: str | None = None) -> Iterator[str]:
    """Yield a text as lines of the terminal's width; a word that is longer stays whole, so that it can be copied."""
    deeper = rest if rest is not None else indent + ("  " if indent else "")
    for line in textwrap.wrap(
        text,
        max(options.width, 40),
        initial_indent=indent,
        subsequent_indent=deeper,
        break_long_words=False,
        break_on_hyphens=False,
    ):
        yield f"{line}\n"
