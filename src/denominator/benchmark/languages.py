"""One system in the languages of CIRAL: each by its own judgments, and the mean of the languages."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.averages import average
from denominator.benchmark.benchmarking import scored
from denominator.benchmark.judged import judged
from denominator.benchmark.published import Published, published
from denominator.benchmark.standing import Benchmark, Standing, compared
from denominator.benchmark.together import NO_POOLING
from denominator.ciral import LANGUAGES, SPLITS
from denominator.errors import UsageError
from denominator.quoting import listed, shown
from denominator.scores import Mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.benchmark.standing import Part
    from denominator.measures import Measure
    from denominator.scores import Failure

__all__ = ["across_languages", "published_across"]

NAME = "mean of the languages"


def across_languages(
    runs: Mapping[str, Any],
    split: str,
    measures: Any = (),
    ciral_dir: str | os.PathLike[str] | None = None,
    name: str = NAME,
) -> Benchmark:
    """Return a system in several languages; see :func:`denominator.benchmark.benchmark_ciral`.

    One language alone has no mean of the languages.

    A run may be a pair of a name and a function that returns it; `name` is what the means are said of.
    """
    _check(runs, split)
    parts: list[Part] = []
    failures: list[Failure] = []
    for language, run in runs.items():
        part = scored(judged(f"ciral/{language}/{split}", ciral_dir), [run], measures, ciral_dir)
        failures += part.scores.failures
        if part.scores.runs:
            parts.append(part)
    if not parts:
        raise failures[0].error
    languages = [part.dataset.split("/")[1] for part in parts]
    return Benchmark(
        tuple(parts),
        _macro(parts, languages, split, name) if len(parts) > 1 else (),
        f"ciral/{split} over {', '.join(languages)}" if len(parts) > 1 else "",
        tuple(failures),
    )


def published_across(languages: Sequence[str], split: str, measure: str) -> tuple[Published, ...]:
    """Return the means of what is published for every one of some languages, a row a system and repository.

    Where the source gives its own average of all four, that is the row. Otherwise the mean is taken here.

    >>> [(row.system, row.value) for row in published_across(["ha", "so"], "test-b", "R@100")][:1]
    [('bm25-qt', 0.36395)]
    """
    own = published(f"ciral/{split}") if sorted(languages) == sorted(LANGUAGES) else ()
    rows = [row for row in own if row.measure == measure]
    averaged = {(row.system, _repository(row)) for row in rows}
    of: dict[tuple[str, str], list[Published]] = {}
    for language in languages:
        for row in published(f"ciral/{language}/{split}"):
            if row.measure == measure:
                of.setdefault((row.system, _repository(row)), []).append(row)
    for key, some in of.items():
        if len(some) == len(languages) and key not in averaged:
            rows.append(_averaged(some, split))
    return tuple(rows)


def _averaged(some: Sequence[Published], split: str) -> Published:
    """Return the mean of a system's published values; it is as sure as the least sure of them, whatever its digits."""
    value = average(np.array([row.value for row in some]), "mean") or 0.0
    first = some[0]
    note = f"mean, taken here, of its {len(some)} published values"
    return first._replace(
        dataset="ciral",
        split=split,
        value=round(value, 12),
        decimals=min(row.decimals for row in some),
        note=f"{note}; {first.note}" if first.note else note,
    )


def _repository(row: Published) -> str:
    """Return repository and commit of a source: it has a file for each language."""
    return row.origin.partition(" ")[0]


def _macro(parts: Sequence[Part], languages: Sequence[str], split: str, name: str) -> tuple[Standing, ...]:
    """Return the means over the languages, of the measures that are means."""
    found = []
    for column in zip(*(part.standings for part in parts), strict=True):
        if column[0].mean.measure.spec.aggregate != "mean":
            continue
        mean = _mean([one.mean for one in column], name)
        rows = published_across(languages, split, str(mean.measure)) if mean.n == len(languages) else ()
        found.append(Standing(mean, column[0].official, compared(mean.value, rows)))
    return tuple(found)


def _mean(means: Sequence[Mean], name: str) -> Mean:
    """Return the mean of a measure's means, each language counting once."""
    measure: Measure = means[0].measure
    values = [mean.value for mean in means if mean.value is not None]
    ceilings = [mean.ceiling for mean in means if mean.ceiling is not None]
    return Mean(
        name,
        measure,
        average(np.array(values), "mean"),
        len(values),
        judged=sum(mean.judged for mean in means),
        answered=sum(mean.answered for mean in means),
        undefined=sum(mean.undefined for mean in means),
        answerable=sum(mean.answerable for mean in means),
        ceiling=average(np.array(ceilings), "mean") if len(ceilings) == len(means) else None,
        queries="judged",
        over="groups",
    )


def _check(runs: Mapping[str, Any], split: str) -> None:
    """Refuse what is no language or split, and one run for two languages."""
    if not isinstance(runs, Mapping) or not runs:
        raise UsageError(f"runs={shown(runs)}: expected a mapping from language ({', '.join(LANGUAGES)}) to run")
    strange = [str(language) for language in runs if language not in LANGUAGES]
    if strange:
        raise UsageError(f"language {listed(strange)}: CIRAL has {', '.join(LANGUAGES)}")
    if split not in SPLITS:
        raise UsageError(f"split {shown(split)}: CIRAL has {', '.join(SPLITS)}")
    seen: dict[Any, str] = {}
    for language, run in runs.items():
        first = seen.setdefault(_identity(run), language)
        if first != language:
            raise UsageError(
                f"{LANGUAGES[first]} and {LANGUAGES[language]} are given the same run, "
                f"{shown(run[0] if isinstance(run, tuple) else run)}: {NO_POOLING}; give each language a run of its own"
            )


def _identity(run: Any) -> Any:
    """Return what two runs have in common that are one: the file behind a path, or the object."""
    if isinstance(run, tuple) and len(run) == 2:
        run = run[0]
    if isinstance(run, str | os.PathLike):
        try:
            status = os.stat(run)
        except OSError:
            return os.fspath(run)
        return status.st_dev, status.st_ino
    return id(run)
