"""The search for the choices behind reported numbers: named dialects, then single changes, then pairs of them.

A change that changes nothing on these files explains nothing; neither does a pair of which one alone would do.
"""

from __future__ import annotations

import itertools
import math
import statistics
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator.averages import average
from denominator.dialects import DEFAULT, DIALECTS, Dialect, apply, dialect
from denominator.engines import Settings
from denominator.errors import InputError, UndefinedError, UsageError
from denominator.explain.changes import FOR, RARE, Change, Reading, changes_for, changes_of, readings_of
from denominator.explain.explanation import Answer, Candidate, Explanation
from denominator.explain.possibility import possible
from denominator.explain.reported import CLOSE, ROUNDINGS
from denominator.explain.weighing import by_chance, is_far, likelihood, once_each
from denominator.ledger import ceilings
from denominator.measures import Measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from denominator.dialects import Applied
    from denominator.explain.possibility import Verdict
    from denominator.explain.reported import Reported
    from denominator.model import Qrels, Run

__all__ = ["MOST_ROWS", "explain"]

MOST_ROWS = 100_000
"""Above so many rows of a run, pairs of changes would take minutes and are not tried."""
SAME = 1e-12
FEW, ONE_OF_FEW, ONE_OF_MANY = 3, 5, 50
"""How common it is that one query's value is reported: it says something where few queries have this value."""


class Outcome(NamedTuple):
    """A mean, and how many queries are in it."""

    value: float
    n: int


class _Way(NamedTuple):
    """A way to a number before it is known what it leads to."""

    dialect: Dialect
    changes: tuple[Change, ...]
    reading: Reading | None

    def measure(self, said: Measure) -> Measure:
        return said if self.reading is None else self.reading.measure


def explain(reported: Sequence[Reported], qrels: Qrels, run: Run, *, pairs: bool | None = None) -> Explanation:
    """Say which choices make each reported number of a run; `qrels` and `run` may hold documents twice.

    `pairs` says whether pairs of changes are tried where single ones do not do; by default, up to `MOST_ROWS` rows.
    """
    if not reported:
        raise UsageError("no reported number: expected one or more")
    search = _Search(qrels, run, tuple(reported))
    two = len(run) <= MOST_ROWS if pairs is None else pairs
    answers = tuple(search.answer(one, two) for one in reported)
    doubled = len(run.repeated_rows) + len(qrels.repeated_rows)
    return Explanation(qrels.source, run.source, search.base, doubled, answers, _together(search, answers), two)


