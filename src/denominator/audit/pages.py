"""The checks as pages to read: what each one is, why it matters, how to mend it, and when to ignore it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denominator.audit.check import Check

__all__ = ["FAMILIES", "everything", "listing", "markdown_listing", "markdown_page", "page", "page_text", "record"]

FAMILIES = {
    "F": "Format",
    "R": "Ranking",
    "T": "Ties and scores",
    "Q": "Judgments",
    "D": "Denominators",
    "J": "Unjudged documents and pools",
    "I": "Ids and collections",
    "X": "Cross-check of implementations (`denominator crosscheck`)",
}
"""The letter of a code → what the family is about."""


def page_text(check: Check) -> str:
    """Return a check's page without the docstring's indentation."""
    return inspect.cleandoc(check.page)


def record(check: Check) -> dict[str, Any]:
    """Return a check as a row."""
    return {
        "code": check.code,
        "slug": check.slug,
        "severity": check.severity.value,
        "fix": check.fix,
        "page": page_text(check),
    }


def listing(checks: Iterable[Check]) -> str:
    """Return a line for each check: code, severity, and the first sentence of its page."""
    lines = [f"{one.code}  {one.severity.value:<7}  {one.slug}" for one in checks]
    return "\n".join([*lines, "", "denominator rules CODE explains one of them."])


def page(check: Check) -> str:
    """Return a check's page for a terminal."""
    text = page_text(check).replace("**", "")
    return f"{check.code} {check.slug} ({check.severity.value})\n\n{text}\n\nIn short: {check.fix}"


def markdown_page(check: Check) -> str:
    """Return a check's page as a section."""
    return f"### {check.code} {check.slug}\n\n*{check.severity.value}* · {check.fix}\n\n{page_text(check)}"


def markdown_listing(checks: Iterable[Check]) -> str:
    """Return a table of checks."""
    rows = [f"| {one.code} | {one.slug} | {one.severity.value} | {one.fix} |" for one in checks]
    return "\n".join(["| code | name | severity | fix |", "| --- | --- | --- | --- |", *rows])


def everything(checks: Sequence[Check]) -> str:
    """Return the page of all checks: a table, then every page, by family."""
    parts = [
        "# The checks of the audit",
        "This page is written by `denominator rules -f markdown`. An *error* makes a number wrong, or is refused by "
        "`denominator score`; a *warning* makes a number likely to be misread; *info* is worth knowing.",
        markdown_listing(checks),
    ]
    for letter in dict.fromkeys(one.code[0] for one in checks):
        parts.append(f"## {letter}: {FAMILIES[letter]}")
        parts += [markdown_page(one) for one in checks if one.code.startswith(letter)]
    return "\n\n".join(parts)
