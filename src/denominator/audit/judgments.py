"""Q: what the judgments of whole queries can and cannot tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import Compared, most_changed
from denominator.audit.counted import have, number
from denominator.audit.tied import hit_places
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence
    from denominator.model import F64, I64, Bool

__all__ = ["CHECKS"]


@check(
    "Q104",
    "grades-are-all-equal",
    Severity.WARNING,
    fix="judge with more than one grade, or judge documents that are not relevant too",
)
def one_grade(e: Evidence) -> Iterator[Found]:
    """All judged documents of a query have the same positive grade, so that nDCG cannot tell one order from another.

    With d1, d2 and d3 all graded 1, every order of the three has DCG 1 + 0.631 + 0.5 = 2.131 and nDCG 1.0; only
    documents that nobody judged can lower it. Queries with one judgment are not counted. Where other queries have
    several grades the finding is only information.

    **Fix**: add judgments of other grades: relevant and highly relevant, or judged and not relevant.

    **Ignore** when the relevant documents are known by construction and the question is only whether they are found.
    """
    grade, query = e.qrels.judged.relevance, e.qrels.judged.query
    count = len(e.qrels.judged.queries)
    highest, lowest = np.full(count, -np.inf), np.full(count, np.inf)
    np.maximum.at(highest, query, grade)
    np.minimum.at(lowest, query, grade)
    judgments = np.bincount(query, minlength=count)
    several = judgments > 1
    alike = several & (highest == lowest) & (highest > 0)
    if not alike.any():
        return
    worst, total = e.qrels.worst_first(alike, -judgments), int(several.sum())
    yield Found(
        e.qrels.name,
        f"of {number(total, 'queries')} with two or more judgments, {len(worst):,} {_has(len(worst))} one grade for "
        "all of them: every order of the judged documents has the same nDCG",
        Places.of_queries(_names(e, worst), judgments=judgments[worst], grade=highest[worst].astype(grade.dtype)),
        {"queries": len(worst), "of": total, "judgments": int(judgments[worst].sum())},
        Severity.WARNING if len(worst) == total else Severity.INFO,
    )


@check(
    "Q105",
    "query-lacks-relevant",
    Severity.WARNING,
    fix="judge more of the query, leave it out (`denominator fix --select Q105`), or take the mean over "
    "--queries answerable",
)
def nothing_relevant(e: Evidence) -> Iterator[Found]:
    """A query is judged, and none of its documents is relevant: every system scores 0 on it.

    Of 114 queries one has a single judgment of grade 0. It stays in the mean, so nothing can be above 113/114 = 0.991,
    and a system at 0.500 would read 0.504 without it.

    **Fix**: judge more documents of the query, or leave it out; `--queries answerable` leaves it out of the mean.

    **Ignore** when finding nothing is the right answer to the query and the measure knows it.
    """
    yield from _zero_for_all(
        e, _most(e) == 0, "judged documents, and none of them is relevant: every system scores 0 there"
    )


@check(
    "Q106",
    "judgments-are-all-negative",
    Severity.WARNING,
    fix="judge documents of the query with grades of 0 or more, or leave it out: `denominator fix --select Q106`",
)
def all_negative(e: Evidence) -> Iterator[Found]:
    """All judgments of a query are negative, which some tools cannot take.

    trec_eval stops with exit code 4 and prints nothing, not even of the other queries; pytrec_eval may never return.
    Here the query counts as one without a relevant document: with AP 1.0 on the other of two queries, the mean is 0.5.

    **Fix**: leave the query out, or judge it.

    **Ignore** when only this tool reads the file, and the 0 in the mean is meant.
    """
    words = "negative grades only: trec_eval stops there and pytrec_eval may never return; here every system scores 0"
    yield from _zero_for_all(e, _most(e) < 0, words)


@check(
    "Q111",
    "judgments-are-all-relevant",
    Severity.WARNING,
    fix="report recall or RR, which need no non-relevant judgments; judge a pool before using Bpref, infAP or Judged@k",
)
def positives_only(e: Evidence) -> Iterator[Found]:
    """Only relevant documents are judged, so that Bpref, infAP and Judged@k mean little.

    Bpref counts judged non-relevant documents above the relevant ones. There are none, so it is recall by another
    name: 3 of 4 relevant documents retrieved give 0.75 wherever they stand. Judged@10 is at most |Rel|/10, and low for
    the best of systems. Queries without a relevant document are not counted; where other queries have documents
    judged not relevant, the finding is only information.

    **Fix**: report measures that need no non-relevant judgments, or judge a pool.

    **Ignore** when none of the three is reported.
    """
    level, grade = e.options.level, e.qrels.judged.relevance
    relevant = e.qrels.relevant(level) > 0
    judged_not = np.bincount(
        e.qrels.judged.query[(grade >= 0) & (grade < level)], minlength=len(e.qrels.judged.queries)
    )
    only = relevant & (judged_not == 0)
    if not only.any():
        return
    total = int(relevant.sum())
    message = (
        f"{have(int(only.sum()), total, 'answerable queries')} relevant judgments only, and none that is not relevant"
    )
    numbers: dict[str, float | int | None] = {"queries": int(only.sum()), "of": total}
    if e.runs:
        run = e.runs[0]
        names = ["Bpref", "SetR", *(f"Judged@{k}" for k in e.options.k)]
        means = run.means(names, only)
        whose = f" for {run.name}" if len(e.runs) > 1 else ""
        told = ", ".join(f"{name} {means[name]:.3f}" for name in names[2:])
        message += f": Bpref there is {means['Bpref']:.3f}, recall {means['SetR']:.3f}, and {told}{whose}"
        numbers |= means
    worst = e.qrels.worst_first(only, -e.qrels.relevant(level))
    yield Found(
        e.qrels.name,
        message,
        Places.of_queries(_names(e, worst), relevant=e.qrels.relevant(level)[worst]),
        numbers,
        Severity.WARNING if int(only.sum()) == total else Severity.INFO,
    )


@check(
    "Q112",
    "level-empties-query",
    Severity.WARNING,
    fix="take the mean over --queries answerable and say so, or lower the relevance level (-l)",
)
def emptied(e: Evidence) -> Iterator[Found]:
    """The relevance level leaves a query without a relevant document.

    With grades 1 and 1 and level 2 a query has nothing left to find, and scores 0 for AP, recall and precision whatever
    is retrieved. Two queries with AP 0.417 and 0 read 0.208. nDCG takes the grades and ignores the level: it does not
    change, and the two measures are then over different queries in fact.

    **Fix**: say how many queries are left, and take the mean over these (`--queries answerable`), or lower the level.

    **Ignore** when the 0 is meant: there is no highly relevant document to show.
    """
    level, most = e.options.level, _most(e)
    empty = (most > 0) & (e.qrels.relevant(level) == 0)
    if not empty.any():
        return
    positive, left = int((e.qrels.judged.relevance > 0).sum()), int(e.qrels.relevant(level).sum())
    message = (
        f"{have(int(empty.sum()), len(empty))} no document of grade {level:g} or more, but some above 0: "
        f"|Rel| {positive:,} → {left:,}"
    )
    both = _without(e, empty)
    if both:
        message += f"; over the other queries {both.words(named=len(e.runs) > 1)}. nDCG ignores the level"
    worst = e.qrels.worst_first(empty)
    yield Found(
        e.qrels.name,
        message,
        Places.of_queries(_names(e, worst), highest_grade=most[worst].astype(e.qrels.judged.relevance.dtype)),
        {
            "queries": int(empty.sum()),
            "of": len(empty),
            "positive": positive,
            "|Rel|": left,
            **(both.numbers("over the others") if both else {}),
        },
    )


@check(
    "Q113",
    "judged-are-never-retrieved",
    Severity.INFO,
    fix="look at what is listed: are these documents in the index, under these ids? Otherwise retrieve deeper",
)
def never_retrieved(e: Evidence) -> Iterator[Found]:
    """Some relevant documents were retrieved by none of the runs audited together.

    They count in |Rel|, and so in the denominator of recall and AP, and nothing here can find them: with |Rel| = 5 of
    which 2 are in no run, recall is at most 3/5 = 0.6 for each. Often the index lacks them, or has other ids.

    **Fix**: look some of them up in the index. If they are there, retrieve deeper or otherwise.

    **Ignore** when the runs are short on purpose, or from one system only.
    """
    if not e.runs:
        return
    judged, level = e.qrels.judged, e.options.level
    found = np.zeros(len(judged), dtype=np.bool_)
    for run in e.runs:
        rows = run.ranked.ranking.rows_at(hit_places(run))
        # hits were compared as texts: among the pairs of one file, one hash is one pair
        found |= np.isin(judged.pair_hash, run.ranked.pair_hash[rows])
    never = ~found & (judged.relevance >= level)
    if not never.any():
        return
    missing = np.bincount(judged.query[never], minlength=len(judged.queries))
    relevant = e.qrels.relevant(level)
    worst = e.qrels.worst_first(missing > 0, -missing / np.maximum(relevant, 1), -missing)
    share = int(never.sum()) / int(relevant.sum())
    unseen = int((~found & (judged.relevance >= 0)).sum())
    runs = "the run" if len(e.runs) == 1 else f"any of the {len(e.runs):,} runs"
    yield Found(
        e.qrels.name,
        f"{int(never.sum()):,} of {number(int(relevant.sum()), 'relevant documents')} ({share:.1%} of |Rel|) "
        f"{'is' if never.sum() == 1 else 'are'} not retrieved by {runs}, in {number(len(worst), 'queries')}; of all "
        f"{number(int(e.qrels.labelled().sum()), 'judged documents')}, {unseen:,} {'is' if unseen == 1 else 'are'} not",
        Places.of_queries(_names(e, worst), missing=missing[worst], relevant=relevant[worst]),
        {"missing": int(never.sum()), "|Rel|": int(relevant.sum()), "share": share, "judged": unseen},
    )


def _most(e: Evidence) -> F64:
    """Return the highest grade of each query."""
    out = np.full(len(e.qrels.judged.queries), -np.inf)
    np.maximum.at(out, e.qrels.judged.query, e.qrels.judged.relevance)
    return out


def _has(count: int) -> str:
    return "has" if count == 1 else "have"


def _names(e: Evidence, which: I64) -> list[str]:
    """Return the ids of some judged queries."""
    return [e.qrels.judged.queries[query] for query in which.tolist()]


def _without(e: Evidence, which: Bool) -> Compared | None:
    """Return the AP of the run that gains most when the mean leaves some queries out; None if it leaves out all."""
    if which.all():
        return None
    return most_changed(e, lambda run: Compared(run, run.means(["AP"]), run.means(["AP"], ~which)))


def _zero_for_all(e: Evidence, which: Bool, words: str) -> Iterator[Found]:
    """Say that on some queries nothing can score."""
    if not which.any():
        return
    judgments = np.bincount(e.qrels.judged.query, minlength=len(which))
    both = _without(e, which)
    message = f"{have(int(which.sum()), len(which))} {words}"
    if both:
        message += f"; over the other queries {both.words(named=len(e.runs) > 1)}"
    worst = e.qrels.worst_first(which, -judgments)
    yield Found(
        e.qrels.name,
        message,
        Places.of_queries(_names(e, worst), judgments=judgments[worst]),
        {
            "queries": int(which.sum()),
            "of": len(which),
            **(both.numbers("over the others") if both else {}),
        },
    )


CHECKS = (one_grade, nothing_relevant, all_negative, positives_only, emptied, never_retrieved)
