"""T: scores that are no ordinary 64-bit numbers: beyond 32 bits, infinite, or not a number at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import compared, either_way, instead, means_of
from denominator.audit.counted import number
from denominator.audit.placed import worst_queries, worst_rows
from denominator.audit.tied import by_name, rearranged
from denominator.findings import Places
from denominator.formats.subset import subset
from denominator.hits import match
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence

__all__ = ["CHECKS"]


@check(
    "T103",
    "single-precision-ties-scores",
    Severity.WARNING,
    fix="score with 64-bit floats, as denominator and trec_eval since 2023 do; or `denominator fix --select "
    "T103` gives scores as n - rank",
)
def tied_in_32_bits(e: Evidence) -> Iterator[Found]:
    """Scores that differ become equal in a tool that keeps them as 32-bit floats, and document ids decide there.

    A 32-bit float holds about 7 digits: 16777217 becomes 16777216. pytrec_eval and trec_eval before 2023 have such
    scores. If d1 has 16777217, d2 has 16777216, and d1 is relevant, RR is 1.0; in 32 bits the two are tied, d2 goes
    first, and RR reads 0.5. Where no number changes in its first four digits, the finding is only
    information.

    **Fix**: score with a tool that keeps 64 bits, or replace the scores by falling whole numbers before handing the
    run to one that does not.

    **Ignore** when nobody scores the run with such a tool.
    """
    for run in e.runs:
        ties, queries = run.ties, run.ranked.queries
        if not len(ties.apart):
            continue
        pairs = ties.single.pairs - ties.equal.pairs
        held = np.searchsorted(run.ranked.ranking.offsets, ties.apart, side="right") - 1
        per_query = np.bincount(held, minlength=len(queries))
        which = np.flatnonzero(per_query)
        worst = worst_queries(queries, which, -per_query[which])
        measures = ["RR", "AP", *(f"nDCG@{k}" for k in e.options.k)]
        both = compared(run, measures, rearranged(run, ties.single, by_name))
        yield Found(
            run.name,
            f"{number(pairs, 'pairs')} of documents in {len(worst):,} of {number(len(queries), 'queries')} "
            f"{'has' if pairs == 1 else 'have'} scores that differ, but are equal as 32-bit floats: a tool of 32 bits "
            f"(pytrec_eval, trec_eval before 2023) orders them by document id and prints {both.words(named=False)}",
            Places.of_queries([queries[query] for query in worst.tolist()], neighbours=per_query[worst]),
            {"pairs": pairs, "queries": len(worst), **both.numbers("in 32 bits")},
            Severity.WARNING if both.visible else Severity.INFO,
        )


@check(
    "T104",
    "scores-are-infinite",
    Severity.WARNING,
    fix="give finite scores; an infinite one is usually a division by zero or a sentinel",
)
def infinite(e: Evidence) -> Iterator[Found]:
    """Some scores are infinite: they have a place in the order, first or last, and are all tied with each other.

    Two documents at +inf share rank 1 and 2 by document id, however different they were. A document at -inf is last
    and still counts as retrieved: in a run of 10 with 5 of them, P@10 divides by 10 as ever.

    **Fix**: find where they come from (a division by zero, log(0), a sentinel for filtered documents); leave filtered
    documents out instead.

    **Ignore** when only one document of a query is infinite and its place is meant.
    """
    for run in e.runs:
        rows = np.flatnonzero(np.isinf(run.raw.score))
        if not len(rows):
            continue
        above = run.raw.score[rows] > 0
        queries = len(np.unique(run.raw.query[rows]))
        plus, minus = int(above.sum()), int((~above).sum())
        order = worst_rows(run.raw, rows, ~above)
        words = " and ".join(f"{count:,} {name}" for count, name in ((plus, "+inf"), (minus, "-inf")) if count)
        yield Found(
            run.name,
            f"{number(len(rows), 'scores')} in {number(queries, 'queries')} {'is' if len(rows) == 1 else 'are'} "
            f"infinite ({words}) and kept: +inf ranks first, -inf last",
            Places.of_rows(run.raw, rows[order], score=["+inf" if one else "-inf" for one in above[order].tolist()]),
            {"scores": len(rows), "queries": queries, "plus": plus, "minus": minus},
        )


@check(
    "T105",
    "score-is-nan",
    Severity.ERROR,
    fix="mend the system that wrote it, or say what is meant: --lenient nan=last, or nan=drop, as "
    "`denominator fix --select T105` writes it",
)
def not_a_number(e: Evidence) -> Iterator[Found]:
    """A score is NaN, which has no place in an order: `score` refuses the run.

    Tools that sort it all the same put it anywhere: of the 120 orders of five documents with one NaN, 80 gave RR 0.333
    and 40 gave 0.25 in one of them. Ranked last, or left out, it has a meaning; the two differ when the document is
    relevant: of d2, d3 and d1 = NaN, d1 is at rank 3 (RR 1/3) or nowhere (RR 0).

    **Fix**: mend the system. Otherwise choose: `--lenient nan=last` or `--lenient nan=drop`.

    **Ignore** never: the number is not defined before one of the two is chosen.
    """
    for run in e.runs:
        if not any(fault.kind == "nan-score" for fault in run.faults):
            continue
        unread = {fault.line for fault in run.faults if fault.kind in ("score-number", "score-overflow")}
        rows = np.flatnonzero(np.isnan(run.raw.score))
        if unread - {None}:
            rows = rows[[run.raw.line_of(row) not in unread for row in rows.tolist()]]
        queries = len(np.unique(run.raw.query[rows]))
        measures = ["RR", "AP", *(f"nDCG@{k}" for k in e.options.k)]
        last = run.means(measures)
        dropped = subset(run.ranked, ~np.isnan(run.ranked.score))
        drop = means_of(run, match(run.qrels.judged, dropped), measures)
        told = instead(drop, last, " or ") or either_way(last)
        yield Found(
            run.name,
            f"{number(len(rows), 'scores')} in {number(queries, 'queries')} {'is' if len(rows) == 1 else 'are'} NaN, "
            f"which has no place in an order; ranked last or left out: {told}",
            Places.of_rows(run.raw, rows[worst_rows(run.raw, rows)]),
            {
                "scores": len(rows),
                "queries": queries,
                **{f"{name} nan=last": value for name, value in last.items()},
                **{f"{name} nan=drop": value for name, value in drop.items()},
            },
        )


CHECKS = (tied_in_32_bits, infinite, not_a_number)
