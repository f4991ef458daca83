"""The reference engine: the textbook of :mod:`denominator.engines.reference` applied to whole runs.

Slow and plain on purpose. It follows trec_eval where the textbook has no value: a query with |Rel| = 0 gets 0.0, which
``evaluate`` marks as undefined.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from denominator.engines import reference
from denominator.engines.lists import answers, condensed
from denominator.errors import UndefinedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denominator.engines import Settings
    from denominator.measures import Measure
    from denominator.model import F64, Qrels, Run

    Formula = Callable[[list[str], dict[str, float], Measure, float], float]

__all__ = ["FORMULAS", "score"]


BEYOND = 1_000
"""2 to the power of a grade above this is near the end of the floats."""


def _ndcg(ranking: list[str], grades: dict[str, float], measure: Measure, level: float) -> float:
    """Return nDCG with the measure's gains; the relevance level plays no part."""
    steep, own = measure["dcg"] == "exp-log2", measure["gains"] or {}
    top = max(grades.values(), default=0)
    scale = -top if top > BEYOND else 0  # nDCG is a ratio: all gains may be scaled alike
    return reference.ndcg_at_k(
        ranking,
        grades,
        measure.cutoff,  # type: ignore[arg-type]  # nDCG takes whole cutoffs only
        gain=lambda grade: own.get(grade, (2.0 ** (grade + scale) if scale else 2**grade - 1) if steep else grade),
    )


FORMULAS: Mapping[str, Formula] = MappingProxyType(
    {
        "P": lambda r, g, m, level: reference.precision_at_k(r, g, m["cutoff"], level=level),
        "R": lambda r, g, m, level: reference.recall_at_k(r, g, m["cutoff"], level=level),
        "RCap": lambda r, g, m, level: reference.capped_recall_at_k(r, g, m["cutoff"], level=level),
        "RR": lambda r, g, m, level: reference.reciprocal_rank(r, g, m["cutoff"], level=level),
        "nDCG": _ndcg,
        "AP": lambda r, g, m, level: reference.average_precision(r, g, m["cutoff"], level=level),
        "Rprec": lambda r, g, m, level: reference.r_precision(r, g, level=level),
        "Success": lambda r, g, m, level: reference.success_at_k(r, g, m["cutoff"], level=level),
        "RBP": lambda r, g, m, level: reference.rbp(r, g, m["p"], m["cutoff"], level=level),
        "ERR": lambda r, g, m, level: reference.err(r, g, m["cutoff"], max_grade=m["gmax"]),
        "Bpref": lambda r, g, m, level: reference.bpref(r, g, level=level),
        "infAP": lambda r, g, m, level: reference.inf_ap(r, g, level=level),
    }
)
"""Measure name → the textbook's function, given ranking, grades, measure and relevance level."""


def score(qrels: Qrels, run: Run, measures: Sequence[Measure], settings: Settings) -> dict[Measure, F64]:
    """Return the textbook's per-query values, aligned with ``qrels.queries``; NaN for queries that the run lacks.

    Measures the textbook does not have are NaN throughout.

    Raises:
        InputError: a document is twice in a ranking or in the judgments of a query.
        UsageError: a grade is above the gmax of an ERR.
    """
    values = {measure: np.full(len(qrels.queries), np.nan) for measure in measures}
    known = [measure for measure in values if measure.name in FORMULAS]
    for answer in answers(qrels, run, range(len(qrels.queries)) if known else ()):
        whole = answer._replace(ranking=answer.ranking[: settings.depth])
        only_judged = condensed(whole)
        for measure in known:
            thinned = settings.judged_only or ("judged_only" in measure.spec.params and measure["judged_only"])
            ranking = only_judged if thinned else whole.ranking
            try:
                value = FORMULAS[measure.name](ranking, answer.grades, measure, measure.level(settings.level))
            except UndefinedError:
                value = 0.0
            values[measure][answer.query] = value
    return values
