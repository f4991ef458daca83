"""J: what nobody has judged, and what it may hide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import apart, instead, seen
from denominator.audit.counted import have, number
from denominator.audit.evidence import scored
from denominator.engines import Settings
from denominator.findings import Places
from denominator.hits import match
from denominator.model import Severity
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
    from denominator.model import F64, I64, Bool

__all__ = ["CHECKS"]

APART = 0.05
"""From this difference between two runs' unjudged shares on their numbers are no fair comparison."""


def _names(run: RunEvidence, queries: I64) -> list[str]:
    return [run.hits.queries[query] for query in queries.tolist()]


def _unjudged(run: RunEvidence, k: int) -> I64:
    """Return, per query, how many of the first k documents are not judged; a grade below 0 is no judgment."""
    hits = run.hits
    count: I64 = np.minimum(hits.retrieved, k) - hits.count((hits.grade >= 0) & (hits.position < k))
    return count


def _share(run: RunEvidence, k: int) -> F64:
    """Return Unjudged@k per query; 0 for one that is not answered, which is in no mean of it."""
    return run.scores([f"Unjudged@{k}"])[f"Unjudged@{k}"]


@check(
    "J101",
    "few-retrieved-are-judged",
    Severity.WARNING,
    fix="judge the documents that are listed, or report judged@k and the condensed-list score beside the number",
)
def judged_low(e: Evidence) -> Iterator[Found]:
    """Too few of the first k documents are judged to say how good the ranking is.

    A document that nobody judged counts as wrong. With 2 of the first 5 judged, judged@5 = 0.400: the other three
    could lift P@5 from 0.200 to 0.800, and the number says more about the pool than about the system.

    **Fix**: judge what is unjudged in the first k, or print judged@k beside every number.

    **Ignore** by lowering min_judged, where the judgments are known to hold nearly all that is relevant.
    """
    for run in e.runs:
        answered, queries = run.hits.answered, int(run.hits.answered.sum())
        for k in e.options.k:
            judged = run.scores([f"Judged@{k}"])[f"Judged@{k}"]
            mean = run.mean_of(judged, answered)
            if not queries or mean >= e.options.min_judged:
                continue
            low = answered & (judged < e.options.min_judged)
            worst = run.qrels.worst_first(low, judged)
            yield Found(
                run.name,
                f"Judged@{k} is {mean:.3f} over the {number(queries, 'answered queries')}, below "
                f"{e.options.min_judged:g}: what nobody judged counts as wrong",
                Places.of_queries(_names(run, worst), k=np.full(len(worst), k), judged=judged[worst]),
                {f"Judged@{k}": mean, "min_judged": e.options.min_judged, "answered": queries},
            )


@check(
    "J102",
    "top-documents-are-unjudged",
    Severity.INFO,
    fix="judge the unjudged documents of the queries that are listed, the most unjudged first",
)
def unjudged_in_top(e: Evidence) -> Iterator[Found]:
    """Some of the first k documents are not judged, and P@k is a lower bound.

    With 3 of the first 5 unjudged and 1 of the other two relevant, P@5 is 1/5 = 0.200 if none of the three is relevant
    and 4/5 = 0.800 if all are. The message states both ends for the mean. nDCG@k has no such simple ends, for relevant
    documents enlarge the ideal ranking too; `score --unjudged bounds` finds them, and the numbers of the finding have
    them.

    **Fix**: judge these documents, or print the bound beside the number.

    **Ignore** when all systems that are compared contributed to the pool down to k.
    """
    for run in e.runs:
        answered = int(run.hits.answered.sum())
        for k in e.options.k:
            unjudged = _unjudged(run, k)
            some = unjudged > 0
            if not some.any():
                continue
            name = f"P@{k}"
            low = run.scores([name])[name]
            high = _precision_with(run, k, unjudged)
            told, most = run.mean_of(low), run.mean_of(high)
            if not seen(told, most):
                continue
            total, places = int(unjudged.sum()), int(np.minimum(run.hits.retrieved, k).sum())
            worst = run.qrels.worst_first(some, -unjudged)
            yield Found(
                run.name,
                f"{have(total, places, 'documents', ('is', 'are'))} unjudged in the top {k}, in {some.sum():,} of "
                f"{number(answered, 'answered queries')}: {name} is {told:.3f} if none of them is relevant, {most:.3f} "
                "if all are",
                Places.of_queries(
                    _names(run, worst),
                    k=np.full(len(worst), k),
                    unjudged=unjudged[worst],
                    lowest=low[worst],
                    highest=high[worst],
                ),
                {
                    name: told,
                    f"{name} if all were relevant": most,
                    **run.mean_bounds(run.over_labels([f"nDCG@{k}"])),
                    "unjudged": total,
                    "documents": places,
                    "queries": int(some.sum()),
                    "answered": answered,
                },
            )


