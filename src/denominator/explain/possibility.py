"""Whether a reported mean can be, from the number of queries or of their relevant documents alone.

Most measures that count can take few values for one query, so their means lie on a grid. What lies above the ceiling
or between two neighbours on the grid cannot be that measure over those queries, whatever the system was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from denominator.errors import UsageError
from denominator.explain.sums import MOST_STATES, Counted, counted_sums, reciprocal_sums
from denominator.measures import Measure, fraction
from denominator.quoting import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from denominator.explain.reported import Reported
    from denominator.explain.sums import Reach
    from denominator.hits import Hits

    Answer = Literal["possible", "impossible", "cannot tell"]

__all__ = ["Other", "Verdict", "possible"]

COUNTED = ("P", "R", "RCap", "relative_P", "Success", "Rprec")
"""The measures whose value for a query is any count up to the best one, over a denominator that |Rel| and k fix."""
WITHOUT_REL = {"P": (None, None), "Success": (1, 1)}
"""Those that need no |Rel| → the highest count and the denominator, where None stands for k."""
UP_TO_ONE = ("RR", "AP", "nDCG", "Bpref", "ERR", "RBP", "IPrec", "11pt_avg", "Rndcg", "ndcg_rel", "Judged")
"""Others that lie between 0 and 1."""
READ_AS = ("RCap", "P", "Success", "R")
"""The measures that are printed under the names of others."""
MOST_LEFT_OUT = 10
MOST_DROPPED = 100
"""How many queries of different |Rel| are left out, one at a time."""


class Other(NamedTuple):
    """Something else that the number could be."""

    measure: Measure
    n: int
    """How many queries the mean would be over."""
    value: Fraction
    dropped: int | None = None
    """|Rel| of the query that would be left out; None where all |Rel| are unknown, or none is left out."""
    roundings: tuple[str, ...] = ()
    """The roundings that print the value as reported."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of a reported mean without any ranking."""

    reported: Reported
    answer: Answer
    n: int
    """Queries in the mean."""
    nrel: tuple[int, ...] | None
    """|Rel| of each query, where it is known."""
    why: Literal["grid", "range", "|Rel|", "real", "states", "cutoff"] = "grid"
    """What the answer rests on: the grid of all means; the range of the measure; or what is missing for an answer: each
    |Rel|, a measure with few values, a grid that can be held, a cutoff."""
    ceiling: Fraction | None = None
    """The highest mean that any ranking could have."""
    reached: Fraction | None = None
    """The nearest mean that is printed as these digits."""
    roundings: tuple[str, ...] = ()
    """The roundings that print it so: names of `ROUNDINGS`."""
    below: Fraction | None = None
    above: Fraction | None = None
    """The nearest means that can be and are printed as other digits."""
    others: tuple[Other, ...] = ()
    """What the number could be instead, where it cannot be what it is said to be."""


def possible(reported: Reported, *, nrel: Sequence[int] | None = None, queries: int | None = None) -> Verdict:
    """Say whether a reported mean can be: over queries with these numbers of relevant documents, or over so many.

    A query without a relevant document counts as 0. Exact: fractions and whole numbers, no floats.

    Raises:
        UsageError: neither is given, both say different things, or one makes no sense.
    """
    known = _checked(nrel, queries)
    n = len(known) if known is not None else int(queries or 0)
    verdict = _judged(reported, n, known)
    if verdict.answer != "impossible":
        return verdict
    return replace(verdict, others=tuple(_others(reported, n, known)))


