"""R: what the rank column says, which never decides an order here or in trec_eval, and does in other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import compared
from denominator.audit.counted import have, number
from denominator.audit.placed import worst_queries, worst_rows
from denominator.audit.ranking import rescored, worst_changes
from denominator.audit.ranks import contradicting, is_number
from denominator.audit.tied import hit_places
from denominator.findings import Places
from denominator.model import Severity
from denominator.quoting import quoted, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.audit.ranks import Ranks
    from denominator.model import I64, Bool

__all__ = ["CHECKS"]

RENUMBER = "number the ranks from 1 in the order of the scores: `denominator fix --select "


def counting(e: Evidence) -> Iterator[tuple[RunEvidence, Ranks]]:
    """Yield the runs whose rank column counts: whole numbers that are neither constant nor labels."""
    for run in e.runs:
        if run.ranks is not None and run.ranks.counts:
            yield run, run.ranks


@check(
    "R102", "ranks-contradict-scores", Severity.WARNING, fix=f"{RENUMBER}R102`; or write scores that say what is meant"
)
def contradictions(e: Evidence) -> Iterator[Found]:
    """The rank column puts a document above another that has the higher score.

    trec_eval and this tool order by score and never look at the rank. A tool that goes by the rank reads another
    ranking: if d1 has rank 1 and score 0.2, d2 rank 2 and score 0.9, and d1 is relevant, RR is 1/2 by score and 1 by
    rank. Equal scores contradict no rank.

    **Fix**: find out which of the two is meant. Renumber the ranks, or write scores that fall with them.

    **Ignore** when no tool in use looks at ranks.
    """
    for run, ranks in counting(e):
        wrong = contradicting(run.raw, ranks.value)
        if not wrong.any():
            continue
        rank = np.empty(len(run.raw))
        rank[_rows(run)] = ranks.value
        hits = rescored(run, -rank)
        both = compared(run, _measures(e), hits)
        by_rank = worst_changes(run, both, hits, "by rank")
        yield Found(
            run.name,
            f"{have(int(wrong.sum()), len(wrong))} ranks that contradict the scores, which decide; by the rank "
            f"column the run would have {both.words(named=False)}",
            by_rank if len(by_rank) else _queries(run, wrong),
            {"queries": int(wrong.sum()), "of": len(wrong), **both.numbers("by rank")},
        )


@check("R103", "ranks-start-elsewhere", Severity.INFO, fix=f"{RENUMBER}R103`")
def starts(e: Evidence) -> Iterator[Found]:
    """Ranks do not start at 1, so that a tool that cuts or divides by the rank column is off.

    With ranks from 0 a tool that keeps ranks up to 10 keeps 11 documents, and 1/rank of the first is a division by 0.
    Ranks that start at 5 are often what is left after a filter.

    **Fix**: renumber the ranks.

    **Ignore** when no tool in use looks at ranks.
    """
    for run, ranks in counting(e):
        off = ranks.low != 1
        if off.any():
            least, k = int(ranks.low.min()), e.options.k[0]
            message = f"{have(int(off.sum()), len(off))} ranks that do not start at 1; the smallest is {least:,}"
            yield _kept(run, ranks, k, message, off, {"smallest": least}, first_rank=ranks.low)


@check("R104", "ranks-have-gaps", Severity.INFO, fix=f"{RENUMBER}R104`")
def gaps(e: Evidence) -> Iterator[Found]:
    """Ranks are missing between the first and the last, as if documents had been taken out after ranking.

    trec_eval closes the gaps. A tool that keeps ranks up to 3 of 1, 2, 7 has 2 documents where trec_eval has 3, and
    their P@3 are 2/3 and 3/3.

    **Fix**: renumber the ranks. If documents were removed on purpose, say so: their places were filled by others.

    **Ignore** when no tool in use looks at ranks.
    """
    for run, ranks in counting(e):
        missing = ranks.missing
        gap = missing > 0
        if gap.any():
            lost = int(missing.sum())
            message = f"{have(int(gap.sum()), len(gap))} gaps in the ranks: {number(lost, 'ranks')} left out"
            yield _kept(run, ranks, e.options.k[0], message, gap, {"missing": lost}, missing=missing)


def _kept(
    run: RunEvidence, ranks: Ranks, k: int, message: str, which: Bool, numbers: dict[str, Any], **column: Any
) -> Found:
    """Return what there is to say of a rank column by which a cut at k would keep another number of documents."""
    by_rank, by_place = int(ranks.up_to(k).sum()), int(np.minimum(ranks.size, k).sum())
    if by_rank != by_place:
        message += f". A tool that keeps ranks up to {k} keeps {by_rank:,} documents instead of {by_place:,}"
    return Found(
        run.name,
        message,
        _queries(run, which, **column),
        {"queries": int(which.sum()), "of": len(which), **numbers, f"rank<={k}": by_rank, f"top {k}": by_place},
    )


@check("R105", "ranks-are-fractional", Severity.WARNING, fix=f"{RENUMBER}R105`; are the rank and the score exchanged?")
def fractional(e: Evidence) -> Iterator[Found]:
    """Ranks are real numbers, as if the score stood in the rank column.

    trec_eval skips the fourth field and ranks by the fifth. In `q1 Q0 d1 0.93 1 ours` that is the rank, so that the
    last document is ranked first: with 1,000 documents and the first one relevant, RR is 0.001 instead of 1.

    **Fix**: exchange the columns if they are exchanged; renumber the ranks if they are not.

    **Ignore** when the column is known to hold something else and the score is right.
    """
    for run in e.runs:
        ranks = run.ranks
        if ranks is None or not isinstance(run.raw.rank, tuple):
            continue
        fractions = np.flatnonzero(ranks.value != np.trunc(ranks.value))
        if not len(fractions):
            yield Found(
                run.name,
                f"no rank of {number(len(run.raw), 'rows')} is a fraction, but some are written as real numbers, such "
                f"as {quoted(max(set(run.raw.rank), key=_longest))}, which a reader of whole numbers refuses",
                numbers={"ranks": 0, "rows": len(run.raw)},
                severity=Severity.INFO,
            )
            continue
        rank = np.empty(len(run.raw))
        rank[_rows(run)] = ranks.value
        both = compared(run, _measures(e), rescored(run, rank))
        rows = np.sort(_rows(run)[fractions])
        yield Found(
            run.name,
            f"{have(len(fractions), len(run.raw), 'ranks', ('is a fraction', 'are fractions'))}; if the column holds "
            f"the scores, the run has {both.words(named=False)}",
            Places.of_rows(run.raw, rows[worst_rows(run.raw, rows)]),
            {"ranks": len(fractions), "rows": len(run.raw), **both.numbers("by the rank column")},
        )


@check("R106", "ranks-are-constant", Severity.INFO, fix=f"{RENUMBER}R106`")
def constant(e: Evidence) -> Iterator[Found]:
    """All documents of each query have the same rank: the column says nothing, and tools that read it see ties.

    trec_eval does not look at it. A tool that keeps ranks up to 10 of a run of 1,000 documents, all with rank 0 or 1,
    keeps all of them.

    **Fix**: renumber the ranks.

    **Ignore** when no tool in use looks at ranks.
    """
    for run in e.runs:
        ranks = run.ranks
        if ranks is None or not ranks.is_constant:
            continue
        low, high = float(ranks.low.min()), float(ranks.high.max())
        what = f"the rank {low:g}" if low == high else f"one rank a query, between {low:g} and {high:g}"
        yield Found(
            run.name,
            f"{number(len(run.raw), 'rows')} have {what}",
            numbers={"rows": len(run.raw), "smallest": low, "largest": high},
        )


@check(
    "R107",
    "ranks-look-like-labels",
    Severity.WARNING,
    fix="make sure that no judgment leaks into the run; `denominator fix --select R107` writes ranks from 1 "
    "in the fourth column",
)
def labels(e: Evidence) -> Iterator[Found]:
    """The rank column holds zeros and ones only, like a label: a judgment may have got into the run.

    A ranking has one document with rank 1. If the column equals the judgment for 12 of 12 judged documents, whoever
    made the run had the judgments at hand, and its numbers prove nothing.

    **Fix**: find out where the column is from.

    **Ignore** when it marks something else, such as a document shown to an assessor.
    """
    for run in e.runs:
        ranks = run.ranks
        if ranks is None or not ranks.is_label:
            continue
        ranked = run.ranked
        places = hit_places(run)
        rows = ranked.ranking.rows_at(places)
        label = np.asarray(ranked.rank, dtype=np.float64)[rows] == 1
        judged = run.hits.grade >= 0
        same = int(((label == (run.hits.grade >= run.level)) & judged).sum())
        ones = int((ranks.value == 1).sum())
        yield Found(
            run.name,
            f"the rank column holds 0 and 1 only ({ones:,} of {number(len(run.raw), 'rows')} are 1); it says what the "
            f"judgments say for {same:,} of {number(int(judged.sum()), 'judged documents')} retrieved",
            numbers={"ones": ones, "rows": len(run.raw), "agree": same, "judged": int(judged.sum())},
        )


@check("R108", "ranks-repeat", Severity.INFO, fix=f"{RENUMBER}R108`")
def repeats(e: Evidence) -> Iterator[Found]:
    """A rank stands at more than one document of a query, as if several lists, or queries, had been put together.

    trec_eval does not look at it. Two lists of 1,000 documents under one query id have every rank twice, and a tool
    that keeps ranks up to 10 keeps 20 documents.

    **Fix**: find out where the lists are from; then renumber the ranks.

    **Ignore** when equal ranks are ties, and no tool in use looks at ranks.
    """
    for run, ranks in counting(e):
        again = ranks.size - ranks.distinct
        if (again > 0).any():
            rows = int(again.sum())
            message = (
                f"{have(int((again > 0).sum()), len(again))} ranks that occur more than once: "
                f"{number(rows, 'rows')} {'repeats' if rows == 1 else 'repeat'} a rank"
            )
            yield _kept(run, ranks, e.options.k[0], message, again > 0, {"rows": rows}, repeated=again)


@check("R109", "rank-is-no-number", Severity.INFO, fix=f"{RENUMBER}R109`")
def words(e: Evidence) -> Iterator[Found]:
    """A rank is not a number at all: it may be a tag, or a part of a document id that has a blank.

    trec_eval does not look at it. A reader that turns the column into numbers stops, or, with 1 word among 1,000
    numbers, keeps the whole column as text, so that rank "10" sorts before "2".

    **Fix**: renumber the ranks.

    **Ignore** when no tool in use looks at ranks.
    """
    for run in e.runs:
        if run.ranks is not None or not isinstance(run.raw.rank, tuple):
            continue
        known = {text: is_number(text) for text in set(run.raw.rank)}
        bad = [row for row, text in enumerate(run.raw.rank) if not known[text]]
        if not bad:
            continue
        rows = np.array(bad, dtype=np.int64)
        rows = rows[worst_rows(run.raw, rows)]
        texts = [short(run.raw.rank[row]) for row in rows.tolist()]
        yield Found(
            run.name,
            f"{have(len(bad), len(run.raw), 'ranks', ('is', 'are'))} no number, such as "
            f"{quoted(min(text for text, good in known.items() if not good))}",
            Places.of_rows(run.raw, rows, rank=texts),
            {"ranks": len(bad), "rows": len(run.raw)},
        )


def _longest(text: str) -> tuple[int, str]:
    return len(text), text


def _measures(e: Evidence) -> list[str]:
    return ["RR", "AP", *(f"nDCG@{k}" for k in e.options.k)]


def _rows(run: RunEvidence) -> I64:
    """Return the row of each place in the ranked order."""
    return run.raw.ranking.in_order()


def _queries(run: RunEvidence, which: Bool, **column: Any) -> Places:
    """Return some queries of a run with a column each, the largest values first."""
    chosen = np.flatnonzero(which)
    worst = worst_queries(run.raw.queries, chosen, *(-values[chosen] for values in column.values()))
    names = [run.raw.queries[query] for query in worst.tolist()]
    return Places.of_queries(names, **{name: values[worst] for name, values in column.items()})


CHECKS = (contradictions, starts, gaps, fractional, constant, labels, repeats, words)
