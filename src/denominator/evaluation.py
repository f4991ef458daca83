"""How an evaluation goes: read, match, score, notice, for one run after the other or for several at a time."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator import ids, noticed
from denominator.averages import NAMED_SETS, query_set
from denominator.bounds import NOT_ASKED, NOT_FOUND, Asked, find
from denominator.engine_choice import check_engine, per_query
from denominator.engines import ENGINES, Settings
from denominator.errors import DenominatorError, InputError, MeasureError, NoCommonQueriesError, UsageError
from denominator.hits import match
from denominator.measures import parse_measures
from denominator.model import Qrels, Run
from denominator.native import native
from denominator.quoting import quoted, shown
from denominator.scores import Failure, RunScores, Scores, collected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.averages import QuerySet
    from denominator.dialects import Dialect
    from denominator.engine_choice import PerQuery
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import I64

__all__ = ["Request", "check_level", "named_runs", "score_all"]


LARGEST_DEPTH = (1 << 63) - 1
"""Ranks are 64-bit numbers."""
LARGEST_LEVEL = 1 << 63
"""So are grades."""


class Request(NamedTuple):
    """What is asked for, checked: everything but the data."""

    measures: tuple[Measure, ...]
    settings: Settings
    queries: str | Sequence[str]
    engine: str
    by: Mapping[str, str] | str | os.PathLike[str] | None = None
    collapse: str | None = None
    """What stands between document and chunk in the ids of the runs, which are then collapsed to documents."""
    bounds: Asked = NOT_ASKED
    spoken: Dialect | None = None
    """The dialect, where it is not one of trec_eval's; its choices stand in `queries` and `settings` too."""

    @classmethod
    def of(
        cls,
        measures: Any,
        *,
        queries: str | Sequence[str] = "judged",
        engine: str = "auto",
        trec_eval: Any = "9",
        level: float = 1,
        depth: int | None = None,
        judged_only: bool = False,
        by: Mapping[str, str] | str | os.PathLike[str] | None = None,
        collapse: str | None = None,
        dialect: Any = None,
        **bounds: Any,
    ) -> Request:
        """Check the arguments of :func:`denominator.evaluate`; `bounds` are those about ties, unjudged and floor."""
        if trec_eval not in ("9", "10"):
            raise UsageError(f'trec_eval={shown(trec_eval)}: expected "9" or "10"')
        level, depth = native(level), native(depth)
        check_level(level)
        _check_depth(depth)
        if dialect is None and isinstance(queries, str) and queries == "run":
            from denominator.dialects import DEFAULT

            dialect = DEFAULT
        if not isinstance(queries, str) and (not isinstance(queries, Iterable) or isinstance(queries, bytes)):
            raise UsageError(f"queries={shown(queries)}: expected {', '.join(NAMED_SETS)}, or a list of query ids")
        if not isinstance(engine, str):
            raise UsageError(f"engine={shown(engine)}: expected auto, {', '.join(ENGINES)}")
        if by is not None and not isinstance(by, Mapping) and (not isinstance(by, str | os.PathLike) or by == ""):
            raise UsageError(f"by={shown(by)}: expected a mapping from query id to group, or a file of such lines")
        parsed = parse_measures(measures, trec_eval)
        _check_measures(parsed)
        check_engine(engine, parsed)
        if collapse is not None:
            from denominator.collapse import check_separator

            check_separator(collapse)
        if native(judged_only) not in (True, False):
            raise UsageError(f"judged_only={shown(judged_only)}: expected True or False")
        settings = Settings(level, depth, bool(judged_only), trec_eval)
        asked = NOT_ASKED
        if any(given is not None and given is not False for given in bounds.values()):
            from denominator.bounds.asking import asked_for

            asked = asked_for(settings, **bounds)
        request = cls(parsed, settings, queries, engine, by, collapse, asked)
        if dialect is None:
            return request
        from denominator.dialects.requesting import in_dialect

        return in_dialect(request, dialect)


def check_level(level: Any) -> None:
    """Refuse a relevance level that no grade can reach, or that every grade does."""
    number = isinstance(level, int | float) and not isinstance(level, bool)
    if not number or not 0 < level < LARGEST_LEVEL:
        beyond = number and level >= LARGEST_LEVEL
        more = f", below {LARGEST_LEVEL:,}" if beyond else "; a document of grade 0 is judged non-relevant"
        raise UsageError(f"level={shown(level)}: expected a grade above 0{more}")


def _check_depth(depth: Any) -> None:
    """Refuse a depth that is no number of documents."""
    if depth is None:
        return
    if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= LARGEST_DEPTH:
        most = f" to {LARGEST_DEPTH:,}" if isinstance(depth, int) and depth > LARGEST_DEPTH else " or more"
        raise UsageError(f"depth={shown(depth)}: expected a number of documents, 1{most}")


