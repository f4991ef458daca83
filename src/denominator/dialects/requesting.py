"""A dialect in an evaluation: the request it stands for, and a run scored in it."""

from __future__ import annotations

from dataclasses import replace
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
from denominator.quoting import listed
from denominator.scores import collected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.dialects.applying import Applied
    from denominator.dialects.dialect import Dialect
    from denominator.evaluation import Request
    from denominator.hits import Hits
    from denominator.model import I64, Bool, Note, Qrels, Run
    from denominator.scores import RunScores

__all__ = ["about_qrels", "in_dialect", "read_repeated", "score_spoken"]


QUERIES = (*NAMED_SETS, "run")
"""The query sets that have names; the last, every query of the run, judged or not, only a dialect has."""

WORTH = {"unfound": "dropped", "error": "0"}
"""A choice of what a query without a relevant document is worth → what is said of it, where that is another word."""


def in_dialect(request: Request, asked: str | Dialect) -> Request:
    """Return a request in a dialect; what the request says of queries, level, version and -J changes the dialect.

    One of trec_eval's own is the request that it stands for: whatever scores and checks that goes on as ever.

    Raises:
        UsageError: the dialect lacks a measure, or another part of the request makes no sense in it.
    """
    settings = request.settings
    asked_for = request.queries if isinstance(request.queries, str) and request.queries in QUERIES else None
    given: dict[str, Any] = {
        **({"queries": asked_for} if asked_for not in (None, "judged") else {}),
        **({"level": settings.level} if settings.level != 1 else {}),
        **({"trec_eval": settings.trec_eval} if settings.trec_eval != "9" else {}),
        **({"unjudged": "removed"} if settings.judged_only else {}),
    }
    spoken = named(asked).using(**given)
    listed = request.queries if asked_for is None else None
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
    seen = list(_about_run(qrels, run, hits, applied, request, order))
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


def about_qrels(qrels: Qrels, request: Request, asked: Bool) -> Iterator[Note]:
    """Say what the judgments alone decide under the request's dialect; `asked` masks the queries of the means."""
    spoken = request.spoken
    if spoken is None:
        return
    chosen = [(measure, spoken.for_measure(measure)) for measure in request.measures]
    named = isinstance(request.queries, str)
    said = {(one.queries if named else "listed", WORTH.get(one.no_relevant, one.no_relevant)) for _, one in chosen}
    queries, worth = said.pop() if len(said) == 1 else ("judged", "differs")
    by_grade = [measure for measure, one in chosen if not (measure.name == "nDCG" and one.gain == "binary")]
    yield from noticed.about_qrels(
        qrels, request.settings.level, queries, asked, by_grade, worth=worth, negative=spoken.negative
    )


def _about_run(qrels: Qrels, run: Run, hits: Hits, applied: Applied, request: Request, order: I64) -> Iterator[Note]:
    """Say of a run what is true under the dialect: who is missing, what else a mean could be, what ranks."""
    spoken, over = applied.dialect, None
    for measure, values in applied.values.items():
        whole = spoken.for_measure(measure).queries == request.queries == "judged" and not np.isnan(values).any()
        if whole and measure.spec.aggregate == "mean" and measure not in applied.sums:
            over = noticed.means_over(measure, values, hits, order, request.settings.level)
            break
    decides = {"score64": "scores", "score32": "scores", "rank": "ranks"}.get(spoken.order, "")
    ties = all(spoken.for_measure(measure).ties == "id-descending" for measure in applied.values)
    for note in noticed.about_run(qrels, run, hits, over, decides, ties):
        if note.kind == "queries-ignored" and applied.more:
            of = "" if len(applied.more) == len(applied.values) else f" of {listed([str(one) for one in applied.more])}"
            message = note.message.replace(" ignored", f" in the means{of}")
            yield replace(note, kind="queries-not-judged", message=message)
        else:
            yield note
    if spoken.trec_eval == "10" and spoken.queries == "answered" and isinstance(request.queries, str):
        yield from noticed.stops_in_version_10(hits)


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
