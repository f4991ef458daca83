"""What was found of reported numbers in judgments and a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from denominator.quoting import listed

if TYPE_CHECKING:
    from denominator.dialects import Dialect
    from denominator.explain.changes import Change, Reading
    from denominator.explain.possibility import Verdict
    from denominator.explain.reported import Reported
    from denominator.measures import Measure
    from denominator.model import Source

__all__ = ["Answer", "Candidate", "Explanation"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to the number: a dialect, and what the measure's name is taken for."""

    dialect: Dialect
    measure: Measure
    """The measure that was computed."""
    value: float
    n: int
    """How many queries are in it."""
    roundings: tuple[str, ...]
    """The roundings that print the value as reported; none for a number that is only near."""
    changes: tuple[Change, ...] = ()
    """The choices that differ from the default dialect; of a named dialect as a whole, those that the number needs."""
    reading: Reading | None = None
    between: tuple[float, float] | None = None
    """The lowest and highest mean over all orders of ties, where all that is known is that the number lies between."""
    queries: tuple[str, ...] = ()
    """The queries whose own value it is, where it is no mean."""
    tools: tuple[str, ...] = ()
    """The dialects with a name that make the same changes and print the same number, the most widespread first."""
    common: int = 99
    also: int = 0
    """How many of the other reported numbers the same choices reproduce."""
    whole: bool = False
    """Whether it is a named dialect of which no one or two choices alone explain the number."""
    far: bool = False
    """Whether it is far-fetched: see `Answer.far_fetched`."""

    @property
    def is_changed(self) -> bool:
        """Whether it is anything but the measure as it is."""
        return bool(self.changes or self.reading or self.whole or self.queries or self.between)

    @property
    def steps(self) -> int:
        """How many changes it takes; duplicates have to be dealt with somehow, so how is none."""
        if self.whole:
            return max(2, len(self.changes))
        if self.queries or self.between:
            return 2
        return sum(change.choice != "duplicates" for change in self.changes) + (self.reading is not None)

    @property
    def words(self) -> str:
        """What the number is."""
        if self.whole:
            named = ", ".join(change.words for change in self.changes)
            tool, *otherwise = self.dialect.name.split(", ")
            options = f" with {' and '.join(otherwise)}" if otherwise else ""
            return f"{self.measure} as {tool}{options} has it" + (f": with {named}" if named else "")
        if self.between:
            low, high = self.between
            return f"{self.measure} in another order of its ties, which can make it {low:.4f} to {high:.4f}"
        if self.queries:
            return f"{self.measure} of one query, not the mean: {listed(self.queries)}"
        if self.reading is not None:
            behind = " and ".join(change.words for change in self.changes)
            return self.reading.words + (f", with {behind}" if behind else "")
        if not self.changes:
            return f"{self.measure} as it is"
        if len(self.changes) == 1:
            return self.changes[0].of(self.measure)
        return f"{self.measure} with {' and '.join(change.words for change in self.changes)}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one reported number is."""

    reported: Reported
    value: float | None
    """What the measure is on these files, with the default dialect."""
    n: int
    ceiling: float | None
    """The highest mean that any ranking could have."""
    verdict: Verdict | None
    """Whether any ranking of these queries could have this mean."""
    candidates: tuple[Candidate, ...]
    """Everything that is printed as reported, the likeliest first."""
    nearest: Candidate | None
    """Where there is none: the nearest of all that was tried."""
    tried: int
    """How many ways were tried: dialects, changes, readings, and queries where the own value of each was looked at."""
    numbers: int = 0
    """How many different numbers these lead to, but for what the measure is."""
    covered: tuple[float, float] | None = None
    """The lowest and the highest of these numbers; None where there are not two."""
    by_chance: float | None = None
    """How many of these numbers would be printed as reported if they lay evenly between the lowest and the highest: the
    width of all that some rounding prints so, over the width covered, times `numbers`."""

    @property
    def likely(self) -> tuple[Candidate, ...]:
        """The dialects, single changes and orders of ties that print the number."""
        return tuple(one for one in self.candidates if not one.far)

    @property
    def far_fetched(self) -> tuple[Candidate, ...]:
        """The rest: one query's value, another measure, digits cut off and not rounded, two changes at once.

        Of these there are so many that some fit any number; two changes are likely where `by_chance` is small.
        """
        return tuple(one for one in self.candidates if one.far)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What reported numbers are, on one run."""

    qrels: Source
    run: Source
    base: Dialect
    """What is compared with: the default dialect, with a choice for duplicates where a file has some."""
    duplicates: int
    """Rows whose document stands there more than once."""
    answers: tuple[Answer, ...]
    together: Dialect | None = None
    """One dialect that reproduces every number, where there are several numbers and one was found."""
    pairs: bool = True
    """Whether pairs of changes were tried where single ones did not do."""
