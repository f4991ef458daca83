"""pytrec_eval, the authority: trec_eval's own C code, asked only what it answers rightly.

It sorts by 32-bit scores, so it never sees ours: each ranking goes in as whole numbers that fall by one. It keeps
state between queries, asserts instead of raising, and reads past its tables on some inputs, so what it cannot do is
not asked of it: those values stay NaN, and :func:`withheld` and :func:`unsupported` say why. The documents it is given
carry their real ids, so that how it joins rankings and judgments is independent of the columnar engine.
"""

from __future__ import annotations

import math
import threading
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator.engines.lists import Answer, answers, condensed
from denominator.errors import EngineError
from denominator.measures import Measure
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from denominator.engines import Settings
    from denominator.model import F64, Qrels, Run

__all__ = ["score", "unsupported", "withheld"]

HIGHEST_GRADE = 1_000
"""Its time for one query grows with the square of the highest grade: 100,000 takes ten seconds."""

LONGEST_RANKING = 1 << 24
"""Up to here whole numbers are exact as 32-bit floats; beyond, neighbours in a ranking tie."""

BATCH_QUERIES, BATCH_DOCUMENTS = 2_000, 250_000
"""How much is handed over at once: enough to be quick, little enough not to show in the peak memory."""

_ONE_AT_A_TIME = threading.Lock()
"""trec_eval's parameters, cutoffs and buffers are global. What runs in the middle of an evaluation, a callback of the
garbage collector that Python 3.11 calls there, may let another thread in: both then read and free the same memory."""

ROUNDED_IN_10 = frozenset({"iprec_at_recall", "11pt_avg"})
"""Measures whose recall points become ranks by truncation in trec_eval 9 and by rounding in 10."""


class _Group(NamedTuple):
    """What one evaluator has in common: measures are asked together when they agree in all of it."""

    level: float
    condensed: bool
    cutoff: int | None
    """A cutoff that trec_eval's measure lacks, such as that of RR@10: the ranking itself is cut."""
    turn: int
    """Answers carry no parameters (`set_F` for every beta) or rounded ones; those that collide take turns."""


class _Question(NamedTuple):
    """How a measure is asked for (`Rprec_mult_0.125`) and under which name it is answered (`Rprec_mult_0.12`)."""

    request: str
    answer: str
    cutoff: int | None


_Plan = dict[_Group, dict[str, tuple[str, list[Measure]]]]
"""Per group, the name of each answer → the request, and the measures that it answers."""


def score(qrels: Qrels, run: Run, measures: Sequence[Measure], settings: Settings) -> dict[Measure, F64]:
    """Return pytrec_eval's per-query values, aligned with ``qrels.queries``; NaN where it was not asked.

    That is: queries that the run lacks, queries in :func:`withheld`, measures in :func:`unsupported`, and queries of
    whose ranking nothing is left once unjudged documents are removed.

    Raises:
        InputError: a document is twice in a ranking or in the judgments of a query.
        EngineError: pytrec_eval gave no number for something it can compute.
    """
    values = {measure: np.full(len(qrels.queries), np.nan) for measure in measures}
    plan = _plan(tuple(measures), settings)
    if plan:
        left_out = withheld(qrels, run, settings)
        queries = [number for number, query in enumerate(qrels.queries) if query not in left_out]
        for batch in _batches(answers(qrels, run, queries), settings):
            for group, asked in plan.items():
                _ask(qrels, batch, group, asked, values)
    return values


def withheld(qrels: Qrels, run: Run, settings: Settings) -> dict[str, str]:
    """Return the judged queries of a run that pytrec_eval is not given, each with the reason."""
    answered = set(run.queries)
    if qrels.relevance.dtype.kind == "f":
        reason = "grades are real numbers, and pytrec_eval takes whole ones only"
        return {query: reason for query in qrels.queries if query in answered}
    count = len(qrels.queries)
    rated = np.bincount(qrels.query[qrels.relevance >= 0], minlength=count) > 0
    judged = np.bincount(qrels.query, minlength=count) > 0
    large = np.bincount(qrels.query[qrels.relevance > HIGHEST_GRADE], minlength=count) > 0
    reasons = {}
    for number in np.flatnonzero(~rated | large).tolist():
        if not judged[number]:
            reason = "it has no judgments, and pytrec_eval drops it or counts it from its neighbour's"
        elif large[number]:
            reason = f"a grade is above {HIGHEST_GRADE:,}, and pytrec_eval's time grows with the square of the grade"
        else:
            reason = "all its judgments are negative, on which pytrec_eval may never return"
        reasons[qrels.queries[number]] = reason
    retrieved = np.diff(run.ranking.offsets)
    longest = retrieved if settings.depth is None else np.minimum(retrieved, settings.depth)
    for number in np.flatnonzero((retrieved == 0) | (longest > LONGEST_RANKING)).tolist():
        reason = f"more than {LONGEST_RANKING:,} documents were retrieved, too many to rank with 32-bit scores"
        if not retrieved[number]:
            reason = "its ranking is empty, and pytrec_eval's counts then depend on the query before it"
        reasons.setdefault(run.queries[number], reason)
    return {query: reasons[query] for query in qrels.queries if query in reasons and query in answered}


def unsupported(measure: Measure, settings: Settings) -> str | None:
    """Return why pytrec_eval is not asked for a measure, or None if it is."""
    found = _question(measure, settings)
    return found if isinstance(found, str) else None


