"""The words that several formats share: what an implementation said, where it differs, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from denominator.audit.compared import apart
from denominator.audit.counted import number
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.crosscheck.result import Apart, Cause, Crosscheck, Line

__all__ = ["cause", "differs", "head", "mean", "pair", "refusal", "said", "summary", "verdict"]

DIGITS = 4
"""Decimals of a mean."""


def head(result: Crosscheck) -> str:
    """Return what was asked of whom, in sentences."""
    text = f"{short(result.run.name, 400)} against {short(result.qrels.name, 400)}: "
    text += f"{number(len(result.queries), 'judged queries')}, {result.answered:,} answered."
    text += f" Our numbers: {result.dialect}."
    if result.why_dialect:
        text += f" {short(result.why_dialect, 1000)}."
    return text


def summary(result: Crosscheck) -> Iterator[str]:
    """Yield the counts of the differences, what our own engines did, and who was not there."""
    ours = [line for line in result.lines if line.own]
    if ours:
        same = "Our engines agree" if result.agree else "OUR OWN ENGINES DIFFER"
        answered = sum(line.answer.answered for line in ours)
        yield f"{same} ({answered:,} of {number(len(ours), 'answers')} given)." if answered else "Our engines refuse."
    theirs = [line for line in result.lines if not line.own]
    total = sum(len(line.apart) for line in theirs)
    if total:
        parts = [
            (sum(line.by_choice for line in theirs), "explained by a choice"),
            (sum(line.by_ties for line in theirs), "explained by the unstable order of ties"),
            (sum(line.no_number for line in theirs), "without a number (an error, or NaN)"),
            (sum(line.unexplained for line in theirs), "UNEXPLAINED"),
        ]
        counted = ", ".join(f"{count:,} {words}" for count, words in parts if count)
        compared = sum(line.compared for line in theirs)
        yield f"{number(total, 'differences')} in {number(compared, 'values')} of other implementations: {counted}."
    elif any(line.compared for line in theirs):
        yield f"No difference in {number(sum(line.compared for line in theirs), 'values')} of other implementations."
    if result.asked.missing:
        yield f"Not installed: {', '.join(result.asked.missing)}."


def said(line: Line) -> str:
    """Return what an implementation answered, in words where it is no number."""
    answer = line.answer
    if answer.answered:
        return ""
    return {"refused": "refused", "crashed": "CRASHED", "hung": "HUNG", "lacking": "has no such measure"}[answer.status]


def mean(line: Line) -> str:
    """Return the mean that the implementation makes."""
    return "-" if line.answer.mean is None else f"{line.answer.mean:.{DIGITS}f}"


def differs(line: Line) -> str:
    """Return on how many queries it differs: ``12 of 50``."""
    if not line.compared:
        return "-"
    return f"{len(line.apart):,} of {line.compared:,}" if line.apart else "none"


def pair(one: Apart) -> str:
    """Return a query and both its values."""
    query = short(one.query_id, 24)
    if one.ours is None:
        return f"{query}: {one.theirs:.{DIGITS}f}, and not in our mean"
    if one.theirs is None:
        return f"{query}: no value where ours is {one.ours:.{DIGITS}f}"
    theirs, ours = apart(one.theirs, one.ours)
    return f"{query}: {theirs} where ours is {ours}"


def cause(one: Cause) -> str:
    """Return a cause: the choice, what it means, and how many queries need it."""
    needed = f"needed on {number(one.queries, 'queries')}" if one.queries else "with the others"
    return f"{one.choice}={one.theirs}, ours {one.ours} ({needed}): {one.meaning}"


def refusal(line: Line) -> str:
    """Return how many queries an implementation refuses or gives NaN for, and its words for the first; or no text."""
    refused = line.answer.refused
    if refused:
        query, why = next(iter(refused.items()))
        return f"it refuses {number(len(refused), 'queries')}, such as {short(query, 24)}: {short(why, 300)}"
    return f"it says NaN for {number(line.no_number, 'queries')}" if line.no_number else ""


def verdict(line: Line) -> str:
    """Return how many of the differences are explained, by what, and how many are not."""
    parts = [
        (line.by_choice, "explained"),
        (line.by_ties, "inside the interval of ties"),
        (line.no_number, "without a number"),
        (line.unexplained, "UNEXPLAINED"),
    ]
    return ", ".join(f"{count:,} {words}" for count, words in parts if count)