class _Search:
    """One run, its reported numbers, and every value that was worked out so far."""

    def __init__(self, qrels: Qrels, run: Run, reported: tuple[Reported, ...]) -> None:
        self.qrels, self.run, self.reported = qrels, run, reported
        doubled = bool(len(run.repeated_rows) or len(qrels.repeated_rows))
        plain = dialect(DEFAULT)
        self.base = plain.using(duplicates="first") if doubled else plain
        self._applied: dict[tuple[Dialect, Measure], Applied | None] = {}
        self._changes = {one.measure: changes_for(one.measure, qrels, run) for one in reported}
        self._readings = {one.measure: readings_of(one.measure) for one in reported}

    def answer(self, reported: Reported, two: bool) -> Answer:
        """Return what one reported number is."""
        measure = reported.measure
        base = self.outcome(_Way(self.base, (), None), measure)
        tried = list(self._tried(self._single_ways(measure), measure))
        spoken = list(self._tried(self._spoken_ways(measure), measure))
        whole = list(self._whole_dialects(reported, tried, spoken))
        found, own = [*self._hits(reported, tried, base), *whole], {}
        if all(is_far(one, None) for one in found):
            tried += self._tried(self._paired_ways(measure), measure) if two else ()
            own = self._own_values(measure)
            found = [
                *self._hits(reported, tried, base),
                *whole,
                *self._other_orders(reported),
                *_one_query(reported, self.base, own),
            ]
        numbers = {round(one.value, 12) for _, one in (*tried, *spoken)} | {round(one, 12) for one in own.values()}
        numbers = {one for one in numbers if math.isfinite(one)} - (set() if base is None else {round(base.value, 12)})
        covered, expected = by_chance(reported, numbers)
        judged = [replace(one, far=is_far(one, expected)) for one in found]
        ordered = once_each(sorted(judged, key=partial(likelihood, reported)))
        ceiling, verdict = self._what_could_be(reported)
        value, n = (None, 0) if base is None else base
        return Answer(
            reported,
            value,
            n,
            ceiling,
            verdict,
            ordered,
            None if found else self._nearest(reported, tried),
            len(tried) + len(spoken) + len(own),
            len(numbers),
            covered,
            expected,
        )

    def outcome(self, way: _Way, said: Measure) -> Outcome | None:
        """Return what a way leads to; None where it has no value."""
        measure = way.measure(said)
        applied = self._apply(way.dialect, measure)
        if applied is None:
            return None
        if way.reading is not None and way.reading.statistic != "mean":
            values = applied.values[measure]
            values = np.sort(values[~np.isnan(values)])
            values = values[values > 0] if way.reading.statistic == "found" else values
            if not len(values):
                return None
            middle = way.reading.statistic == "median"
            value = statistics.median(values.tolist()) if middle else average(values, "mean")
            return None if value is None else Outcome(value, len(values))
        mean = applied.mean(measure)
        return None if mean is None or math.isnan(mean) else Outcome(mean, applied.n(measure))

    def _apply(self, spoken: Dialect, measure: Measure) -> Applied | None:
        """Return what a dialect says of a measure; None where it says nothing. Worked out for several at once."""
        if (spoken, measure) not in self._applied:
            said = [one.measure for one in self.reported]
            wanted = dict.fromkeys([measure, *said])
            if spoken == self.base or (measure not in said and spoken.changed):
                wanted |= dict.fromkeys(one.measure for some in self._readings.values() for one in some)
            missing = [one for one in wanted if (spoken, one) not in self._applied]
            for one, applied in self._applied_each(spoken, missing):
                self._applied[spoken, one] = applied
        return self._applied[spoken, measure]

    def _applied_each(self, spoken: Dialect, measures: Sequence[Measure]) -> Iterator[tuple[Measure, Applied | None]]:
        """Yield each measure with what a dialect says of it."""
        known = [one for one in measures if spoken.measures is None or one.name in spoken.measures]
        yield from ((one, None) for one in measures if one not in known)
        try:
            applied = apply(self.qrels, self.run, known, spoken) if known else None
            yield from ((one, applied) for one in known)
        except (UsageError, InputError, UndefinedError):
            if len(known) == 1:
                yield known[0], None
                return
            for one in known:
                yield from self._applied_each(spoken, [one])

    def _single_ways(self, measure: Measure) -> Iterator[_Way]:
        """Yield the measure as it is, every change of it, and every reading of its name."""
        yield _Way(self.base, (), None)
        for change in self._changes[measure]:
            yield _Way(self.base.using(**{change.choice: change.value}), (change,), None)
        for reading in self._readings[measure]:
            yield _Way(self.base, (), reading)

    def _spoken_ways(self, measure: Measure) -> Iterator[_Way]:
        """Yield the named dialects, the most widespread first, and each with one formula of its own made the usual one.

        That is what an option of a tool does: rankkit with linear gain.
        """
        formulas = [name for name, measures in FOR.items() if measure.name in measures]
        for spoken in sorted(DIALECTS.values(), key=lambda one: one.common):
            yield _Way(spoken, (), None)
            for change in changes_of(spoken, measure, self.base):
                if change.choice in formulas:
                    yield _Way(spoken.using(**{change.choice: getattr(self.base, change.choice)}), (), None)

    def _paired_ways(self, measure: Measure) -> Iterator[_Way]:
        """Yield every two changes, and every change with every reading."""
        changes = self._changes[measure]
        for one, other in itertools.combinations(changes, 2):
            if one.choice != other.choice:
                both = self.base.using(**{one.choice: one.value, other.choice: other.value})
                yield _Way(both, (one, other), None)
        for change, reading in itertools.product(changes, self._readings[measure]):
            yield _Way(self.base.using(**{change.choice: change.value}), (change,), reading)

    def _tried(self, ways: Iterable[_Way], measure: Measure) -> Iterator[tuple[_Way, Outcome]]:
        """Yield the ways that lead to a number, with it."""
        for way in ways:
            found = self.outcome(way, measure)
            if found is not None:
                yield way, found

    def _hits(
        self, reported: Reported, tried: Sequence[tuple[_Way, Outcome]], base: Outcome | None
    ) -> Iterator[Candidate]:
        """Yield what is printed as reported; a change that leaves the number as it was is none."""
        for way, found in tried:
            unchanged = base is not None and abs(found.value - base.value) < SAME and found.n == base.n
            if (unchanged and (way.changes or way.reading)) or not _prints(reported, found.value):
                continue
            yield self._candidate(reported, way, found)

    def _candidate(self, reported: Reported, way: _Way, found: Outcome) -> Candidate:
        """Return a way with all that is known of it."""
        named = way.reading is None or (way.reading.kind == "cutoff" and bool(way.changes))
        printed = replace(reported, measure=way.measure(reported.measure))
        tools = tuple(self._tools(printed, way.changes)) if named else ()
        known = (self._known_as(printed, change) for change in way.changes)
        widespread = min((DIALECTS[name].common for name in tools), default=RARE)
        parts = [change.common for change in way.changes]
        parts += [way.reading.common] if way.reading is not None else []
        return Candidate(
            way.dialect,
            way.measure(reported.measure),
            found.value,
            found.n,
            reported.roundings(Fraction(found.value), CLOSE),
            way.changes,
            way.reading,
            tools=(*itertools.chain.from_iterable(known), *tools),
            common=min(max(parts, default=0), widespread) if len(way.changes) == 2 else max(parts, default=0),
            also=self._also(reported, way.dialect),
        )

    def _known_as(self, reported: Reported, change: Change) -> Iterator[str]:
        """Yield what a tool calls a change that it has under another measure's name, and whether it prints it here."""
        if change.known_as is None:
            return
        name, spoken, measure = change.known_as
        if reported.measure.cutoff is None:
            return
        found = self.outcome(_Way(DIALECTS[spoken], (), None), Measure(measure, reported.measure.cutoff))
        if found is not None:
            yield name if _prints(reported, found.value) else f"the formula of {name}"
        else:
            yield f"the formula of {name}, which stops at a query without a relevant document"

    def _tools(self, reported: Reported, changes: Sequence[Change]) -> Iterator[str]:
        """Yield the named dialects that print the same number because they make the same changes.

        That is, those that divide and gain in no other way; and those that would print another number without.
        """
        made = {change.choice: change.value for change in changes}
        plain = {name: getattr(self.base, name) for name in made}
        formulas = [name for name, measures in FOR.items() if reported.measure.name in measures]
        for spoken in self._speaking(reported):
            choices = spoken.for_measure(reported.measure)
            if any(getattr(choices, name) != value for name, value in made.items()):
                continue
            alike = all(getattr(choices, name) == made.get(name, getattr(self.base, name)) for name in formulas)
            if alike or not self.says(reported, spoken.using(**plain)):
                yield spoken.name

    def _speaking(self, reported: Reported) -> Iterator[Dialect]:
        """Yield the named dialects that print the number as reported, the most widespread first."""
        for spoken in sorted(DIALECTS.values(), key=lambda one: one.common):
            found = self.outcome(_Way(spoken, (), None), reported.measure)
            if found is not None and _prints(reported, found.value):
                yield spoken

    def _whole_dialects(
        self, reported: Reported, singles: Sequence[tuple[_Way, Outcome]], ways: Sequence[tuple[_Way, Outcome]]
    ) -> Iterator[Candidate]:
        """Yield the named dialects that print the number where no change of theirs alone does.

        So do those with one formula made the usual one, where the number still needs two choices of theirs.
        """
        values = {
            (way.changes[0].choice, way.changes[0].value)
            for way, found in singles
            if way.changes and way.reading is None and _prints(reported, found.value)
        }
        base = self.outcome(_Way(self.base, (), None), reported.measure)
        if base is not None and _prints(reported, base.value):
            return
        for way, found in ways:
            spoken = way.dialect
            choices = spoken.for_measure(reported.measure)
            if not _prints(reported, found.value) or any(getattr(choices, name) == value for name, value in values):
                continue
            needed = self._needed(reported, spoken)
            if spoken.changed and len(needed) < 2:
                continue
            yield Candidate(
                spoken,
                reported.measure,
                found.value,
                found.n,
                reported.roundings(Fraction(found.value), CLOSE),
                needed,
                tools=() if spoken.changed else (spoken.name,),
                common=spoken.common,
                also=self._also(reported, spoken),
                whole=True,
            )

    def _needed(self, reported: Reported, spoken: Dialect) -> tuple[Change, ...]:
        """Return the choices of a dialect without which it would print another number."""
        needed = []
        for change in changes_of(spoken, reported.measure, self.base):
            without = spoken.using(**{change.choice: getattr(self.base, change.choice)})
            if self.says(reported, without):
                spoken = without
            else:
                needed.append(change)
        return tuple(needed)

    def _other_orders(self, reported: Reported) -> Iterator[Candidate]:
        """Yield the number as one that some order of ties may give, where it lies between the extremes."""
        from denominator.bounds import ties

        measure, half = reported.measure, reported.unit / 2
        if self.base.duplicates != "refuse" or measure.spec.aggregate != "mean":
            return
        bounds = ties(self.qrels, self.run, [measure])[measure]
        if bounds is None or not (bounds.low < bounds.high).any():
            return
        ends = [average(end[np.argsort(self.qrels.queries)], "mean") or 0.0 for end in (bounds.low, bounds.high)]
        if ends[1] >= reported.value - half and ends[0] <= reported.value + half:
            named = [one for one in DIALECTS.values() if one.for_measure(measure).ties == "unstable"]
            tools = tuple(one.name for one in named if one.measures is None or measure.name in one.measures)
            value, n = float(reported.value), len(self.qrels.queries)
            between, common = (ends[0], ends[1]), min([one.common for one in named], default=RARE)
            yield Candidate(self.base, measure, value, n, tuple(ROUNDINGS), between=between, tools=tools, common=common)

    def _own_values(self, measure: Measure) -> dict[str, float]:
        """Return query → its own value; nothing where the mean is of one query, or is none."""
        applied = self._apply(self.base, measure)
        if applied is None or measure.spec.aggregate != "mean" or len(applied.queries) < 2:
            return {}
        values = zip(applied.queries, applied.values[measure].tolist(), strict=True)
        return {query: value for query, value in values if value == value}

    def _also(self, reported: Reported, spoken: Dialect) -> int:
        """Return how many of the other reported numbers a dialect prints as reported."""
        return sum(self.says(one, spoken) for one in self.reported if one is not reported)

    def says(self, reported: Reported, spoken: Dialect) -> bool:
        """Return whether a dialect prints a number as reported."""
        found = self.outcome(_Way(spoken, (), None), reported.measure)
        return found is not None and _prints(reported, found.value)

    def _nearest(self, reported: Reported, tried: Sequence[tuple[_Way, Outcome]]) -> Candidate | None:
        """Return the nearest of all that was tried; of several, the one of the fewest changes."""
        if not tried:
            return None
        value = float(reported.value)
        near = min(tried, key=lambda one: (round(abs(one[1].value - value), 12), _steps(one[0])))
        return self._candidate(reported, *near)

    def _what_could_be(self, reported: Reported) -> tuple[float | None, Verdict | None]:
        """Return the ceiling over these judgments, and whether any ranking could have the mean."""
        measure = reported.measure
        applied = self._apply(self.base, measure)
        if applied is None:
            return None, None
        hits = applied.hits[measure]
        highest = ceilings(hits, measure, Settings(self.base.level))
        ceiling = None if highest is None else average(highest, measure.spec.aggregate)
        verdict = possible(reported, nrel=hits.relevant(measure.level(self.base.level)).tolist())
        return ceiling, verdict