@lru_cache(maxsize=8)
def _plan(measures: tuple[Measure, ...], settings: Settings) -> _Plan:
    """Group the measures that pytrec_eval is asked for: the same for every run of a call."""
    plan: _Plan = {}
    for measure in measures:
        question = _question(measure, settings)
        if isinstance(question, str):
            continue
        only_judged = settings.judged_only or ("judged_only" in measure.spec.params and measure["judged_only"])
        for turn in range(len(plan) + 1):
            group = _Group(measure.level(settings.level), only_judged, question.cutoff, turn)
            request, asking = plan.setdefault(group, {}).setdefault(question.answer, (question.request, []))
            if request == question.request:
                asking.append(measure)
                break
    return plan


def _question(measure: Measure, settings: Settings) -> _Question | str:
    """Return how to ask for a measure, or the reason why it is not asked for."""
    if measure.spec.text_valued:
        return "pytrec_eval gives no texts, only memory that nothing was written to"
    cutoff = None
    family = _family(measure)
    if family is None and isinstance(measure.cutoff, int):
        bare = Measure(measure.name, None, **dict(measure.params))
        family, cutoff, measure = _family(bare), measure.cutoff, bare
    if family is None or family.since == "10":
        return "pytrec_eval has no such measure"
    if not measure.level(settings.level) > 0:
        return "pytrec_eval takes relevance levels above 0 only"
    if settings.trec_eval == "10" and family.name in ROUNDED_IN_10:
        return "pytrec_eval embeds trec_eval 9, which turns recall points into ranks in another way than 10"
    parameters = _parameters(measure, family)
    if parameters is None:
        return f"pytrec_eval does not understand the parameters of {family.name}"
    request = f"{family.name}_{parameters}" if parameters else family.name
    printed = family.name if family.takes == "numbers" else str(measure.spec.trec_name(measure))
    return _Question(request, printed, cutoff)


def _family(measure: Measure) -> Any:
    """Return the entry of ``Spec.trec`` that a measure belongs to (`P` for P_5), or None if trec_eval lacks it."""
    printed = measure.spec.trec_name(measure)
    if printed is None:
        return None
    families = [trec for trec in measure.spec.trec if printed == trec.name or printed.startswith(f"{trec.name}_")]
    return max(families, key=lambda trec: len(trec.name))  # map_cut_5 is of map_cut, not of map


def _parameters(measure: Measure, family: Any) -> str | None:
    """Return what follows the family's name in a request, or None if pytrec_eval would misread it.

    pytrec_eval finds parameters by their digits, so a real number is written out in full, ``0.10`` and never ``.10``.
    """
    given = [value for name, value in measure.params if name in family.fills]
    if family.takes in ("cutoffs", "reals") and not given:
        return _digits(measure.cutoff)
    if family.takes == "numbers" and len(family.fills) == 1 and given:
        numbers: Any = given[0]
        return ",".join(map(_digits, numbers if isinstance(numbers, tuple) else [numbers]))
    return None if given else ""


def _digits(number: Any) -> str:
    """Return a number in plain digits, without an exponent, to the last bit."""
    return format(Decimal(repr(number)), "f")


def _batches(given: Iterable[Answer], settings: Settings) -> Iterator[list[Answer]]:
    """Gather answers, cut to the depth, into batches of bounded size."""
    batch: list[Answer] = []
    documents = 0
    for answer in given:
        batch.append(answer if settings.depth is None else answer._replace(ranking=answer.ranking[: settings.depth]))
        documents += len(batch[-1].ranking) + len(answer.grades)
        if len(batch) == BATCH_QUERIES or documents >= BATCH_DOCUMENTS:
            yield batch
            batch, documents = [], 0
    if batch:
        yield batch


def _ask(
    qrels: Qrels,
    batch: list[Answer],
    group: _Group,
    asked: dict[str, tuple[str, list[Measure]]],
    values: dict[Measure, F64],
) -> None:
    """Hand a batch to pytrec_eval and put its answers into `values`.

    Queries go by number: with the query id ``no_query`` pytrec_eval answers from the query it saw before. The level
    never exceeds a query's highest grade by more than one, because bpref reads as many counts as the level says.
    """
    by_level: dict[int, list[Answer]] = {}
    for answer in batch:
        ranking = condensed(answer) if group.condensed else answer.ranking
        if ranking:
            level = math.ceil(min(group.level, max(answer.grades.values()) + 1))
            by_level.setdefault(level, []).append(answer._replace(ranking=ranking[: group.cutoff]))
    requests = {request for request, _ in asked.values()}
    for level, members in by_level.items():
        found = _evaluate(members, requests, level)
        numbers = np.array([answer.query for answer in members])
        for name, (_, measures) in asked.items():
            column = np.array([found.get(str(number), {}).get(name, math.nan) for number in numbers.tolist()])
            for number in numbers[np.isnan(column)].tolist():
                message = (
                    f"pytrec_eval gave no number for {measures[0]} of query {quoted(qrels.queries[number])}: "
                    f"{found.get(str(number))} instead; score with engine='columnar', and please report this query"
                )
                raise EngineError(message)
            for measure in measures:
                values[measure][numbers] = column


def _evaluate(members: list[Answer], requests: set[str], level: int) -> dict[str, dict[str, float]]:
    """Return pytrec_eval's answers per query number."""
    import pytrec_eval

    falling = range(max(len(answer.ranking) for answer in members), 0, -1)
    evaluator = pytrec_eval.RelevanceEvaluator(
        {str(answer.query): answer.grades for answer in members}, requests, relevance_level=level
    )
    rankings = {str(answer.query): dict(zip(answer.ranking, falling, strict=False)) for answer in members}
    with _ONE_AT_A_TIME:
        found: dict[str, dict[str, float]] = evaluator.evaluate(rankings)
    return found