def _precision_with(run: RunEvidence, k: int, unjudged: I64) -> F64:
    """Return P@k per query if every unjudged document in the first k were relevant."""
    hits = run.hits
    found = hits.count((hits.grade >= run.level) & (hits.position < k))
    precision: F64 = (found + unjudged) / k
    return precision


@check(
    "J103",
    "runs-are-judged-unequally",
    Severity.WARNING,
    fix="judge the top k of every run alike, or compare the runs on condensed lists (judged_only, score -J) and say so",
)
def judged_unequally(e: Evidence) -> Iterator[Found]:
    """One of the runs that are compared has a larger share of unjudged documents than another.

    Documents that nobody judged count as wrong, so a system unlike those that made the pool loses without having been
    looked at: less judged, not worse. With 0.600 of its top 5 unjudged a run reads P@5 = 0.200 and might be at 0.800;
    a run with all five judged and P@5 = 0.400 is not the better one by that. Said from a difference of 0.05 on.

    **Fix**: judge the unjudged top documents of all runs; until then show the condensed-list scores beside the others.

    **Ignore** when the runs are not compared with each other.
    """
    runs = [run for run in e.runs if run.hits.answered.any()]
    for k in e.options.k if len(runs) > 1 else ():
        means = [run.mean_of(_share(run, k), run.hits.answered) for run in runs]
        least = min(range(len(runs)), key=lambda at: (means[at], runs[at].name))
        for run, mean in zip(runs, means, strict=True):
            if mean - means[least] >= APART:
                yield _less_judged(run, runs[least], k, mean, means[least])


def _less_judged(run: RunEvidence, other: RunEvidence, k: int, mean: float, least: float) -> Found:
    """Return what there is to say of a run beside the one that is judged best."""
    name, condensed = f"nDCG@{k}", f"nDCG@{k} judged_only"
    normal = [one.means([name])[name] for one in (run, other)]
    cleared = [one.means([name], judged_only=True)[name] for one in (run, other)]
    differ = _share(run, k) - _share(other, k)
    worst = run.qrels.worst_first(run.hits.answered & other.hits.answered & (differ > 0), -differ)
    against = plain(other.name)
    return Found(
        run.name,
        f"{mean:.1%} of the top {k} are unjudged, {least:.1%} in {against}: less judged, not worse. {name} is "
        f"{normal[0]:.3f} against {normal[1]:.3f}; without the unjudged documents {cleared[0]:.3f} against "
        f"{cleared[1]:.3f}",
        Places.of_queries(
            _names(run, worst),
            k=np.full(len(worst), k),
            unjudged=_share(run, k)[worst],
            other=_share(other, k)[worst],
        ),
        {
            f"Unjudged@{k}": mean,
            f"Unjudged@{k} of the other": least,
            name: normal[0],
            f"{name} of the other": normal[1],
            condensed: cleared[0],
            f"{condensed} of the other": cleared[1],
        },
    )


@check(
    "J104",
    "condensed-list-scores-otherwise",
    Severity.INFO,
    fix="print the condensed-list score (judged_only, score -J) beside the normal one",
)
def condensed_list(e: Evidence) -> Iterator[Found]:
    """Taking the unjudged documents out of the ranking changes a mean, to three decimals.

    The normal score takes them for wrong, the condensed list for absent. A ranking of u u r u n r, with r relevant, n
    not, u unjudged and |Rel| = 2, has AP (1/3 + 2/6)/2 = 0.333; its condensed list r n r has (1 + 2/3)/2 = 0.833. The
    truth is unknown: the normal score is usually too low, the condensed one often too high.

    **Fix**: print both; where they are far apart, judge more.

    **Ignore** when the collection's own rules say which of the two is official.
    """
    for run in e.runs:
        measures = ["AP", *(f"nDCG@{k}" for k in e.options.k)]
        normal, condensed = run.scores(measures), run.scores(measures, judged_only=True)
        differ = np.max([np.abs(condensed[one] - normal[one]) for one in measures], axis=0)
        means, others = run.means(measures), run.means(measures, judged_only=True)
        if not any(seen(mean, others[name]) for name, mean in means.items()):
            continue
        worst = run.qrels.worst_first(differ > 0, -differ)
        columns = {name: normal[name][worst] for name in measures}
        columns |= {f"{name} judged_only": condensed[name][worst] for name in measures}
        yield Found(
            run.name,
            f"without the unjudged documents the means would read {instead(means, others)}",
            Places.of_queries(_names(run, worst), **columns),
            {**means, **{f"{name} judged_only": value for name, value in others.items()}},
        )