def _check_measures(measures: Sequence[Measure]) -> None:
    """Refuse what trec_eval's layout can print and a mean with a ceiling cannot hold."""
    for measure in measures:
        if measure.spec.text_valued:
            raise MeasureError(f"{measure} is a text, not a number: only `denominator trec_eval` prints it")
        if measure.name == "nDCG" and any(gain < 0 for gain in (measure["gains"] or {}).values()):
            raise MeasureError(
                f"{measure}: a gain below 0 makes it no share of the ideal ranking; give gains from 0 up"
            )


def score_all(qrels: Any, runs: Any, request: Request, progress: Callable[[int, int], None] | None = None) -> Scores:
    """Score every run; those that cannot be are in ``Scores.failures``, which may be all.

    Raises:
        DenominatorError: the judgments or the request cannot be used, whatever the runs are.
    """
    if progress is not None and not callable(progress):
        raise UsageError(f"progress={shown(progress)}: expected a function of (runs done, runs in all)")
    judged = _read_qrels(qrels, request.spoken)
    chosen = query_set(request.queries, judged.queries)
    order = ids.order_of(judged.queries)
    in_order = tuple(map(judged.queries.__getitem__, order.tolist()))
    groups = None
    if request.by is not None:
        from denominator.groups import grouped

        groups = grouped(request.by, list(in_order))
    todo = named_runs(runs)
    if request.bounds.unjudged:
        from denominator.bounds.labels import highest_grade

        gmax = highest_grade(judged.relevance, request.bounds.gmax)
        if not gmax and request.bounds.gmax is None:
            raise UsageError(
                "no judgment has a grade above 0, so it is not known how high one may be: say so with --gmax 1 "
                "(in Python gmax=1)"
            )
        request = request._replace(bounds=request.bounds._replace(gmax=gmax))
    judged.by_hash, judged.grades_by_query  # noqa: B018  (worked out once, before several threads ask for them)
    job = partial(_score_one, judged, chosen, order, request, len(todo))
    done: list[RunScores] = []
    failed: list[Failure] = []
    for number, (name, outcome) in enumerate(_each(job, todo), start=1):
        if isinstance(outcome, RunScores):
            done.append(outcome)
        else:
            failed.append(Failure(name, outcome))
        if progress is not None:
            progress(number, len(todo))
    listed = chosen.listed
    asked = np.ones(len(judged.queries), dtype=np.bool_)
    if listed is not None:
        asked = np.array([query in listed for query in judged.queries], dtype=np.bool_)
    notes = [*judged.source.notes]
    if request.spoken is None:
        notes += noticed.about_qrels(judged, request.settings.level, chosen.name, asked, request.measures)
    else:
        from denominator.dialects.requesting import about_qrels

        notes += about_qrels(judged, request, asked)
    notes += () if groups is None else groups.notes
    return Scores(
        in_order,
        request.measures,
        tuple(done),
        judged.source,
        request.settings,
        chosen,
        groups,
        tuple(failed),
        tuple(notes),
        request.collapse,
        request.bounds,
        request.spoken,
    )


def named_runs(runs: Any) -> list[tuple[str, Any]]:
    """Return what was given as runs, one by one, each under a name of its own.

    A mapping of name to run keeps its names, and so does a list of (name, function that returns a run); other runs are
    named by what they are read from. A second one of the same name gets `` (2)`` behind it.
    """
    if isinstance(runs, Mapping) and not _is_one_mapping(runs):
        pairs = [(str(name), run) for name, run in runs.items()]
    elif isinstance(runs, list | tuple) and not _is_rows(runs):
        pairs = [run if _is_named(run) else (_name_of(run), run) for run in runs]
    else:
        pairs = [(_name_of(runs), runs)]
    if not pairs:
        raise UsageError("no run to score: expected one or more")
    seen: dict[str, int] = {}
    named = []
    for name, run in pairs:
        seen[name] = seen.get(name, 0) + 1
        named.append((name if seen[name] == 1 else f"{name} ({seen[name]})", run))
    return named


def _is_one_mapping(runs: Mapping[Any, Any]) -> bool:
    """Return whether a mapping is a run (query to documents) and not several (name to run)."""
    first = next(iter(runs.values()), None)
    if isinstance(first, Mapping):
        inner = next(iter(first.values()), 0.0)
        return not isinstance(inner, Mapping | list | tuple)
    return isinstance(first, list | tuple) and not _is_rows(first)


def _is_named(run: Any) -> bool:
    """Return whether one of several runs is a pair of a name and a function that returns it."""
    return isinstance(run, tuple) and len(run) == 2 and isinstance(run[0], str) and callable(run[1])


def _is_rows(runs: Any) -> bool:
    """Return whether a sequence is rows of (query, document, score)."""
    return bool(runs) and isinstance(runs[0], list | tuple) and len(runs[0]) == 3 and isinstance(runs[0][0], str | int)


def _name_of(run: Any) -> str:
    """Return what a run is called before it is read."""
    if isinstance(run, Run):
        return run.name
    if isinstance(run, str | os.PathLike):
        return str(run)
    name: str = getattr(run, "__name__", type(run).__name__)
    return name


