"""R: how many documents the lists of a run hold, and for how many queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.compared import apart
from denominator.audit.counted import have, number
from denominator.audit.placed import worst_queries
from denominator.audit.told import told
from denominator.findings import Places
from denominator.model import Severity
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence

__all__ = ["CHECKS"]


@check(
    "R112",
    "depth-is-ragged",
    Severity.INFO,
    fix="say how deep the lists are beside numbers without a cutoff; compare runs at a depth that all lists have",
)
def ragged(e: Evidence) -> Iterator[Found]:
    """The lists of a run are not equally long, so that a measure without a cutoff looks at different depths.

    AP and recall without a cutoff see 1,000 documents of one query and 10 of another. With |Rel| = 20 a list of 10 has
    a recall of 10/20 = 0.5 at best.

    **Fix**: retrieve to one depth, or report measures with a cutoff that every list reaches.

    **Ignore** when a threshold or a filter is meant to cut the lists.
    """
    for run in e.runs:
        size = np.diff(run.raw.ranking.offsets)
        shortest, longest = int(size.min()), int(size.max())
        if shortest == longest:
            continue
        depths, counts = np.unique(size, return_counts=True)
        usual = int(depths[counts == counts.max()].max())
        other = np.flatnonzero(size != usual)
        worst = worst_queries(run.raw.queries, other, size[other])
        yield Found(
            run.name,
            f"lists hold from {shortest:,} to {longest:,} documents; {usual:,} is most frequent, and "
            f"{have(len(other), len(size))} another number",
            Places.of_queries([run.raw.queries[query] for query in worst.tolist()], depth=size[worst]),
            {"shortest": shortest, "longest": longest, "usual": usual, "queries": len(other), "of": len(size)},
        )


@check(
    "R113",
    "list-is-shorter-than-cutoff",
    Severity.INFO,
    fix="retrieve at least k documents for every query, or say beside P@k how many lists are shorter",
)
def short_lists(e: Evidence) -> Iterator[Found]:
    """A list is shorter than k, and P@k divides by k all the same: the empty places count as wrong answers.

    One document returned, and relevant, is P@5 = 1/5 = 0.200, as in trec_eval; divided by what was returned it is
    1.000, which is what some tools print under the same name. A query without any document is not counted here.

    **Fix**: retrieve k documents; or report SetP at that depth (`score -M 5 -m SetP`) beside P@5.

    **Ignore** when a short answer is what the system is meant to give, and P@k is known to punish it.
    """
    for run in e.runs:
        hits = run.hits
        for k in e.options.k:
            less = hits.answered & (hits.retrieved < k)
            if not less.any():
                continue
            name, over = f"P@{k}", "SetP"
            divided, returned = run.scores([name])[name], run.scores([over], depth=k)[over]
            means = run.mean_of(divided), run.mean_of(returned)
            texts = apart(*means)
            worst = run.qrels.worst_first(less, hits.retrieved, divided - returned)
            yield Found(
                run.name,
                f"{have(int(less.sum()), len(less), 'judged queries')} fewer than {k} documents in the run; {name}, "
                f"which divides by {k}, is {texts[0]}"
                + (f", and divided by the documents returned it would read {texts[1]}" if texts[0] != texts[1] else ""),
                Places.of_queries(
                    [hits.queries[query] for query in worst.tolist()],
                    k=np.full(len(worst), k),
                    documents=hits.retrieved[worst],
                    rel=hits.relevant(run.level)[worst],
                    **{name: divided[worst], "P over returned": returned[worst]},
                ),
                {"queries": int(less.sum()), name: means[0], f"{name} over returned": means[1]},
            )


@check(
    "R114",
    "list-is-empty",
    Severity.WARNING,
    fix="retrieve something for every query, or know that an empty list counts as 0 in every mean",
)
def empty_lists(e: Evidence) -> Iterator[Found]:
    """A query is answered with an empty list: it has no row, and is a query that the run does not answer.

    `{"q1": {"d1": 2.0}, "q2": {}}` answers q2 with nothing. Over the judged queries, q2 counts 0 and a perfect q1 makes
    a mean of 0.5; over the answered ones q2 is forgotten and the mean is 1.0. JSON and Python inputs can say so, lines
    of text cannot.

    **Fix**: find out whether nothing was found or the query failed.

    **Ignore** when silence is an answer, and the mean is over the judged queries.
    """
    for some in told(e, "empty-query"):
        run = next((run for run in e.runs if run is some.file), None)
        if run is None:
            continue
        words = some.lines("is answered with an empty list", "are answered with empty lists", "queries")
        over, answered = (run.means(["AP"], among)["AP"] for among in (None, run.hits.answered))
        judged = set(e.qrels.judged.queries)
        among = sum(query in judged for fault in some.faults for query in fault.query_ids)
        yield Found(
            run.name,
            f"{words}, {among:,} of them judged: AP is "
            + _over_both(over, answered, "the judged queries", "those that the run answers"),
            some.places,
            {"queries": some.count, "judged": among, "AP": over, "AP answered": answered},
        )


@check(
    "R115",
    "run-has-one-query",
    Severity.WARNING,
    fix="look for the query ids: was the first column overwritten, or were all lists written under one id?",
)
def one_query(e: Evidence) -> Iterator[Found]:
    """All rows of the run belong to one query, while many are judged, as if the ids of the others had been lost.

    30 lists of 1,000 documents written under one id are one list of 30,000 for that query, and no answer to the 29
    others: whatever it scores, the mean is a thirtieth of it.

    **Fix**: write the ids anew. Ranks that begin again, and documents that are relevant for other queries, show where
    a list ends.

    **Ignore** when only one query was run on purpose.
    """
    for run in e.runs:
        queries = e.qrels.judged.queries
        if len(run.raw.queries) > 1 or len(queries) < 2:
            continue
        here = run.raw.queries[0]
        documents, others = _relevant_elsewhere(run, here)
        begins = _begins(run)
        mean, answered = (run.means(["AP"], among)["AP"] for among in (None, run.hits.answered))
        again = f" Ranks begin anew {number(begins - 1, 'times')}." if begins > 1 else ""
        yield Found(
            run.name,
            f"{number(len(run.raw), 'rows')} have the query {short(here)}, and {len(queries):,} queries are judged: AP "
            f"{_over_both(mean, answered, 'all of them', 'those answered')}.{again} "
            f"{number(documents, 'documents')} in the run {'is' if documents == 1 else 'are'} relevant for "
            f"{number(others, 'other queries')}",
            Places.of_queries([here], rows=[len(run.raw)]),
            {
                "rows": len(run.raw),
                "judged": len(queries),
                "AP": mean,
                "AP answered": answered,
                "lists": begins,
                "documents relevant elsewhere": documents,
                "other queries": others,
            },
        )


def _over_both(first: float, second: float, one: str, other: str) -> str:
    """Say what a mean is over some queries and over others: ``0.250 over all of them, 0.500 over those answered``."""
    texts = apart(first, second)
    if texts[0] == texts[1]:
        return f"{texts[0]} over {one} and over {other}"
    return f"{texts[0]} over {one}, {texts[1]} over {other}"


def _begins(run: RunEvidence) -> int:
    """Return how many documents have the smallest rank: how many lists there are, if each counts its own."""
    ranks = run.ranks
    return 1 if ranks is None or not ranks.counts else int(np.count_nonzero(ranks.value == ranks.low[0]))


def _relevant_elsewhere(run: RunEvidence, here: str) -> tuple[int, int]:
    """Return how many documents of a run are relevant for other queries than `here`, and for how many queries."""
    judged = run.qrels.judged
    rows = np.flatnonzero(judged.relevance >= run.level)
    rows = rows[[judged.queries[code] != here for code in judged.query[rows].tolist()]] if len(rows) else rows
    found = np.isin(ids.hash_ids(judged.doc_id)[rows], ids.hash_ids(run.raw.doc_id))
    documents = set(ids.strings_at(judged.doc_id, rows[found]))
    return len(documents), len(np.unique(judged.query[rows[found]]))


CHECKS = (ragged, short_lists, empty_lists, one_query)
