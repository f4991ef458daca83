"""Scores: a row for every judged query of every run, and means that carry their denominators."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from denominator import ledger
from denominator.averages import QuerySet, average, pooled, query_set
from denominator.bounds import NOT_ASKED, NOT_FOUND
from denominator.bounds.means import bounds_of_each, bounds_text, every_average, floor_of, interval_of, macro_interval
from denominator.cached import cached_property
from denominator.engine_choice import SCORERS, version_of
from denominator.measures import undefined as without_value
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denominator.bounds import Asked, Found
    from denominator.bounds.means import Interval
    from denominator.dialects import Dialect
    from denominator.engine_choice import PerQuery
    from denominator.engines import Settings
    from denominator.errors import DenominatorError
    from denominator.groups import Groups
    from denominator.hits import Hits
    from denominator.ledger import Counted, Ledger
    from denominator.measures import Measure
    from denominator.model import F64, I64, Bool, Note, Run, Source
    from denominator.plots import Plots

__all__ = ["Failure", "Mean", "RunScores", "Score", "Scores", "collected"]


NOTHING: Mapping[Any, Any] = {}
NONE: F64 = np.zeros(0)


class Score(NamedTuple):
    """The value of one measure for one judged query of one run."""

    run: str
    query_id: str
    measure: Measure
    value: float | None
    """None where no number is right: an unanswered query and a measure for which 0 would be perfect."""
    answered: bool
    undefined: bool
    """Whether the definition has no value here; where trec_eval says 0 all the same, so does `value`."""
    engine: str
    """Who computed it, with the version; ``unanswered`` where the registry says what a missing query is worth."""


class Mean(NamedTuple):
    """A mean (or sum, or geometric mean) with what it is over."""

    run: str
    measure: Measure
    value: float | None
    """None where there is nothing to average."""
    n: int
    """How many values are in it: queries, or groups for a macro mean."""
    judged: int
    answered: int
    undefined: int
    answerable: int
    """Counts of judged queries: all, answered by the run, with an undefined value, with a relevant document."""
    ceiling: float | None
    """The same mean of the highest values that any ranking could get; None where higher is not better."""
    queries: str
    """The query set: judged, answered, answerable or listed."""
    group: str | None = None
    over: Literal["queries", "groups"] = "queries"
    """What `n` counts: a mean over groups is a macro mean."""
    ties: Interval | None = None
    """The means over all orders of documents with equal scores; None if not asked for."""
    unjudged: Interval | None = None
    """The means over all labels of unjudged documents; None if not asked for."""
    floor: float | None = None
    """The mean that a random order would be expected to have; None if not asked for or not known."""
    numerator: int | None = None
    denominator: int | None = None
    """The sums that a mean is the quotient of (micro recall, which only a dialect asks for); None for other means."""

    @property
    def share_of_ceiling(self) -> float | None:
        """The value as a share of the ceiling; None where there is none, or it is 0."""
        return self.value / self.ceiling if self.ceiling and self.value is not None else None

    def __str__(self) -> str:
        """Return ``nDCG@10 0.431 (50 judged: 43 answered, 7 scored 0), 52% of the ceiling 0.827``."""
        if self.bounded:
            return f"{self.with_bounds()} ({self._over()})"
        text = f"{self.measure} " + ("has no value" if self.value is None else _number(self.value, self.measure))
        text += f" ({self._over()})"
        if self.share_of_ceiling is not None and self.ceiling is not None:
            text += f", {self.share_of_ceiling:.0%} of the ceiling {_number(self.ceiling, self.measure)}"
        return text

    def __repr__(self) -> str:
        """Return the run with the same, in brackets: means in a tuple or a list are short."""
        return f"<{plain(self.run)}{'' if self.group is None else f', {plain(self.group)}'}: {self}>"

    @property
    def bounded(self) -> bool:
        """Whether bounds were asked for."""
        return self.ties is not None or self.unjudged is not None or self.floor is not None

    def with_bounds(self, label: str | None = None) -> str:
        """Return ``nDCG@10 0.301 [ties 0.281–0.332] [unjudged 0.214–0.688] floor 0.030 ceiling 1.000``."""
        text = f"{label or self.measure} "
        text += "has no value" if self.value is None else _number(self.value, self.measure)
        if self.value is not None:
            text += bounds_text(self.ties, self.unjudged, self.floor)
        return text if self.ceiling is None else f"{text} ceiling {_number(self.ceiling, self.measure)}"

    def _over(self) -> str:
        """Return what the mean is over."""
        if self.over == "groups":
            return f"macro mean over {self.n:,} groups"
        if self.queries == "run":
            return f"{self.n:,} of the run, {self.answered:,} of them judged"
        if self.queries == "answered" and self.n == self.answered:
            return f"{self.n:,} answered of {self.judged:,} judged"
        if self.queries not in ("judged", "answered"):
            return f"{self.n:,} {self.queries} of {self.judged:,} judged, {self.answered:,} answered"
        missing = self.judged - self.answered
        if self.n < self.judged:
            return f"{self.n:,} with a value of {self.judged:,} judged, {self.answered:,} answered"
        if not missing:
            return f"{self.judged:,} judged, all answered"
        scored = "scored 0" if self.measure.spec.unanswered == 0 else "not"
        return f"{self.judged:,} judged: {self.answered:,} answered, {missing:,} {scored}"


class Failure(NamedTuple):
    """A run that could not be scored; the others were."""

    run: str
    error: DenominatorError


@dataclass(frozen=True, eq=False, slots=True)
class RunScores:
    """One run's values. Shapes: (q,) aligned with ``Scores.queries``, the judged queries in byte order."""

    name: str
    source: Source
    answered: Bool = field(repr=False)
    values: Mapping[Measure, F64] = field(repr=False)
    """NaN only where an unanswered query has no value; such a row is in no mean."""
    undefined: Mapping[Measure, Bool] = field(repr=False)
    scorer: Mapping[Measure, Any] = field(repr=False)
    """(q,) uint8: index into ``denominator.engine_choice.SCORERS``."""
    hits: Hits = field(repr=False)
    """The judged part of the ranking, its queries in the order of ``Scores.queries``."""
    notes: tuple[Note, ...]
    bounds: Found = field(default=NOT_FOUND, repr=False)
    """What the values could have been, its arrays in the order of ``Scores.queries``."""
    sums: Mapping[Measure, tuple[F64, F64]] = field(default_factory=dict, repr=False)
    """Numerators and denominators of the measures whose mean is sum / sum, which only a dialect asks for."""
    more: Mapping[Measure, F64] = field(default_factory=dict, repr=False)
    """The values of queries that are in a mean and not judged, which only a dialect asks for."""
    counted: Mapping[Measure, Counted] = field(default_factory=dict, repr=False)
    """What a dialect divided by, where one was asked for."""