def _checked(nrel: Sequence[int] | None, queries: int | None) -> tuple[int, ...] | None:
    """Return |Rel| of each query, or None where only their number is known."""
    if nrel is None and queries is None:
        raise UsageError("say what is known: the number of queries, or of relevant documents of each")
    if queries is not None and (isinstance(queries, bool) or not isinstance(queries, int) or queries < 1):
        raise UsageError(f"queries={shown(queries)}: expected a number of queries, 1 or more")
    if nrel is None:
        return None
    for one in nrel:
        if isinstance(one, bool) or not isinstance(one, int) or one < 0:
            raise UsageError(f"nrel holds {shown(one)}: expected numbers of relevant documents, 0 or more")
    if not nrel:
        raise UsageError("nrel is empty: expected the number of relevant documents of each query")
    if queries is not None and queries != len(nrel):
        raise UsageError(f"nrel is of {len(nrel):,} queries, and queries says {queries:,}: leave one away")
    return tuple(nrel)


def _judged(reported: Reported, n: int, nrel: tuple[int, ...] | None) -> Verdict:
    """Return the verdict on one mean over all the queries."""
    measure = reported.measure
    base = Verdict(reported, "cannot tell", n, nrel, ceiling=_ceiling(measure, n, nrel))
    if base.ceiling is not None and not _at_most(reported, base.ceiling):
        below = base.ceiling if measure.name in (*COUNTED, "RR") else None
        return replace(base, answer="impossible", why="range", below=below)
    span = reported.span
    reach = _reach(measure, n, nrel, span.low * n, span.high * n)
    if isinstance(reach, str):
        return replace(base, why=reach)  # type: ignore[arg-type]  # one of the reasons
    if reach is None:
        return replace(base, why="states")
    means = [sum_ / n for sum_ in reach.between(span.low * n, span.high * n)]
    shown_so = [(mean, reported.roundings(mean)) for mean in means]
    hits = [(mean, roundings) for mean, roundings in shown_so if roundings]
    if hits:
        mean, roundings = min(hits, key=partial(_rank, reported))
        return replace(base, answer="possible", reached=mean, roundings=roundings)
    if not reach.whole:
        return replace(base, why="states")
    end = span.high if reach.between(span.high * n, span.high * n) else None  # no rounding takes it
    below, above = reach.below(span.low * n), reach.above(span.high * n)
    return replace(
        base,
        answer="impossible",
        below=None if below is None else below / n,
        above=end if end is not None or above is None else above / n,
    )


def _rank(reported: Reported, hit: tuple[Fraction, tuple[str, ...]]) -> tuple[int, Fraction]:
    """Return what puts the mean first that most roundings print, and then the nearest one."""
    mean, roundings = hit
    return -len(set(roundings) & {"half-even", "half-up"}), abs(mean - reported.value)


def _at_most(reported: Reported, ceiling: Fraction) -> bool:
    """Return whether some value up to the ceiling could be printed as the digits."""
    return bool(reported.roundings(ceiling)) or reported.value - reported.unit / 2 < ceiling


def _ceiling(measure: Measure, n: int, nrel: tuple[int, ...] | None) -> Fraction | None:
    """Return the highest mean that any ranking could have; None where nobody knows."""
    if nrel is None:
        return Fraction(1) if measure.name in (*COUNTED, *UP_TO_ONE) else None
    counted = _counts(measure, nrel)
    if isinstance(counted, list):
        return sum((Fraction(one.top, one.denominator) for one in counted), Fraction(0)) / n
    if measure.name == "AP" and measure.cutoff is not None:
        k = int(measure.cutoff)
        return sum((Fraction(min(k, rel), max(rel, 1)) for rel in nrel), Fraction(0)) / n
    if measure.name in ("RR", "AP", "Bpref") or (measure.name == "nDCG" and "gains" not in dict(measure.params)):
        return Fraction(sum(rel > 0 for rel in nrel), n)
    return Fraction(1) if measure.name in UP_TO_ONE else None


