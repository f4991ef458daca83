"""A row a value, between tabs; else as csv."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.outputs.csv import separated

if TYPE_CHECKING:
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["render"]


def render(scores: Scores, options: Options) -> str:
    """Return the table with a heading."""
    return separated(scores, options, "\t")
