"""What the readers of the files told, as a check looks at it: one kind of fault of one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.counted import number
from denominator.findings import Place, Places

if TYPE_CHECKING:
    from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
    from denominator.model import Fault

__all__ = ["Told", "every_file", "told"]


@dataclass(frozen=True, eq=False)
class Told:
    """All faults of one kind in one file."""

    file: QrelsEvidence | RunEvidence
    faults: tuple[Fault, ...]

    @property
    def name(self) -> str:
        """The file's name."""
        return self.file.name

    @property
    def count(self) -> int:
        """How many places the faults stand for: the readers spell out the first, and count the rest."""
        return sum(fault.count for fault in self.faults)

    @property
    def places(self) -> Places:
        """The places that the readers spelled out."""
        every = [self._row(place) for fault in self.faults for place in _places(fault)]
        return Places(len(every), every.__getitem__)

    def _row(self, place: Place) -> Place:
        """Return the place of a line with the query and document of its row, where the line is one."""
        raw = self.file.raw
        if place.line is None or place.query_id is not None or not raw.has_lines:
            return place
        row = place.line - 1 if raw.line is None else int(np.searchsorted(raw.line, place.line))
        if row >= len(raw) or raw.line_of(row) != place.line:
            return place
        return Place(place.line, raw.query_of(row), raw.doc_of(row))

    def lines(self, one: str, many: str, what: str = "lines") -> str:
        """Return how many lines there are as the beginning of a sentence, with the verb that fits the number.

        What is not spelled out is said to be only counted.
        """
        counted = f"{number(self.count, what)} {one if self.count == 1 else many}"
        shown = len(self.places)
        return counted if not shown or shown >= self.count else f"{counted} (the first {shown:,} are listed)"


def every_file(e: Evidence) -> Iterator[QrelsEvidence | RunEvidence]:
    """Yield the judgments, the truth, the other judgments and the runs: all that was read."""
    yield e.qrels
    if e.truth is not None:
        yield e.truth
    yield from e.others
    yield from e.runs


def told(e: Evidence, *kinds: str) -> Iterator[Told]:
    """Yield, for each file in which a reader saw one of some kinds of fault, the faults of those kinds."""
    for file in every_file(e):
        faults = tuple(fault for fault in file.faults if fault.kind in kinds)
        if faults:
            yield Told(file, faults)


def _places(fault: Fault) -> list[Place]:
    """Return the places of a fault; none where it is about a whole file."""
    if fault.lines:
        return [Place(line=line) for line in fault.lines]
    if fault.query_ids:
        return [Place(query_id=query) for query in fault.query_ids]
    where = Place(fault.line, fault.query_id, fault.doc_id)
    return [] if where == Place() else [where]
