"""Workflow commands, which GitHub's runner shows beside the lines of the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.findings import Place
from denominator.model import Severity
from denominator.outputs.findings.words import places, subject, valued
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.findings import Finding, Findings
    from denominator.outputs.findings import Options

__all__ = ["render"]

_COMMANDS = MappingProxyType({Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"})
_IN_DATA = MappingProxyType({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = MappingProxyType({**_IN_DATA, ":": "%3A", ",": "%2C"})
"""Character → what stands for it, after the last ``::`` and before it."""


def render(findings: Findings, options: Options) -> Iterator[str]:
    """Yield a command for each of the worst places of a finding, or one for a finding about a whole file."""
    for one in findings:
        for place in places(one, options) if len(one.places) else (Place(),):
            yield _command(one, place)
    for failure in findings.failures:
        words = "\n".join(short(line, 4000) for line in str(failure.error).split("\n"))
        yield f"::error file={_escaped(short(failure.run, 4000), _IN_PROPERTY)},title=unreadable::{_escaped(words)}\n"


def _command(one: Finding, place: Place) -> str:
    """Return one command."""
    properties = {"file": short(one.source, 4000)}
    if place.line is not None:
        properties["line"] = str(place.line)
    properties["title"] = f"{one.code} {one.slug}"
    where = " ".join(part for part in (subject(place), valued(place.values)) if part)
    message = f"{short(one.message, 4000)}. {f'At {where}. ' if where else ''}Fix: {one.fix}"
    listed = ",".join(f"{name}={_escaped(value, _IN_PROPERTY)}" for name, value in properties.items())
    return f"::{_COMMANDS[one.severity]} {listed}::{_escaped(message)}\n"


def _escaped(text: str, characters: Mapping[str, str] = _IN_DATA) -> str:
    """Return a text in which the runner sees no command and no other property."""
    return "".join(characters.get(character, character) for character in text)
