"""The cells of the tables that people read: text, markdown and latex show the same ones."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from denominator.bounds import BOUNDED
from denominator.bounds.means import bounds_text
from denominator.quoting import percent, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denominator.measures import Measure
    from denominator.model import Note, Source
    from denominator.scores import Failure, Mean, RunScores, Scores

__all__ = [
    "HEADINGS",
    "RUNS_NAMED",
    "Grid",
    "bound_cells",
    "bound_headings",
    "bound_lines",
    "mean_cells",
    "means_of",
    "per_query",
    "said",
    "short_names",
]

HEADINGS = ("mean", "ceiling", "of ceiling", "n", "judged", "answered", "undefined")
"""What `mean_cells` fills."""
NOTHING = "–"
RUNS_NAMED = 3
NOTES_SHOWN = 20


class Grid(NamedTuple):
    """A table of texts; the first `texts` columns hold words, the others numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1


def mean_cells(mean: Mean) -> tuple[str, ...]:
    """Return a mean with all that it is over, under `HEADINGS`."""
    share = mean.share_of_ceiling
    counts = (mean.n, mean.judged, mean.answered, mean.undefined)
    sums = "" if mean.denominator is None else f" ({mean.numerator:,}/{mean.denominator:,})"
    return (
        _number(mean.value, mean.measure) + sums,
        _number(mean.ceiling, mean.measure),
        NOTHING if share is None else percent(share),
        *(f"{count:,}" for count in counts),
    )


def bound_headings(scores: Scores) -> tuple[str, ...]:
    """Return the headings of the bounds that were asked for."""
    return tuple(part for part in ("ties", "unjudged", "floor") if getattr(scores.asked, part))


def bound_cells(scores: Scores, mean: Mean) -> tuple[str, ...]:
    """Return the bounds of a mean that were asked for, under `bound_headings`."""
    bounds = {"ties": str(mean.ties), "unjudged": str(mean.unjudged), "floor": _number(mean.floor, mean.measure)}
    return tuple(bounds[part] for part in bound_headings(scores))


def bound_lines(scores: Scores) -> Iterator[str]:
    """Yield each mean with the bounds that were asked for: ``nDCG@10 0.301 [ties 0.281–0.332] ceiling 1.000``."""
    if not scores.asked.anything:
        return
    one = len(scores.runs) + len(scores.failures) == 1
    shown = short_names([run.name for run in scores.runs])
    lines: dict[str, list[str]] = {}
    for label, mean in means_of(scores):
        line = mean.with_bounds(label)
        lines.setdefault(label, []).append(line if one else f"{shown[mean.run]}: {line}")
    for together in lines.values():  # the runs of a measure, as in the table
        yield from together


def means_of(scores: Scores) -> Iterator[tuple[str, Mean]]:
    """Yield every mean with the label of its row: the measure, and behind it the group it is over."""
    groups = [*scores.group_means(), *scores.macro_means()]
    for mean in scores.means():
        yield str(mean.measure), mean
        for part in groups:
            if (part.run, part.measure) == (mean.run, mean.measure):
                label = "macro mean" if part.over == "groups" else plain(part.group or "")
                yield f"{mean.measure} · {label}", part


def per_query(scores: Scores, run: RunScores, measures: Sequence[Measure]) -> Grid:
    """Return one run's rows: a query a row, a measure a column, the fraction beside the value where there is one."""
    columns = [_query_cells(scores, run, measure) for measure in measures]
    headings = ["query", *(str(measure) for measure in measures)]
    if not run.answered.all():
        columns.append(["yes" if answered else "no" for answered in run.answered.tolist()])
        headings.append("answered")
    rows = zip((plain(query) for query in scores.queries), *columns, strict=True)
    return Grid(tuple(headings), tuple(rows))


def _query_cells(scores: Scores, run: RunScores, measure: Measure) -> list[str]:
    """Return one measure's cells: ``0.500 (4/8)``; ``undef.`` beside a value that the definition does not have."""
    cells = []
    counts = scores.fractions(run, measure)
    values, undefined = run.values[measure].tolist(), run.undefined[measure].tolist()
    bounds = [bounds_text(*each) for each in scores.bounds(run, measure)] if scores.asked.anything else None
    for at, value in enumerate(values):
        if value != value:
            cells.append(NOTHING)
            continue
        text = _number(value, measure)
        if counts is not None:
            text += f" ({counts[0][at]}/{counts[1][at]})"
        elif undefined[at]:
            text += " undef."
        cells.append(text if bounds is None else text + bounds[at])
    return cells


