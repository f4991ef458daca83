"""Our numbers under one dialect after the other, each computed once: what the causes are tested with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.bounds import BOUNDED
from denominator.crosscheck.orders import orders
from denominator.dialects import CHOICES, dialect
from denominator.engines import Settings
from denominator.errors import DenominatorError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denominator.bounds import Bounds
    from denominator.dialects import Dialect
    from denominator.measures import Measure
    from denominator.model import F64, Bool, Qrels, Run

__all__ = ["Numbers", "same"]

RISING = (*BOUNDED, "Rprec", "Bpref")
"""Measures that never fall when a document of a higher grade changes places with the one above it."""
NOT_THERE = frozenset({"gain", "ap", "recall", "precision", "ideal", "unjudged", "order"})
"""Choices under which the closed forms of the bounds do not hold."""


class Numbers:
    """What our dialects say of one pair of files; every dialect is computed once, for all measures."""

    def __init__(self, qrels: Qrels, run: Run, measures: Sequence[Measure], base: Dialect) -> None:
        """Take the rows as they stand, duplicates included."""
        self.qrels, self.run, self.measures, self.base = qrels, run, tuple(measures), base
        self._known: dict[tuple[object, Measure], F64 | None] = {}
        self._ties: Mapping[Measure, Bounds | None] | None = None

    def of(self, measure: Measure, choices: Mapping[str, str | float]) -> F64 | None:
        """Return the values with some choices changed, NaN where a query is not in the mean; None where there are none.

        Shape (q,), aligned with ``qrels.queries``.
        """
        key = (tuple(sorted(choices.items())), measure)
        if key not in self._known:
            changed = self.base.using(**choices)
            wanted = self.measures if measure in self.measures else [measure]
            found = self._applied(changed, wanted)
            if found is None and len(wanted) > 1:  # one measure that cannot be must not lose the others
                found = self._applied(changed, [measure]) or {}
            for one in wanted:
                self._known[key[0], one] = None if found is None else found.get(one)
        return self._known[key]

    def _applied(
        self, changed: Dialect, wanted: Sequence[Measure], run: Run | None = None
    ) -> Mapping[Measure, F64] | None:
        """Return the values of some measures in a dialect, or None where it refuses the files or has no such rule."""
        from denominator.dialects import apply

        try:
            return apply(self.qrels, self.run if run is None else run, wanted, changed).values
        except DenominatorError:
            return None

    def tied(self, measure: Measure, choices: Mapping[str, str | float]) -> tuple[F64, F64] | None:
        """Return the lowest and highest values over all orders of tied documents; None where they are not known.

        `choices` are changed as in :meth:`of`. Shapes (q,).
        """
        closed = self._closed_form(measure, choices)
        if closed is not None:
            return closed.low, closed.high
        if measure.name not in RISING:
            return None
        changed = self.base.using(**{name: value for name, value in choices.items() if name not in ("ties", "order")})
        worst, best = orders(self.qrels, self.run, changed.for_measure(measure))
        low, high = (self._applied(changed, [measure], one) for one in (worst, best))
        return None if low is None or high is None else (low[measure], high[measure])

    def _closed_form(self, measure: Measure, choices: Mapping[str, str | float]) -> Bounds | None:
        """Return the bounds of a measure where its closed form is that of the choices."""
        graded = measure.name == "RBP" and "rbp" in choices
        if graded or set(choices) & NOT_THERE or len(self.run.repeated_rows) or len(self.qrels.repeated_rows):
            return None
        if self._ties is None:
            self._ties = self._bounds()
        return self._ties.get(measure)

    def _bounds(self) -> Mapping[Measure, Bounds | None]:
        """Return the bounds of all measures; none where the rows are no run."""
        from denominator.bounds import ties

        bounded = [measure for measure in self.measures if measure.name in BOUNDED]
        try:
            return ties(self.qrels, self.run, bounded, Settings(self.base.level)) if bounded else {}
        except DenominatorError:
            return {}

    def choices_of(self, name: str, measure: Measure) -> dict[str, str | float]:
        """Return what a named dialect chooses otherwise than ours for a measure."""
        ours, theirs = self.base.for_measure(measure), dialect(name).for_measure(measure)
        return {
            choice: getattr(theirs, choice) for choice in CHOICES if getattr(theirs, choice) != getattr(ours, choice)
        }


def same(ours: F64, theirs: F64, tolerance: float) -> Bool:
    """Return where two columns agree: both without a value, or both with one within the tolerance."""
    neither = np.isnan(ours) & np.isnan(theirs)
    with np.errstate(invalid="ignore"):
        near = np.abs(ours - theirs) <= tolerance * np.maximum(1.0, np.abs(ours))
    equal: Bool = neither | near | (ours == theirs)
    return equal
