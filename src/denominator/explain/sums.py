"""Which sums can be made of one value for each query, exactly: whole numbers on a grid, never floats.

A measure that counts can take few values for one query (R@5 with 8 relevant documents: 0/8, 1/8 … 5/8), so its mean
over queries can take only some values, and a printed mean between two of them is a proof that something else was
computed. Sums are worked out on the grid of their common denominator.
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

__all__ = ["MOST_STATES", "Counted", "Reach", "counted_sums", "reciprocal_sums"]

MOST_STATES = 10**7
"""How many sums are held at most; beyond that nothing is claimed."""
MOST_DENOMINATORS = 2_000
"""How many different denominators there may be: their common multiple grows by a digit or so with each."""
WIDE = 3
"""How far apart the ends of a range are within which some sum of reciprocal ranks is sure to lie."""
UNMADE = 200
"""More queries than any sum needs that ranks 2 to 15 make: fewer than j at each rank j, 105 at most."""
MOST_IN_SET = 10**5
"""Up to how many sums are held one by one; more are bits of one long number."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A query whose value is a count over a denominator: 0/denominator, 1/denominator … top/denominator."""

    top: int
    denominator: int


class Reach:
    """The sums that can be reached. `whole` says whether these are all: where not, a miss proves nothing."""

    def __init__(self, unit: Fraction, sums: Sequence[int] | int, whole: bool = True) -> None:
        """Hold sums in multiples of `unit`: a sorted list, or a number with a bit set for each sum."""
        self.unit, self.whole = unit, whole
        self._sums = sums

    def between(self, low: Fraction, high: Fraction) -> list[Fraction]:
        """Return the sums from `low` to `high`, both ends included, in ascending order; at most 1,000 of them."""
        first, last = math.ceil(low / self.unit), math.floor(high / self.unit)
        if last < max(first, 0):
            return []
        return [sum_ * self.unit for sum_ in itertools.islice(self._listed(max(first, 0), last), 1000)]

    def below(self, low: Fraction) -> Fraction | None:
        """Return the largest sum below `low`, or None."""
        end = math.ceil(low / self.unit)
        if end <= 0:
            return None
        if isinstance(self._sums, int):
            at = (self._sums & ((1 << end) - 1)).bit_length() - 1
            return None if at < 0 else at * self.unit
        place = bisect.bisect_left(self._sums, end)
        return self._sums[place - 1] * self.unit if place else None

    def above(self, high: Fraction) -> Fraction | None:
        """Return the smallest sum above `high`, or None."""
        first = max(math.floor(high / self.unit) + 1, 0)
        if isinstance(self._sums, int):
            rest = self._sums >> first
            return (first + _lowest_bit(rest)) * self.unit if rest else None
        place = bisect.bisect_left(self._sums, first)
        return self._sums[place] * self.unit if place < len(self._sums) else None

    def _listed(self, first: int, last: int) -> Iterable[int]:
        """Yield the sums from first to last in units."""
        if isinstance(self._sums, int):
            part = (self._sums >> first) & ((1 << (last - first + 1)) - 1)
            while part:
                at = _lowest_bit(part)
                yield first + at
                part ^= 1 << at
        else:
            low, high = bisect.bisect_left(self._sums, first), bisect.bisect_right(self._sums, last)
            yield from self._sums[low:high]