def _prints(reported: Reported, value: float) -> bool:
    """Return whether a value is printed as reported, in some rounding."""
    return math.isfinite(value) and bool(reported.roundings(Fraction(value), CLOSE))


def _one_query(reported: Reported, base: Dialect, own: Mapping[str, float]) -> Iterator[Candidate]:
    """Yield the number as the own value of one query, or of a few."""
    names = tuple(query for query, value in own.items() if _prints(reported, value))
    if names:
        value = own[names[0]]
        roundings = reported.roundings(Fraction(value), CLOSE)
        common = ONE_OF_FEW if len(names) <= FEW else ONE_OF_MANY
        yield Candidate(base, reported.measure, value, 1, roundings, queries=names, common=common)


def _steps(way: _Way) -> int:
    return len(way.changes) + (way.reading is not None)


def _together(search: _Search, answers: Sequence[Answer]) -> Dialect | None:
    """Return one dialect that reproduces every reported number: a named one, or the changes of the first candidates."""
    if len(answers) < 2 or not all(answer.likely for answer in answers):
        return None
    changes: dict[str, Any] = {}
    firsts = [answer.candidates[0] for answer in answers]
    for change in (change for one in firsts for change in one.changes):
        changes.setdefault(change.choice, change.value)
    named = sorted(DIALECTS.values(), key=lambda one: one.common)
    for spoken in (search.base, *named, search.base.using(**changes)):
        if all(search.says(one, spoken) for one in search.reported):
            return spoken
    return None
