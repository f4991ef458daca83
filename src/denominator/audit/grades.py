"""Q: grades that are negative, too high, not whole, or worth other gains than meant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import Compared, compared, most_changed, seen
from denominator.audit.counted import number
from denominator.audit.placed import worst_rows
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.model import I64

__all__ = ["CHECKS"]

HIGH, HUGE = 10, 1_000
"""A grade that few assessors give, and one that none does."""


@check(
    "Q107",
    "grades-are-negative",
    Severity.WARNING,
    fix="say what a negative grade means: leave it out if it is not judged; if it is judged not relevant, "
    "`denominator fix --select Q107` writes 0",
)
def negative(e: Evidence) -> Iterator[Found]:
    """Some grades are below 0, which counts as in the pool but not judged, as in trec_eval.

    A junk document of grade -2 above the one relevant document does not count against Bpref, which is 1.0; were it
    judged not relevant (grade 0), Bpref would be 0.0. Judged@k, infAP and everything on condensed lists (-J) change in
    the same way. AP, P, RR and nDCG do not: a negative grade is not relevant and gains 0. Where no run's numbers
    change in their first four digits, the finding is only information.

    **Fix**: write 0 for what was judged and found not relevant; leave out what was not judged.

    **Ignore** when none of the measures named is reported.
    """
    rows = np.flatnonzero(e.qrels.raw.relevance < 0)
    if not len(rows):
        return
    names = [
        "Bpref",
        "infAP",
        *(f"P(judged_only=True)@{k}" for k in e.options.k),
        *(f"Judged@{k}" for k in e.options.k),
    ]
    both = most_changed(e, lambda run: _clipped(run, names))
    lowest = e.qrels.raw.relevance[rows].min()
    one = len(rows) == 1
    message = (
        f"{number(len(rows), 'judgments')} {'is' if one else 'are'} negative ({'' if one else 'down to '}{lowest:,}) "
        f"and {'counts' if one else 'count'} as not judged, as in trec_eval"
    )
    if both:
        message += f"; were {'it' if one else 'they'} judged not relevant: {both.words(named=len(e.runs) > 1)}"
    yield Found(
        e.qrels.name,
        message,
        _rows(e, rows, e.qrels.raw.relevance[rows]),
        {"judgments": len(rows), "lowest": lowest.item(), **(both.numbers("if judged") if both else {})},
        Severity.WARNING if both is None or both.visible else Severity.INFO,
    )


@check(
    "Q108",
    "grade-leaves-scale",
    Severity.ERROR,
    fix="mend the grade, or declare the scale that is meant (--grades 0-3)",
)
def outside_scale(e: Evidence) -> Iterator[Found]:
    """A grade is outside the scale that was declared.

    On a scale from 0 to 3 a 30 is a slip of the pen. It has ten times the gain of the best document: with it ranked
    second, nDCG@2 of (3, 30) is (3 + 30/1.585)/(30 + 3/1.585) = 0.688, and 1.0 once it reads 3.

    **Fix**: mend the grade, or declare another scale.

    **Ignore** never: the scale is what you declared.
    """
    if e.options.grades is None:
        return
    low, high = e.options.grades
    grade = e.qrels.raw.relevance
    rows = np.flatnonzero((grade < low) | (grade > high))
    if not len(rows):
        return
    off = np.maximum(low - grade[rows].astype(np.float64), grade[rows].astype(np.float64) - high)
    below, above = int((grade[rows] < low).sum()), int((grade[rows] > high).sum())
    yield Found(
        e.qrels.name,
        f"{number(len(rows), 'grades')} of {len(grade):,} {'is' if len(rows) == 1 else 'are'} outside the declared "
        f"scale {low} to {high}: {below:,} below, {above:,} above",
        _rows(e, rows, -off),
        {"grades": len(rows), "below": below, "above": above},
    )


@check(
    "Q109",
    "grades-look-like-counts",
    Severity.WARNING,
    fix="map counts to a few grades before writing qrels, or say what each is worth: nDCG(gains={...})",
)
def huge(e: Evidence) -> Iterator[Found]:
    """A grade is 1,000 or more, which looks like a number of clicks or an identifier in the place of a grade.

    nDCG takes the grade as the gain. Beside grades of 1, one document of 5,000 holds almost all of the gain, and nDCG
    says where this one document is: first 1.0, second 0.63, third 0.5. pytrec_eval's time grows with the square of the
    highest grade, 100,000 takes ten seconds a query.

    **Fix**: map the counts to a few grades.

    **Ignore** when only binary measures are reported.
    """
    grade = e.qrels.raw.relevance
    rows = np.flatnonzero(grade >= HUGE)
    if not len(rows):
        return
    share = _share_of_gain(e, HUGE, np.inf)
    yield Found(
        e.qrels.name,
        f"{number(len(rows), 'grades')} {'is' if len(rows) == 1 else 'are'} {HUGE:,} or more "
        f"(highest {grade[rows].max():,}) and {'holds' if len(rows) == 1 else 'hold'} {share:.1%} of all gain: "
        "clicks or counts?",
        _rows(e, rows, -grade[rows].astype(np.float64)),
        {"grades": len(rows), "highest": grade[rows].max().item(), "share of gain": share},
    )


@check(
    "Q110",
    "grades-are-fractions",
    Severity.ERROR,
    fix="round or bin the grades yourself, or ask for real-valued gains: --float-grades",
)
def fractions(e: Evidence) -> Iterator[Found]:
    """Some grades are not whole numbers: `score` refuses the file, and trec_eval cuts them without a word.

    0.9 becomes 0, 1.5 becomes 1, 0.4 becomes 0. With these three in this order trec_eval prints nDCG 0.631 of the
    judgments 0, 1, 0, where the real-valued gains give 0.902.

    **Fix**: round or bin the grades, or score with `--float-grades`, which takes them as gains.

    **Ignore** never: which of the two is meant must be said. `--float-grades` says it, and then nothing is found.
    """
    if not any(fault.kind == "grade-fraction" for fault in e.qrels.faults):
        return
    grade = e.qrels.raw.relevance
    rows = np.flatnonzero(~np.isnan(grade) & (grade != np.trunc(grade)))
    names = ["AP", "RR", *(f"nDCG@{k}" for k in e.options.k)]
    both = most_changed(e, lambda run: _truncated(run, names))
    message = (
        f"{len(rows):,} of {number(len(grade), 'grades')} {'is' if len(rows) == 1 else 'are'} not whole; trec_eval "
        "silently cuts them towards 0"
    )
    if both:
        message += f" and would print {both.words(named=len(e.runs) > 1)} with real-valued gains"
    yield Found(
        e.qrels.name,
        message,
        _rows(e, rows, -np.abs(grade[rows] - np.trunc(grade[rows]))),
        {"grades": len(rows), "of": len(grade), **(both.numbers("cut") if both else {})},
    )


@check(
    "Q114",
    "gain-changes-ndcg",
    Severity.INFO,
    fix="say which gain is meant beside every nDCG; nDCG(dcg='exp-log2')@k is the exponential one",
)
def exponential_gain(e: Evidence) -> Iterator[Found]:
    """Grades above 1 exist, so that nDCG depends on whether a gain is the grade or 2^grade - 1.

    trec_eval takes the grade; gdeval, LightGBM and many libraries take 2^grade - 1. For grades 3, 2, 3, 0, 1, 2 in
    ranked order, with two more of 3 and 2 that were not found, nDCG@6 is 0.785 with the one and 0.751 with the other.

    **Fix**: report which one it is, and compare only like with like.

    **Ignore** when every number that is compared comes from this tool, with one gain.
    """
    if not (e.qrels.judged.relevance > 1).any():
        return
    for run in e.runs:
        for k in e.options.k:
            name, other = f"nDCG@{k}", f"nDCG(dcg='exp-log2')@{k}"
            each, means = run.scores([name, other]), run.means([name, other])
            if not seen(means[name], means[other]):
                continue
            change = np.abs(each[name] - each[other])
            worst = run.qrels.worst_first(change > 0, -change)
            yield Found(
                run.name,
                f"nDCG@{k} {means[name]:.3f} takes the grades as gains; with exponential gains (2^grade - 1) it would "
                f"be {means[other]:.3f}",
                Places.of_queries(
                    [run.hits.queries[query] for query in worst.tolist()],
                    k=[k] * len(worst),
                    linear=each[name][worst],
                    exponential=each[other][worst],
                ),
                means,
            )


@check(
    "Q115",
    "grades-look-like-gains",
    Severity.INFO,
    fix="use these grades with linear gains only (the default), and a relevance level that suits them",
)
def powers_of_two(e: Evidence) -> Iterator[Found]:
    """The grades are 0 and powers of two up to 8 or more: they look like gains, not like a scale.

    Background linking at TREC has 0, 2, 4, 8 and 16, which stand for grades 0 to 4. As linear gains they are what was
    meant. Exponential gains would raise them again: 2^16 - 1 = 65,535 for the best document.

    **Fix**: nothing, if nDCG is linear; do not use dcg='exp-log2' on them. A relevance level of 2 is grade 1 here.

    **Ignore** when the scale really has such steps.
    """
    positive = _gains(e)
    if positive is None:
        return
    listed = ", ".join(f"{grade:g}" for grade in positive[:12].tolist())
    yield Found(
        e.qrels.name,
        f"the grades above 0 are powers of two ({listed}): gains already, which exponential gains would raise again "
        f"(2^{positive.max():g} - 1 for the highest)",
        Places.nowhere(),
        {"grades": len(positive), "highest": positive.max().item()},
    )


@check(
    "Q116",
    "grades-run-high",
    Severity.INFO,
    fix="declare the scale if it is meant (--grades 0-50), or say what each grade is worth: nDCG(gains={...})",
)
def high(e: Evidence) -> Iterator[Found]:
    """A grade is 10 or more: few scales go so far, and nDCG takes it for ten times a grade of 1.

    Preference judgments put grades up to 50 on top of a scale from 0 to 4. Beside a 50 in first place a document of
    grade 4 adds 4/1.585 to 50, and nDCG is 0.95 without it. A slip (11 for 1) looks the same. Grades of 1,000 or more,
    and grades that are powers of two, have checks of their own.

    **Fix**: declare the scale if it is meant, and then nothing is found; mend the grades if not.

    **Ignore** when the measure was made for such grades, as compatibility is.
    """
    grade = e.qrels.raw.relevance
    rows = np.flatnonzero((grade >= HIGH) & (grade < HUGE))
    if not len(rows) or e.options.grades is not None or _gains(e) is not None:
        return
    share = _share_of_gain(e, HIGH, HUGE)
    yield Found(
        e.qrels.name,
        f"{number(len(rows), 'grades')} of {len(grade):,} {'is' if len(rows) == 1 else 'are'} {HIGH} or more (highest "
        f"{grade[rows].max():g}) and {'holds' if len(rows) == 1 else 'hold'} {share:.1%} of all gain",
        _rows(e, rows, -grade[rows].astype(np.float64)),
        {"grades": len(rows), "of": len(grade), "highest": grade[rows].max().item(), "share of gain": share},
    )


def _gains(e: Evidence) -> Any:
    """Return the grades above 0 where they are powers of two, whole and up to 8 or more; None otherwise."""
    grades = np.unique(e.qrels.judged.relevance)
    positive = grades[grades > 0]
    if len(positive) < 3 or positive.min() < 1 or positive.max() < 8:
        return None
    return positive if (np.frexp(positive.astype(np.float64))[0] == 0.5).all() else None


def _share_of_gain(e: Evidence, low: float, high: float) -> float:
    """Return which share of the sum of all gains the grades from `low` up to below `high` hold."""
    gain = np.sort(np.maximum(e.qrels.judged.relevance.astype(np.float64), 0))  # one sum, whatever the order of rows
    total = float(gain.sum())
    return float(gain[(gain >= low) & (gain < high)].sum()) / total if total else 0.0


def _rows(e: Evidence, rows: I64, badness: Any) -> Places:
    """Return judgments with their grades."""
    rows = rows[worst_rows(e.qrels.raw, rows, badness)]
    return Places.of_rows(e.qrels.raw, rows, grade=e.qrels.raw.relevance[rows])


def _clipped(run: RunEvidence, names: list[str]) -> Compared:
    """Return the means with negative grades as 0."""
    hits = run.hits
    zero = replace(hits, grade=np.maximum(hits.grade, 0), judged_grade=np.maximum(hits.judged_grade, 0))
    return compared(run, names, zero)


def _truncated(run: RunEvidence, names: list[str]) -> Compared:
    """Return the means with the fractions of all grades cut off."""
    hits = run.hits
    return compared(run, names, replace(hits, grade=np.trunc(hits.grade), judged_grade=np.trunc(hits.judged_grade)))


CHECKS = (negative, outside_scale, huge, fractions, exponential_gain, powers_of_two, high)