@dataclass(frozen=True, eq=False)
class Scores:
    """What :func:`denominator.evaluate` returns, for one run or many."""

    queries: tuple[str, ...]
    """Every judged query, in byte order of its id, whatever the order of the files."""
    measures: tuple[Measure, ...]
    runs: tuple[RunScores, ...]
    """In the order in which they were given."""
    qrels: Source
    settings: Settings
    query_set: QuerySet
    groups: Groups | None = None
    failures: tuple[Failure, ...] = ()
    """The runs that could not be read or scored."""
    notes: tuple[Note, ...] = ()
    """What the judgments alone have to say; each run has notes of its own."""
    collapse: str | None = None
    """What stood between document and chunk in the runs' ids, where the chunks were collapsed to documents."""
    asked: Asked = NOT_ASKED
    """Which bounds were asked for."""
    spoken: Dialect | None = None
    """The dialect that gave the values, where it is not one of trec_eval's."""

    @property
    def dialect(self) -> str:
        """The choices behind the numbers, named: ``trec_eval-c`` unless something else was asked for."""
        if self.spoken is not None:
            return self.spoken.name
        version = "" if self.settings.trec_eval == "9" else "-10"
        names = {"judged": f"trec_eval{version}-c", "answered": f"trec_eval-{self.settings.trec_eval}"}
        return names.get(self.query_set.name, f"trec_eval{version}-{self.query_set.name}")

    @cached_property
    def engines(self) -> dict[str, str]:
        """The engines that computed a row, with their versions."""
        used = _used([scorer for run in self.runs for scorer in run.scorer.values()])
        return {name: version_of(name) for name in used}

    def engines_of(self, run: RunScores, measure: Measure) -> str:
        """Return who computed a run's values of one measure: ``pytrec_eval 0.5.11 + columnar 0.1.0``."""
        return " + ".join(f"{name} {self.engines[name]}" for name in _used([run.scorer[measure]]))

    def rows(self) -> Iterator[Score]:
        """Yield a row for every judged query of every run and measure: runs, then measures, then queries in order."""
        label = [f"{name} {self.engines[name]}" if name in self.engines else name for name in SCORERS]
        for run in self.runs:
            for measure in self.measures:
                columns = (run.values[measure], run.answered, run.undefined[measure], run.scorer[measure])
                listed = (column.tolist() for column in columns)
                for query, value, answered, undefined, scorer in zip(self.queries, *listed, strict=True):
                    known = None if value != value else value
                    yield Score(run.name, query, measure, known, answered, undefined, label[scorer])

    def means(self, queries: str | Sequence[str] | None = None) -> tuple[Mean, ...]:
        """Return the mean of every run and measure, over the evaluation's query set or another one.

        >>> from denominator import evaluate
        >>> scores = evaluate({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}}, "AP")
        >>> [mean.value for mean in (*scores.means(), *scores.means("answered"))]
        [0.5, 1.0]
        """
        chosen = self.query_set if queries is None else query_set(queries, self.queries)
        everyone = np.ones(len(self.queries), dtype=np.bool_)
        return tuple(self._mean(run, measure, chosen, everyone, None) for run, measure in self._pairs())

    def group_means(self) -> tuple[Mean, ...]:
        """Return the mean of every run, measure and group, each over the group's own queries."""
        return tuple(
            self._mean(run, measure, self.query_set, mask, group)
            for run, measure in self._pairs()
            for group, mask in self._group_masks.items()
        )

    def macro_means(self) -> tuple[Mean, ...]:
        """Return the mean over the named groups' means, each group counting once; only for measures that are means."""
        if self.groups is None:
            return ()
        named = self.groups.named
        by_pair: dict[tuple[str, Measure], list[Mean]] = {}
        for mean in self.group_means():
            if mean.group in named and mean.measure.spec.aggregate == "mean":
                by_pair.setdefault((mean.run, mean.measure), []).append(mean)
        return tuple(_macro(means) for means in by_pair.values())

    def ledger(self) -> Ledger:
        """Return the numerator, denominator and ceiling behind every row that has them, in the order of `rows`."""
        return ledger.Ledger(self)

    def fractions(self, run: RunScores, measure: Measure) -> tuple[I64, I64, I64] | None:
        """Return numerators, denominators and best numerators of a run, shape (q,) each; None for no fraction."""
        if measure in run.counted:
            return run.counted[measure].fraction
        if self.spoken is not None and not self.spoken.leaves_counts(measure):
            return None
        return ledger.fractions(run.hits, measure, self.settings)

    def ceilings(self, run: RunScores, measure: Measure) -> F64 | None:
        """Return the highest value that any ranking could get for each query, shape (q,); None where there is none."""
        if measure in run.counted:
            return run.counted[measure].ceiling
        if self.spoken is not None and not self.spoken.leaves_counts(measure):
            return None
        return ledger.ceilings(run.hits, measure, self.settings)

    def bounds(
        self, run: RunScores, measure: Measure
    ) -> Iterator[tuple[Interval | None, Interval | None, float | None]]:
        """Yield ties, unjudged and floor of each query; None for what was not asked for."""
        return bounds_of_each(run.bounds, measure, len(self.queries))

    def to_arrow(self, form: Literal["long", "wide", "means"] = "long") -> Any:
        """Return the rows as a pyarrow Table; :data:`denominator.frames.TABLES` documents its columns."""
        from denominator.frames import scores_table

        return scores_table(self, form)

    def to_pandas(self, form: Literal["long", "wide", "means"] = "long") -> Any:
        """Return a DataFrame: long, a row for each value; wide, a column for each measure; means, a row for each mean.

        The types are those of :mod:`denominator.tables` in every version of pandas. The wide form is indexed by run and
        query_id. ``frame.attrs`` holds the dialect and the settings.

        Raises:
            UsageError: another form.
        """
        from denominator import frames, tables

        index = frames.WIDE if form == "wide" else ()
        return tables.to_pandas(self.to_arrow(form), index, frames.plain_attrs(self))

    def to_polars(self, form: Literal["long", "wide", "means"] = "long") -> Any:
        """Return the rows as a polars DataFrame: see `to_arrow`."""
        from denominator.tables import to_polars

        return to_polars(self.to_arrow(form))

    @property
    def plot(self) -> Plots:
        """The pictures of these scores: ``scores.plot.recall()``; see :class:`denominator.plots.Plots`."""
        from denominator.plots import Plots

        return Plots(self)

    def _pairs(self) -> Iterator[tuple[RunScores, Measure]]:
        """Yield every run with every measure."""
        return ((run, measure) for run in self.runs for measure in self.measures)

    @cached_property
    def _ceilings(self) -> dict[tuple[str, Measure], F64 | None]:
        """The ceilings of every run and measure, worked out once for all the means."""
        return {(run.name, measure): self.ceilings(run, measure) for run, measure in self._pairs()}

    @cached_property
    def _group_masks(self) -> dict[str, Bool]:
        """Per group, which of the queries are in it."""
        members = {} if self.groups is None else self.groups.members
        sets = {group: set(queries) for group, queries in members.items()}
        return {group: np.array([q in some for q in self.queries], dtype=np.bool_) for group, some in sets.items()}

    def _mean(self, run: RunScores, measure: Measure, chosen: QuerySet, within: Bool, group: str | None) -> Mean:
        """Return one mean over the queries that are in the query set and in the group."""
        answerable = run.hits.relevant(measure.level(self.settings.level)) > 0
        own = self.spoken is not None and chosen is self.query_set and chosen.listed is None
        named = self.spoken.for_measure(measure).queries if own and self.spoken is not None else chosen.name
        over = QuerySet("answered" if named == "run" else named, chosen.listed)
        asked = within & over.mask(self.queries, run.answered, answerable)
        value = run.values[measure]
        kept = (within if own else asked) & ~np.isnan(value)
        ceiling = self._ceilings[run.name, measure]
        more = run.more.get(measure, NONE) if own and group is None else NONE
        sums = [int(part[kept].sum()) for part in run.sums[measure]] if measure in run.sums else [None, None]
        return Mean(
            run.name,
            measure,
            self._average(run, measure, kept, more),
            int(kept.sum()) + len(more),
            judged=int(within.sum()),
            answered=int((within & run.answered).sum()),
            undefined=int((asked & run.undefined[measure]).sum()),
            answerable=int((within & answerable).sum()),
            ceiling=None if ceiling is None else self._highest(run, measure, ceiling, kept, len(more)),
            queries=named,
            group=group,
            ties=interval_of(run.bounds.ties, measure, kept),
            unjudged=interval_of(run.bounds.unjudged, measure, kept),
            floor=floor_of(run.bounds.floor, measure, kept),
            numerator=sums[0],
            denominator=sums[1],
        )

    def _highest(self, run: RunScores, measure: Measure, ceiling: F64, kept: Bool, more: int) -> float | None:
        """Return the same mean of ceilings: a quotient of sums where the mean is one.

        Nothing is relevant to the queries that are not judged, so that no ranking has more than an empty one.
        """
        counts = self.fractions(run, measure) if measure in run.sums else None
        if counts is None:
            lowest = np.full(more, measure.spec.unanswered or 0.0)
            return average(np.append(ceiling[kept], lowest), measure.spec.aggregate)
        _, below, best = counts
        return pooled(best[kept].astype(np.float64), below[kept].astype(np.float64))

    def _average(self, run: RunScores, measure: Measure, kept: Bool, more: F64) -> float | None:
        """Return the mean over some queries, and over `more` values of others."""
        if measure in run.sums:
            above, below = run.sums[measure]
            return pooled(above[kept], below[kept])
        return average(np.append(run.values[measure][kept], more), measure.spec.aggregate)

    def __repr__(self) -> str:
        """Return the means, one a line."""
        return "\n".join(f"{plain(mean.run)}: {mean}" for mean in self.means())


