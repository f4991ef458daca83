"""T: documents that share their score, so that their names decide their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import apart, compared, values_of
from denominator.audit.counted import number
from denominator.audit.placed import worst_queries
from denominator.audit.tied import by_row, first_places, hit_places, rearranged
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.model import F64, I64

__all__ = ["CHECKS"]


@check(
    "T101",
    "ties-fill-ranking",
    Severity.WARNING,
    fix="write the scores with all their digits, or let the system break its ties and give scores that say so",
)
def tied_neighbours(e: Evidence) -> Iterator[Found]:
    """Most neighbours in a ranking have equal scores, so that document ids, not the system, decide the order.

    Equal scores are ordered by document id descending, as trec_eval does. Of three documents with scores 1.0, 1.0 and
    0.5 one of the two pairs of neighbours is tied, a share of 0.5. With a share near 1, renaming the documents changes
    every number. A run in which all scores of every query are equal has a check of its own and is not named here.

    **Fix**: print the scores with all their digits. If they really are equal, let the system choose the order and
    give scores that fall with it.

    **Ignore** when the system returns sets or classes and the measures are over sets too.
    """
    for run in e.runs:
        ties, queries = run.ties, run.ranked.queries
        tied = ties.equal.size - 1
        share = int(tied.sum()) / max(ties.neighbours, 1)
        if share <= e.options.max_tied or share == 1.0:
            continue
        per_query = _per_query(run, ties.equal.first, tied)
        pairs = np.maximum(np.diff(run.ranked.ranking.offsets) - 1, 1)
        which = np.flatnonzero(per_query)
        worst = worst_queries(queries, which, -per_query[which] / pairs[which], -per_query[which])
        yield Found(
            run.name,
            f"{share:.1%} of neighbours in the rankings have equal scores ({int(tied.sum()):,} of "
            f"{ties.neighbours:,} pairs, in {len(worst):,} of {number(len(queries), 'queries')}): document ids decide "
            "their order",
            Places.of_queries(
                [queries[query] for query in worst.tolist()],
                tied=per_query[worst],
                share=per_query[worst] / pairs[worst],
            ),
            {"share": share, "tied": int(tied.sum()), "neighbours": ties.neighbours, "queries": len(worst)},
        )


@check(
    "T102",
    "tie-crosses-cutoff",
    Severity.WARNING,
    fix="give scores that tell the tied documents apart, or report the measure at a cutoff that no tie crosses",
)
def tie_at_cutoff(e: Evidence) -> Iterator[Found]:
    """The documents at ranks k and k+1 have the same score, so that document ids decide which one counts.

    With scores 9, 5, 5, 5 and k = 2, three documents share the score at rank 2 and one of them is in. If one of the
    three is relevant, and the first document too, P@2 is 1.0 or 0.5, depending on names alone. Where all tied
    documents are graded alike, no measure at k can change, and the finding is only information.

    **Fix**: give scores that tell the documents apart; or choose a k that no tie crosses.

    **Ignore** when systems are compared at depths where the tied documents are all unjudged.
    """
    for run in e.runs:
        first, judged = first_places(run), run.qrels.judged.queries
        for k in e.options.k:
            place = np.where((first >= 0) & (run.hits.retrieved > k), first + k - 1, -1)
            group = run.ties.equal.holding(place)
            crossed = (group >= 0) & (run.ties.equal.last[group] > place) if len(run.ties.equal.first) else group >= 0
            if not crossed.any():
                continue
            size = np.where(crossed, run.ties.equal.size[group], 0)
            start = run.ties.equal.first[group] - first
            relevant, differ = _grades_among(run, np.where(crossed, group, -1), size)
            worst = run.qrels.worst_first(crossed, -differ.astype(np.int64), -size)
            decided, at_k = int(differ.sum()), run.means([f"P@{k}", f"nDCG@{k}"])
            told = (
                f"in {decided:,} of them the tied documents are not graded alike, so that names decide the measures at "
                f"{k}. P@{k} is {at_k[f'P@{k}']:.3f}, nDCG@{k} {at_k[f'nDCG@{k}']:.3f}"
                if decided
                else f"the tied documents of each are graded alike, and no measure at {k} changes"
            )
            yield Found(
                run.name,
                f"in {int(crossed.sum()):,} of {number(len(judged), 'judged queries')} the score at rank {k} is shared "
                f"with rank {k + 1}, by up to {int(size.max()):,} documents; {number(int(relevant.sum()), 'documents')}"
                f" of those tied there {'is' if int(relevant.sum()) == 1 else 'are'} relevant; {told}",
                Places.of_queries(
                    [judged[query] for query in worst.tolist()],
                    k=[k] * len(worst),
                    documents=size[worst],
                    relevant=relevant[worst],
                    first_rank=start[worst] + 1,
                    last_rank=start[worst] + size[worst],
                ),
                {
                    "queries": int(crossed.sum()),
                    "decided": decided,
                    "documents": int(size.max()),
                    "relevant": int(relevant.sum()),
                    **at_k,
                    **(run.mean_bounds(run.over_orders([*at_k])) if decided else {}),
                },
                Severity.WARNING if decided else Severity.INFO,
            )


@check(
    "T106",
    "scores-lack-digits",
    Severity.WARNING,
    fix="print the scores with all their digits (in Python, repr)",
)
def few_digits(e: Evidence) -> Iterator[Found]:
    """The scores are written with so few digits that half of the documents or more share theirs.

    A system that scores 0.8231 and 0.8174 and prints "%.1f" writes 0.8 twice: its own order is lost, and document ids
    decide. Nothing is said of scores with more than 6 decimals, nor where all scores of every query are equal.

    **Fix**: print the scores with all their digits; `repr` in Python, `%.17g` in C.

    **Ignore** when the scores are counts or classes by nature.
    """
    for run in e.runs:
        ties = run.ties
        shared = int(ties.equal.size.sum())
        share = shared / len(run.ranked)
        if share < e.options.max_tied or not shared or int((ties.equal.size - 1).sum()) == ties.neighbours:
            continue
        scores = np.unique(run.ranked.score[np.isfinite(run.ranked.score)])
        decimals = _decimals(scores)
        if decimals is None:
            continue
        size = ties.equal.size
        sharing = _per_query(run, ties.equal.first, size)
        documents = np.diff(run.ranked.ranking.offsets)
        which = np.flatnonzero(sharing)
        worst = worst_queries(run.ranked.queries, which, -sharing[which] / documents[which], -sharing[which])
        yield Found(
            run.name,
            f"the scores have {number(decimals, 'decimals')} and {number(len(scores), 'distinct values')} in "
            f"{number(len(run.ranked), 'rows')}: {share:.1%} of the documents share theirs with another of the same "
            "query",
            Places.of_queries(
                [run.ranked.queries[query] for query in worst.tolist()],
                sharing=sharing[worst],
                documents=documents[worst],
            ),
            {"decimals": decimals, "values": len(scores), "share": share, "sharing": shared},
        )


@check(
    "T107",
    "tie-hides-first-relevant",
    Severity.WARNING,
    fix="give scores that tell the tied documents apart; do not report RR for this run otherwise",
)
def first_relevant_tied(e: Evidence) -> Iterator[Found]:
    """The first relevant document shares its score with documents that are not relevant, so that names decide RR.

    Documents a, b and c share the top score and b is relevant: by document id descending c is first and RR is 1/2.
    Had the documents other names, it could be 1 or 1/3; over all orders 0.611 is expected.

    **Fix**: give scores that tell the documents apart.

    **Ignore** when RR, AP and success at small cutoffs are not reported.
    """
    for run in e.runs:
        relevant = np.flatnonzero(run.hits.grade >= run.level)
        query, first = np.unique(run.hits.query[relevant], return_index=True)
        group = run.ties.equal.holding(hit_places(run)[relevant])
        tied = group[first] >= 0
        query, group_of = query[tied], group[first][tied]
        size = run.ties.equal.size[group_of]
        among = np.bincount(group[group >= 0], minlength=len(run.ties.equal.first))[group_of]
        hidden = size > among
        if not hidden.any():
            continue
        documents, found = np.zeros((2, len(run.hits.queries)), dtype=np.int64)
        documents[query[hidden]], found[query[hidden]] = size[hidden], among[hidden]
        worst = run.qrels.worst_first(documents > 0, -documents)
        mean, each = run.means(["RR"])["RR"], run.scores(["RR"])["RR"]
        orders = run.over_orders(["RR"])
        bounds = run.mean_bounds(orders)
        lowest, expected, highest = (part[worst] for part in orders["RR"] if part is not None)
        (at_worst, at_best), likely = apart(bounds["RR lowest"], bounds["RR highest"]), bounds["RR expected"]
        yield Found(
            run.name,
            f"in {len(worst):,} of {number(len(run.hits.queries), 'judged queries')} the first relevant document "
            f"shares its score with others that are not relevant (up to {int(documents.max()):,} documents): RR "
            f"{mean:.3f} rests on document ids; over all orders of tied documents it lies between {at_worst} and "
            f"{at_best}, and {likely:.3f} is expected",
            Places.of_queries(
                [run.hits.queries[one] for one in worst.tolist()],
                documents=documents[worst],
                relevant=found[worst],
                RR=each[worst],
                lowest=lowest,
                expected=expected,
                highest=highest,
            ),
            {"queries": len(worst), "documents": int(documents.max()), "RR": mean, **bounds},
        )


@check(
    "T108",
    "line-order-breaks-ties",
    Severity.WARNING,
    fix="give scores that fall with the order that is meant; if the order of the lines is, `denominator fix "
    "--select T108` makes scores of it",
)
def ties_in_line_order(e: Evidence) -> Iterator[Found]:
    """Equal scores stand in the file in another order than by document id, and the numbers depend on which one counts.

    trec_eval orders equal scores by document id descending, whatever the order of the lines. If b stands before c with
    the same score and b is relevant, RR is 0.5; a tool that keeps the order of the lines (a stable sort) prints 1.0.
    This check is about the order of the rows: shuffling the file changes what it says. Where no number changes in its
    first four digits, the finding is only information.

    **Fix**: let the scores fall with the order that is meant.

    **Ignore** when the order of the lines means nothing, as after a sort by document.
    """
    for run in e.runs:
        if not len(run.ties.equal.first):
            continue
        other = rearranged(run, run.ties.equal, by_row)
        both = compared(run, _measures(e), other)
        if not both.changed:
            continue
        tied = number(int(run.ties.equal.size.sum()), "documents")
        ours, theirs = run.scores(both.changed), values_of(run, other, both.changed)
        change = np.max([np.abs(ours[name] - theirs[name]) for name in both.changed], axis=0)
        worst = run.qrels.worst_first(change > 0, -change)
        yield Found(
            run.name,
            f"{tied} share a score; kept in the order of the lines instead of by document id, they would give "
            f"{both.words(named=False)}",
            Places.of_queries(
                [run.hits.queries[query] for query in worst.tolist()],
                **{name: ours[name][worst] for name in both.changed},
                **{f"{name} in line order": theirs[name][worst] for name in both.changed},
            ),
            {"documents": int(run.ties.equal.size.sum()), **both.numbers("in line order")},
            Severity.WARNING if both.visible else Severity.INFO,
        )


def _measures(e: Evidence) -> list[str]:
    """Return the measures that a change of order is shown by."""
    return ["RR", "AP", *(f"nDCG@{k}" for k in e.options.k)]


def _per_query(run: RunEvidence, places: I64, weight: I64) -> I64:
    """Return the sum of weights at some positions of the ranked order for each query of the run."""
    offsets = run.ranked.ranking.offsets
    query = np.searchsorted(offsets, places, side="right") - 1
    return np.bincount(query, weights=weight, minlength=len(offsets) - 1).astype(np.int64)


def _grades_among(run: RunEvidence, group: I64, size: I64) -> tuple[I64, Any]:
    """Return, for one group of ties a query, how many are relevant, and whether any two have different gains.

    Shapes: `group` (q,) -1 for none, `size` (q,). A document that is not judged gains nothing, as a grade below 0.
    """
    hits, queries = run.hits, len(group)
    there = (run.ties.equal.holding(hit_places(run)) == group[hits.query]) & (group[hits.query] >= 0)
    query, gain = hits.query[there], np.maximum(hits.grade[there], 0)
    judged = np.bincount(query, minlength=queries)
    top, least = np.zeros(queries), np.where(judged < size, 0.0, np.inf)
    np.maximum.at(top, query, gain)
    np.minimum.at(least, query, gain)
    relevant = np.bincount(query[hits.grade[there] >= run.level], minlength=queries)
    return relevant, (group >= 0) & (top != least)


MOST_DECIMALS = 6
"""As C's ``%f`` prints; scores with more are as exact as they were computed."""


def _decimals(scores: F64) -> int | None:
    """Return with how many decimals some finite scores are written, None where they are more than a few."""
    for decimals in range(MOST_DECIMALS + 1):
        scale = 10.0**decimals
        with np.errstate(over="ignore"):
            if (np.round(scores * scale) / scale == scores).all():
                return decimals
    return None


CHECKS = (tied_neighbours, tie_at_cutoff, few_digits, first_relevant_tied, ties_in_line_order)
