"""What a check is: a code, a slug, a severity, a fix, and one small generator whose docstring is its page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.findings import Finding, Places

if TYPE_CHECKING:
    from denominator.audit.evidence import Evidence
    from denominator.model import Severity

__all__ = ["Check", "Found", "check"]


@dataclass(frozen=True, eq=False)
class Found:
    """What a check yields, once for each file it has something to say about."""

    source: str
    """The name of the file."""
    message: str
    """One sentence with its numbers; no trailing full stop, no line or query that `places` holds already."""
    places: Places = field(default_factory=Places.nowhere)
    """Worst first."""
    numbers: Mapping[str, float | int | None] = field(default_factory=lambda: MappingProxyType({}))
    """Every number of the message under the name of its measure or count."""
    severity: Severity | None = None
    """Where it is not the check's own."""


Rule = Callable[["Evidence"], Iterator[Found]]


@dataclass(frozen=True, eq=False)
class Check:
    """One check: calling it looks at the evidence."""

    code: str
    slug: str
    severity: Severity
    fix: str
    rule: Rule

    @property
    def page(self) -> str:
        """What the check is, why it matters with a worked number, how to fix it, when to ignore it."""
        return self.rule.__doc__ or ""

    def __call__(self, evidence: Evidence) -> Iterator[Finding]:
        """Yield the findings of this check."""
        for found in self.rule(evidence):
            severity = evidence.options.severities.get(self.code, found.severity or self.severity)
            yield Finding(
                self.code, self.slug, severity, found.message, self.fix, found.source, found.places, found.numbers
            )


def check(code: str, slug: str, severity: Severity, *, fix: str) -> Callable[[Rule], Check]:
    """Make a check of a generator; the module's `CHECKS` tuple lists it."""
    return lambda rule: Check(code, slug, severity, fix, rule)
