"""Why an implementation parts from us: choices are switched until our numbers are its numbers, on every query.

First the choices that its own dialect makes otherwise, the fewest that suffice: single ones, pairs, and so on. Where
they do not suffice, any choice at all: the one that brings the most queries into line, then the next one beside it, for
as long as one helps; they count if no query is left over, for on some queries any choice fits by chance. A value may
also lie inside the interval of all orders of tied documents, if the implementation has no order of its own for them.
The rest is unexplained, and counted.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator.crosscheck.formulas import FORMULAS, Formula
from denominator.crosscheck.numbers import Numbers, same
from denominator.crosscheck.result import Cause
from denominator.dialects import CHOICES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denominator.measures import Measure
    from denominator.model import F64, Bool

__all__ = ["UNSTABLE", "Explained", "explained"]

UNSTABLE = "unstable"
"""The choice of a tool whose order of tied documents changes from call to call."""
TOGETHER = 4
"""How many choices may be switched together, where the dialect of the tool does not say which."""
UNTESTED = frozenset({"trec_eval", "duplicates", "level"})
"""Choices that are not tried unless the tool's own dialect makes them: they explain nothing where it does not."""

Changes = dict[str, "str | float"]


class Explained(NamedTuple):
    """What explains the differences. Shapes: (q,)."""

    causes: tuple[Cause, ...]
    choices: Bool
    """The queries that differ, and do not with the causes' choices."""
    ties: Bool
    """The queries that lie inside the interval of all orders of tied documents."""


def explained(
    numbers: Numbers, measure: Measure, theirs: F64, ours: F64, none: Bool, tool: str, tolerance: float
) -> Explained:
    """Return what explains the differences between `theirs` and `ours`, NaN where a query is in no mean.

    `tool` is the name of the dialect that holds the tool's choices; queries without a number (`none`) say nothing.
    """
    apart = ~same(ours, theirs, tolerance) & ~none
    own = numbers.choices_of(tool, measure)
    unstable = own.get("ties") == UNSTABLE
    if unstable:
        del own["ties"]
    tied = _inside(numbers, measure, theirs, own) if unstable else np.zeros(len(theirs), dtype=np.bool_)
    test = _Test(numbers, measure, theirs, tolerance, tied | none)
    found = _fewest(test, own)
    if found is None and (tool, measure.name) in FORMULAS:
        changed = test._replace(formula=FORMULAS[tool, measure.name])
        found = _fewest(changed, own)
        test = test if found is None else changed
    if found is None:
        found = _any(test, own)
    right = test.right(found)
    choices = apart & right
    causes = [_cause(test, found, name, apart) for name in found]
    if test.formula is not None:
        needed = int((choices & ~test._replace(formula=None).right(found)).sum())
        causes.insert(0, Cause("formula", "trec_eval", "other", test.formula.words, needed))
    by_ties = apart & tied & ~right
    if by_ties.any():
        meaning = CHOICES["ties"].values[UNSTABLE]
        causes.append(Cause("ties", numbers.base.ties, UNSTABLE, meaning, int(by_ties.sum())))
    return Explained(tuple(causes), choices, by_ties)


class _Test(NamedTuple):
    """Asks of some changed choices on which queries they give the tool's number."""

    numbers: Numbers
    measure: Measure
    theirs: F64
    tolerance: float
    aside: Bool
    """The queries that need no explanation, or have another one: no number, or one that the order of ties explains."""
    formula: Formula | None = None

    def right(self, changes: Mapping[str, str | float]) -> Bool:
        """Return the queries on which the changed choices give the tool's number."""
        values = self.numbers.of(self.measure, changes)
        if values is not None and self.formula is not None:
            values = self.formula.values(self.numbers, self.measure, changes, values)
        if values is None:
            return np.zeros(len(self.theirs), dtype=np.bool_)
        return same(values, self.theirs, self.tolerance)

    def wrong(self, changes: Mapping[str, str | float]) -> int:
        """Return on how many queries they do not, those aside not counted."""
        return int((~self.right(changes) & ~self.aside).sum())


def _inside(numbers: Numbers, measure: Measure, theirs: F64, own: Changes) -> Bool:
    """Return the queries whose value lies inside the interval of all orders of tied documents, where it is one."""
    bounds = numbers.tied(measure, own)
    if bounds is None:
        return np.zeros(len(theirs), dtype=np.bool_)
    low, high = bounds
    room = 1e-9
    with np.errstate(invalid="ignore"):
        inside: Bool = (high - low > room) & (theirs >= low - room) & (theirs <= high + room)
    return inside


def _fewest(test: _Test, own: Changes) -> Changes | None:
    """Return the fewest of the tool's own choices that give its number on every query, or None."""
    for size in range(len(own) + 1):
        for names in combinations(own, size):
            changes = {name: own[name] for name in names}
            if not test.wrong(changes):
                return changes
    return None


def _any(test: _Test, own: Changes) -> Changes:
    """Return choices of any kind that give the tool's number on every query, the fewest; or else those of its own.

    A choice that is not known to be the tool's and gives its number on some queries only is a coincidence there.
    """
    for start in ({}, dict(own)) if own else ({},):
        changes, wrong = _climbed(test, start, own)
        if not wrong:
            return _without_idle(test, changes, wrong)
    return _without_idle(test, dict(own), test.wrong(own))


def _climbed(test: _Test, changes: Changes, own: Changes) -> tuple[Changes, int]:
    """Add the choice that helps most, for as long as one helps."""
    wrong = test.wrong(changes)
    while wrong and len(changes) < TOGETHER + len(own):
        tried = [(test.wrong({**changes, name: value}), name, value) for name, value in _others(test, changes)]
        least, name, value = min(tried, key=lambda one: one[0])
        if least >= wrong:
            break
        changes, wrong = {**changes, name: value}, least
    return changes, wrong


def _others(test: _Test, changes: Changes) -> Iterator[tuple[str, str]]:
    """Yield every value of every choice that is not made yet."""
    for name, choice in CHOICES.items():
        if name in changes or name in UNTESTED:
            continue
        for value in choice.values:
            if value not in (UNSTABLE, "error", "refuse") and value != getattr(test.numbers.base, name):
                yield name, value


def _without_idle(test: _Test, changes: Changes, wrong: int) -> Changes:
    """Return the choices without those that change nothing."""
    for name in tuple(changes):
        fewer = {key: value for key, value in changes.items() if key != name}
        if test.wrong(fewer) <= wrong:
            changes = fewer
    return changes


def _cause(test: _Test, found: Changes, name: str, apart: Bool) -> Cause:
    """Return one of the causes, with the number of queries on which the tool's number is lost without it."""
    fewer = {key: value for key, value in found.items() if key != name}
    needed = apart & test.right(found) & ~test.right(fewer)
    value = found[name]
    ours = getattr(test.numbers.base.for_measure(test.measure), name)
    return Cause(name, f"{ours}", f"{value}", CHOICES[name].values.get(f"{value}", ""), int(needed.sum()))
