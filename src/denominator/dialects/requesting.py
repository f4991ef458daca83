"""A dialect in an evaluation: the request it stands for, and a run scored in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import noticed
from denominator.averages import NAMED_SETS
from denominator.dialects.applying import apply
from denominator.dialects.counted import counted, uncounted
from denominator.dialects.inputs import judgments, ranked
from denominator.dialects.known import dialect as named
from denominator.engine_choice import SCORERS, PerQuery
from denominator.errors import FormatError, UsageError
from denominator.hits import match
from denominator.model import Severity
from denominator.scores import collected

if TYPE_CHECKING:
    from denominator.dialects.dialect import Dialect
    from denominator.evaluation import Request
    from denominator.model import I64, Qrels, Run
    from denominator.scores import RunScores

__all__ = ["in_dialect", "read_repeated", "score_spoken"]


OF_ANY_DIALECT = ("queries-missing", "queries-ignored", "ids-almost-match")
"""What is noticed of a run whatever the rules; the rest speaks of trec_eval's order."""


def in_dialect(request: Request, asked: str | Dialect) -> Request:
    """Return a request in a dialect; what the request says of queries, level, version and -J changes the dialect.

    One of trec_eval's own is the request that it stands for: whatever scores and checks that goes on as ever.

    Raises:
        UsageError: the dialect lacks a measure, or another part of the request makes no sense in it.
    """
    settings = request.settings
    given: dict[str, Any] = {
        **({"queries": request.queries} if request.queries in NAMED_SETS and request.queries != "judged" else {}),
        **({"level": settings.level} if settings.level != 1 else {}),
        **({"trec_eval": settings.trec_eval} if settings.trec_eval != "9" else {}),
        **({"unjudged": "removed"} if settings.judged_only else {}),
    }
    spoken = named(asked).using(**given)
    listed = request.queries if request.queries not in tuple(NAMED_SETS) else None
    settings = settings._replace(level=spoken.level, trec_eval=spoken.trec_eval)  # type: ignore[arg-type]  # "9" or "10"
    plain = spoken.using(unjudged="nonrelevant") if settings.judged_only else spoken
    if plain.is_trec_eval and spoken.queries in NAMED_SETS:
        return request._replace(queries=listed or spoken.queries, settings=settings)
    spoken.check(request.measures)
    if request.engine not in ("auto", "columnar"):
        raise UsageError(
            f"the engine {request.engine} speaks trec_eval's dialects only, not {spoken.name}; leave the engine away"
        )
    if request.bounds.anything:
        raise UsageError(
            f"ties, unjudged and floor are known under trec_eval's rules, not in the dialect {spoken.name}"
        )
    settings = settings._replace(judged_only=spoken.unjudged == "removed")
    queries = listed or (spoken.queries if spoken.queries in NAMED_SETS else "answered")
    return request._replace(queries=queries, settings=settings, engine="columnar", spoken=spoken)


def score_spoken(qrels: Qrels, run: Run, request: Request, order: I64, name: str) -> RunScores:
    """Return a run's scores in the request's dialect, its queries in byte order; `order` sorts ``qrels.queries``.

    Raises:
        InputError: the run lacks what the dialect needs, or holds what it refuses.
    """
    spoken = request.spoken
    if spoken is None:
        raise UsageError("no dialect was asked for")
    applied = apply(qrels, run, list(request.measures), spoken, depth=request.settings.depth)
    base = ranked(run, spoken.choices)
    hits = match(judgments(qrels, spoken.choices), base)
    columnar = np.where(hits.answered, SCORERS.index("columnar"), 0).astype(np.uint8)
    scorer = dict.fromkeys(request.measures, columnar)
    seen = [note for note in noticed.about_run(qrels, base, hits, None) if note.kind in OF_ANY_DIALECT]
    repeated = spoken.duplicates == "positional" and len(run.repeated_rows) > 0
    notes = (*run.source.notes, *seen, *applied.notes, *uncounted(request.measures, spoken, repeated))
    return collected(
        name,
        run,
        PerQuery(applied.values, scorer),
        hits,
        order,
        notes,
        request.settings,
        sums=applied.sums,
        more=applied.more,
        counted=counted(applied.hits, spoken, request.settings.depth, repeated),
    )


def read_repeated(source: Any, duplicates: str, lenient: str = "", **options: Any) -> Run:
    """Read a run in which a document may stand twice; everything else that is wrong is refused.

    Which of its rows counts is the reader's own leniency; where every row does, the rows stay as they stand.

    Raises:
        FormatError: with every other fault.
    """
    from denominator.formats import examine_run, parse_lenient, read_run

    forgiven = parse_lenient(lenient)
    if "duplicates" in forgiven or duplicates != "positional":
        return read_run(source, lenient={"duplicates": duplicates, **forgiven}, **options)
    reading = examine_run(source, lenient=lenient, **options)
    wrong = [fault for fault in reading.faults if fault.severity is Severity.ERROR and fault.kind != "duplicate"]
    if wrong:
        raise FormatError(reading.rows.source.name, wrong)
    return reading.rows
