"""Pictures of scores, drawn with matplotlib (the extra ``plot``): ``scores.plot.difference(…)`` and its siblings.

Each draws into `ax`, or into a new figure, and returns the Axes, so that titles, sizes and files are matplotlib's usual
ones: ``scores.plot.recall().figure.savefig("recall.pdf")``. Texts from files are escaped: a ``$`` in an id begins no
formula, and no name steers a terminal or vanishes from a legend.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.averages import NAMED_SETS, average
from denominator.dialects import CHOICES
from denominator.engines.columnar import score_hits
from denominator.errors import MeasureError, MissingExtraError, UsageError
from denominator.ledger import ceilings
from denominator.measures import Measure, parse_measure, worth_unanswered
from denominator.quoting import listed, short, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes

    from denominator.model import F64, Bool
    from denominator.scores import RunScores, Scores

__all__ = ["Plots", "escaped"]

NAMED = 40
"""How many bars can have the id of their query under them."""

LINE, INCHES, POINTS = 0.8, 4, 72
"""Beyond that bars are lines, at least so thick, which fill about so many inches of 72 points."""

STEPS = 100
"""How many cutoffs a curve has at most."""

LABEL = 40
"""How many characters of a text from a file a picture shows."""


@dataclass(frozen=True, slots=True)
class Plots:
    """The pictures of some scores; means in them are over the evaluation's query set.

    A `measure` is one of the evaluation's, as typed, and the first where none is given; a `run` is the name of one. All
    methods raise :class:`~denominator.errors.MissingExtraError` where matplotlib is missing and
    :class:`~denominator.errors.UsageError` for a measure or run that is not there.
    """

    _scores: Scores

    def __repr__(self) -> str:
        """Return which pictures there are."""
        return "pictures of scores: difference(), against_rel(), recall(), judged()"

    def difference(
        self, first: str | None = None, second: str | None = None, measure: Any = None, *, ax: Axes | None = None
    ) -> Axes:
        """Draw a bar for each query: the value of the `second` run less that of the `first`, the largest gain first.

        Without names the first two runs are compared. Queries that either run lacks a value for are left out, and
        counted in the title.
        """
        if first is None and second is None and len(self._scores.runs) > 1:
            before, after = self._scores.runs[:2]
        else:
            before, after = self._run(first), self._run(second)
        chosen = self._measure(measure)
        both = self._asked(before) & self._asked(after)
        delta = after.values[chosen] - before.values[chosen]
        left_out = int((both & np.isnan(delta)).sum())
        queries = [query for query, kept in zip(self._scores.queries, both & ~np.isnan(delta), strict=True) if kept]
        delta = delta[both & ~np.isnan(delta)]
        order = np.argsort(-delta, kind="stable")
        axes = _axes(ax)
        colours = ["C0" if one >= 0 else "C3" for one in delta[order].tolist()]
        places = np.arange(len(delta))
        if len(delta) <= NAMED:
            axes.bar(places, delta[order], color=colours, width=0.9)
            axes.set_xticks(places, labels=[escaped(queries[at]) for at in order.tolist()], rotation=90)
        else:  # one collection: so many bars would take seconds
            axes.vlines(places, 0, delta[order], colors=colours, linewidth=max(LINE, INCHES * POINTS / len(delta)))
            axes.set_xticks([])
        axes.axhline(0, color="black", linewidth=0.8)
        axes.set_xlabel(f"{len(delta):,} queries, the largest gain first")
        axes.set_ylabel(f"difference in {escaped(str(chosen))}")
        counts = f"{int((delta > 0).sum())} better, {int((delta < 0).sum())} worse, {int((delta == 0).sum())} equal"
        counts += f", {left_out} without a value" if left_out else ""
        names = escaped(after.name), escaped(before.name)
        between = " " if len("".join(names)) <= LABEL else "\n"
        axes.set_title(f"{names[0]}{between}− {names[1]}\n{counts}")
        return axes

    def against_rel(self, measure: Any = None, run: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw a point for each query, its value over |Rel|, the number of its relevant documents; and the ceiling.

        One run is drawn, the first where none is named: those of several would lie on each other. Give each an `ax` to
        see them side by side. The ceiling, the highest value that any ranking could have, is a dash at each |Rel| that
        occurs, at its mean there; there is none where higher is not better.
        """
        chosen = self._measure(measure)
        axes = _axes(ax)
        one = self._scores.runs[0] if run is None else self._run(run)
        asked, rel = self._asked(one), one.hits.relevant(chosen.level(self._scores.settings.level))
        kept = asked & ~np.isnan(one.values[chosen])
        lines = axes.plot(rel[kept], one.values[chosen][kept], "o", markersize=4, alpha=0.4)
        top = self._scores.ceilings(one, chosen)
        if top is not None and asked.any():
            sizes = np.unique(rel[asked])
            means = [average(top[asked & (rel == size)], "mean") for size in sizes.tolist()]
            lines += axes.plot(sizes, np.array(means, dtype=np.float64), "_", color="black", markersize=8)
        axes.set_xlabel("|Rel|: relevant documents of the query")
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        axes.set_ylabel(escaped(str(chosen)))
        self._finish(axes, lines, [one.name, "ceiling"][: len(lines)], [one])
        if run is None and len(self._scores.runs) > 1:
            axes.set_title(f"{escaped(one.name)}, the first of {len(self._scores.runs):,} runs")
        return axes

    def recall(self, run: str | None = None, *, depth: int | None = None, ax: Axes | None = None) -> Axes:
        """Draw mean recall over the cutoff k, up to `depth`, beside the highest mean that any ranking could have there.

        Each point is the mean that an evaluation of ``R@k`` prints. Without a `run` all runs are drawn; without a
        `depth` the ceiling goes as far as the longest ranking. A run's curve ends where its own longest ranking does.
        """
        axes = _axes(ax)
        runs = self._some(run)
        cutoffs = self._cutoffs(runs, depth)
        lines = [self._drawn(axes, one, "R", cutoffs) for one in runs]
        first = runs[0]  # a ceiling of R@k is the judgments' alone
        asked = self._asked(first)
        tops = [ceilings(first.hits, Measure("R", k), self._scores.settings) for k in cutoffs]
        means = [average(top[asked], "mean") for top in tops if top is not None]
        lines += axes.plot(cutoffs, np.array(means, dtype=np.float64), color="black", linestyle="--")
        axes.set_ylabel("mean R@k")
        self._finish_curves(axes, lines, [*(one.name for one in runs), "ceiling of R@k"], runs)
        return axes

    def judged(self, run: str | None = None, *, depth: int | None = None, ax: Axes | None = None) -> Axes:
        """Draw the mean share of judged documents among the first k, over k: ``Judged@k``.

        What is not judged counts as not relevant; where this curve is low, the other numbers are low for that. Without
        a `run` all runs are drawn; the curve of each ends where its longest ranking does, whatever the `depth`.
        """
        axes = _axes(ax)
        runs = self._some(run)
        cutoffs = self._cutoffs(runs, depth)
        lines = [self._drawn(axes, one, "Judged", cutoffs) for one in runs]
        axes.set_ylabel("mean Judged@k")
        self._finish_curves(axes, lines, [one.name for one in runs], runs)
        return axes

    def _finish(self, axes: Axes, lines: Sequence[Any], names: Sequence[str], runs: Sequence[RunScores]) -> None:
        """Name what is drawn, a single run in the title, and count documents in whole numbers."""
        from matplotlib.ticker import MaxNLocator

        axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
        if len(runs) == 1:
            axes.set_title(escaped(runs[0].name))
        if len(lines) > 1:
            _legend(axes, lines, names)

    def _finish_curves(self, axes: Axes, lines: Sequence[Any], names: Sequence[str], runs: Sequence[RunScores]) -> None:
        """Label the axes of curves over k."""
        axes.set_xlabel("k")
        axes.set_ylim(0, 1.02)
        self._finish(axes, lines, names, runs)

    def _drawn(self, axes: Axes, run: RunScores, name: str, cutoffs: Sequence[int]) -> Any:
        """Draw a run's means of a measure over k, as far as it goes: no larger k says anything about the run."""
        end = min(_longest(run), cutoffs[-1])
        reached = [*(k for k in cutoffs if k < end), end]
        values = self._curve(run, name, reached)
        return axes.plot(reached, values, marker="o", markersize=4, markevery=[len(reached) - 1])[0]

    def _curve(self, run: RunScores, name: str, cutoffs: Sequence[int]) -> F64:
        """Return the means of a measure at some cutoffs: those that an evaluation would give. Shape (cutoffs,)."""
        settings, asked = self._scores.settings, self._asked(run)
        measures = [Measure(name, k) for k in cutoffs]
        self._refuse_dialect(measures[0])
        found = score_hits(run.hits, measures, settings)
        means = []
        for measure in measures:
            worth = worth_unanswered(run.hits, measure, settings.level)
            values = np.where(run.answered, found[measure], worth)[asked]
            means.append(average(values[~np.isnan(values)], "mean"))
        return np.array([np.nan if mean is None else mean for mean in means])

    def _refuse_dialect(self, measure: Measure) -> None:
        """Refuse a curve of means that another dialect would not compute like this."""
        spoken, over = self._scores.spoken, self._scores.query_set
        if spoken is None:
            return
        chosen = spoken.for_measure(measure)
        same_queries = over.listed is not None or chosen.queries == over.name
        same_values = spoken.leaves_counts(measure) and chosen.no_relevant == CHOICES["no_relevant"].default
        if not (same_queries and same_values):
            raise UsageError(
                f"{measure.name}@k in the dialect {spoken.name} cannot be drawn over k; evaluate without a dialect"
            )

    def _cutoffs(self, runs: Iterable[RunScores], depth: int | None) -> list[int]:
        """Return at most `STEPS` cutoffs from 1 to a depth, evenly where there are few and else ever further apart."""
        if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or depth < 1):
            raise UsageError(f"depth={shown(depth)}: expected a number of documents, 1 or more")
        last = depth or max(_longest(run) for run in runs)
        last = max(min(last, self._scores.settings.depth or last), 1)
        if last <= STEPS:
            return list(range(1, last + 1))
        return sorted({round(float(k)) for k in np.geomspace(1, last, STEPS)})

    def _asked(self, run: RunScores) -> Bool:
        """Return which queries the means of a run are over, where they have a value. Shape (q,)."""
        if self._scores.query_set.name not in (*NAMED_SETS, "listed"):  # a dialect's own: those that have a value
            return np.ones(len(self._scores.queries), dtype=np.bool_)
        answerable = run.hits.relevant(self._scores.settings.level) > 0
        return self._scores.query_set.mask(self._scores.queries, run.answered, answerable)

    def _some(self, name: str | None) -> list[RunScores]:
        """Return the run of a name, or all runs."""
        return list(self._scores.runs) if name is None else [self._run(name)]

    def _run(self, name: str | None) -> RunScores:
        """Return the run of a name."""
        for run in self._scores.runs:
            if run.name == name:
                return run
        there = listed([run.name for run in self._scores.runs], show=10)
        if name is None:
            raise UsageError(f"two runs are compared, name both; there are {there}")
        raise UsageError(f"no run {shown(name)}: there are {there}")

    def _measure(self, given: Any) -> Measure:
        """Return a measure of the evaluation, the first where none is given."""
        if given is None:
            return self._scores.measures[0]
        try:
            measure = given if isinstance(given, Measure) else parse_measure(given)
        except MeasureError as error:
            raise UsageError(str(error)) from None
        if measure not in self._scores.measures:
            there = ", ".join(map(str, self._scores.measures))
            raise UsageError(f"{measure} was not evaluated: there are {there}")
        return measure


