"""The words that several formats share: a place, what was measured there, a line of the per-query table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from denominator.findings import SEVERITIES
from denominator.model import Severity
from denominator.quoting import listed, short

if TYPE_CHECKING:
    from denominator.findings import Finding, Findings, Group, Place, QueryLine, QueryTable
    from denominator.outputs.findings import Options

__all__ = ["counted", "places", "query_line", "query_more", "shown_lines", "subject", "summary", "valued"]

EXAMPLES = 3
"""How many places of a finding are shown where not all are."""
QUERIES = 20
"""How many lines of a run's per-query table are shown where not all are."""
TABLES = 5
"""How many runs' per-query tables are shown where not all are."""
ID = 24
"""How many characters of an id a table shows."""


def places(finding: Finding, options: Options, most: int = EXAMPLES) -> Iterator[Place]:
    """Yield the places of a finding that are to be shown."""
    return iter(finding.places) if options.verbose else iter(finding.places.first(most))


def subject(place: Place) -> str:
    """Return the query and the document of a place."""
    return " ".join(short(name, ID) for name in (place.query_id, place.doc_id) if name is not None)


def valued(values: Mapping[str, Any]) -> str:
    """Return measured values as words: ``k=5 rel=8 recall=0.500``."""
    return " ".join(f"{short(str(name))}={_value(value)}" for name, value in values.items())


def _value(value: Any) -> str:
    """Return a value: whole as it is, a fraction with three decimals, a text shortened."""
    if isinstance(value, str):
        return short(value, ID)
    if isinstance(value, float) and math.isfinite(value) and value != int(value):
        return f"{value:.3f}" if abs(value) >= 0.001 else f"{value:.3g}"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.3f}" if abs(value) <= 1 else f"{value:,.0f}"
    return f"{value:,}"


def counted(number: int, noun: str) -> str:
    """Return a number and its noun.

    >>> counted(1, "error"), counted(2_000, "error")
    ('1 error', '2,000 errors')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def summary(findings: Findings) -> str:
    """Return how many findings there are of each severity, and how many checks looked for them."""
    least = SEVERITIES.index(findings.least)
    told, hidden = [], [severity.value for severity in SEVERITIES[least + 1 :]]
    for severity in SEVERITIES[: least + 1]:
        count = sum(group.first.severity is severity for group in findings.groups())
        told.append(f"{count:,} info" if severity is Severity.INFO else counted(count, severity.value))
    found = ", ".join(told) + (f" ({' and '.join(hidden)} not shown)" if hidden else "")
    return f"{found}, by {counted(len(findings.checked), 'check')} of {counted(len(findings.sources), 'file')}"


def group_head(group: Group) -> str:
    """Return severity, code, slug, file and count of a group."""
    one = group.first
    times = f" ({group.count:,} places)" if group.count > 1 else ""
    return f"{one.severity.value} {one.code} {one.slug} {short(one.source, 400)}{times}"


def shown_lines(findings: Findings, options: Options) -> Iterator[tuple[QueryTable, int]]:
    """Yield the per-query tables that are to be shown, each with how many of its lines."""
    for table in findings.tables if options.verbose else findings.tables[:TABLES]:
        yield table, len(table) if options.verbose else min(len(table), QUERIES)


def query_line(line: QueryLine) -> str:
    """Return ``q_broad |Rel|=8 k=5 labels=33.3% ceiling=0.625 R@k=0.500 (80% of ceiling)``."""
    parts = [short(line.query_id, ID), f"|Rel|={line.rel:,}", f"k={line.k:,}"]
    if line.coverage is not None:
        parts.append(f"labels={line.coverage:.1%}")
    if line.recall is None or line.ceiling is None:
        return " ".join([*parts, "R@k undefined: nothing relevant is judged"])
    share = line.share_of_ceiling
    parts += [f"ceiling={line.ceiling:.3f}", f"R@k={line.recall:.3f}"]
    parts.append("(not answered)" if not line.answered else f"({share:.0%} of ceiling)")
    return " ".join(parts)


def query_more(line: QueryLine) -> str:
    """Return what else there is to know of a query: its precision ceiling, and what its duplicates do."""
    parts = []
    if 0 < line.precision_ceiling < 1:
        parts.append(f"P@{line.k} max {line.precision_ceiling:.2f}")
    if line.duplicates:
        parts.append(
            f"duplicates {listed(line.duplicates, 3)}: {line.positional_hits} positional hits, "
            f"{line.distinct_hits} distinct"
        )
    return "; ".join(parts)
