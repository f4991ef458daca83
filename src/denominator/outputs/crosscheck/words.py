"""The words that several formats share: what an implementation said, where it differs, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from denominator.audit.compared import apart
from denominator.audit.counted import number
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.crosscheck.result import Apart, Crosscheck, Line

__all__ = ["differs", "head", "mean", "pair", "reasons", "remarks", "said", "summary", "why"]

DIGITS = 4
"""Decimals of a mean."""
LAST_WORDS = 400
"""Characters of an implementation's words that are shown."""


def head(result: Crosscheck) -> str:
    """Return what was asked of whom, in sentences."""
    text = f"{short(result.run.name, 400)} against {short(result.qrels.name, 400)}: "
    text += f"{number(len(result.queries), 'judged queries')}, {result.answered:,} answered."
    text += f" Our numbers: {result.dialect}."
    if result.why_dialect:
        text += f" {short(result.why_dialect, 1000)}."
    return text


def summary(result: Crosscheck) -> Iterator[str]:
    """Yield what our own engines did, the counts of the differences, and who was not there."""
    yield from _of_ours(result)
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


def _of_ours(result: Crosscheck) -> Iterator[str]:
    """Yield whether our engines agree: only two answers can, and one that is missing is said."""
    ours = [line for line in result.lines if line.own and line.answer.status != "lacking"]
    if not ours:
        return
    given = f"{sum(line.answer.answered for line in ours):,} of {number(len(ours), 'answers')} given"
    if result.agree is False:
        yield f"OUR OWN ENGINES DIFFER ({given})."
    elif not result.silent:
        yield (
            f"Our engines agree ({given})."
            if result.agree
            else "One engine of ours was asked; it has none to agree with."
        )
    elif len(result.silent) == len(ours):
        yield "None of our engines gives an answer, so none of them is checked."
    else:
        where = "; where two gave one, they agree" if result.agree else "; none of them has another to agree with"
        yield f"NOT ALL OF OUR ENGINES ANSWERED ({given}){where}."


def said(line: Line) -> str:
    """Return what an implementation answered, in words where it is no number."""
    answer = line.answer
    if answer.answered:
        return ""
    return {"refused": "refused", "crashed": "CRASHED", "hung": "HUNG"}[answer.status]


def mean(line: Line) -> str:
    """Return the mean that the implementation makes."""
    return "-" if line.answer.mean is None else f"{line.answer.mean:.{DIGITS}f}"


def differs(line: Line) -> str:
    """Return on how many queries it differs: ``12 of 50``."""
    if not line.compared:
        return "-"
    if line.left_out:
        return f"none ({len(line.left_out):,} left out, worth 0 here too)"
    return f"{len(line.apart):,} of {line.compared:,}" if line.apart else "none"


def why(line: Line) -> str:
    """Return in brief how far it is from us at most, and by which choices; `reasons` has what they mean."""
    if not line.apart or line.own:
        return f"at most {size(line.apart[0])}" if line.apart and line.own else ""
    parts = [f"at most {size(line.apart[0])}"] if line.apart[0].size else []
    choices = ", ".join(dict.fromkeys(one.choice for one in line.causes))
    parts += [f"by {choices}"] if choices else []
    parts += [f"{line.no_number:,} without a number"] if line.no_number else []
    parts += [f"{line.unexplained:,} UNEXPLAINED"] if line.unexplained else []
    return "; ".join(parts)


def size(one: Apart) -> str:
    """Return how far two values are from each other, and on which query."""
    shown = f"{one.size:.{DIGITS}f}" if one.size >= 10.0**-DIGITS else f"{one.size:.0e}"
    return f"{shown} on {short(one.query_id, 24)}"


def reasons(result: Crosscheck) -> Iterator[tuple[str, list[str]]]:
    """Yield each cause once, with its meaning, and who parts from us by it, with the measures."""
    gathered: dict[tuple[str, str, str, str], dict[str, list[str]]] = {}
    for line in result.lines:
        for one in line.causes:
            needed = f"{line.question} on {one.queries:,}" if one.queries else f"{line.question} with the others"
            gathered.setdefault((one.choice, one.ours, one.theirs, one.meaning), {}).setdefault(line.tool, []).append(
                short(needed, 60)
            )
    for (choice, ours, theirs, meaning), tools in gathered.items():
        yield (
            f"{choice}={theirs}, ours {ours}: {meaning}",
            [f"{tool}: {', '.join(some)}" for tool, some in tools.items()],
        )


def remarks(result: Crosscheck) -> Iterator[str]:
    """Yield what implementations said in words, each once, with the measures; ours together where they say one."""
    gathered: dict[tuple[str, str, str], list[Line]] = {}
    for line in result.lines:
        for told in (refusal(line), short(line.answer.brief, LAST_WORDS)):
            if told and line.answer.status != "lacking":
                gathered.setdefault(("" if line.own else line.tool, said(line), told), []).append(line)
    for (_, ended, told), lines in gathered.items():
        tools = ", ".join(dict.fromkeys(line.tool for line in lines))
        measures = dict.fromkeys(str(line.question) for line in lines)
        every = len(measures) == len(dict.fromkeys(line.question for line in result.lines)) > 1
        where = "every measure" if every else short(", ".join(measures), 200)
        yield f"{tools}, {where}: {ended + ': ' if ended else ''}{told}"


def pair(one: Apart) -> str:
    """Return a query and both its values."""
    query = short(one.query_id, 24)
    if one.ours is None:
        return f"{query}: {one.theirs:.{DIGITS}f}, and not in our mean"
    if one.theirs is None:
        return f"{query}: no value where ours is {one.ours:.{DIGITS}f}"
    theirs, ours = apart(one.theirs, one.ours)
    return f"{query}: {theirs} where ours is {ours}"


def refusal(line: Line) -> str:
    """Return how many queries an implementation refuses or gives NaN for, and its words for the first; or no text."""
    refused = line.answer.refused
    if refused:
        query, why = next(iter(refused.items()))
        return f"it refuses {number(len(refused), 'queries')}, such as {short(query, 24)}: {short(why, 300)}"
    return f"it says NaN for {number(line.no_number, 'queries')}" if line.no_number else ""
