"""Explanations to read: a line for each reported number, and under it what else it could be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs.explained.answers import explanation_lines
from denominator.outputs.explained.verdicts import verdict_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.explain import Explanation, Verdict

__all__ = ["render"]


def render(verdicts: Sequence[Verdict], explanation: Explanation | None) -> str:
    """Return the text: verdicts on what needs no ranking, then what the run explains."""
    lines = [line for verdict in verdicts for line in verdict_lines(verdict)]
    lines += [] if explanation is None else explanation_lines(explanation)
    return "".join(f"{line}\n" for line in lines)