def _each(
    job: Callable[[str, Any], RunScores | DenominatorError], todo: Sequence[tuple[str, Any]]
) -> Iterator[tuple[str, RunScores | DenominatorError]]:
    """Yield every run's outcome in the order given; several at a time where there are several cores.

    Threads share the judgments, so nothing is copied, and numpy, pyarrow and the decompressors let go of the
    interpreter while they work. No more runs are held than there are workers, and one that waits.
    """
    workers = min(len(todo), os.cpu_count() or 1)
    if workers < 2:
        for name, run in todo:
            yield name, job(name, run)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(workers) as pool:
        waiting = [(name, pool.submit(job, name, run)) for name, run in todo[: workers + 1]]
        rest = iter(todo[workers + 1 :])
        try:
            while waiting:
                name, future = waiting.pop(0)
                outcome = future.result()
                following = next(rest, None)
                if following is not None:
                    waiting.append((following[0], pool.submit(job, *following)))
                yield name, outcome
        except BaseException:  # also Ctrl-C: do not begin what nobody will read
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _score_one(
    qrels: Qrels, chosen: QuerySet, order: I64, request: Request, runs: int, name: str, source: Any
) -> RunScores | DenominatorError:
    """Score one run, or return why it cannot be."""
    try:
        run = _read_run(source, request.spoken)
        if request.collapse is not None:
            from denominator.collapse import collapsed

            run = collapsed(run, request.collapse)
        if qrels.number_of.keys().isdisjoint(run.queries):
            raise NoCommonQueriesError(noticed.no_common_queries(qrels, run))
        if request.spoken is not None:
            from denominator.dialects.requesting import score_spoken

            return score_spoken(qrels, run, request, order, name)
        hits = match(qrels, run)
        computed = per_query(qrels, run, hits, request.measures, request.settings, request.engine, runs)
        over = _subset_means(computed, hits, chosen, order, request)
        asked = request.bounds
        notes = [*run.source.notes, *noticed.about_run(qrels, run, hits, over)]
        if not asked.ties:
            notes += noticed.about_ties(run, hits, request.measures)
        if request.settings.trec_eval == "10" and chosen.name == "answered":
            notes += noticed.stops_in_version_10(hits)
        notes += computed.notes
        found = find(hits, run, request.measures, request.settings, asked) if asked.anything else NOT_FOUND
        return collected(name, run, computed, hits, order, tuple(notes), request.settings, found)
    except DenominatorError as error:
        return error


def _subset_means(
    computed: PerQuery, hits: Hits, chosen: QuerySet, order: I64, request: Request
) -> noticed.Over | None:
    """Return the first measure that is a mean, with its means over the judged, the answered and the answerable queries.

    None where the means are not over the judged queries to begin with, or no measure is a mean.
    """
    measure = next((one for one in request.measures if one.spec.aggregate == "mean"), None)
    if measure is None or chosen.name != "judged":
        return None
    return noticed.means_over(measure, computed.values[measure], hits, order, request.settings.level)


def _read_qrels(source: Any, spoken: Dialect | None) -> Qrels:
    """Return judgments, read where they are not yet, with every (query, document) pair once."""
    if isinstance(source, Qrels):
        qrels = source
    else:
        from denominator.formats import read_qrels

        qrels = read_qrels(_not_text(source))
    _check_rows(qrels, spoken)
    return qrels


def _read_run(source: Any, spoken: Dialect | None) -> Run:
    """Return a run, read where it is not yet, with every (query, document) pair once unless a dialect takes more."""
    if callable(source):
        source = source()
    if isinstance(source, Run):
        run = source
    elif spoken is not None and spoken.duplicates != "refuse":
        from denominator.dialects.requesting import read_repeated

        run = read_repeated(_not_text(source), spoken.duplicates)
    else:
        from denominator.formats import read_run

        run = read_run(_not_text(source))
    _check_rows(run, spoken)
    return run


def _not_text(source: Any) -> Any:
    """Return a source, or refuse a file that is open as text: what its bytes were, nobody knows any more."""
    if isinstance(source, io.TextIOBase):
        name = getattr(source, "name", type(source).__name__)
        raise InputError(f"{name}: open as text; give its name, or open it as bytes: open(…, 'rb')")
    return source


def _check_rows(rows: Qrels | Run, spoken: Dialect | None) -> None:
    """Refuse an empty table, and one that holds a document twice for a query unless a dialect says which one counts."""
    if not len(rows):
        raise InputError(f"{rows.source.name}: no rows, nothing to score")
    twice = rows.repeated_rows
    if len(twice) and (spoken is None or spoken.duplicates == "refuse"):
        row = int(twice[0])
        raise InputError(
            f"{rows.source.name}: query {quoted(rows.query_of(row))} holds document {quoted(rows.doc_of(row))} more "
            f"than once ({len(twice):,} such rows); a document counts once, so keep one of them"
        )
