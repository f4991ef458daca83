"""A dialect at work: judgments, a run and measures in; what the dialect's tool would say of each query out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from denominator.averages import average
from denominator.dialects.inputs import judgments, ranked
from denominator.dialects.known import dialect as named
from denominator.engines import Settings
from denominator.engines.columnar import score_hits
from denominator.hits import match
from denominator.measures import parse_measures, worth_unanswered

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from denominator.dialects.dialect import Choices, Dialect
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, Note, Qrels, Run

__all__ = ["Applied", "apply"]


@dataclass(frozen=True, eq=False)
class Applied:
    """What a dialect says of a run. Shapes: (q,) aligned with `queries`."""

    dialect: Dialect
    queries: tuple[str, ...]
    """The judged queries, in the order of ``qrels.queries``."""
    values: Mapping[Measure, F64]
    """NaN: this query is not in the mean."""
    sums: Mapping[Measure, tuple[F64, F64]] = field(default_factory=dict)
    """Numerators and denominators of a measure whose mean is sum / sum (micro recall)."""
    notes: tuple[Note, ...] = ()

    def mean(self, measure: Measure) -> float | None:
        """Return the mean (sum, geometric mean) over the queries that are in it; None where none is.

        Values are added in byte order of their queries' ids, as evaluate does.
        """
        order = np.array(sorted(range(len(self.queries)), key=self.queries.__getitem__), dtype=np.int64)
        value = self.values[measure][order]
        kept = ~np.isnan(value)
        if measure in self.sums:
            above, below = (part[order][kept] for part in self.sums[measure])
            whole = average(below, "sum")
            return (average(above, "sum") or 0.0) / whole if whole else None
        return average(value[kept], measure.spec.aggregate)

    def n(self, measure: Measure) -> int:
        """Return how many queries are in the mean."""
        return int((~np.isnan(self.values[measure])).sum())


def apply(qrels: Qrels, run: Run, measures: Any, dialect: str | Dialect, *, depth: int | None = None) -> Applied:
    """Score a run as a dialect's tool would.

    `qrels` and `run` may hold a pair more than once, as ``examine_qrels`` and ``examine_run`` return them: the dialect
    says what happens then. `depth` cuts every ranking first.

    Raises:
        UsageError: the dialect does not have a measure.
        InputError: the files hold what the dialect refuses, or lack what it needs.
        UndefinedError: a query has no relevant document, which is an error in the dialect.
    """
    spoken = named(dialect)
    wanted = parse_measures(measures)
    spoken.check(wanted)
    groups: dict[Choices, list[Measure]] = {}
    for measure in wanted:
        groups.setdefault(spoken.for_measure(measure), []).append(measure)
    values: dict[Measure, F64] = {}
    for choices, some in groups.items():
        hits = match(judgments(qrels, choices), ranked(run, choices))
        values.update(_values(hits, some, choices, depth))
    return Applied(spoken, qrels.queries, {measure: values[measure] for measure in wanted})


def _values(hits: Hits, measures: list[Measure], choices: Choices, depth: int | None) -> dict[Measure, F64]:
    """Return the values of measures that share their choices, NaN where a query is not in the mean."""
    settings = Settings(choices.level, depth, choices.unjudged == "removed", choices.trec_eval)  # type: ignore[arg-type]
    values = score_hits(hits, measures, settings)
    for measure in measures:
        worth = worth_unanswered(hits, measure, settings.level)
        values[measure] = np.where(hits.answered, values[measure], worth)
        if choices.queries == "answered":
            values[measure][~hits.answered] = np.nan
        elif choices.queries == "answerable":
            values[measure][hits.relevant(measure.level(settings.level)) == 0] = np.nan
    return values
