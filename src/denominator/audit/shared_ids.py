"""I: query ids, and judged pairs, that stand in two of the qrels files audited together."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.compared import Compared, most_changed
from denominator.audit.counted import number
from denominator.audit.evidence import scored
from denominator.audit.placed import worst_rows
from denominator.cached import cached_property
from denominator.engines import Settings
from denominator.findings import Places
from denominator.hits import match
from denominator.model import Severity
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
    from denominator.model import I64, Bool, Qrels

__all__ = ["CHECKS", "agreement"]

IN_COMMON = 0.1
"""Of the judged documents of the query with fewer: two queries that share less are taken for different ones."""


@dataclass(frozen=True, eq=False)
class _Pair:
    """Two qrels files."""

    one: QrelsEvidence
    two: QrelsEvidence

    @cached_property
    def queries(self) -> list[str]:
        """The query ids of both, in byte order."""
        return sorted(set(self.one.judged.queries) & set(self.two.judged.queries))

    @cached_property
    def rows(self) -> tuple[I64, I64]:
        """The rows of either that hold the same query and document."""
        return _common_rows(self.one.judged, self.two.judged)

    def of_shared(self, counts: I64, qrels: Qrels) -> I64:
        """Return a count per query of a file for the shared queries."""
        index = {query: at for at, query in enumerate(qrels.queries)}
        return counts[np.array([index[query] for query in self.queries], dtype=np.int64)]

    @cached_property
    def common(self) -> I64:
        """How many judged documents each shared query has in both."""
        judged = self.one.judged
        return self.of_shared(np.bincount(judged.query[self.rows[0]], minlength=len(judged.queries)), judged)

    @cached_property
    def sizes(self) -> tuple[I64, I64]:
        """How many judged documents each shared query has in either."""
        both = (self.one.judged, self.two.judged)
        one, two = (self.of_shared(np.bincount(some.query, minlength=len(some.queries)), some) for some in both)
        return one, two

    def relevant(self, level: float) -> tuple[I64, I64]:
        """Return |Rel| of each shared query in either."""
        one, two = (self.of_shared(some.relevant(level), some.judged) for some in (self.one, self.two))
        return one, two


def _pairs(e: Evidence) -> Iterator[_Pair]:
    """Yield every two files that share a query id."""
    for one, two in itertools.combinations((e.qrels, *e.others), 2):
        pair = _Pair(one, two)
        if pair.queries:
            yield pair


def _common_rows(one: Qrels, two: Qrels) -> tuple[I64, I64]:
    """Return the rows of two tables, which hold each pair once, that are the same pair.

    Of two pairs with one hash in the same table, a chance of 1 in 2**64, only one is looked at.
    """
    _, left, right = np.intersect1d(one.pair_hash, two.pair_hash, return_indices=True)
    same = np.ones(len(left), dtype=np.bool_)
    if len(left):  # equal hashes, and the ids themselves
        names = {query: at for at, query in enumerate(two.queries)}
        there = np.array([names.get(query, -1) for query in one.queries], dtype=np.int64)
        same &= there[one.query[left]] == two.query[right]
        words = itertools.zip_longest(ids.order_words(one.doc_id, left), ids.order_words(two.doc_id, right))
        for word, other in words:
            same &= (0 if word is None else word) == (0 if other is None else other)
    return left[same], right[same]


@check(
    "I107",
    "files-share-query-ids",
    Severity.WARNING,
    fix="keep the files apart, or put the language or split in front of every query id before they are pooled",
)
def query_id_means_two_queries(e: Evidence) -> Iterator[Found]:
    """The same query id stands in two files and seems to mean different queries: they have hardly a document in common.

    Query 12 of one language is not query 12 of another. Pooled into one file, with 4 relevant documents here and 6
    there, they are one query with |Rel| 10, and a run that finds all 4 has recall 0.400 instead of 1. A run scored
    against the wrong one of the files gives a number, and no error. Said of queries that share less than a tenth of
    the judged documents of the one that has fewer.

    **Fix**: give the ids a prefix (`ha:12`) in qrels and runs before anything is pooled.

    **Ignore** when the two are the same query, judged on different collections.
    """
    for pair in _pairs(e):
        apart = pair.common < IN_COMMON * np.minimum(*pair.sizes)
        if not apart.any():
            continue
        one, two = (some[apart] for some in pair.relevant(e.options.level))
        common = int(pair.common[apart].sum())
        worst = np.lexsort((np.arange(len(one)), -(one + two)))
        names = [query for query, some in zip(pair.queries, apart.tolist(), strict=True) if some]
        yield Found(
            pair.two.name,
            f"of {number(len(apart), 'query ids')} that {short(pair.one.name)} has too, {len(names):,} "
            f"{'seems' if len(names) == 1 else 'seem'} to mean another query there ({number(common, 'documents')} "
            f"judged in both): |Rel| {int(two.sum()):,} here, {int(one.sum()):,} there",
            Places.of_queries(
                [names[at] for at in worst.tolist()],
                rel=two[worst],
                other_rel=one[worst],
                common=pair.common[apart][worst],
            ),
            {
                "queries": len(names),
                "shared query ids": len(apart),
                "documents in common": common,
                "|Rel|": int(two.sum()),
                "other |Rel|": int(one.sum()),
            },
        )


@check(
    "I108",
    "files-grade-differently",
    Severity.WARNING,
    fix="never merge the two files; name the one that a number was computed with",
)
def files_conflict(e: Evidence) -> Iterator[Found]:
    """Two files grade the same document differently for the same query.

    Two revisions, or a shallow and a deep pool: which one was used decides the number. With d1 relevant in both and d2
    in one of them, a run that finds d1 alone has recall 1 by one file and 0.500 by the other. Merged, the file holds
    contradictions, which `score` refuses. Cohen's kappa takes from the share of pairs on whose relevance both agree
    what chance would give: of 20 pairs with 4 and 3 relevant, 17 alike are 0.850, chance gives 0.710, and kappa is
    (0.850 - 0.710)/(1 - 0.710) = 0.483.

    **Fix**: choose one, and say which beside the number; take both numbers if they are to be compared.

    **Ignore** when the files are two judges' opinions and are compared for that.
    """
    for pair in _pairs(e):
        left, right = pair.rows
        mine, other = pair.two.judged.relevance[right], pair.one.judged.relevance[left]
        apart = np.flatnonzero(mine != other)
        if not len(apart):
            continue
        level, rows = e.options.level, right[apart]
        here, there = int((mine >= level).sum()), int((other >= level).sum())
        order = worst_rows(pair.two.judged, rows, -np.abs(mine - other)[apart].astype(np.float64))
        alike, kappa = agreement(mine >= level, other >= level)
        message = (
            f"of {number(len(left), 'pairs')} of query and document that {short(pair.one.name)} has too, "
            f"{len(apart):,} {'is' if len(apart) == 1 else 'are'} graded differently there: {here:,} of the pairs are "
            f"relevant here, {there:,} there; on relevance {alike:.1%} agree"
        ) + ("" if kappa is None else f", Cohen's kappa {kappa:.3f}")
        numbers: dict[str, float | int | None] = {
            "conflicts": len(apart),
            "pairs": len(left),
            "relevant": here,
            "relevant there": there,
            "agreement": alike,
            "kappa": kappa,
        }
        both = most_changed(e, partial(_by_either, pair))
        if both is not None:
            message += f". By these judgments the run has {both.words(named=len(e.runs) > 1)}"
            numbers |= both.numbers("here", "there")
        places = Places.of_rows(pair.two.judged, rows[order], grade=mine[apart][order], other_grade=other[apart][order])
        yield Found(pair.two.name, message, places, numbers)


def agreement(mine: Bool, other: Bool) -> tuple[float, float | None]:
    """Return the share of pairs that two judges agree on, and Cohen's kappa; None where chance explains everything."""
    alike, one, two = (float(np.mean(some)) for some in (mine == other, mine, other))
    chance = one * two + (1 - one) * (1 - two)
    return alike, None if chance == 1 else (alike - chance) / (1 - chance)


def _by_either(pair: _Pair, run: RunEvidence) -> Compared:
    """Return AP of a run by the first and by the second file, over the queries of both."""
    first, second = (_average_precision(run, file, pair.queries) for file in (pair.one, pair.two))
    return Compared(run, {"AP": first}, {"AP": second})


def _average_precision(run: RunEvidence, file: QrelsEvidence, queries: list[str]) -> float:
    """Return the mean of AP by a file's judgments over some of its queries."""
    hits = run.hits if file is run.qrels else match(file.judged, run.ranked)
    shared = set(queries)
    among = np.array([query in shared for query in file.judged.queries], dtype=np.bool_)
    return file.mean_of(scored(hits, ["AP"], Settings(level=run.level))["AP"], among)


CHECKS = (query_id_means_two_queries, files_conflict)