def said(scores: Scores) -> Iterator[str]:
    """Yield what is said under a table: what was read, what the means are over, who computed them, and all notes."""
    short = short_names([run.name for run in scores.runs])
    yield f"{plain(scores.qrels.name)} read as: {plain(scores.qrels.read_as)}"
    yield from _gathered([(run.name, f"read as: {run.source.read_as}") for run in scores.runs], " ")
    yield from (f"{plain(failure.run)}: not scored: {_first_line(failure)}" for failure in scores.failures)
    yield _over(scores)
    yield from _about_bounds(scores)
    if scores.groups is not None:
        yield "A macro mean is over the means of the named groups, each counting once; its n counts groups."
    yield from (_with_file(scores.qrels.name, note, scores.qrels) for note in scores.notes)
    if len(scores.runs) == 1 and not scores.failures:
        lines = [_with_file(run.name, note, run.source) for run in scores.runs for note in run.notes]
    else:
        lines = list(_gathered([(short[run.name], note.message) for run in scores.runs for note in run.notes], ": "))
    yield from lines[:NOTES_SHOWN]
    if len(lines) > NOTES_SHOWN:
        yield f"and {len(lines) - NOTES_SHOWN:,} more notes; -f json has them all"


def _with_file(name: str, note: Note, source: Source) -> str:
    """Return what a note says; one about reading behind the file's name, for judgments and run may have the same."""
    return plain(f"{name}: {note.message}" if note in source.notes else note.message)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Return each name without the folder and the ending that all have in common; the lines below have them whole."""
    if len({os.path.dirname(name) for name in names}) != 1:
        return {name: plain(name) for name in names}
    short = [os.path.basename(name) for name in names]
    if len({os.path.splitext(name)[1] for name in short}) == 1:
        short = [os.path.splitext(name)[0] for name in short]
    return {name: plain(stem) for name, stem in zip(names, short, strict=True)}


def _first_line(failure: Failure) -> str:
    """Return the first line of why a run could not be scored, without the run's name, which stands before it."""
    first, _, rest = str(failure.error).partition("\n")
    return plain(first.removeprefix(f"{plain(failure.run)}: ")) + (" …" if rest else "")


def _gathered(pairs: Sequence[tuple[str, str]], between: str) -> Iterator[str]:
    """Yield each different message once, behind the runs it is about."""
    runs_of: dict[str, list[str]] = {}
    for run, message in pairs:
        runs_of.setdefault(message, []).append(run)
    for message, runs in runs_of.items():
        named = ", ".join(plain(run) for run in runs[:RUNS_NAMED])
        more = f" and {len(runs) - RUNS_NAMED:,} more" if len(runs) > RUNS_NAMED else ""
        yield f"{named}{more}{between}{plain(message)}"


def _over(scores: Scores) -> str:
    """Return the sentence on the query set, the settings that are not the default, and the engines."""
    from denominator.averages import NAMED_SETS

    name = scores.query_set.name
    listed = scores.query_set.listed
    over = NAMED_SETS.get(name, f"{len(listed or ()):,} listed queries")
    if scores.spoken is not None and listed is None:
        over = scores.spoken.over(scores.measures)
    set_ = scores.settings
    if set_.trec_eval == "10" and name == "answered":
        over = "the judged queries that the run answers"
    named = scores.spoken is not None and "level" in scores.spoken.changed
    unusual = [
        *([f"chunks collapsed at {plain(scores.collapse)}"] if scores.collapse is not None else []),
        *([f"relevance level {set_.level:g}"] if set_.level != 1 and not named else []),
        *([f"first {set_.depth:,} documents only"] if set_.depth is not None else []),
        *(["unjudged documents removed"] if set_.judged_only else []),
        *(["trec_eval 10"] if set_.trec_eval == "10" and scores.spoken is None else []),
    ]
    engines = " + ".join(f"{engine} {version}" for engine, version in scores.engines.items())
    if len(scores.runs) + len(scores.failures) > 1:
        over += f"; {len(scores.queries):,} are judged"
    return f"Means over {over}. Dialect {scores.dialect}{''.join(f', {text}' for text in unusual)}; by {engines}."


def _about_bounds(scores: Scores) -> Iterator[str]:
    """Yield what the bounds that were asked for are over."""
    asked = scores.asked
    if asked.ties:
        yield "ties: the lowest and the highest value over all orders of documents with equal scores."
    if asked.unjudged:
        outside = asked.max_unjudged_relevant
        more = f", and so can {outside:,} outside it" if outside else ""
        yield (
            f"unjudged: the lowest and the highest value if each unjudged document in the ranking can have any grade "
            f"from 0 to {asked.gmax:g}{more}. R, AP and nDCG that take them for 0 are no lower bounds: relevant ones "
            "enlarge what they are divided by. A document with a grade below 0 counts as unjudged."
        )
    if asked.floor and asked.corpus_size is None:
        yield "floor: the expected value of the same documents in random order."
    elif asked.floor:
        yield f"floor: the expected value of as many documents drawn at random from {asked.corpus_size:,}."
    parts = [part for run in scores.runs[:1] for part in run.bounds if part is not None]
    open_ = [str(measure) for measure in scores.measures if any(part[measure] is None for part in parts)]
    if open_:
        yield f"Not bounded: {', '.join(open_)}; bounds are known for {', '.join(BOUNDED)}."


def _number(value: float | None, measure: Measure) -> str:
    """Return a value with three decimals, a count whole."""
    if value is None:
        return NOTHING
    return f"{value:,.0f}" if measure.spec.aggregate == "sum" else f"{value:.3f}"
