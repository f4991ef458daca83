"""Verdicts on reported numbers in words, each in a line or two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from denominator.explain import Reported, Verdict
    from denominator.explain.possibility import Other

__all__ = ["as_reported", "number", "printed_so", "verdict_lines"]

LEAST_DECIMALS = 3
MOST_DECIMALS = 12
SAME = 1e-12
LONGEST_FRACTION = 12
RELS_SHOWN = 8

_REASONS = {
    "|Rel|": "it depends on the number of relevant documents of each query; give them with --nrel",
    "real": "the values of one query are too many, or unknown, for a printed number to rule any out",
    "states": "its means lie on a grid too fine to be searched",
    "cutoff": "without a cutoff it has no smallest value; give one with -k",
}
"""Why nobody can tell, by `Verdict.why`."""
_ROUNDED = {
    ("half-even", "half-up"): "is rounded to it",
    ("half-even",): "is rounded to it where a half goes to the even digit, as printf does",
    ("half-up",): "is rounded to it where a half goes up",
    ("truncation",): "is cut to it, not rounded",
    ("half-even", "truncation"): "is rounded to it where a half goes to the even digit, as printf does, or cut to it",
    ("half-up", "truncation"): "is rounded to it where a half goes up, or cut to it",
}
"""Roundings that print a value so → words."""


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """Yield the verdict, and behind it what else the number could be."""
    reported = verdict.reported
    if verdict.answer == "possible":
        yield f"{plain(str(reported))}{_read_as(reported)} can be: {_reached(verdict)}."
    elif verdict.answer == "cannot tell":
        yield f"CANNOT TELL whether {plain(str(reported))}{_read_as(reported)} can be: {_REASONS[verdict.why]}."
    else:
        yield f"{_impossible(verdict)}."
        for other in verdict.others:
            yield f"  It could be {_other(verdict, other)}."


def as_reported(value: float, reported: Reported) -> str:
    """Return a value with the decimals that were reported, three at least."""
    return f"{value:.{_least(reported)}f}"


def _least(reported: Reported) -> int:
    """Return how many decimals are shown at least: those reported, and of a mean three."""
    return max(reported.decimals, LEAST_DECIMALS) if reported.measure.spec.aggregate != "sum" else reported.decimals


def number(value: Fraction | float, reported: Reported) -> str:
    """Return a value with the decimals that were reported, and as many more as it takes to look unlike that number."""
    said = float(reported.value)
    for decimals in range(_least(reported), MOST_DECIMALS):
        text = f"{float(value):.{decimals}f}"
        if abs(float(value) - said) < SAME or text != f"{said:.{decimals}f}":
            return text
    return f"{float(value):.{MOST_DECIMALS}f}"


def printed_so(roundings: tuple[str, ...]) -> str:
    """Return how a value becomes the digits: ``is rounded to it``."""
    if {"half-even", "half-up"} <= set(roundings):
        return _ROUNDED["half-even", "half-up"]
    return _ROUNDED[roundings]


def _impossible(verdict: Verdict) -> str:
    """Return why a number cannot be."""
    reported = verdict.reported
    if verdict.why == "range":
        ceiling = _with_fraction(verdict.ceiling, reported)
        return f"{plain(str(reported))}{_read_as(reported)} {_over(verdict)} cannot be: ceiling {ceiling}"
    beside = [value for value in (verdict.below, verdict.above) if value is not None]
    nearest = " and ".join(number(value, reported) for value in beside)
    exact = " and ".join(filter(None, (_fraction(value) for value in beside)))
    behind = f" ({exact})" if exact else ""
    what = f"{reported.digits}{_read_as(reported)} {_over(verdict)}"
    return f"{what} is not reachable by {plain(reported.said)}: nearest {nearest}{behind}"


def _reached(verdict: Verdict) -> str:
    """Return the value that would be printed so."""
    exactly = verdict.reached == verdict.reported.value
    how = "is exactly it" if exactly else printed_so(verdict.roundings)
    return f"{_with_fraction(verdict.reached, verdict.reported)} {_over(verdict)} {how}"


def _other(verdict: Verdict, other: Other) -> str:
    """Return what else the number could be."""
    value = _with_fraction(other.value, verdict.reported)
    if set(other.roundings) == {"truncation"}:
        decimals = max(verdict.reported.decimals + 1, LEAST_DECIMALS)
        value = f"{float(other.value):.{decimals}f}, which {printed_so(other.roundings)}"
    if other.n == verdict.n:
        return f"{other.measure}, under the name of {plain(verdict.reported.said)}: {value}"
    left_out = "" if other.dropped is None else f", one with |Rel| = {other.dropped} left out"
    return f"{other.measure} over {other.n:,} of the {verdict.n:,} queries{left_out}: {value}"


def _with_fraction(value: Fraction | None, reported: Reported) -> str:
    """Return ``0.625 (5/8)``."""
    if value is None:
        return ""
    exact = _fraction(value)
    return number(value, reported) + (f" ({exact})" if exact else "")


def _fraction(value: Fraction) -> str:
    """Return a fraction where it is short."""
    text = str(value)
    return text if "/" in text and len(text) <= LONGEST_FRACTION else ""


def _read_as(reported: Reported) -> str:
    """Say that a number without a percent sign was read as a percentage."""
    if not reported.percent or reported.digits.endswith("%"):
        return ""
    return " (read as a percentage)"


def _over(verdict: Verdict) -> str:
    """Return ``over 4 queries with |Rel| 3,3,3,8``."""
    if verdict.nrel is None:
        return f"over {verdict.n:,} {'query' if verdict.n == 1 else 'queries'}"
    if verdict.n == 1:
        return f"for |Rel| = {verdict.nrel[0]}"
    some = ",".join(map(str, verdict.nrel[:RELS_SHOWN])) + (",…" if verdict.n > RELS_SHOWN else "")
    return f"over {verdict.n:,} queries with |Rel| {some}"
