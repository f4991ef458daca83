"""What reported numbers are on a run, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs.explained.verdicts import as_reported, number, printed_so, verdict_lines
from denominator.quoting import listed, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denominator.explain import Answer, Candidate, Explanation

__all__ = ["explanation_lines"]

SHOWN = 5
"""How many explanations of one number are spelled out."""
TOOLS_SHOWN = 3
LEAST_CHANCE = 0.1
"""Fewer than so many are not told apart."""
COARSE = 1
"""So few decimals leave much room."""


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """Yield what each reported number is, and what makes all of them."""
    for answer in explanation.answers:
        yield from _answer(answer)
    if explanation.together is not None:
        yield f"One dialect prints them all: {explanation.together.name}."
    if not explanation.pairs and not all(answer.candidates for answer in explanation.answers):
        yield "Pairs of changes were not tried: on so many rows they take minutes (in Python: pairs=True)."
    if explanation.duplicates:
        counted = f"{explanation.duplicates:,} rows hold a document more than once"
        yield f"{counted}; trec_eval refuses such files. What is compared with counts each once, where it first stands."


def _answer(answer: Answer) -> Iterator[str]:
    """Yield the first explanation with what the measure is, and the others under it."""
    said = plain(str(answer.reported))
    if answer.verdict is not None and answer.verdict.answer == "impossible":
        yield next(verdict_lines(answer.verdict))
    if not answer.candidates:
        yield f"{said}: nothing found that is printed so. {_is(answer)}"
        if answer.nearest is not None:
            yield f"  nearest: {_line(answer.nearest, answer)}"
        yield from _searched(answer)
        return
    first = answer.candidates[0]
    if not first.is_changed:
        yield f"{said}: {_line(first, answer)}."
        return
    only = "" if answer.likely else "only far-fetched: "
    yield f"{said}: {only}{_line(first, answer)}. {_is(answer)}"
    yield from _others(answer.likely[1:], answer, "or")
    yield from _others(answer.far_fetched[0 if answer.likely else 1 :], answer, "far-fetched:" if not only else "or")
    if len(answer.candidates) > 1 and answer.reported.decimals <= COARSE:
        yield "  With so few digits much is printed alike: report more of them."
    yield from _searched(answer)


def _others(some: Sequence[Candidate], answer: Answer, word: str) -> Iterator[str]:
    """Yield a line for each further explanation, and how many are not spelled out."""
    for one in some[:SHOWN]:
        yield f"  {word} {_line(one, answer)}"
    if len(some) > SHOWN:
        yield f"  and {len(some) - SHOWN:,} more; -f json has them all"


def _searched(answer: Answer) -> Iterator[str]:
    """Yield in how many ways was searched, and how many would be printed as reported by chance."""
    if answer.by_chance is None or answer.covered is None:
        yield f"  Searched in {answer.tried:,} ways."
        return
    low, high = (f"{end:.3f}" for end in answer.covered)
    spread = f"{answer.numbers:,} other numbers from {low} to {high}; spread evenly"
    chance = f"{answer.by_chance:.1f}" if answer.by_chance >= LEAST_CHANCE else f"under {LEAST_CHANCE}"
    yield f"  Searched in {answer.tried:,} ways: {spread}, {chance} of them would fit by chance, rounded or cut."


def _line(one: Candidate, answer: Answer) -> str:
    """Return ``0.700 = recall capped at k (beir recall_cap)``."""
    rounded = {"half-even", "half-up"} <= set(one.roundings)
    value = as_reported(one.value, answer.reported) if rounded else number(one.value, answer.reported)
    text = f"{value} = {plain(one.words)}"
    if one.tools:
        text += f" ({listed(one.tools, TOOLS_SHOWN)})"
    if one.n != answer.n and not one.queries:
        text += f", over {one.n:,} {'query' if one.n == 1 else 'queries'}"
    return text if rounded or not one.roundings else f"{text}, which {printed_so(one.roundings)}"


def _is(answer: Answer) -> str:
    """Return ``R@5 is 0.625 over 4 queries, ceiling 0.906.``"""
    if answer.value is None:
        return f"{answer.reported.measure} has no value here."
    over_it = answer.verdict is not None and (answer.verdict.answer, answer.verdict.why) == ("impossible", "range")
    ceiling = "" if answer.ceiling is None or over_it else f", ceiling {number(answer.ceiling, answer.reported)}"
    over = f"{answer.n:,} {'query' if answer.n == 1 else 'queries'}"
    return f"{answer.reported.measure} is {number(answer.value, answer.reported)} over {over}{ceiling}."