def escaped(text: str) -> str:
    r"""Return a text as matplotlib shows it letter by letter, cut where it is long.

    >>> escaped("cost in $ or $?")
    'cost in \\$ or \\$?'
    """
    return short(text, LABEL).replace("$", r"\$")


def _longest(run: RunScores) -> int:
    """Return how many documents the longest ranking of a run has, at least 1."""
    return int(run.hits.retrieved.max(initial=1))


def _axes(given: Axes | None) -> Axes:
    """Return the axes that were given, or those of a new figure.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib import pyplot
    except ImportError:
        raise MissingExtraError("plots need matplotlib: pip install 'denominator[plot]'") from None
    if given is not None:
        return given
    made: Axes = pyplot.subplots(figsize=(8, 4.8), layout="constrained")[1]
    return made


def _legend(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Name the lines, beside the axes where the figure makes room for it, and else where most is free.

    The names come last: matplotlib leaves out what begins with an underscore when it is asked.
    """
    engine = axes.figure.get_layout_engine()
    roomy = engine is not None and not engine.adjust_compatible  # a constrained layout, which counts legends in
    where: Any = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "frameon": False} if roomy else {"loc": "best"}
    legend = axes.legend(lines, [str(number) for number in range(len(lines))], fontsize="small", **where)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(escaped(name))
