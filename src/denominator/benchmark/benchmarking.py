"""How a benchmark of one data set goes: judgments, scores, and every mean beside what is published for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from denominator.benchmark.cautions import cautions
from denominator.benchmark.fit import barely_judged, without_strangers
from denominator.benchmark.judged import judged
from denominator.benchmark.published import published
from denominator.benchmark.standing import Part, Standing, compared
from denominator.benchmark.together import refuse_pooling
from denominator.evaluation import Request, score_all
from denominator.measures import parse_measure, parse_measures

if TYPE_CHECKING:
    import os

    from denominator.benchmark.judged import Judged
    from denominator.benchmark.published import Published
    from denominator.measures import Measure
    from denominator.scores import Scores

__all__ = ["CUTOFF", "benchmarked", "scored", "standings"]

CUTOFF = 10
"""Of our own measures, where no official nDCG says how far people look."""


def benchmarked(dataset: Any, runs: Any, measures: Any = (), ciral_dir: str | os.PathLike[str] | None = None) -> Part:
    """Return runs on one data set; see :func:`denominator.benchmark`."""
    refuse_pooling(dataset, runs)
    part = scored(judged(dataset, ciral_dir), runs, measures, ciral_dir)
    if not part.scores.runs:
        raise part.scores.failures[0].error
    return part


def scored(data: Judged, runs: Any, measures: Any, ciral_dir: str | os.PathLike[str] | None = None) -> Part:
    """Return runs scored by judgments; those that cannot be, or are for others, are in ``Part.scores.failures``."""
    wanted = _wanted(data.official, parse_measures(measures) if measures else ())
    scores = without_strangers(data, score_all(data.qrels, runs, Request.of(wanted)), runs, ciral_dir)
    part = Part(data.dataset, scores, standings(data, scores), (), data.known)
    return replace(part, notes=tuple(cautions(data, part)))


def standings(data: Judged, scores: Scores) -> tuple[Standing, ...]:
    """Return every mean beside what is published.

    Nothing is for judgments that are of no known data set, and for a run of which almost nothing is judged.
    """
    rows = published(data.dataset)
    barely = {run.name for run in scores.runs if barely_judged(run)}
    return tuple(
        Standing(
            mean,
            mean.measure in data.official,
            () if mean.run in barely else compared(mean.value, _of(rows, mean.measure)),
        )
        for mean in scores.means()
    )


def _of(rows: tuple[Published, ...], measure: Measure) -> tuple[Published, ...]:
    """Return what is published by a measure."""
    return tuple(row for row in rows if row.measure == str(measure))


def _wanted(official: tuple[Measure, ...], further: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Return the official measures, ours, and those asked for, each once.

    Ours look as far as the first official nDCG does: recall, whose ceiling shows where |Rel| is larger, and the share
    of the documents that anybody has judged.
    """
    cutoff = next((one.cutoff for one in official if one.name == "nDCG" and one.cutoff), CUTOFF)
    ours = (parse_measure(f"R@{cutoff}"), parse_measure(f"Judged@{cutoff}"))
    return tuple(dict.fromkeys((*official, *ours, *further)))
