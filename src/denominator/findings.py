"""Findings: what an audit has to say, each with its code, its place, its numbers and its fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from denominator.errors import DenominatorError
    from denominator.model import I64, Qrels, Run

__all__ = ["Finding", "Findings", "Place", "Places", "Unread"]


@dataclass(frozen=True, slots=True)
class Place:
    """One place a finding points at; what does not apply is None."""

    line: int | None = None
    query_id: str | None = None
    doc_id: str | None = None
    values: Mapping[str, float | int | str] = field(default_factory=lambda: MappingProxyType({}))
    """What was measured here, such as ``{"rel": 8, "ceiling": 0.625}``."""


@dataclass(frozen=True, eq=False)
class Places:
    """The places of a finding, worst first, as columns: a million of them cost a few arrays and no objects.

    Build with :meth:`of_rows`, :meth:`of_queries`, :meth:`of_lines` or :meth:`nowhere`.
    """

    count: int
    at: Callable[[int], Place]
    """The place with a given number, from 0."""

    def __len__(self) -> int:
        """Return how many places there are."""
        return self.count

    def __iter__(self) -> Iterator[Place]:
        """Yield every place, worst first."""
        return (self.at(number) for number in range(self.count))

    def first(self, most: int) -> list[Place]:
        """Return at most `most` places, the worst."""
        return [self.at(number) for number in range(min(most, self.count))]

    @classmethod
    def nowhere(cls) -> Places:
        """Return no place: the finding is about a whole file."""
        return cls(0, lambda number: Place())

    @classmethod
    def of_lines(cls, lines: tuple[int, ...] | list[int]) -> Places:
        """Return lines of a file, from 1."""
        return cls(len(lines), lambda number: Place(line=lines[number]))

    @classmethod
    def of_rows(cls, table: Run | Qrels, rows: I64, **values: Any) -> Places:
        """Return rows of a table: line, query and document; `values` are columns of the same length as `rows`."""

        def at(number: int) -> Place:
            row = int(rows[number])
            return Place(table.line_of(row), table.query_of(row), table.doc_of(row), _row(values, number))

        return cls(len(rows), at)

    @classmethod
    def of_queries(cls, queries: tuple[str, ...] | list[str], **values: Any) -> Places:
        """Return queries; `values` are columns of the same length as `queries`."""
        return cls(len(queries), lambda number: Place(query_id=queries[number], values=_row(values, number)))


def _row(values: Mapping[str, Any], number: int) -> Mapping[str, float | int | str]:
    """Return one row of some columns as plain Python values."""
    row = {name: column[number] for name, column in values.items()}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in row.items()}


@dataclass(frozen=True, eq=False)
class Finding:
    """One check's verdict on one file: what is so, how often, where, what it changes, and what to do."""

    code: str
    slug: str
    severity: Severity
    message: str
    fix: str
    source: str
    """The file it is about, as the user named it."""
    places: Places
    numbers: Mapping[str, float | int | None]
    """Every number the message states, computed, under a name: ``{"R@5": 0.625, "RCap@5": 0.7}``."""

    @property
    def count(self) -> int:
        """How many places it stands for; a finding about a whole file counts 1."""
        return max(len(self.places), 1)


@dataclass(frozen=True, eq=False)
class Unread:
    """A run that could not be read, and why."""

    run: str
    error: DenominatorError


@dataclass(frozen=True, eq=False)
class Findings:
    """What :func:`denominator.audit` returns: the findings, most severe first, and what was audited."""

    items: tuple[Finding, ...]
    checked: tuple[str, ...] = ()
    """The codes of the checks that were run."""
    failures: tuple[Unread, ...] = ()
    """The runs that could not be read at all; no check has seen them."""

    def __iter__(self) -> Iterator[Finding]:
        """Yield the findings."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return how many findings there are."""
        return len(self.items)

    def of(self, code: str) -> tuple[Finding, ...]:
        """Return the findings with one code."""
        return tuple(finding for finding in self.items if finding.code == code)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings that matter at least so much."""
        order = [Severity.INFO, Severity.WARNING, Severity.ERROR]
        return tuple(one for one in self.items if order.index(one.severity) >= order.index(severity))
