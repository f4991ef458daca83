"""The options of trec_eval that change numbers, under their letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from denominator.engines import Settings

__all__ = ["Options"]


@dataclass(frozen=True, slots=True)
class Options:
    """What an evaluation is asked to do, and by which version's rules."""

    complete: bool = False
    """``-c``: average over all judged queries."""
    level: int = 1
    """``-l``: the grade from which a document counts as relevant."""
    depth: int | None = None
    """``-M``: only so many documents of a query are looked at."""
    judged_only: bool = False
    """``-J``: documents without a judgment are taken out first."""
    collection: int = 0
    """``-N``: the number of documents in the collection; only the fourth coefficient of utility uses it."""
    trec_eval: Literal["9", "10"] = "9"

    @property
    def settings(self) -> Settings:
        """The engine's part of the options."""
        return Settings(self.level, self.depth, self.judged_only, self.trec_eval)
