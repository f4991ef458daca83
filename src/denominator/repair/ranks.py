"""Repairs of the rank column: ranks numbered from 1 in the order of the scores, in the queries that are concerned."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.ranks import Ranks, contradicting
from denominator.formats import numbers
from denominator.repair.rows import places
from denominator.repair.text import Mended

if TYPE_CHECKING:
    from denominator.model import Bool, Run
    from denominator.repair.text import Keep, Lines

__all__ = ["CONCERNED", "renumber"]

RANK = 3
"""The index of a run's fourth field."""

Concerned = Callable[["Run", "Ranks | None"], "Bool | bool"]
"""Which queries of a run a check of its rank column is about; or whether it is about all."""


def _counting(which: Callable[[Run, Ranks], Bool]) -> Concerned:
    """Return what looks only at columns of whole numbers that are neither constant nor labels."""
    return lambda run, ranks: which(run, ranks) if ranks is not None and ranks.counts else False


CONCERNED: dict[str, Concerned] = {
    "R102": _counting(lambda run, ranks: contradicting(run, ranks.value)),
    "R103": _counting(lambda run, ranks: ranks.low != 1),
    "R104": _counting(lambda run, ranks: ranks.missing > 0),
    "R105": lambda run, ranks: ranks is not None and isinstance(run.rank, tuple),
    "R106": lambda run, ranks: ranks is not None and ranks.is_constant,
    "R107": lambda run, ranks: ranks is not None and ranks.is_label,
    "R108": _counting(lambda run, ranks: ranks.size > ranks.distinct),
    "R109": lambda run, ranks: ranks is None and isinstance(run.rank, tuple),
}
"""Code → the queries that its check finds fault with."""


def renumber(code: str) -> Callable[[Lines, Keep | None], Mended]:
    """Return the repair that numbers the ranks of the queries which a check finds fault with."""

    def mend(file: Lines, keep: Keep | None) -> Mended:
        run: Run = file.reading.rows
        concerned = np.broadcast_to(CONCERNED[code](run, Ranks.of(run)), len(run.queries))
        if not concerned.any():
            return Mended(file, 0)
        wanted = places(run) + 1
        ranks = np.array([numbers.whole(text) for text in run.rank]) if isinstance(run.rank, tuple) else run.rank
        wrong = np.flatnonzero((ranks != wanted) & concerned[run.query]).tolist()
        return Mended(file.with_fields(RANK, {row: str(wanted[row]) for row in wrong}), len(wrong))

    return mend