@check(
    "J105",
    "unjudged-leave-an-rbp-residual",
    Severity.INFO,
    fix="print RBP with its residual, or judge the unjudged documents near the top",
)
def rbp_residual(e: Evidence) -> Iterator[Found]:
    """Rank-biased precision leaves a residual: the weight of the ranks where nobody knows.

    RBP gives rank i the weight (1 - p)·p^(i - 1). With p = 0.8, ranks 1 and 2 unjudged, 3 relevant and 4 the last, RBP
    is 0.2·0.8² = 0.128; the unjudged could add 0.2·(1 + 0.8) = 0.360, and what lies below rank 4 another 0.8⁴ = 0.410.
    Both together are the residual: the true value is between RBP and RBP + residual.

    **Fix**: print the residual; it is half the story where it is larger than the difference between two systems.

    **Ignore** when RBP is not reported.
    """
    rbp, resid = "RBP(p=0.8)", "rbp_resid(p=0.8)"
    for run in e.runs:
        answered = run.hits.answered
        values = run.scores([rbp, resid])
        tail = np.power(0.8, run.hits.retrieved)
        full = np.where(run.hits.retrieved > run.hits.count(run.hits.grade >= 0), values[resid], tail)
        unjudged = np.maximum(full - tail, 0.0)
        some = answered & (_unjudged(run, np.iinfo(np.int64).max) > 0)
        mean, added, residual = (run.mean_of(column, answered) for column in (values[rbp], unjudged, full))
        if not seen(mean, mean + added):
            continue
        worst = run.qrels.worst_first(some, -unjudged)
        yield Found(
            run.name,
            f"RBP(p=0.8) is {mean:.3f} over the {number(int(answered.sum()), 'answered queries')} and could be "
            f"{mean + added:.3f} if all that is unjudged were relevant; with what was not retrieved the residual is "
            f"{residual:.3f}",
            Places.of_queries(
                _names(run, worst), RBP=values[rbp][worst], unjudged=unjudged[worst], residual=full[worst]
            ),
            {rbp: mean, f"{rbp} if all were relevant": mean + added, "residual": residual},
        )


@check(
    "J106",
    "labels-inflate-recall",
    Severity.WARNING,
    fix="report recall on the more complete judgments, or say that it is recall of what is labelled",
)
def recall_against_truth(e: Evidence) -> Iterator[Found]:
    """Recall on the labels differs from recall on more complete judgments of the same queries.

    Recall divides by what is labelled relevant. Four of 8 labelled passages found read 0.500; where 12 are truly
    relevant and five of those were found, it is 5/12 = 0.417. Missing labels raise recall, they never warn. Needs a
    truth set.

    **Fix**: use the more complete judgments; where only a sample of queries has them, print both numbers for it.

    **Ignore** when the two sets define relevance differently, so that neither is the truth of the other.
    """
    truth = e.truth
    if truth is not None:
        for run in e.runs:
            yield from _against_truth(run, truth, e.options.k)


def _against_truth(run: RunEvidence, truth: QrelsEvidence, cutoffs: tuple[int, ...]) -> Iterator[Found]:
    """Yield what there is to say of a run at each cutoff, over the queries that are in both sets of judgments."""
    index = {query: at for at, query in enumerate(truth.judged.queries)}
    there = np.array([index.get(query, -1) for query in run.hits.queries], dtype=np.int64)
    both = there >= 0
    if not both.any():
        return
    measures = [f"R@{k}" for k in cutoffs]
    judged = run.scores(measures)
    true = scored(match(truth.judged, run.ranked), measures, Settings(level=run.level))
    rel, true_rel = run.qrels.relevant(run.level), truth.relevant(run.level)[there]
    sums = int(rel[both].sum()), int(true_rel[both].sum())
    for k, name in zip(cutoffs, measures, strict=True):
        other = true[name][there]
        differ: Bool = both & (judged[name] != other)
        if not differ.any():
            continue
        told, real = run.mean_of(judged[name], both), run.mean_of(other, both)
        texts = apart(told, real)
        worst = run.qrels.worst_first(differ, -np.abs(judged[name] - other))
        yield Found(
            run.name,
            f"{name} is {texts[0]} on these judgments and {texts[1]} on {plain(truth.name)}, over "
            f"{number(int(both.sum()), 'queries')} of both: there |Rel| is {sums[1]:,} in all, here {sums[0]:,}",
            Places.of_queries(
                _names(run, worst),
                k=np.full(len(worst), k),
                rel=rel[worst],
                true_rel=true_rel[worst],
                recall=judged[name][worst],
                true_recall=other[worst],
            ),
            {
                name: told,
                f"true {name}": real,
                "relevant": sums[0],
                "true relevant": sums[1],
                "queries": int(differ.sum()),
                "queries of both": int(both.sum()),
            },
        )


CHECKS = (
    judged_low,
    unjudged_in_top,
    judged_unequally,
    condensed_list,
    rbp_residual,
    recall_against_truth,
)
