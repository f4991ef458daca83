"""One JSON document: every verdict, and everything that was found in the files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from denominator.explain import Answer, Candidate, Explanation, Reported, Verdict

__all__ = ["render"]


def render(verdicts: Sequence[Verdict], explanation: Explanation | None) -> str:
    """Return the document; characters outside ASCII are escaped, so no terminal is steered by an id."""
    document: dict[str, Any] = {"verdicts": [_verdict(one) for one in verdicts]}
    if explanation is not None:
        document |= _explanation(explanation)
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _verdict(verdict: Verdict) -> dict[str, Any]:
    """Return what can be said without a ranking."""
    return {
        **_reported(verdict.reported),
        "answer": verdict.answer,
        "why": verdict.why,
        "queries": verdict.n,
        "nrel": None if verdict.nrel is None else list(verdict.nrel),
        "ceiling": _exact(verdict.ceiling),
        "reached": _exact(verdict.reached),
        "roundings": list(verdict.roundings),
        "below": _exact(verdict.below),
        "above": _exact(verdict.above),
        "could_be": [
            {
                "measure": str(one.measure),
                "queries": one.n,
                "value": _exact(one.value),
                "left_out_nrel": one.dropped,
                "roundings": list(one.roundings),
            }
            for one in verdict.others
        ],
    }


def _reported(reported: Reported) -> dict[str, Any]:
    """Return a reported number and how it was understood."""
    return {
        "reported": f"{reported.said}={reported.digits}",
        "measure": str(reported.measure),
        "value": float(reported.value),
        "unit": float(reported.unit),
        "percent": reported.percent,
    }


def _exact(value: Fraction | None) -> dict[str, Any] | None:
    """Return a fraction as a number and as a text that loses nothing."""
    return None if value is None else {"value": float(value), "fraction": str(value)}


def _explanation(explanation: Explanation) -> dict[str, Any]:
    """Return what was found in the files."""
    return {
        "qrels": {"source": explanation.qrels.name, "read_as": explanation.qrels.read_as},
        "run": {"source": explanation.run.name, "read_as": explanation.run.read_as},
        "compared_with": explanation.base.name,
        "repeated_rows": explanation.duplicates,
        "pairs_tried": explanation.pairs,
        "together": None if explanation.together is None else explanation.together.name,
        "answers": [_answer(one) for one in explanation.answers],
    }


def _answer(answer: Answer) -> dict[str, Any]:
    """Return what one number is."""
    return {
        **_reported(answer.reported),
        "actual": answer.value,
        "queries": answer.n,
        "ceiling": answer.ceiling,
        "possible": None if answer.verdict is None else _verdict(answer.verdict),
        "tried": answer.tried,
        "different_numbers": answer.numbers,
        "covered": None if answer.covered is None else list(answer.covered),
        "expected_by_chance": answer.by_chance,
        "explained": bool(answer.likely),
        "candidates": [_candidate(one) for one in answer.candidates],
        "nearest": None if answer.nearest is None else _candidate(answer.nearest),
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    """Return one way to a number."""
    return {
        "words": one.words,
        "far_fetched": one.far,
        "dialect": one.dialect.name,
        "measure": str(one.measure),
        "value": one.value,
        "queries": one.n,
        "roundings": list(one.roundings),
        "changes": {change.choice: change.value for change in one.changes},
        "reading": None if one.reading is None else one.reading.kind,
        "statistic": "mean" if one.reading is None else one.reading.statistic,
        "ties_between": None if one.between is None else list(one.between),
        "query_ids": list(one.queries),
        "tools": list(one.tools),
        "steps": one.steps,
        "common": one.common,
        "also_reproduces": one.also,
    }
