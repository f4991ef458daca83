"""What people read in a terminal: measure by measure who says what; then, once, why that is not what we say."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from denominator.outputs.crosscheck import words
from denominator.quoting import listed, short

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck, Line
    from denominator.findings import Finding
    from denominator.outputs.crosscheck import Options

__all__ = ["render"]

HEADINGS = ("", "mean", "queries", "differs on")
FINDINGS = 12
"""How many findings are shown where not all are."""


def render(result: Crosscheck, options: Options) -> str:
    """Return the tables, the counts, and the findings."""
    lines = [*_wrapped(words.head(result), options, "")]
    named = _names(result)
    for question, some in result.questions():
        lines += ["", *_table(str(question), some, named, options)]
    lines += _legend(result, options)
    lines.append("")
    for sentence in words.summary(result):
        lines += _wrapped(sentence, options, "")
    lines += _findings(result, options)
    return "\n".join(lines) + "\n"


def _names(result: Crosscheck) -> dict[str, str]:
    """Return each implementation with its version."""
    return {line.tool: f"{line.tool} {short(line.version, 20)}".strip() for line in result.lines}


def _table(title: str, lines: Sequence[Line], named: dict[str, str], options: Options) -> Iterator[str]:
    """Yield one measure's lines."""
    widest = max(len(named[line.tool]) for line in lines)
    wide = max(widest, len(short(title, 40)))
    yield f"{short(title, 40):<{wide}}  {HEADINGS[1]:>9}  {HEADINGS[2]:>7}  {HEADINGS[3]}"
    lacking: dict[str, list[str]] = {}
    for line in lines:
        if line.answer.status == "lacking":
            lacking.setdefault(line.answer.words, []).append(line.tool)
            continue
        name = f"{named[line.tool]:<{wide}}"
        if line.answer.answered:
            n = "-" if line.n is None else f"{line.n:,}"
            row = f"{name}  {words.mean(line):>9}  {n:>7}  {words.differs(line)}"
            brief = words.why(line)
            if not brief or len(row) + len(brief) + 3 <= options.width:
                yield f"{row} ({brief})" if brief else row
            else:
                yield row
                yield from _wrapped(f"({brief})", options, "    ")
        else:
            yield f"{name}  {words.said(line):>9}"
        yield from _under(line, options)
    for what, tools in lacking.items():
        yield from _wrapped(f"{what}: {', '.join(tools)}", options, "")


def _under(line: Line, options: Options) -> Iterator[str]:
    """Yield every query that differs, and how the implementation was asked, where that is wanted."""
    if options.verbose:
        for one in line.apart:
            yield from _wrapped(words.pair(one), options, "    ")
        if line.left_out:
            yield from _wrapped(f"left out: {listed(line.left_out)}", options, "    ")
        if line.answer.call:
            yield f"    asked as: {short(line.answer.call, 400)}"


def _legend(result: Crosscheck, options: Options) -> Iterator[str]:
    """Yield what the choices mean that the tables name, and what was said in words, each once."""
    reasons = list(words.reasons(result))
    if reasons:
        yield from ("", "Why, with the number of queries that need it:")
    for cause, tools in reasons:
        yield from _wrapped(cause, options, "  ")
        for tool in tools:
            yield from _wrapped(tool, options, "      ")
    remarks = list(words.remarks(result))
    if remarks:
        yield from ("", "What they say:")
    for remark in remarks:
        yield from _wrapped(remark, options, "  ")


def _findings(result: Crosscheck, options: Options) -> Iterator[str]:
    """Yield the findings that matter more than information; what is explained stands in the tables."""
    found = [one for one in result.findings or () if options.verbose or one.severity.value != "info"]
    shown = found if options.verbose else found[:FINDINGS]
    for one in shown:
        yield from _wrapped(_finding(one), options, "")
    if len(found) > len(shown):
        yield f"… and {len(found) - len(shown):,} more; --verbose shows them"


def _finding(one: Finding) -> str:
    """Return a finding as one line with its code and its fix."""
    return f"{one.severity.value} {one.code} {short(one.message, 700)}. Fix: {one.fix}."


def _wrapped(text: str, options: Options, indent: str) -> list[str]:
    """Return a text as lines of the terminal's width."""
    return textwrap.wrap(
        text,
        max(options.width, 40),
        initial_indent=indent,
        subsequent_indent=" " * max(2, len(indent) - len(indent.lstrip()) + 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
