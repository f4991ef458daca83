"""How much an explanation is worth: what would fit by chance, what is far-fetched, and which stands first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from denominator.explain.explanation import Candidate
    from denominator.explain.reported import Reported

__all__ = ["by_chance", "is_far", "likelihood", "once_each"]

RARELY = 0.1
"""So few fits by chance leave two changes at once likely."""


def by_chance(reported: Reported, numbers: Collection[float]) -> tuple[tuple[float, float] | None, float | None]:
    """Return the range that numbers cover, and how many would be printed as reported if they lay evenly in it."""
    if len(numbers) < 2:
        return None, None
    low, high = min(numbers), max(numbers)
    width = float(reported.span.high - reported.span.low)
    return (low, high), len(numbers) * min(1.0, width / (high - low))


def is_far(one: Candidate, expected: float | None) -> bool:
    """Return whether an explanation is far-fetched; two changes at once are, unless few fit by chance."""
    if not one.is_changed or one.between is not None:
        return False
    if one.queries or set(one.roundings) == {"truncation"} or (one.reading is not None and one.reading.kind == "name"):
        return True
    if one.steps < 2 or (one.whole and not one.dialect.changed):
        return False
    return expected is None or expected > RARELY


def once_each(ordered: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return explanations in their order, with one cutoff for each cause: the likeliest."""
    found: dict[Any, Candidate] = {}
    for number, one in enumerate(ordered):
        cut = one.reading is not None and one.reading.kind == "cutoff"
        found.setdefault(one.changes if cut else number, one)
    return tuple(found.values())


def likelihood(reported: Reported, one: Candidate) -> tuple[Any, ...]:
    """Return what puts the likeliest explanation first; that a number lies in a range says less than the number."""
    rounded = bool({"half-even", "half-up"} & set(one.roundings))
    return (
        one.far,
        one.between is not None,
        -one.also,
        not rounded,
        one.steps,
        not one.tools,
        one.common,
        abs(one.value - float(reported.value)),
        one.words,
    )
