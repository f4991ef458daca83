"""How a benchmark of one data set goes: judgments, scores, and every mean beside what is published for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from denominator.benchmark.cautions import cautions
from denominator.benchmark.judged import judged
from denominator.benchmark.published import published
from denominator.benchmark.standing import Part, Standing, compared
from denominator.benchmark.together import refuse_pooling
from denominator.evaluation import Request, score_all
from denominator.measures import parse_measure, parse_measures

if TYPE_CHECKING:
    import os

    from denominator.benchmark.judged import Judged
    from denominator.measures import Measure
    from denominator.scores import Scores

__all__ = ["CUTOFF", "benchmarked", "scored", "standings"]

CUTOFF = 10
"""Of our own measures, where no official nDCG says how far people look."""


def benchmarked(dataset: Any, runs: Any, measures: Any = (), ciral_dir: str | os.PathLike[str] | None = None) -> Part:
    """Return runs on one data set; see :func:`denominator.benchmark`."""
    refuse_pooling(dataset, runs)
    part = scored(judged(dataset, ciral_dir), runs, measures)
    if not part.scores.runs:
        raise part.scores.failures[0].error
    return part


def scored(data: Judged, runs: Any, measures: Any) -> Part:
    """Return runs scored by judgments; those that cannot be are in ``Part.scores.failures``."""
    wanted = _wanted(data.official, parse_measures(measures) if measures else ())
    scores = score_all(data.qrels, runs, Request.of(wanted))
    part = Part(data.dataset, scores, standings(data, scores), (), data.known)
    return replace(part, notes=tuple(cautions(data, part)))


def standings(data: Judged, scores: Scores) -> tuple[Standing, ...]:
    """Return every mean beside what is published; nothing is, for judgments that are of no known data set."""
    rows = published(data.dataset)
    return tuple(
        Standing(
            mean,
            mean.measure in data.official,
            compared(mean.value, tuple(row for row in rows if row.measure == str(mean.measure))),
        )
        for mean in scores.means()
    )


def _wanted(official: tuple[Measure, ...], further: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Return the official measures, ours, and those asked for, each once.

    Ours look as far as the first official nDCG does: recall, whose ceiling shows where |Rel| is larger, and the share
    of the documents that anybody has judged.
    """
    cutoff = next((one.cutoff for one in official if one.name == "nDCG" and one.cutoff), CUTOFF)
    ours = (parse_measure(f"R@{cutoff}"), parse_measure(f"Judged@{cutoff}"))
    return tuple(dict.fromkeys((*official, *ours, *further)))
