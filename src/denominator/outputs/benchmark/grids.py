"""The tables of a benchmark that people read, as cells: text and markdown show the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from denominator.outputs.cells import NOTHING, Grid, short_names
from denominator.quoting import percent, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from denominator.benchmark.published import Published
    from denominator.benchmark.standing import Benchmark, Part, Standing

__all__ = ["Table", "notes", "tables"]

MARK = "→ "
"""Before the runs' own rows among published ones."""


_ALONE = "Each run is ranked alone among the published systems, not among the other runs here."


class Table(NamedTuple):
    """A table with its title and what is said under it."""

    title: str
    grid: Grid
    under: tuple[str, ...] = ()
    sources: tuple[Published, ...] = ()
    """One row of each source, in the order of the numbers that stand for them."""


def tables(found: Benchmark) -> Iterator[Table]:
    """Yield where the runs stand on a data set, and what stands beside them; of languages, the same for their mean."""
    if not found.macro:
        for part in found.parts:
            names = short_names([run.name for run in part.scores.runs])
            labelled = [(names[one.mean.run], one) for one in part.standings]
            several = len(names) > 1
            alone = (_ALONE,) if several and any(one.rank is not None for _, one in labelled) else ()
            yield Table(_title(part), _standings(labelled, "run" if several else ""), alone)
            yield from _beside(labelled, part.official)
        return
    labelled = [(part.dataset.split("/")[1], one) for part in found.parts for one in part.standings]
    labelled += [("macro mean", one) for one in found.macro]
    title = f"{found.macro_dataset}: every language by its own judgments; a macro mean counts each once"
    yield Table(title, _standings(labelled, "language"))
    yield from _beside([("macro mean", one) for one in found.macro], found.parts[0].official)


def notes(found: Benchmark) -> Iterator[str]:
    """Yield what there is to beware of; where there are several data sets, each once, behind those it is about."""
    for failure in found.failures:
        yield f"{plain(failure.run)}: not scored"
    of: dict[str, list[str]] = {}
    for part in found.parts:
        for note in part.notes:
            of.setdefault(note.message, []).append(part.dataset)
    for message, datasets in of.items():
        yield f"{', '.join(datasets)}: {message}" if len(found.parts) > 1 else message


def _title(part: Part) -> str:
    """Return what the judgments are."""
    queries = len(part.scores.queries)
    named = f"{part.known.name}, {part.known.revision}" if part.known is not None else plain(part.scores.qrels.name)
    dataset = f"{plain(part.dataset)}: " if part.dataset else ""
    return f"{dataset}{named}; {queries:,} judged {'query' if queries == 1 else 'queries'}"


def _standings(labelled: Sequence[tuple[str, Standing]], heading: str = "") -> Grid:
    """Return means with their ceilings and ranks, a measure a row; under a `heading` for several, a section each."""
    ranked = any(one.rank is not None for _, one in labelled)
    secondary = any(beside.row.secondary for _, one in labelled for beside in one.beside)
    missed = any(one.mean.answered < one.mean.judged for _, one in labelled)
    headings = ["value", "ceiling", "of ceiling"]
    headings += ["rank"] if ranked else []
    headings += ["without *"] if secondary else []
    headings += ["n", "answered"] if missed else ["n"]
    rows: list[tuple[str, ...]] = []
    for measure in dict.fromkeys(str(one.mean.measure) for _, one in labelled):
        if heading:
            rows.append((measure, *[""] * len(headings)))
        for label, one in labelled:
            if str(one.mean.measure) == measure:
                cells = list(_numbers(one))
                cells += [str(one.rank or NOTHING)] if ranked else []
                cells += [str(one.primary_rank or NOTHING)] if secondary else []
                cells += [f"{one.mean.n:,}", *([f"{one.mean.answered:,}"] if missed else [])]
                rows.append((f"  {label}" if heading else measure, *cells))
    return Grid((heading or "measure", *headings), tuple(rows))


def _numbers(one: Standing) -> tuple[str, str, str]:
    """Return value, ceiling, and the share of it."""
    share = one.mean.share_of_ceiling
    return _four(one.mean.value), _four(one.mean.ceiling), NOTHING if share is None else percent(share)


def _beside(labelled: Sequence[tuple[str, Standing]], official: Sequence[str]) -> Iterator[Table]:
    """Yield the runs among the published systems, the best by the first official measure first; differences to a run.

    The differences are those of the first run with a rank: with several, each has its own in CSV and JSON.
    """
    measures = [name for name in official if any(one.beside for _, one in labelled if str(one.mean.measure) == name)]
    if not measures:
        return
    first = next(label for label, one in labelled if one.beside)
    rows: dict[tuple[str, ...], dict[str, tuple[float, str, str]]] = {}
    published: dict[tuple[str, ...], Published] = {}
    for label, one in labelled:
        measure = str(one.mean.measure)
        if measure not in measures or one.mean.value is None:
            continue
        rows.setdefault((MARK + label,), {})[measure] = (one.mean.value, _four(one.mean.value), "")
        for value, row, difference in ((one.row.value, one.row, one.difference) for one in one.beside):
            who = (row.system, row.source, row.note)
            published[who] = row
            if label == first:
                rows.setdefault(who, {})[measure] = (value, _four(value), _signed(difference))
    order = sorted(rows, key=lambda key: [-rows[key].get(name, (-1.0,))[0] for name in measures])
    numbers: dict[tuple[str, str], int] = {}
    sources = []
    lines: list[tuple[str, ...]] = []
    for key in order:
        source = ""
        if key in published:
            row = published[key]
            if (row.source, row.note) not in numbers:
                numbers[row.source, row.note] = len(numbers) + 1
                sources.append(row)
            source = f"[{numbers[row.source, row.note]}]{'*' if row.secondary else ''}"
        cells = [cell for name in measures for cell in rows[key].get(name, (0.0, NOTHING, ""))[1:]]
        lines.append((plain(key[0]), *cells, source))
    several = len({label for label, _ in labelled}) > 1
    headings = [cell for name in measures for cell in (name, "1st −" if several else "run −")]
    yield Table(
        f"Beside what is published{f'; differences are those of {first}' if several else ''}",
        Grid(("system", *headings, "source"), tuple(lines)),
        tuple(_said(published.values(), first, several)),
        tuple(sources),
    )


def _said(rows: Collection[Published], first: str, several: bool) -> Iterator[str]:
    """Yield what explains the table."""
    listed = list(rows)
    others = "; those of the other runs are in -f json and csv" if several else ""
    yield f"Differences are {first if several else 'the run'} minus the row, at the decimals of its source{others}."
    same = sorted({(row.system, row.same_as) for row in listed if row.same_as})
    if same:
        names = "; ".join(f"{system} is {other}" for system, other in same)
        yield f"One system under two names counts once in a rank: {names}."
    if any(row.secondary for row in listed):
        yield "* from a secondary source: neither the collection's nor that of the system's makers."


def _four(value: float | None) -> str:
    """Return a value as published ones are printed."""
    return NOTHING if value is None else f"{value:.4f}"


def _signed(difference: float) -> str:
    """Return a difference with its sign; none is said in a sign of its own."""
    return "=" if difference == 0 else f"{difference:+.4f}"
