"""Q: documents that are judged more than once for a query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import Compared, either_way, instead, means_of, most_changed
from denominator.audit.counted import number
from denominator.audit.placed import worst_rows
from denominator.findings import Places
from denominator.hits import match
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.model import I64, Qrels

__all__ = ["CHECKS"]


@check(
    "Q101",
    "judgments-repeat",
    Severity.INFO,
    fix="leave the repeats out: `denominator fix --select Q101`",
)
def exact_repeats(e: Evidence) -> Iterator[Found]:
    """A judgment stands in the file more than once, with the same grade each time.

    A document counts once, so `score` takes the first and leaves the others out. Tools that count lines divide by too
    much: of d1, d1 and d2, all relevant and all found, recall reads 2/3 instead of 2/2. trec_eval stops.

    **Fix**: leave the repeats out.

    **Ignore** when only tools that collapse repeats read the file.
    """
    repeats, raw = e.qrels.repeats, e.qrels.raw
    which = repeats.again(~repeats.differ & ~repeats.by_subtopic)
    if not len(which):
        return
    again = repeats.rows[which]
    level = e.options.level
    twice = int((raw.relevance[again] >= level).sum())
    distinct = int(e.qrels.relevant(level).sum())
    yield Found(
        e.qrels.name,
        f"{number(len(again), 'judgments')} {'repeats' if len(again) == 1 else 'repeat'} an earlier one exactly and "
        f"{'counts' if len(again) == 1 else 'count'} once: |Rel| is {distinct:,}, and {distinct + twice:,} for a tool "
        "that counts lines",
        _places(raw, again, repeats.rows[repeats.first[repeats.pair[which]]], -raw.relevance[again]),
        {"repeats": len(again), "|Rel|": distinct, "|Rel| by lines": distinct + twice},
    )


@check(
    "Q102",
    "judgments-conflict",
    Severity.ERROR,
    fix="decide which grade is meant; or choose one for all: `denominator fix --select Q102 --keep first` "
    "(best, last), or --lenient conflicts=first, last, max or min",
)
def conflicts(e: Evidence) -> Iterator[Found]:
    """A document has two different grades for the same query, and `score` refuses the file.

    Which one counts differs from tool to tool and is never printed. With d2 graded 1 and later 0, and d1 and d2
    retrieved, P@2 is 1.0 if the first judgment wins and 0.5 if the last does.

    **Fix**: decide which grade is meant. `--lenient conflicts=max` (or first, last, min) decides for all of them.

    **Ignore** never: the numbers are not defined before one is chosen.
    """
    repeats, raw = e.qrels.repeats, e.qrels.raw
    wrong = repeats.differ & ~repeats.by_subtopic
    if not wrong.any():
        return
    which = repeats.again(wrong)
    start = repeats.rows[repeats.first[repeats.pair[which]]]
    rows = repeats.rows[which]
    other = ~(raw.relevance[rows] == raw.relevance[start])
    rows, start = rows[other], start[other]
    last, level = repeats.regraded(raw, e.qrels.judged, repeats.last), e.options.level
    first_rel, last_rel = int(e.qrels.relevant(level).sum()), int((last.relevance >= level).sum())
    both = most_changed(e, lambda run: _both_ways(run, last, [f"P@{k}" for k in e.options.k]))
    message = (
        f"{number(int(wrong.sum()), 'pairs')} of query and document {'is' if wrong.sum() == 1 else 'are'} graded "
        f"differently on different lines: |Rel| is {first_rel:,} if the first grade counts, {last_rel:,} if the last"
    )
    if both:
        told = instead(both.other, both.ours, " or ") or either_way(both.ours)
        message += f"; {told}{both.whose(named=len(e.runs) > 1)}"
    yield Found(
        e.qrels.name,
        message,
        _places(raw, rows, start, -np.abs(raw.relevance[rows].astype(np.float64) - raw.relevance[start])),
        {
            "pairs": int(wrong.sum()),
            "|Rel| first": first_rel,
            "|Rel| last": last_rel,
            **(both.numbers("last", "first") if both else {}),
        },
    )


@check(
    "Q103",
    "judgments-grade-subtopics",
    Severity.ERROR,
    fix="give the track's plain qrels; or take the highest grade, relevant to any subtopic: `denominator fix "
    "--select Q103`, or --lenient conflicts=max",
)
def diversity(e: Evidence) -> Iterator[Found]:
    """The second column tells judgments of one document apart: these are diversity judgments, a grade a subtopic.

    Measures here have one grade for each document. A document graded 0 for subtopic 1 and 1 for subtopic 2 is relevant
    if the highest grade counts (|Rel| 1), and not if the first does (|Rel| 0). Where a document's grades differ,
    `score` refuses the file; where they are all alike, they count once and this is only information.

    **Fix**: give the track's plain qrels, or take the highest grade with `--lenient conflicts=max`. For
    intent-aware measures use ndeval.

    **Ignore** when the second column means something else and the grades agree.
    """
    repeats, raw = e.qrels.repeats, e.qrels.raw
    which = repeats.again(repeats.by_subtopic)
    if not len(which):
        return
    rows, start = repeats.rows[which], repeats.rows[repeats.first[repeats.pair[which]]]
    pairs, differ = int(repeats.by_subtopic.sum()), int((repeats.by_subtopic & repeats.differ).sum())
    level, by_highest = e.options.level, repeats.regraded(raw, e.qrels.judged, repeats.highest)
    first, highest = int(e.qrels.relevant(level).sum()), int((by_highest.relevance >= level).sum())
    yield Found(
        e.qrels.name,
        f"{number(pairs, 'pairs')} of query and document {'has' if pairs == 1 else 'have'} judgments that only the "
        f"second column tells apart, {differ:,} of them with different grades: these look like diversity judgments. "
        f"|Rel| is {highest:,} if the highest grade counts, {first:,} if the first does",
        _places(raw, rows, start, -(repeats.highest - repeats.lowest)[repeats.pair[which]]),
        {"pairs": pairs, "different": differ, "|Rel| highest": highest, "|Rel| first": first},
        Severity.ERROR if differ else Severity.INFO,
    )


def _places(raw: Qrels, rows: I64, start: I64, badness: Any) -> Places:
    """Return later judgments of pairs, each with its grade, and the line and grade of the pair's first one."""
    order = worst_rows(raw, rows, badness)
    rows, start = rows[order], start[order]
    values: dict[str, Any] = {"grade": raw.relevance[rows], "first_grade": raw.relevance[start]}
    if raw.has_lines:
        values["first_line"] = start + 1 if raw.line is None else raw.line[start]
    return Places.of_rows(raw, rows, **values)


def _both_ways(run: RunEvidence, other: Qrels, measures: list[str]) -> Compared:
    """Return a run's means by its own judgments and by others on the same documents."""
    return Compared(run, run.means(measures), means_of(run, match(other, run.ranked), measures))


CHECKS = (exact_repeats, conflicts, diversity)
