"""The two orders of tied documents between which all others lie: the best first, and the best last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator.dialects.inputs import judgments, ranked
from denominator.hits import match

if TYPE_CHECKING:
    from denominator.dialects.dialect import Choices
    from denominator.model import F64, Qrels, Run

__all__ = ["orders"]


def orders(qrels: Qrels, run: Run, choices: Choices) -> tuple[Run, Run]:
    """Return a run with the documents of lower grades first in each block of ties, and with those of higher grades.

    A document without a judgment counts as grade 0. Scores are replaced by places, so that nothing ties any more.
    """
    whole = ranked(run, choices._replace(ties="id-descending"))
    grade = _grades(judgments(qrels, choices), whole)
    return _placed(whole, grade), _placed(whole, -grade)


def _grades(qrels: Qrels, run: Run) -> F64:
    """Return the grade of each row of a run, 0 without a judgment. Shape (n,)."""
    hits = match(qrels, run)
    grade = np.zeros(len(run), dtype=np.float64)
    code = run.numbers_of(hits.queries)
    at = run.ranking.offsets[code[hits.query]] + hits.position
    rows = run.ranking.rows_at(at)
    grade[rows] = hits.grade
    return grade


def _placed(run: Run, key: F64) -> Run:
    """Return a run whose ties are broken by a key, the lowest first."""
    place = np.empty(len(run), dtype=np.float64)
    place[np.lexsort((key, -run.score, run.query))] = -np.arange(len(run), dtype=np.float64)
    return replace(run, score=place)