def counted_sums(queries: Sequence[Counted], low: Fraction, high: Fraction) -> Reach | None:
    """Return the sums of one count for each query; None where there are too many to hold.

    Where they are too many, one sum between `low` and `high` is looked for, and alone returned if there is one.

    >>> reach = counted_sums([Counted(1, 3), Counted(1, 2)], Fraction(0), Fraction(2))
    >>> [str(one) for one in reach.between(Fraction(0), Fraction(2))]
    ['0', '1/3', '1/2', '5/6']
    """
    tops: Counter[int] = Counter()
    for query in queries:
        tops[query.denominator] += query.top
    if len(tops) > MOST_DENOMINATORS:
        return None
    grid = math.lcm(*tops) if tops else 1
    unit = Fraction(1, grid)
    steps = sorted(((grid // denominator, top) for denominator, top in tops.items()), reverse=True)
    largest = sum(step * top for step, top in steps)
    if math.prod(top + 1 for _, top in steps) <= MOST_IN_SET:
        held = {0}
        for step, top in steps:
            held = {sum_ + step * hits for sum_ in held for hits in range(top + 1)}
        return Reach(unit, sorted(held))
    if largest < MOST_STATES:
        bits = 1
        for step, top in steps:
            bits = _spread(bits, step, top)
        return Reach(unit, bits)
    found = _greedy(steps, math.ceil(low / unit), math.floor(high / unit))
    return None if found is None else Reach(unit, [found], whole=False)


def reciprocal_sums(queries: int, k: int, low: Fraction, high: Fraction) -> Reach:
    """Return the sums from `low` to `high`, and those next to them, of a reciprocal rank, or 0, for each query.

    Ranks go up to `k`. j queries at rank j are worth one at rank 1, so the cheapest way to make a sum has fewer than j
    at each rank j > 1: k · lcm(1 … k) sums have to be looked at, whatever the number of queries. Where these are too
    many, only the first ranks are looked at, and a miss proves nothing.

    >>> reach = reciprocal_sums(2, 3, Fraction(1), Fraction(2))
    >>> [str(one) for one in reach.between(Fraction(1), Fraction(2))]
    ['1', '4/3', '3/2', '2']
    """
    import numpy as np

    ranks = 1
    while ranks < k and (ranks + 1) * math.lcm(*range(1, ranks + 2)) <= MOST_STATES:
        ranks += 1
    grid = math.lcm(*range(1, ranks + 1))
    needed = _queries_needed(ranks, grid)
    if high - low > WIDE:
        low, high = (low + high - WIDE) / 2, (low + high + WIDE) / 2
    first = max(min(math.floor(low), queries) - 1, 0)
    sums: list[int] = []
    for ones in range(first, min(math.floor(high) + 1, queries) + 1):
        made = np.zeros(grid, dtype=np.bool_)
        for more in range(min(ones + 1, ranks)):
            made |= needed[more] <= min(queries - ones + more, UNMADE - 1)
        sums += (np.flatnonzero(made) + ones * grid).tolist()
    return Reach(Fraction(1, grid), sums, whole=ranks == k)


def _queries_needed(ranks: int, grid: int) -> Any:
    """Return the least number of queries at ranks 2 and below whose reciprocal ranks make a sum, in units of 1/grid.

    Shape (ranks, grid): row a, column b is the sum a + b/grid.
    """
    import numpy as np

    needed = np.full(ranks * grid, UNMADE, dtype=np.uint8)
    needed[0] = 0
    for rank in range(2, ranks + 1):
        alone = needed.copy()
        for several in range(1, rank):
            by = several * (grid // rank)
            np.minimum(needed[by:], alone[:-by] + several, out=needed[by:])
    return needed.reshape(ranks, grid)


def _spread(bits: int, step: int, top: int) -> int:
    """Return the sums of `bits` with 0, 1 … top steps added, in log(top) shifts."""
    done = 1
    while done <= top:
        more = min(done, top + 1 - done)
        bits |= bits << (step * more)
        done += more
    return bits


def _greedy(steps: Sequence[tuple[int, int]], low: int, high: int) -> int | None:
    """Return one sum from low to high, made with as many of the large steps as fit, or None if that makes none."""
    sum_ = 0
    for step, top in steps:
        sum_ += step * min(top, max(high - sum_, 0) // step)
    return sum_ if low <= sum_ <= high else None


def _lowest_bit(bits: int) -> int:
    """Return the place of the lowest bit that is set."""
    return (bits & -bits).bit_length() - 1