def _reach(measure: Measure, n: int, nrel: tuple[int, ...] | None, low: Fraction, high: Fraction) -> Reach | str | None:
    """Return the sums that can be, or why nobody can say: a reason of `Verdict`; None where they are too many."""
    if measure.name == "RR":
        if measure.cutoff is None:
            return "cutoff"
        answerable = n if nrel is None else sum(rel > 0 for rel in nrel)
        return reciprocal_sums(answerable, int(measure.cutoff), low, high)
    counted = _counts(measure, nrel if nrel is not None else (None,) * n)
    if isinstance(counted, str):
        return counted
    return counted_sums(counted, low, high)


def _counts(measure: Measure, nrel: Sequence[int | None]) -> list[Counted] | str:
    """Return what each query can count to, over what; or why nobody can say."""
    if measure.name not in COUNTED or any(name != "rel" for name, _ in measure.params):
        return "real"
    if all(rel is not None for rel in nrel):
        known = {rel for rel in nrel if rel is not None}
        if sum(known) > MOST_STATES:
            return "states"
        each = _fractions(measure, known)
        return [each[rel] for rel in nrel if rel]  # a query without a relevant document adds 0
    if measure.name not in WITHOUT_REL:
        return "|Rel|"
    k = int(measure.cutoff or 1)
    top, denominator = (k if one is None else one for one in WITHOUT_REL[measure.name])
    return [Counted(top, denominator)] * len(nrel)


def _fractions(measure: Measure, nrel: AbstractSet[int]) -> dict[int | None, Counted]:
    """Return |Rel| → the highest count and the denominator, as the registry has them."""
    distinct = sorted(nrel)
    found = fraction(_unranked(distinct, measure.level(1)), measure, 1)
    if found is None:
        return {}
    _, denominators, tops = found
    return {
        rel: Counted(top, below) for rel, below, top in zip(distinct, denominators.tolist(), tops.tolist(), strict=True)
    }


def _unranked(nrel: Sequence[int], level: float) -> Hits:
    """Return judgments with so many relevant documents, and an empty ranking of each query."""
    import numpy as np

    from denominator.hits import Hits

    nothing = np.zeros(0, dtype=np.int64)
    return Hits(
        tuple(map(str, nrel)),
        np.ones(len(nrel), dtype=np.bool_),
        np.zeros(len(nrel), dtype=np.int64),
        nothing,
        nothing,
        nothing,
        np.concatenate([nothing[:0], [0], np.cumsum(nrel)]).astype(np.int64),
        np.full(sum(nrel), level),
    )


def _others(reported: Reported, n: int, nrel: tuple[int, ...] | None) -> Iterator[Other]:
    """Yield what the number could be: another measure under the same name, or a mean over fewer queries."""
    said = reported.measure
    if said.name in (*READ_AS, "RR") and said.cutoff is not None:
        for name in READ_AS:
            other = Measure(name, said.cutoff, **dict(said.params)) if name != said.name else None
            if other is not None:
                verdict = _judged(replace(reported, measure=other), n, nrel)
                if verdict.answer == "possible" and verdict.reached is not None:
                    yield Other(other, n, verdict.reached, None, verdict.roundings)
    yield from _over_fewer(reported, n, nrel)


def _over_fewer(reported: Reported, n: int, nrel: tuple[int, ...] | None) -> Iterator[Other]:
    """Yield the means over fewer queries that the number could be: one query less, or the most that will do."""
    if nrel is None:
        for fewer in range(n - 1, max(n - 1 - MOST_LEFT_OUT, 0), -1):
            verdict = _judged(reported, fewer, None)
            if verdict.answer == "possible" and verdict.reached is not None:
                yield Other(reported.measure, fewer, verdict.reached, None, verdict.roundings)
                return
        return
    for dropped in sorted(set(nrel))[:MOST_DROPPED] if len(nrel) > 1 else ():
        at = nrel.index(dropped)
        verdict = _judged(reported, n - 1, nrel[:at] + nrel[at + 1 :])
        if verdict.answer == "possible" and verdict.reached is not None:
            yield Other(reported.measure, n - 1, verdict.reached, dropped, verdict.roundings)
            return
