"""The same measures read two ways: what a finding changes, for the run where it changes most.

A sentence states a difference only where its digits show one: `instead` leaves out what prints the same and gives more
digits where nothing else differs, `apart` says two numbers with the digits at which they part, `below_one` a ceiling,
and `seen` asks beforehand, for checks that are silent where there is nothing to see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denominator.audit.evidence import scored
from denominator.engines import Settings
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.hits import Hits
    from denominator.model import F64, Bool

__all__ = [
    "Compared",
    "apart",
    "below_one",
    "compared",
    "either_way",
    "instead",
    "means_of",
    "most_changed",
    "seen",
    "values_of",
]

NOISE = 1e-12
"""Means that differ by less are equal: the sums behind them were added in another order."""


@dataclass(frozen=True, eq=False)
class Compared:
    """The means of some measures for one run, as they are and as they would be."""

    run: RunEvidence
    ours: Mapping[str, float]
    other: Mapping[str, float]

    @property
    def change(self) -> float:
        """The largest difference."""
        return max((abs(self.ours[name] - self.other[name]) for name in self.ours), default=0.0)

    @property
    def changed(self) -> list[str]:
        """The measures that differ."""
        return [name for name in self.ours if abs(self.ours[name] - self.other[name]) > NOISE]

    @property
    def visible(self) -> bool:
        """Whether a measure differs in the four digits that are printed."""
        return any(f"{self.ours[name]:.4f}" != f"{self.other[name]:.4f}" for name in self.ours)

    def numbers(self, what: str, first: str = "") -> dict[str, float | int | None]:
        """Return both values of each measure: ``{"AP": 0.5, "AP last": 0.25}``; `first` names our own."""
        out: dict[str, float | int | None] = {}
        for name, value in self.ours.items():
            out[f"{name} {first}".strip()] = value
            out[f"{name} {what}"] = self.other[name]
        return out

    def words(self, *, named: bool) -> str:
        """Return ``AP 0.250 instead of 0.500``, only what differs, with the name of the run where it is `named`.

        Where nothing differs: ``AP 0.500, RR 1.000 either way``.
        """
        return f"{instead(self.ours, self.other) or either_way(self.ours)}{self.whose(named=named)}"

    def whose(self, *, named: bool) -> str:
        """Return the name of the run as the end of a sentence, where it is `named`."""
        return f" for {short(self.run.name)}" if named else ""


def seen(first: float, second: float) -> bool:
    """Return whether two numbers differ in the three digits that are printed."""
    return f"{first:.3f}" != f"{second:.3f}"


def apart(first: float, second: float) -> tuple[str, str]:
    """Return two numbers with three digits, or with as many more as tell them apart where they differ."""
    texts = f"{first:.3f}", f"{second:.3f}"
    for digits in range(3, 14):
        if abs(first - second) <= NOISE or texts[0] != texts[1]:
            break
        texts = f"{first:.{digits}f}", f"{second:.{digits}f}"
    return texts


def below_one(value: float) -> str:
    """Return a number with three digits, or with as many more as tell it from 1."""
    return apart(value, 1.0)[0]


def instead(ours: Mapping[str, float], other: Mapping[str, float], between: str = " instead of ") -> str:
    """Return ``AP 0.250 instead of 0.500``: the measures that print otherwise; with more digits where none does.

    The text is empty where nothing differs.
    """
    names = [name for name, value in ours.items() if abs(value - other[name]) > NOISE]
    names = [name for name in names if seen(ours[name], other[name])] or names
    return ", ".join(f"{name} {between.join(apart(other[name], ours[name]))}" for name in names)


def either_way(ours: Mapping[str, float]) -> str:
    """Return ``AP 0.500, RR 1.000 either way``, for measures that do not change."""
    return ", ".join(f"{name} {value:.3f}" for name, value in ours.items()) + " either way"


def means_of(run: RunEvidence, hits: Hits, measures: Sequence[str], among: Bool | None = None) -> dict[str, float]:
    """Return the means of some measures over other hits with the same queries."""
    return {name: run.mean_of(column, among) for name, column in values_of(run, hits, measures).items()}


def values_of(run: RunEvidence, hits: Hits, measures: Sequence[str]) -> dict[str, F64]:
    """Return per-query values of some measures over other hits with the same queries. (q,) each."""
    return scored(hits, measures, Settings(level=run.level))


def compared(run: RunEvidence, measures: Sequence[str], hits: Hits) -> Compared:
    """Return the means of some measures for a run as it is and with other hits."""
    return Compared(run, run.means(measures), means_of(run, hits, measures))


def most_changed(e: Evidence, read: Callable[[RunEvidence], Compared]) -> Compared | None:
    """Return the run whose numbers change most, the first among equals; None without a run."""
    every = [read(run) for run in e.runs]
    return max(every, key=lambda one: one.change, default=None)
