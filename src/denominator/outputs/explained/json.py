"""One JSON document: every verdict, and everything that was found in the files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from denominator.explain import Explanation, Reported, Verdict

__all__ = ["render"]


def render(verdicts: Sequence[Verdict], explanation: Explanation | None) -> str:
    """Return the document; characters outside ASCII are escaped, so no terminal is steered by an id."""
    document: dict[str, Any] = {"verdicts": [_verdict(one) for one in verdicts]}
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
            {"measure": str(one.measure), "queries": one.n, "value": _exact(one.value), "left_out_nrel": one.dropped}
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
