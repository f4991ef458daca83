"""Which engine scores a run, and the check that the fast one says what the trusted one says.

``auto``: pytrec_eval while the work is small (`TRUSTED_ROWS` rows over all runs of the call, taking the others to be as
long as this one). Above that columnar scores, and pytrec_eval scores `RECHECKED` of the queries again, every time. What
pytrec_eval does not compute, a measure it lacks or a query that must be kept from it, columnar computes. Every row
records who computed it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from denominator import ids
from denominator.engines import ENGINES, engine
from denominator.errors import EngineDisagreement, EngineError, UsageError
from denominator.measures import worth_unanswered
from denominator.model import Note, Qrels, Run
from denominator.quoting import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I32, Bool

    U8 = npt.NDArray[np.uint8]

__all__ = ["SCORERS", "ULPS_ELSEWHERE", "PerQuery", "check_engine", "is_exact", "per_query", "version_of"]

Rows = TypeVar("Rows", Qrels, Run)

TRUSTED_ROWS = 300_000
RECHECKED = 200
SEED = 9_0_8
"""The seed of the sample that is scored again: the same queries every time."""
ULPS_ELSEWHERE = 4
"""How many units in the last place two engines may differ where a C compiler may contract a multiply and an add."""

SCORERS = ("unanswered", *ENGINES)
"""Who can have given a row its value; ``unanswered``: nobody, the registry says what a missing query is worth."""


class PerQuery(NamedTuple):
    """The values of one run. Shapes: (q,) aligned with ``qrels.queries``."""

    values: Mapping[Measure, F64]
    """NaN only where an unanswered query has no value."""
    scorer: Mapping[Measure, U8]
    """Index into `SCORERS`."""
    notes: tuple[Note, ...] = ()


def check_engine(name: str, measures: Sequence[Measure]) -> None:
    """Refuse an unknown engine, and measures that the engine asked for by name does not have.

    Raises:
        UsageError: there is no such engine.
        EngineError: a measure is not the engine's.
    """
    if name == "auto":
        return
    if name not in ENGINES:
        raise UsageError(f"unknown engine {quoted(name)}: expected auto, {', '.join(ENGINES)}")
    lacking = [str(measure) for measure in measures if name not in measure.spec.engines]
    if lacking:
        raise EngineError(
            f"the engine {name} does not compute {', '.join(lacking)}; leave the engine at auto, "
            "or see `denominator measures` for what each engine has"
        )


def per_query(
    qrels: Qrels, run: Run, hits: Hits, measures: Sequence[Measure], settings: Settings, name: str, runs: int
) -> PerQuery:
    """Return the value of every judged query for every measure, and who computed it.

    `hits` are the run's, before `settings` are applied; `runs` is the number of runs in the call.

    Raises:
        EngineDisagreement: the sample of a large run differs between columnar and pytrec_eval.
    """
    large = name == "auto" and len(run) * runs > TRUSTED_ROWS
    first = "columnar" if large else "pytrec_eval" if name == "auto" else name
    values, scorer = _computed(qrels, run, hits, measures, settings, first)
    notes: tuple[Note, ...] = ()
    if first == "pytrec_eval" and any(first in measure.spec.engines for measure in measures):
        notes = tuple(_withheld(qrels, run, settings))
    elif large:
        notes = _recheck(qrels, run, hits.answered, values, settings, -(-RECHECKED // runs))
    for measure in measures:
        worth = worth_unanswered(hits, measure, settings.level)
        values[measure] = np.where(hits.answered, values[measure], worth)
    return PerQuery(values, scorer, notes)


def _computed(
    qrels: Qrels, run: Run, hits: Hits, measures: Sequence[Measure], settings: Settings, first: str
) -> tuple[dict[Measure, F64], dict[Measure, U8]]:
    """Ask one engine, then columnar for what it left open."""
    values: dict[Measure, F64] = {}
    scorer: dict[Measure, U8] = {}
    asked = [measure for measure in measures if first in measure.spec.engines]
    if first == "columnar":
        from denominator.engines.columnar import score_hits

        values = score_hits(hits, asked, settings)
    elif asked:
        values = dict(engine(first).score(qrels, run, asked, settings))
    open_: list[Measure] = []
    for measure in measures:
        value = values.setdefault(measure, np.full(len(hits.queries), np.nan))
        scorer[measure] = np.where(np.isnan(value), 0, SCORERS.index(first)).astype(np.uint8)
        if (np.isnan(value) & hits.answered).any():
            open_.append(measure)
    rest: dict[Measure, F64] = {}
    if open_ and first != "columnar":
        from denominator.engines.columnar import score_hits

        rest = score_hits(hits, open_, settings)
    for measure, value in rest.items():
        take = np.isnan(values[measure]) & hits.answered & ~np.isnan(value)
        values[measure] = np.where(take, value, values[measure])
        scorer[measure][take] = SCORERS.index("columnar")
    for measure in open_:
        left = np.flatnonzero(np.isnan(values[measure]) & hits.answered)
        if len(left):
            query = hits.queries[int(left[0])]
            raise EngineError(f"{measure}: no engine has a value for the answered query {quoted(query)}")
    return values, scorer


def _withheld(qrels: Qrels, run: Run, settings: Settings) -> Iterator[Note]:
    """Say which queries were kept from pytrec_eval, and why."""
    from denominator.engines.pytrec import withheld

    by_reason: dict[str, list[str]] = {}
    for query, reason in withheld(qrels, run, settings).items():
        by_reason.setdefault(reason, []).append(query)
    for reason, queries in by_reason.items():
        what = "1 query was" if len(queries) == 1 else f"{len(queries):,} queries were"
        text = f"{what} scored by columnar instead of pytrec_eval ({listed(sorted(queries))}): {reason}."
        yield Note("withheld", text, len(queries))


def _recheck(
    qrels: Qrels, run: Run, answered: Bool, values: Mapping[Measure, F64], settings: Settings, sample: int
) -> tuple[Note, ...]:
    """Score a sample of the answered queries again with pytrec_eval, and compare every bit."""
    asked = [measure for measure in values if "pytrec_eval" in measure.spec.engines]
    chosen = _sample(np.flatnonzero(answered).tolist(), sample)
    if not asked or not chosen:
        return ()
    some = tuple(qrels.queries[number] for number in chosen)
    again = engine("pytrec_eval").score(_only_qrels(qrels, some), _only_run(run, some), asked, settings)
    exact = is_exact()
    compared = loose = 0
    held = np.zeros(len(chosen), dtype=np.bool_)
    for measure in asked:
        ours, theirs = values[measure][chosen], again[measure]
        both = ~np.isnan(theirs)
        held |= both
        compared += int(both.sum())
        apart = both & (ours != theirs)
        if not apart.any():
            continue
        near = np.abs(ours - theirs) <= ULPS_ELSEWHERE * np.spacing(np.maximum(np.abs(ours), np.abs(theirs)))
        if exact or (apart & ~near).any():
            at = int(np.flatnonzero(apart if exact else apart & ~near)[0])
            raise EngineDisagreement(
                f"{run.name}: {measure} of query {quoted(some[at])} is {float(ours[at])!r} by columnar and "
                f"{float(theirs[at])!r} by pytrec_eval, and must be the same; score with --engine pytrec_eval, "
                "and please report this with the two files"
            )
        loose += int(apart.sum())
    if not compared:
        return ()
    found = f"; {loose:,} differ in the last bits, as this processor may" if loose else ", all equal"
    of = f"{int(held.sum()):,} of the {int(answered.sum()):,} answered queries of {run.name}"
    text = f"pytrec_eval scored {of} again: {compared:,} values{found}."
    return (Note("rechecked", text, compared),)


def _sample(answered: list[int], size: int) -> list[int]:
    """Return up to `size` of the answered queries, the same ones every time, in their order."""
    if len(answered) <= size:
        return answered
    import random

    return sorted(random.Random(SEED).sample(answered, size))


def is_exact() -> bool:
    """Return whether compilers here keep a multiply and an add apart, so that every bit must agree."""
    import platform

    return platform.machine().lower() in {"x86_64", "amd64"}


def _only_run(run: Run, queries: Sequence[str]) -> Run:
    """Return the rows of some queries, best first."""
    rows = [run.ranking.rows_of(run.number_of[query]) for query in queries]
    code = np.repeat(np.arange(len(queries), dtype=np.int32), [len(some) for some in rows])
    at = np.concatenate(rows)
    out = Run(tuple(queries), code, ids.taken(run.doc_id, at), run.source, score=run.score[at])
    return _without_repeats(run, out)


def _only_qrels(qrels: Qrels, queries: Sequence[str]) -> Qrels:
    """Return the judgments of some queries."""
    number = np.full(len(qrels.queries), -1, dtype=np.int32)
    number[qrels.numbers_of(queries)] = np.arange(len(queries))
    new: I32 = number[qrels.query]
    at = np.flatnonzero(new >= 0)
    out = Qrels(tuple(queries), new[at], ids.taken(qrels.doc_id, at), qrels.source, relevance=qrels.relevance[at])
    return _without_repeats(qrels, out)


def _without_repeats(rows: Rows, some: Rows) -> Rows:
    """Return some of the rows, which hold no pair twice where all of them hold none: not to be looked for again."""
    if not len(rows.repeated_rows):
        vars(some)["repeated_rows"] = rows.repeated_rows
    return some


def version_of(engine: str) -> str:
    """Return the version of what computes an engine's values.

    The name of its metadata folder says it. importlib.metadata, which reads what is in the folder, takes a good part
    of the time in which a small file is scored, and is asked where there is no such folder.
    """
    package = "pytrec-eval-terrier" if engine == "pytrec_eval" else "denominator"
    begins, ends = package.replace("-", "_") + "-", ".dist-info"
    for folder in filter(os.path.isdir, sys.path):
        for name in os.listdir(folder):
            if name.startswith(begins) and name.endswith(ends):
                return name[len(begins) : -len(ends)]
    from importlib.metadata import version

    return version(package)
