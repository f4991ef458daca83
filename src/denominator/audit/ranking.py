"""R: documents that stand twice in a ranking, and scores that may not mean what they are taken for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.compared import Compared, compared, values_of
from denominator.audit.counted import have, number
from denominator.audit.evidence import once
from denominator.audit.placed import worst_queries, worst_rows
from denominator.audit.ranks import contradicting
from denominator.findings import Places
from denominator.formats.subset import subset
from denominator.hits import match
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.hits import Hits
    from denominator.model import F64, I64, Bool

__all__ = ["CHECKS", "rescored", "worst_changes"]


def rescored(run: RunEvidence, score: F64) -> Hits:
    """Return the judged part of the ranking that a run's rows would be with other scores. (n,)."""
    other = replace(run.raw, score=score)
    return match(run.qrels.judged, once(other, score))


def worst_changes(run: RunEvidence, both: Compared, hits: Hits, what: str) -> Places:
    """Return the judged queries in which some measure changes, the largest change first, with both values."""
    ours, theirs = run.scores(both.changed), values_of(run, hits, both.changed)
    change = np.max([np.abs(ours[name] - theirs[name]) for name in both.changed], axis=0) if both.changed else None
    if change is None:
        return Places.nowhere()
    worst = run.qrels.worst_first(change > 0, -change)
    columns: dict[str, Any] = {name: ours[name][worst] for name in both.changed}
    columns |= {f"{name} {what}": theirs[name][worst] for name in both.changed}
    return Places.of_queries([run.hits.queries[query] for query in worst.tolist()], **columns)


@check(
    "R101",
    "ranking-repeats-document",
    Severity.ERROR,
    fix="keep one copy of each document: `denominator fix --select R101`, or --lenient duplicates=best, first or last",
)
def duplicates(e: Evidence) -> Iterator[Found]:
    """A ranking holds a document more than once, so that a tool that counts rows counts a relevant one twice.

    With d1 and d2 relevant and the ranking d1, d3, d1, d2, recall counted by rows is 3/2 = 1.5 and AP 1.208, which
    cannot be; keeping the best copy AP is 0.833, keeping the last, as a dict does, 0.583. trec_eval and `score` refuse.
    Which copy is the first or the last depends on the order of the rows.

    **Fix**: keep one copy, the best-scored. Chunks of a document that share its id want `--collapse` instead.

    **Ignore** never: the numbers are not defined before one copy is chosen.
    """
    for run in e.runs:
        if not len(run.raw.repeated_rows):
            continue
        every = match(run.qrels.judged, run.raw)
        copies = Copies(run, every)
        last = subset(run.raw, copies.kept_last(len(run.raw)))
        names = ["AP", *(f"{name}@{k}" for k in e.options.k for name in ("P", "R", "nDCG"))]
        by_rows, by_last = compared(run, names, every), compared(run, names, match(run.qrels.judged, last))
        again, queries = int(copies.is_later.sum()), len(np.unique(run.raw.query[copies.rows]))
        numbers: dict[str, float | int | None] = {"rows": again, "documents": len(copies.first), "queries": queries}
        told = []
        for k in e.options.k:
            rows = int(np.count_nonzero((every.position < k) & (every.grade >= run.level)))
            found = rows - int(np.count_nonzero(copies.relevant & copies.is_lower & (copies.rank <= k)))
            numbers |= {f"hits@{k} by rows": rows, f"hits@{k} distinct": found}
            are = "is" if rows == 1 else "are"
            told.append(f"{number(rows, 'relevant rows')} in the top {k} {are} {number(found, 'documents')}")
        numbers |= by_rows.numbers("by rows") | by_last.numbers("last copy")
        told.append(f"counted by rows, {by_rows.words(named=False)}")
        told.append(f"with the last copy for the best, {by_last.words(named=False)}")
        yield Found(
            run.name,
            f"{number(again, 'rows')} in {number(queries, 'queries')} "
            f"{'names' if again == 1 else 'name'} a document that the ranking holds already: {'; '.join(told)}",
            copies.places(run),
            numbers,
        )


