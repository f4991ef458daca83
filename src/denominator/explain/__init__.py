"""Reported numbers: can they be, and which choices make them.

>>> from denominator.explain import possible, read_reported
>>> verdict = possible(read_reported("R@5=0.700"), nrel=[3, 3, 3, 8])
>>> verdict.answer, float(verdict.below), float(verdict.above)
('impossible', 0.6979166666666666, 0.7083333333333334)

`possible` needs no ranking: it works out every mean that there could be. `explain` takes judgments and a run, and looks
for the choices that lead to the number. This module imports nothing heavy, so that the package can hold the function
under the module's own name.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.explain.explanation import Answer, Candidate, Explanation
    from denominator.explain.possibility import Verdict, possible
    from denominator.explain.reported import ROUNDINGS, Reported, read_reported

__all__ = [
    "ROUNDINGS",
    "Answer",
    "Candidate",
    "Explanation",
    "Reported",
    "Verdict",
    "explain",
    "possible",
    "read_reported",
]

_HOME = {
    **dict.fromkeys(("Answer", "Candidate", "Explanation"), "explanation"),
    **dict.fromkeys(("Verdict", "possible"), "possibility"),
    **dict.fromkeys(("ROUNDINGS", "Reported", "read_reported"), "reported"),
}
"""Name → the module it lives in."""


def explain(
    reported: str | Reported | Sequence[str | Reported],
    qrels: Any,
    run: Any,
    *,
    k: int | None = None,
    pairs: bool | None = None,
) -> Explanation:
    """Say which choices make each reported number of a run.

    >>> qrels, run = {"q1": {"d1": 1, "d2": 1, "d3": 1}}, {"q1": {"d1": 2.0, "d9": 1.0}}
    >>> found = explain("recall@2=0.50", qrels, run)
    >>> found.answers[0].candidates[0].words, round(found.answers[0].value, 3)
    ('recall capped at k', 0.333)

    Args:
        reported: ``"recall@5=0.70"``, digit by digit as it was printed, or several of them.
        qrels: judgments, or anything that :func:`denominator.read_qrels` reads.
        run: a run, or anything that :func:`denominator.read_run` reads. Documents may stand in both more than once.
        k: the cutoff of measures that are written without one.
        pairs: whether pairs of changes are tried where single ones do not do; by default, up to 100,000 rows.

    Raises:
        UsageError: a reported number that cannot be read, or none.
        InputError: a file cannot be read, holds what no choice settles, or shares no query with the other.
    """
    from denominator.explain.reading import explained

    return explained(reported, qrels, run, k=k, pairs=pairs)


def __getattr__(name: str) -> object:
    """Import a name when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
