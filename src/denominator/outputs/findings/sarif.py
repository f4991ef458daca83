"""SARIF 2.1.0 (OASIS, 2020): what code-scanning services and editors read."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from denominator.audit.pages import page_text
from denominator.audit.registry import CHECKS
from denominator.findings import Place
from denominator.model import Severity
from denominator.outputs.findings.json import dumped, finite
from denominator.outputs.findings.words import places, subject, valued
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.audit.check import Check
    from denominator.findings import Finding, Findings
    from denominator.outputs.findings import Options

__all__ = ["render"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
RESULTS = 20
"""How many places of a finding become results; services refuse files with tens of thousands."""
_LEVELS = MappingProxyType({Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"})
_IN_MESSAGE = str.maketrans({"{": "{{", "}": "}}", "\\": "\\\\", "[": "\\[", "]": "\\]"})
"""Braces are placeholders and brackets links in a message (sections 3.11.5 and 3.11.6)."""


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield the log: the checks as rules, a result for each of the worst places."""
    codes = list(dict.fromkeys([*findings.checked, *(one.code for one in findings)]))
    index = {code: number for number, code in enumerate(codes)}
    release = version("denominator")
    driver = {
        "name": "denominator",
        "version": release,
        "semanticVersion": release,
        "rules": [_rule(CHECKS[code]) for code in codes],
    }
    yield f'{{"$schema": {dumped(SCHEMA)},\n"version": "2.1.0",\n"runs": [{{"tool": {{"driver": {dumped(driver)}}},\n'
    yield f'"columnKind": "unicodeCodePoints",\n"invocations": [{dumped(_invocation(findings))}],\n"results": ['
    first = True
    for one in findings:
        for place in places(one, options, RESULTS) if len(one.places) else (Place(),):
            yield f"{'' if first else ','}\n{dumped(_result(one, place, index[one.code]))}"
            first = False
    yield "\n]}]}\n"


def _rule(check: Check) -> dict[str, Any]:
    """Return a check as a rule with its help."""
    text = page_text(check)
    return {
        "id": check.code,
        "name": check.slug,
        "shortDescription": {"text": _message(text.partition("\n")[0])},
        "fullDescription": {"text": _message(text.partition("\n\n**Fix**")[0])},
        "help": {"text": _message(text.replace("**", "")), "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[check.severity]},
    }


def _invocation(findings: Findings) -> dict[str, Any]:
    """Return whether all could be read, and what could not."""
    unread = [
        {
            "level": "error",
            "message": {"text": _message(str(failure.error))},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(failure.run)}}}],
        }
        for failure in findings.failures
    ]
    return {"executionSuccessful": not unread, "toolExecutionNotifications": unread}


def _result(one: Finding, place: Place, index: int) -> dict[str, Any]:
    """Return one place of a finding as a result."""
    where = " ".join(part for part in (subject(place), valued(place.values)) if part)
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(one.source)}}
    if place.line is not None:
        physical["region"] = {"startLine": place.line}
    location: dict[str, Any] = {"physicalLocation": physical}
    if place.query_id is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": subject(place), "kind": "member"}]
    return {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": _LEVELS[one.severity],
        "message": {"text": _message(f"{one.message}.{f' At {where}.' if where else ''} Fix: {one.fix}.")},
        "locations": [location],
        "properties": _properties(one, place),
    }


def _properties(one: Finding, place: Place) -> Mapping[str, Any]:
    """Return what the standard has no place for."""
    return {"places": one.count, "numbers": finite(one.numbers), "values": _shortened(finite(place.values))}


def _shortened(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: short(value) if isinstance(value, str) else value for name, value in values.items()}


def _message(text: str) -> str:
    """Return a text as a message that holds neither placeholders nor links."""
    return "\n".join(short(line, 8000) for line in text.split("\n")).translate(_IN_MESSAGE)


def _uri(source: str) -> str:
    """Return a file name as a URI reference: relative as it was given, or ``file://`` from the root."""
    path = source.replace(os.sep, "/")
    octets = path.encode("utf-8", "surrogatepass")
    with contextlib.suppress(UnicodeEncodeError):  # the bytes of a name that is not UTF-8
        octets = path.encode("utf-8", "surrogateescape")
    return ("file://" if path.startswith("/") else "") + quote(octets, safe="/")