class Copies:
    """The rows of a run whose document stands in the ranking of their query more than once. Shapes: c copies, p pairs.

    A pair's first copy is that of the first row; the others are its later copies.
    """

    def __init__(self, run: RunEvidence, every: Hits) -> None:
        """Look at a run, and at the judged part of its ranking with each copy counted."""
        raw = run.raw
        self.rows = rows = raw.repeated_rows
        """(c,) in row order."""
        known: dict[tuple[int, str], int] = {}
        keys = zip(raw.query[rows].tolist(), ids.strings_at(raw.doc_id, rows), strict=True)
        self.pair = np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)
        """(c,) which pair it is."""
        self.first = rows[np.unique(self.pair, return_index=True)[1]]
        """(p,) the first row of each pair."""
        place = np.arange(len(raw))
        if raw.ranking.rows is not None:
            place[raw.ranking.rows] = np.arange(len(raw))
        self.rank = place[rows] - raw.ranking.offsets[raw.query[rows]] + 1
        """(c,) the place in the ranking, from 1."""
        best = np.full(len(known), len(raw) + 1)
        np.minimum.at(best, self.pair, self.rank)
        self.is_lower = self.rank > best[self.pair]
        """(c,) whether another copy ranks higher."""
        self.relevant = self._are_relevant(run, every)
        """(c,) whether the document is relevant."""

    def _are_relevant(self, run: RunEvidence, every: Hits) -> Bool:
        number = {query: code for code, query in enumerate(every.queries)}
        judged = np.array([number.get(query, -1) for query in run.raw.queries], dtype=np.int64)
        size = len(run.raw) + 1
        hits = (every.query * size + every.position)[every.grade >= run.level]
        query = judged[run.raw.query[self.rows]]
        relevant: Bool = np.isin(query * size + self.rank - 1, hits) & (query >= 0)
        return relevant

    @property
    def is_later(self) -> Bool:
        """(c,) whether it is another row than the first of its pair."""
        later: Bool = self.rows != self.first[self.pair]
        return later

    def kept_last(self, rows: int) -> Bool:
        """Return which rows of the run are left when the last copy of each document is kept. (n,)."""
        keep = np.ones(rows, dtype=np.bool_)
        keep[self.rows] = False
        keep[list(dict(zip(self.pair.tolist(), self.rows.tolist(), strict=True)).values())] = True
        return keep

    def places(self, run: RunEvidence) -> Places:
        """Return every later copy: of relevant documents first, then by rank, each with the line of the first copy."""
        raw, at = run.raw, np.flatnonzero(self.is_later)
        at = at[worst_rows(raw, self.rows[at], ~self.relevant[at], self.rank[at])]
        again, start = self.rows[at], self.first[self.pair[at]]
        values: dict[str, Any] = {"rank": self.rank[at], "relevant": self.relevant[at].astype(np.int64)}
        values |= {"score": raw.score[again], "first_score": raw.score[start]}
        if raw.has_lines:
            values["first_line"] = start + 1 if raw.line is None else raw.line[start]
        return Places.of_rows(raw, again, **values)


@check(
    "R110",
    "scores-rise-down-the-list",
    Severity.WARNING,
    fix="if the scores are distances, `denominator fix --select R110` writes them with the opposite sign, so "
    "that the best document has the highest",
)
def ascending(e: Evidence) -> Iterator[Found]:
    """Scores rise from the first rank to the last: they look like distances, for which the smallest is the best.

    A higher score ranks higher, here as in trec_eval, whatever the rank column says. Of three documents at distances
    0.1, 0.2 and 0.7 the last is ranked first; if the first is relevant, RR reads 1/3 instead of 1. Where the rank
    column is missing or no rank, the order of the lines stands for it, and shuffling them changes what this check says.

    **Fix**: negate distances, or write 1 / (1 + distance).

    **Ignore** when the file is meant to list the worst documents first.
    """
    for run in e.runs:
        score, offsets, rows = run.raw.score, run.raw.ranking.offsets, run.raw.ranking.rows
        value: Any = run.ranks.value if run.ranks is not None and run.ranks.counts else rows
        if value is None:
            continue  # the lines are in the order of the scores
        first, last = (score[run.raw.ranking.rows_at(at)] for at in (offsets[:-1], offsets[1:] - 1))
        told = first > last  # some scores of the query differ
        rising = told & contradicting(run.raw, value)
        if not _is_rule(rising, told, np.diff(offsets)):  # few do, and the look the other way costs more
            continue
        rising &= ~contradicting(run.raw, -value)
        if not _is_rule(rising, told, np.diff(offsets)):
            continue
        hits = rescored(run, -score)
        both = compared(run, ["RR", "AP", *(f"nDCG@{k}" for k in e.options.k)], hits)
        along = "rank column" if value is not rows else "lines"
        yield Found(
            run.name,
            f"{have(int(rising.sum()), int(told.sum()))} scores that rise along the {along}: if they are distances, "
            f"with the opposite sign the run has {both.words(named=False)}",
            worst_changes(run, both, hits, "negated"),
            {"queries": int(rising.sum()), **both.numbers("negated")},
        )


