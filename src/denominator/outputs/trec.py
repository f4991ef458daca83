"""trec_eval's layout: the measure's name in 22 characters, a query id or ``all``, the value, tabs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.errors import InputError, UsageError
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.bounds import Asked
    from denominator.engines import Settings
    from denominator.measures import Measure
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["check", "render"]


def render(scores: Scores, options: Options) -> str:
    """Return the lines of every query, if asked for, and then the summary.

    Raises:
        UsageError: a measure that trec_eval lacks, bounds, or several runs: the layout has no place for them.
        InputError: a query id that would end its field or its line.
    """
    names = check(scores.measures, scores.settings, scores.asked, len(scores.runs))
    lines = []
    if options.per_query:
        _refuse_unholdable(scores.queries)
        (run,) = scores.runs
        columns = [
            (measure, run.values[measure].tolist()) for measure in scores.measures if not _only_summed_up(measure)
        ]
        for at, query in enumerate(scores.queries):
            lines += [_line(names[m], query, values[at], m) for m, values in columns if values[at] == values[at]]
    for mean in scores.means():
        if mean.value is not None:
            lines.append(_line(names[mean.measure], "all", mean.value, mean.measure))
    return "".join(lines)


def check(measures: Sequence[Measure], settings: Settings, asked: Asked, runs: int) -> dict[Measure, str]:
    """Return the names of the measures as trec_eval prints them, or refuse what its layout has no place for.

    Raises:
        UsageError: a measure that trec_eval lacks, bounds, or several runs.
    """
    if runs != 1:
        raise UsageError(f"trec_eval's layout holds one run, found {runs}; use another -f, or one run a call")
    if asked.anything:
        raise UsageError("trec_eval's layout has no place for bounds (ties, unjudged, floor); use another -f")
    return {measure: _name(measure, settings) for measure in measures}


def _name(measure: Measure, settings: Settings) -> str:
    """Return the name that trec_eval prints, or refuse a measure, or a parameter, that it does not have."""
    name = measure.spec.trec_name(measure)
    if name is None:
        raise UsageError(f"trec_eval has no measure {measure}, so its layout cannot hold it; use another -f")
    own = dict(measure.params)
    if measure.level(settings.level) != settings.level:
        raise UsageError(f"trec_eval has one relevance level for all measures; for {measure} use -l {own['rel']}")
    if own.get("judged_only") and not settings.judged_only:
        raise UsageError(f"trec_eval condenses the list for all measures or none; for {measure} use -J")
    return name


def _refuse_unholdable(queries: Sequence[str]) -> None:
    """Refuse a query id with a blank or a line end: its line would be read as other lines, or as other fields."""
    from denominator.formats.write import UNHOLDABLE

    for query in queries:
        if UNHOLDABLE.search(query):
            raise InputError(
                f"query id {quoted(query)} holds a blank or a line end, which trec_eval's layout cannot hold; use "
                "another -f, or leave -q out"
            )


def _only_summed_up(measure: Measure) -> bool:
    """Return whether trec_eval prints a measure in the summary only."""
    return measure.name == "NumQ" or measure.spec.aggregate == "geometric"


def _line(name: str, query: str, value: float, measure: Measure) -> str:
    """Return one line; counts are whole, all else has four decimals."""
    text = f"{value:.0f}" if measure.spec.aggregate == "sum" else f"{value:6.4f}"
    return f"{name:<22}\t{query}\t{text}\n"
