"""One JSON document with everything: every finding with all its places, and every query's denominators."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from denominator.findings import Finding, Findings, Place, QueryLine
    from denominator.outputs.findings import Options

__all__ = ["as_finding", "as_place", "dumped", "finite", "render"]


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield the document, a place a line; characters outside ASCII are escaped, so no terminal is steered by an id.

    What JSON cannot hold, infinity and NaN, is the text ``inf``, ``-inf`` or ``nan``.
    """
    sources = [{"source": one.name, "read_as": one.read_as} for one in findings.sources]
    yield f'{{"checked": {dumped(findings.checked)},\n"audited": {dumped(sources)},\n"findings": ['
    for number, one in enumerate(findings):
        yield ",\n" if number else "\n"
        yield f"{dumped(as_finding(one))[:-1]}, "
        yield '"places": ['
        yield from _listed(as_place(place) for place in one.places)
        yield "]}"
    yield '],\n"queries": ['
    yield from _listed(_query(line) for table in findings.tables for line in table)
    failed = [{"run": one.run, "error": str(one.error)} for one in findings.failures]
    yield f'],\n"failed": {dumped(failed)}}}\n'


def dumped(value: Any) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, allow_nan=False, default=_number)


def finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return numbers by name, those that JSON cannot hold as texts."""
    return {
        str(name): str(value) if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def _number(value: Any) -> Any:
    """Return a NumPy number as a Python one."""
    return value.item()


def _listed(objects: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield objects one by one with commas between them."""
    for number, one in enumerate(objects):
        yield f"{',' if number else ''}\n {dumped(one)}"


def as_finding(one: Finding) -> dict[str, Any]:
    """Return a finding without its places."""
    return {
        "code": one.code,
        "slug": one.slug,
        "severity": one.severity.value,
        "source": one.source,
        "message": one.message,
        "fix": one.fix,
        "count": one.count,
        "numbers": finite(one.numbers),
    }


def as_place(place: Place) -> dict[str, Any]:
    """Return a place; what does not apply is null."""
    return {
        "line": place.line,
        "query_id": place.query_id,
        "doc_id": place.doc_id,
        "values": finite(place.values),
    }


def _query(line: QueryLine) -> dict[str, Any]:
    """Return a query's denominators."""
    return {**asdict(line), "share_of_ceiling": line.share_of_ceiling}
