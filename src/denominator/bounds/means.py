"""The bounds of a mean: the same mean of the lowest, expected and highest values of its queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator.averages import average

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denominator.bounds import Bounds, Found
    from denominator.measures import Measure
    from denominator.model import F64, Bool

__all__ = ["Interval", "bounds_of_each", "bounds_text", "every_average", "floor_of", "interval_of", "macro_interval"]


class Interval(NamedTuple):
    """The same mean of the lowest, expected and highest values; all None for a measure that is not bounded."""

    low: float | None = None
    expected: float | None = None
    """None for labels too, which have no likelihood."""
    high: float | None = None

    def __str__(self) -> str:
        """Return ``0.281–0.332``."""
        return "not bounded" if self.low is None or self.high is None else f"{self.low:.3f}–{self.high:.3f}"


def bounds_text(ties: Interval | None, unjudged: Interval | None, floor: float | None) -> str:
    """Return `` [ties 0.281–0.332] [unjudged 0.214–0.688] floor 0.030``, only the parts that there are."""
    text = "" if ties is None else f" [ties {ties}]"
    text += "" if unjudged is None else f" [unjudged {unjudged}]"
    return text if floor is None else f"{text} floor {floor:.3f}"


def interval_of(found: Mapping[Measure, Bounds | None] | None, measure: Measure, kept: Bool) -> Interval | None:
    """Return the means of the bounds over some queries; None if they were not asked for."""
    if found is None:
        return None
    bounds = found[measure]
    if bounds is None:
        return Interval()
    return Interval(*(None if part is None else average(part[kept], measure.spec.aggregate) for part in bounds))


def floor_of(found: Mapping[Measure, F64 | None] | None, measure: Measure, kept: Bool) -> float | None:
    """Return the mean floor over some queries; None if it was not asked for or is not known."""
    values = None if found is None else found[measure]
    return None if values is None else average(values[kept], measure.spec.aggregate)


def bounds_of_each(
    found: Found, measure: Measure, queries: int
) -> Iterator[tuple[Interval | None, Interval | None, float | None]]:
    """Yield the bounds of each query, in their order: ties, unjudged, floor; None as in a mean."""
    nothing: list[None] = [None] * queries
    floor = None if found.floor is None else found.floor[measure]
    return zip(
        *(_each(None if some is None else (some[measure],), nothing) for some in (found.ties, found.unjudged)),
        nothing if floor is None else floor.tolist(),
        strict=True,
    )


def _each(bounds: tuple[Bounds | None] | None, nothing: list[None]) -> list[Interval] | list[None]:
    """Return the interval of each query; None where it was not asked for, an empty one where it is not bounded."""
    if bounds is None:
        return nothing
    (known,) = bounds
    if known is None:
        return [Interval()] * len(nothing)
    columns = (nothing if part is None else part.tolist() for part in known)
    return list(map(Interval, *columns))


def macro_interval(parts: Sequence[Interval | None]) -> Interval | None:
    """Return the mean of group means' bounds; None if they were not asked for."""
    given = [part for part in parts if part is not None]
    return Interval(*map(every_average, zip(*given, strict=True))) if given else None


def every_average(values: Sequence[float | None]) -> float | None:
    """Return the mean of values; None where one is missing."""
    known = [value for value in values if value is not None]
    return average(np.array(known), "mean") if known and len(known) == len(values) else None
