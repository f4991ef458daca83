"""D, second part: which queries a mean is over, which of them can score at all, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import below_one, instead
from denominator.audit.counted import have, number
from denominator.audit.intervals import half_width
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denominator.audit.evidence import Evidence, QrelsEvidence
    from denominator.model import F64, I64, Bool

__all__ = ["CHECKS"]


def _names(qrels: QrelsEvidence, queries: I64) -> list[str]:
    return [qrels.judged.queries[query] for query in queries.tolist()]


def _would_read(told: Mapping[str, float], other: Mapping[str, float], how: str) -> str:
    """Say, as the end of a sentence, what measures would read: ``; … the means would read AP 0.750 instead of 0.375``.

    Nothing is said where no mean changes.
    """
    words = instead(told, other)
    return f"{how} the means would read {words}" if words else ""


def _numbers(told: Mapping[str, float], other: Mapping[str, float], what: str) -> dict[str, float | int | None]:
    return {**told, **{f"{name} {what}": value for name, value in other.items()}}


@check(
    "D102",
    "recall-is-undefined",
    Severity.WARNING,
    fix="take the mean over the answerable queries (--queries answerable), or leave these queries out of the qrels",
)
def recall_undefined(e: Evidence) -> Iterator[Found]:
    """Recall and average precision have no value for a query without a relevant document: they are 0/0.

    trec_eval puts 0 into the mean, and so does `score`; some tools put 1, NaN, or nothing. With AP 1 and 1/2 on two
    queries and 0/0 on a third, the mean is 1.5/3 = 0.500 or 1.5/2 = 0.750, and only one of them is printed.

    **Fix**: say which queries the mean is over; `--queries answerable` leaves these out.

    **Ignore** when the number must be comparable with one that trec_eval printed with -c.
    """
    relevant = e.qrels.relevant(e.options.level)
    empty = relevant == 0
    if not empty.any():
        return
    which = e.qrels.worst_first(empty)
    places = Places.of_queries(_names(e.qrels, which), judged=e.qrels.labelled()[which])
    count = f"recall is undefined (0/0) for {int(empty.sum()):,} of {number(len(empty), 'judged queries')}"
    if not e.runs or empty.all():
        yield Found(e.qrels.name, f"{count}, and counted as 0", places, {"queries": int(empty.sum())})
        return
    for run in e.runs:
        measures = ["AP", *(f"R@{k}" for k in e.options.k)]
        told, other = run.means(measures), run.means(measures, ~empty)
        left = f"; over {number(int((~empty).sum()), 'queries')} with a relevant document"
        message = f"{count}, counted as 0{_would_read(told, other, left)}"
        numbers = {**_numbers(told, other, "over answerable"), "queries": int(empty.sum())}
        yield Found(run.name, message, places, numbers)


@check(
    "D110",
    "run-misses-judged-queries",
    Severity.WARNING,
    fix="run the missing queries; if they are left out on purpose, say that the mean is over the answered ones",
)
def judged_queries_missing(e: Evidence) -> Iterator[Found]:
    """A judged query that the run does not answer counts as 0 in one tool's mean and is left out of another's.

    Answering 2 of 4 judged queries with AP 1 and 1/2 gives 1.5/4 = 0.375 with trec_eval -c and here, and 1.5/2 = 0.750
    with trec_eval 9 without -c and with pytrec_eval. The fewer queries a system answers, the better it may look.

    **Fix**: find out why the queries are missing (a crash, a filter, a truncated file) and run them.

    **Ignore** when the run was made for some of the queries; `--queries answered` then says so beside the mean.
    """
    measures = ["AP", f"nDCG@{e.options.k[0]}"]
    for run in e.runs:
        answered = run.hits.answered
        if answered.all():
            continue
        which = e.qrels.worst_first(~answered)
        places = Places.of_queries(_names(e.qrels, which), rel=e.qrels.relevant(e.options.level)[which])
        told, over = run.means(measures), int(answered.sum())
        counts = {"answered": over, "judged queries": len(answered)}
        message = f"the run answers {over:,} of {number(len(answered), 'judged queries')}"
        if not over:
            severity = Severity.ERROR  # `score` refuses it
            yield Found(run.name, f"{message}, so there is nothing to score", places, {**told, **counts}, severity)
            continue
        other = run.means(measures, answered)
        message += _would_read(told, other, "; over the answered ones alone")
        yield Found(run.name, message, places, {**_numbers(told, other, "over answered"), **counts})


@check(
    "D111",
    "run-has-unjudged-queries",
    Severity.INFO,
    fix="score against the qrels of this query set, or make sure that the other queries were not meant to be judged",
)
def run_queries_unjudged(e: Evidence) -> Iterator[Found]:
    """A query of the run that has no judgments is in no mean, and a tool that counts it as 0 prints another number.

    With AP 1 and 1/2 on two judged queries and two more that nobody judged, AP is 1.5/2 = 0.750; counting the others
    as 0 gives 1.5/4 = 0.375. It is a warning where judged queries are missing as well: then the two files may not
    belong together.

    **Fix**: see whether the qrels are those of this query set and complete.

    **Ignore** when only a sample of the queries was judged, as at TREC.
    """
    judged = set(e.qrels.judged.queries)
    measures = ["AP", f"nDCG@{e.options.k[0]}"]
    for run in e.runs:
        queries = run.ranked.queries
        more = sorted(query for query in queries if query not in judged)
        if not more:
            continue
        told = run.means(measures)
        other = {name: mean * len(judged) / (len(judged) + len(more)) for name, mean in told.items()}
        yield Found(
            run.name,
            f"{have(len(more), len(queries), 'run queries')} no judgments and {'is' if len(more) == 1 else 'are'} in "
            f"no mean{_would_read(told, other, '; counted as 0')}",
            Places.of_queries(more),
            {**_numbers(told, other, "with them as 0"), "queries": len(more), "run queries": len(queries)},
            None if run.hits.answered.all() else Severity.WARNING,
        )


@check(
    "D112",
    "unscorable-queries-cap-mean",
    Severity.WARNING,
    fix="leave these queries out of the qrels, or print the best possible mean beside every mean",
)
def unscorable_queries(e: Evidence) -> Iterator[Found]:
    """A judged query without a relevant document scores 0 for every system, so no mean can reach 1.

    With 1 such query among 114 the best possible mean of any measure is 113/114 = 0.9912. The difference is small and
    the same for every system, and still decides the fourth decimal that papers print.

    **Fix**: find out whether the query belongs to the topics at all; leave it out, or say what the best mean is.

    **Ignore** when only systems on the same judgments are compared with each other.
    """
    scorable, gains = e.qrels.relevant(e.options.level) > 0, _has_gain(e.qrels)
    total, able, gaining = len(scorable), int(scorable.sum()), int(gains.sum())
    if able == total:
        return
    which = e.qrels.worst_first(~scorable)
    score = "scores" if total - able == 1 else "score"
    message = (
        f"{have(total - able, total, 'judged queries')} no relevant document and {score} 0 for every system: "
        f"the best possible mean is {able:,}/{total:,} = {_share(able, total)}"
    )
    numbers = {"best mean": able / total, "queries": total - able, "judged queries": total}
    if gaining != able:
        message += f" (of nDCG, which ignores the relevance level, {gaining:,}/{total:,} = {_share(gaining, total)})"
        numbers["best nDCG"] = gaining / total
    places = Places.of_queries(_names(e.qrels, which), judged=e.qrels.labelled()[which])
    yield Found(e.qrels.name, message, places, numbers)


def _share(some: int, total: int) -> str:
    """Return a share with four digits, as papers print means, or with as many more as tell it from 1."""
    text = f"{some / total:.4f}"
    return below_one(some / total) if text == "1.0000" and some < total else text


def _has_gain(qrels: QrelsEvidence) -> Bool:
    """Return which queries have a document with a grade above 0."""
    some: Bool = qrels.relevant(np.nextafter(0, 1)) > 0
    return some


@check(
    "D115",
    "queries-too-few",
    Severity.WARNING,
    fix="add queries, or print the interval and no more digits than it leaves standing",
)
def too_few_queries(e: Evidence) -> Iterator[Found]:
    """A mean over a handful of queries is printed to three decimals that other queries would change.

    The 95% interval of a mean is t · s/√n on each side, s being the standard deviation over queries and t Student's t
    for n - 1 degrees of freedom. Ten queries with s = 0.112 give 2.262 · 0.112/√10 = ±0.080: of 0.431 not even the
    first decimal is certain.

    **Fix**: add queries until the interval is narrower than the differences you want to see; 50 is a usual minimum.
    Until then print 0.43 ± 0.08.

    **Ignore** when these few queries are all there is to know, and not a sample of more.
    """
    n = len(e.qrels.judged.queries)
    if n >= e.options.min_queries:
        return
    for run in e.runs:
        for k in e.options.k:
            yield _interval(run.name, run.qrels, run.scores([f"R@{k}", f"nDCG@{k}"]), e.options.min_queries)
    if not e.runs:
        message = f"a mean over {number(n, 'judged queries')}, fewer than {e.options.min_queries:,}, is not precise"
        yield Found(e.qrels.name, message, numbers={"judged queries": n, "min_queries": e.options.min_queries})


def _interval(source: str, qrels: QrelsEvidence, scores: Mapping[str, F64], fewest: int) -> Found:
    """Return the means of some measures with their intervals."""
    n = len(qrels.judged.queries)
    numbers: dict[str, float | int | None] = {"judged queries": n, "min_queries": fewest}
    told = []
    for name, values in scores.items():
        mean, half = qrels.mean_of(values), half_width(values[qrels.by_id])
        numbers |= {name: mean, f"{name} ±": half}
        told.append(f"{name} is {mean:.3f}" + ("" if half is None else f" ± {half:.3f}"))
    how = "95% t-interval over queries" if n > 1 else "one query says nothing about others"
    message = f"three decimals are printed of a mean over {number(n, 'queries')}: {', '.join(told)} ({how})"
    return Found(source, message, numbers=numbers)


CHECKS = (recall_undefined, judged_queries_missing, run_queries_unjudged, unscorable_queries, too_few_queries)