def _is_rule(rising: Bool, told: Bool, size: I64) -> bool:
    """Return whether scores rise in most queries that have any order, and in one that has three documents or more."""
    return bool(2 * int(rising.sum()) > int(told.sum()) and (rising & (size > 2)).any())


@check(
    "R111",
    "scores-are-all-equal",
    Severity.WARNING,
    fix="write scores that fall with the order that is meant; if the rank column is, `denominator fix "
    "--select R111` makes scores of it",
)
def equal_scores(e: Evidence) -> Iterator[Found]:
    """All documents of a query have the same score, so that the ranking is the order of their ids and nothing else.

    Equal scores are ordered by document id descending. Of d1, d2 and d3 with the score 0.5 each, d3 is first: if only
    d1 is relevant, RR reads 1/3, whatever the rank column or the lines say.

    **Fix**: write scores that fall with the rank.

    **Ignore** when the system returns sets, and set measures (SetP, SetR, SetF) are all that is reported.
    """
    for run in e.runs:
        raw, ranking = run.raw, run.raw.ranking
        ends = [ranking.offsets[:-1], ranking.offsets[1:] - 1]
        first, last = (raw.score[ranking.rows_at(at)] for at in ends)
        several = np.diff(ranking.offsets) > 1
        equal = (first == last) & several
        if not equal.any():
            continue
        by_rank = run.ranks is not None and run.ranks.counts
        hits = rescored(run, _minus(raw.rank if by_rank else np.arange(len(raw)), run, equal))
        where = "by the rank column" if by_rank else "by the lines"
        both = compared(run, ["RR", "AP", *(f"nDCG@{k}" for k in e.options.k)], hits)
        count, of = int(equal.sum()), int(several.sum())
        yield Found(
            run.name,
            f"of {number(of, 'queries')} with several documents {count:,} {'has' if count == 1 else 'have'} one score "
            f"for all of them: document ids decide the order. Ordered {where} they would give "
            f"{both.words(named=False)}",
            _equal_places(run, np.flatnonzero(equal)),
            {"queries": count, "of": of, **both.numbers(where)},
            Severity.WARNING if count == of else Severity.INFO,
        )


def _minus(place: Any, run: RunEvidence, which: Bool) -> F64:
    """Return the scores of a run, minus the place of each row, by rank or by line, in the queries that are masked."""
    return np.where(which[run.raw.query], -np.asarray(place, dtype=np.float64), run.raw.score)


def _equal_places(run: RunEvidence, which: I64) -> Places:
    documents = np.diff(run.raw.ranking.offsets)
    worst = worst_queries(run.raw.queries, which, -documents[which])
    names = [run.raw.queries[query] for query in worst.tolist()]
    first = run.raw.ranking.offsets[worst]
    return Places.of_queries(names, documents=documents[worst], score=run.raw.score[run.raw.ranking.rows_at(first)])


@check(
    "R116",
    "scores-are-negative",
    Severity.INFO,
    fix="know what your tools take a missing score for; shift the scores above 0 before fusing or thresholding",
)
def negative_scores(e: Evidence) -> Iterator[Found]:
    """Scores are below 0, and a tool that takes a missing score for 0 ranks documents that were not found above them.

    Log-probabilities are negative by nature, and no measure minds. Fusion by sums, and padding with zeros, do: a
    document with the score -3 in one run and absent from another loses to one that no run found, with 0.

    **Fix**: shift the scores, or fuse by ranks.

    **Ignore** when the scores are only ranked.
    """
    for run in e.runs:
        below, rows = int(np.count_nonzero(run.raw.score < 0)), len(run.raw)
        lowest = float(run.raw.score[run.raw.score > -np.inf].min(initial=0.0))
        if not lowest or any(fault.kind in MADE for fault in run.faults):
            continue
        yield Found(
            run.name,
            f"{have(below, rows, 'scores', ('is', 'are'))} below 0, the lowest {lowest:g}",
            numbers={"scores": below, "rows": rows, "lowest": lowest},
        )


MADE = frozenset({"scores-from-ranks", "scores-from-positions"})
"""Faults that say that there are no scores: minus the rank stands for them."""


CHECKS = (duplicates, ascending, equal_scores, negative_scores)