def collected(
    name: str,
    run: Run,
    computed: PerQuery,
    hits: Hits,
    order: I64,
    notes: tuple[Note, ...],
    settings: Settings,
    bounds: Found = NOT_FOUND,
    sums: Mapping[Measure, tuple[F64, F64]] = NOTHING,
    more: Mapping[Measure, F64] = NOTHING,
    counted: Mapping[Measure, Counted] = NOTHING,
) -> RunScores:
    """Return one run's scores with its queries in byte order; `order` sorts ``hits.queries``."""
    undefined = {measure: without_value(hits, measure, settings.level)[order] for measure in computed.values}
    return RunScores(
        name,
        run.source,
        hits.answered[order],
        {measure: value[order] for measure, value in computed.values.items()},
        undefined,
        {measure: scorer[order] for measure, scorer in computed.scorer.items()},
        hits.ordered(order),
        notes,
        bounds.ordered(order),
        {measure: (above[order], below[order]) for measure, (above, below) in sums.items()},
        more,
        {measure: each.ordered(order) for measure, each in counted.items()},
    )


def _macro(means: Sequence[Mean]) -> Mean:
    """Return the mean of group means; a group without a value is not in it."""
    held = [mean for mean in means if mean.value is not None]
    ceilings = [mean.ceiling for mean in held if mean.ceiling is not None]
    first = means[0]
    return Mean(
        first.run,
        first.measure,
        average(np.array([mean.value for mean in held]), "mean"),
        len(held),
        judged=sum(mean.judged for mean in held),
        answered=sum(mean.answered for mean in held),
        undefined=sum(mean.undefined for mean in held),
        answerable=sum(mean.answerable for mean in held),
        ceiling=average(np.array(ceilings), "mean") if len(ceilings) == len(held) else None,
        queries=first.queries,
        over="groups",
        ties=macro_interval([mean.ties for mean in held]),
        unjudged=macro_interval([mean.unjudged for mean in held]),
        floor=every_average([mean.floor for mean in held]),
    )


def _number(value: float, measure: Measure) -> str:
    """Return a value as it is read: a sum of counts whole, anything else with three decimals."""
    return f"{value:,.0f}" if measure.spec.aggregate == "sum" else f"{value:.3f}"


def _used(scorers: Sequence[Any]) -> list[str]:
    """Return the engines that occur among the codes of some rows."""
    seen = np.zeros(len(SCORERS), dtype=np.int64)
    for scorer in scorers:
        seen += np.bincount(scorer, minlength=len(SCORERS))
    return [SCORERS[code] for code in np.flatnonzero(seen).tolist() if code]
