"""Whether a run was made for the judgments that it is set beside, and for which ones of CIRAL it was if not.

Query ids are small numbers in every language and split of CIRAL, so a run of another one shares some of them, scores
0.0000, and looks like a bad system. What tells it is that nobody has judged what it retrieved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.ciral import LANGUAGES, SPLITS, local_file
from denominator.errors import DenominatorError, InputError, NoCommonQueriesError
from denominator.evaluation import named_runs
from denominator.formats import read_qrels, read_run
from denominator.hits import match
from denominator.model import Run
from denominator.scores import Failure

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from denominator.benchmark.judged import Judged
    from denominator.scores import RunScores, Scores

__all__ = ["barely_judged", "retrieved_and_judged", "without_strangers"]

MANY_TIMES = 10
"""How much better other judgments have to fit, and a run of fewer than one judged document for so many queries is
barely judged."""


def retrieved_and_judged(run: RunScores) -> tuple[int, int]:
    """Return how many documents a run has for the judged queries, and how many of these are judged."""
    return int(run.hits.retrieved.sum()), len(run.hits.query)


def barely_judged(run: RunScores) -> bool:
    """Return whether so few documents of a run are judged that its place among systems says nothing."""
    return len(run.hits.query) * MANY_TIMES < int(np.count_nonzero(run.answered))


def without_strangers(data: Judged, scores: Scores, runs: Any, ciral_dir: str | os.PathLike[str] | None) -> Scores:
    """Return scores whose runs of other queries are failures.

    A run is one if none of its documents is judged, or if judgments of CIRAL on this machine fit it many times better.
    """
    given = dict(named_runs(runs))
    kept = []
    failures = [_told(one, data, given, ciral_dir) for one in scores.failures]
    for run in scores.runs:
        error = _stranger(run, data, given[run.name], ciral_dir)
        if error is None:
            kept.append(run)
        else:
            failures.append(Failure(run.name, error))
    return replace(scores, runs=tuple(kept), failures=tuple(failures))


def _told(failure: Failure, data: Judged, given: dict[str, Any], ciral_dir: str | os.PathLike[str] | None) -> Failure:
    """Return a failure; where no query is shared, with the judgments that the run has queries and documents of."""
    if not isinstance(failure.error, NoCommonQueriesError):
        return failure
    better = _better(data, given[failure.run], 0, ciral_dir)
    return failure._replace(error=NoCommonQueriesError(f"{failure.error} {better}")) if better else failure


def _stranger(
    run: RunScores, data: Judged, source: Any, ciral_dir: str | os.PathLike[str] | None
) -> DenominatorError | None:
    """Return why a run is not one for these judgments; None where it may be."""
    documents, judged = retrieved_and_judged(run)
    answered = int(np.count_nonzero(run.answered))
    if judged >= answered:  # as far as any system gets that finds anything
        return None
    better = _better(data, source, judged, ciral_dir)
    if judged and not better:
        return None
    name = data.dataset or data.qrels.source.name
    queries = f"{answered:,} of the {len(run.answered):,} judged queries"
    return InputError(
        f"{run.name}: {f'only {judged:,}' if judged else 'none'} of the {documents:,} documents that it has for "
        f"{queries} of {name} {'are' if judged > 1 else 'is'} judged, so no score would say anything of it. "
        f"{better or 'Is this a run for other queries with the same ids, or of another collection?'}"
    )


def _better(data: Judged, source: Any, judged: int, ciral_dir: str | os.PathLike[str] | None) -> str:
    """Return the question whether a run is one for other judgments of CIRAL, which fit it many times better."""
    if not data.dataset.startswith("ciral/"):
        return ""
    try:
        run = source() if callable(source) else source
        run = run if isinstance(run, Run) else read_run(run)
    except DenominatorError:  # a stream, say, that was read to its end the first time
        return ""
    found = sorted(((fit, name) for name, fit in _fits(run, ciral_dir) if name != data.dataset), reverse=True)
    best = [name for fit, name in found[:1] if fit > judged * MANY_TIMES]
    if not best:
        return ""
    twin = best[0].removesuffix("-pools")  # the pools judge the same queries
    many, are = f"{found[0][0]:,}", "is" if found[0][0] == 1 else "are"
    return f"{many} of its documents {are} judged in {best[0]}: is this a run for {twin.removeprefix('ciral/')}?"


def _fits(run: Run, ciral_dir: str | os.PathLike[str] | None) -> Iterator[tuple[str, int]]:
    """Yield the judgments of CIRAL on this machine, and how many documents of a run are judged in each."""
    for language in LANGUAGES:
        for split in SPLITS:
            try:
                file = local_file(language, split, "qrels", folder=ciral_dir, download=False)
            except InputError:  # not here, or another one
                continue
            yield f"ciral/{language}/{split}", len(match(read_qrels(file.path), run).query)
