"""What an evaluation notices about its inputs and says beside its numbers: who is missing, empty, or out of order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from denominator import ids
from denominator.averages import average
from denominator.measures import undefined
from denominator.model import Note
from denominator.quoting import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denominator.hints import Hint
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I32, I64, Bool, Qrels, Run

__all__ = [
    "Over",
    "about_qrels",
    "about_run",
    "about_ties",
    "means_over",
    "no_common_queries",
    "stops_in_version_10",
]

QUERIES_SEARCHED = 20
ROWS_SEARCHED = 100
"""How many queries without a judged document are searched for ids that almost match, and how many of their rows."""

BELOW_ZERO = {
    "pooled": "in the pool, but not judged",
    "zero": "judged, and taken for 0",
    "removed": "taken out, as if not judged",
}
"""What becomes of a grade below 0, in words."""

OF_THE_FIRST_K = frozenset({"P", "R", "RCap", "Success", "relative_P"})
"""Measures that ask which documents are among the first k, and not in which order."""
ORDERLESS = frozenset({"sets", "counts", "judged", "texts", "utility"})
"""Families of measures that ask for no order, or not for that of grades."""


class Over(NamedTuple):
    """A measure with its means over the judged, answered and answerable queries: how much the choice matters."""

    measure: str
    judged: float
    answered: float
    answerable: float
    which: str
    """Which queries can be answered, as this measure sees it: ``those with a relevant document``."""


def about_qrels(
    qrels: Qrels,
    level: float,
    queries: str,
    chosen: Bool,
    measures: Sequence[Measure] = (),
    worth: str = "0",
    negative: str = "pooled",
) -> Iterator[Note]:
    """Say what the judgments alone decide: queries without a relevant document, and grades below 0.

    `chosen` masks ``qrels.queries``: the queries that the mean may be over; `queries` is the name of the query set. A
    best possible mean is named where that set is the same for every run. `worth` is what a query without a relevant
    document scores, ``dropped`` where it is in no mean, ``differs`` where measures do not agree; `negative` is what
    becomes of a grade below 0.
    """
    relevant = np.bincount(qrels.query[qrels.relevance >= level], minlength=len(qrels.queries))
    total, empty = int(chosen.sum()), chosen & (relevant == 0)
    at_one = np.bincount(qrels.query[qrels.relevance >= 1], minlength=len(qrels.queries))
    emptied = empty & (at_one > 0)
    then = "; they are not in the mean"
    if worth == "differs":
        then = "; what that is worth differs by measure"
    elif worth != "dropped" and queries in ("answered", "run"):
        then = f"; {{it}} {worth} for every system that answers"
    elif worth == "1" and queries != "answerable":
        then = "; {it} 1 for every system"
    elif worth != "dropped" and queries != "answerable":
        best = (total - int(empty.sum())) / max(total, 1)
        then = f"; {{it}} 0 for every system, so the best possible mean is {best:.3f}"
    for kind, some, how in (
        ("no-relevant", empty & ~emptied, "no relevant document"),
        ("level-empties", emptied, f"no document at relevance level {level:g} or above"),
    ):
        if some.any():
            names = _names(qrels.queries, some)
            have, it = ("has", "it scores") if len(names) == 1 else ("have", "they score")
            after = then.format(it=it)
            if kind == "level-empties":
                after += f" (|Rel| {int(at_one.sum()):,} → {int(relevant.sum()):,})"
                by_gain = [str(measure) for measure in measures if measure.spec.needs == "gain"]
                if by_gain:
                    ignore = "ignores" if len(by_gain) == 1 else "ignore"
                    after += f". {listed(by_gain)} {ignore} the level by design"
            which = "listed" if queries == "listed" else "judged"
            yield Note(
                kind, f"{len(names):,} of {total:,} {which} queries ({listed(names)}) {have} {how}{after}.", len(names)
            )
    below = int((qrels.relevance < 0).sum())
    if below:
        what = "1 judgment has a grade" if below == 1 else f"{below:,} judgments have grades"
        yield Note("negative-grades", f"{what} below 0: {BELOW_ZERO[negative]}.", below)


def means_over(measure: Measure, values: F64, hits: Hits, order: I64, level: float) -> Over:
    """Return a measure with its means over the judged, the answered and the answerable queries.

    `values` (q,) is aligned with ``hits.queries``, which `order` sorts.
    """
    level, by_gain = measure.level(level), measure.spec.needs == "gain"
    answerable = ~undefined(hits, measure, level) if by_gain else hits.relevant(level) > 0
    means = []
    for mask in (np.ones(len(values), dtype=np.bool_), hits.answered, answerable):
        some = values[order][mask[order]]
        means.append(average(some[~np.isnan(some)], "mean"))
    judged, answered, relevant = (np.nan if mean is None else mean for mean in means)
    which = "those with a relevant document" if level == 1 else f"those with a document at level {level:g} or above"
    if by_gain:
        which = "those with a document that gains something"
    return Over(str(measure), judged, answered, relevant, which)


def about_ties(run: Run, hits: Hits, measures: Sequence[Measure]) -> Iterator[Note]:
    """Say in how many queries the order of equal scores decides a number: other orders would give another one.

    A tie decides where documents of different grades have one score, and a measure looks at their places. Only the hits
    and their neighbours are looked at.
    """
    tied = _decided_by_ties(run, hits, measures)
    some = len(set(hits.query[tied].tolist()))
    if some:
        total = int(hits.answered.sum())
        of = f"of {total:,} answered {'query' if total == 1 else 'queries'}"
        text = (
            f"In {some:,} {of} the order of equal scores decides a number; --ties shows what other orders would give."
        )
        yield Note("ties-decide", text, some)


def _decided_by_ties(run: Run, hits: Hits, measures: Sequence[Measure]) -> Bool:
    """Return which hits are tied with a document of another grade where a measure looks. Shape (h,)."""
    code = run.numbers_of(hits.queries)[hits.query]
    low, high = run.ranking.offsets[code], run.ranking.offsets[code + 1]
    place = low + hits.position

    def score(at: I64) -> F64:
        return run.score[run.ranking.rows_at(at)]

    own, gain = score(place), np.maximum(hits.grade, 0)

    def equal(at: I64) -> Bool:
        """Return which hits have the score of another place of their query."""
        inside = (at >= low) & (at < high)
        other = score(np.where(inside, at, place))
        same: Bool = inside & ((other == own) | (np.isnan(other) & np.isnan(own)))
        return same

    other = np.zeros(len(place), dtype=np.bool_)
    for step in (-1, 1):
        beside = np.roll(place, -step) == place + step
        other |= equal(place + step) & (gain != np.where(beside, np.roll(gain, -step), 0))
    decided = np.zeros(len(place), dtype=np.bool_)
    for name, cutoff in {(one.name, one.cutoff) for one in measures if one.spec.family not in ORDERLESS}:
        if not isinstance(cutoff, int):
            return other
        reached = equal(low + cutoff - 1)
        decided |= other & reached & equal(low + cutoff)
        if name not in OF_THE_FIRST_K:
            decided |= other & (hits.position < cutoff)
    return decided


def stops_in_version_10(hits: Hits) -> Iterator[Note]:
    """Say that trec_eval 10 without ``-c`` prints nothing for a run that lacks a judged query."""
    missing = int((~hits.answered).sum())
    if missing:
        text = (
            "trec_eval 10 without -c prints no number here: it stops (exit status 4), as the run lacks "
            f"{missing:,} judged {'query' if missing == 1 else 'queries'}. The means are over those that it answers, "
            "as in trec_eval 9."
        )
        yield Note("trec_eval-10-stops", text, missing)


def about_run(
    qrels: Qrels, run: Run, hits: Hits, over: Over | None, decides: str = "scores", ties: bool = True
) -> Iterator[Note]:
    """Say which queries a run misses or adds, where its ranks and scores part, and which ids almost match.

    `decides` is what ranks the documents, scores or ranks, or nothing that these notes know of; `ties` says whether
    equal scores go by document id descending.
    """
    judged, held = qrels.queries, run.queries
    missing = _names(judged, ~hits.answered)
    ignored = sorted(set(held).difference(judged)) if len(held) + len(missing) > len(judged) else []
    if missing:
        number = len(judged) - len(missing)
        answers = f"Run answers {number:,} of {len(judged):,} judged queries"
        means = ""
        if over is not None:
            means = f" {over.measure} {over.judged:.3f} over {len(judged):,}; {over.answered:.3f} over the {number:,}"
            means += " answered."
        yield Note("queries-missing", f"{answers} (missing: {listed(missing)}).{means}", len(missing))
    if ignored:
        have = "has no judgments and was" if len(ignored) == 1 else "have no judgments and were"
        text = f"{len(ignored):,} of {len(held):,} run queries {have} ignored: {listed(ignored)}."
        yield Note("queries-ignored", text, len(ignored))
    if over is not None and not np.isnan(over.answerable) and over.answerable != over.judged:
        text = f"{over.measure} {over.judged:.3f} over all {len(judged):,}; {over.answerable:.3f} over {over.which}."
        yield Note("no-relevant-mean", text)
    for note in _order_notes(run) if decides in ("scores", "ranks") else ():
        if decides == "ranks" and note.kind == "rank-against-score":
            yield replace(note, message=note.message.replace("the scores decide", "the ranks decide"))
        elif decides == "scores" and (ties or note.kind != "rank-against-ties"):
            yield note
    yield from _id_notes(_query_hint(missing, ignored), _document_hint(qrels, run, hits))


def no_common_queries(qrels: Qrels, run: Run) -> str:
    """Return the message for a run that holds none of the judged queries."""
    judged = f"{len(qrels.queries):,} judged {'query' if len(qrels.queries) == 1 else 'queries'}"
    message = (
        f"{run.name}: no query in common with {qrels.source.name}: 0 of {judged} in the run; "
        f"e.g. qrels {quoted(qrels.queries[0])}, run {quoted(run.queries[0])}"
    )
    found = _query_hint(qrels.queries, run.queries)
    if found is None:
        return f"{message}. Are these the judgments of another collection?"
    return f"{message}. {found.matches:,} would match after {found.change} ({found})"


def _names(queries: Sequence[str], mask: Bool) -> list[str]:
    """Return the ids that a mask picks, in byte order."""
    return sorted(queries[number] for number in np.flatnonzero(mask).tolist())


def _order_notes(run: Run) -> Iterator[Note]:
    """Say where the rank column, or the order of the lines, is not the order of the scores."""
    ranking, of = run.ranking, f"of {len(run.queries):,} {'query' if len(run.queries) == 1 else 'queries'}"
    against = ties = 0
    if isinstance(run.rank, np.ndarray):
        above, below = _falling_ranks(run.rank, run.query, ranking.rows)
        tied = run.score[above] == run.score[below]
        parted = set(run.query[above[~tied]].tolist())
        against, ties = len(parted), len(set(run.query[above[tied]].tolist()) - parted)
    if against:
        text = f"In {against:,} {of} the rank column is not the order of the scores; the scores decide."
        yield Note("rank-against-score", text, against)
    if ties:
        text = f"In {ties:,} {of} equal scores are ranked otherwise than by document id descending, which decides."
        yield Note("rank-against-ties", text, ties)
    if ranking.resorted > against + ties:
        text = f"In {ranking.resorted:,} {of} the lines were not in ranked order; they were sorted by score."
        yield Note("resorted", text, ranking.resorted)


def _falling_ranks(rank: I32 | I64, query: I32, rows: I32 | I64 | None) -> tuple[I64, I64]:
    """Return the pairs of rows that follow one another in a ranking while their ranks fall, the upper and the lower.

    Block by block: a run has millions of rows, and the few pairs are all that is looked at twice.
    """
    found: list[Any] = [np.zeros((2, 0), dtype=np.int64)]
    for low in range(0, len(rank) - 1, ids.BLOCK):
        high = min(low + ids.BLOCK + 1, len(rank))
        part = rank[low:high] if rows is None else rank[rows[low:high]]
        upper = np.flatnonzero(part[1:] < part[:-1]) + low
        pairs = np.stack([upper, upper + 1]) if rows is None else np.stack([rows[upper], rows[upper + 1]])
        found.append(pairs[:, query[pairs[0]] == query[pairs[1]]])
    above, below = np.concatenate(found, axis=1)
    return above, below


def _query_hint(judged: Sequence[str], held: Sequence[str]) -> Hint | None:
    """Return how judged query ids would match those of a run, where there are any of both."""
    if not judged or not held:
        return None
    from denominator.hints import hint  # most runs need none

    return hint(judged, held)


def _document_hint(qrels: Qrels, run: Run, hits: Hits) -> Hint | None:
    """Return how judged and retrieved document ids would match in answered queries where not one does."""
    matched = np.bincount(hits.query, minlength=len(qrels.queries))
    silent = _names(qrels.queries, hits.answered & (matched == 0))[:QUERIES_SEARCHED]
    if not silent:
        return None
    from denominator.hints import CHANGES, Hint, hint  # most runs need none

    best: dict[str, list[Hint]] = {}
    for query in silent:
        rows = run.ranking.rows_of(run.number_of[query])[:ROWS_SEARCHED]
        judged = ids.strings_at(qrels.doc_id, np.flatnonzero(qrels.query == qrels.number_of[query]))
        found = hint(judged, ids.strings_at(run.doc_id, rows), share=0)
        if found is not None:
            best.setdefault(found.change, []).append(found)
    if not best:
        return None
    change, found_of = max(best.items(), key=lambda item: sum(each.matches for each in item[1]))
    if change not in CHANGES and 2 * len(found_of) < len(silent):  # an affix of few queries is chance
        return None
    return Hint(change, sum(each.matches for each in found_of), found_of[0].judged, found_of[0].run)


def _id_notes(query: Hint | None, document: Hint | None) -> Iterator[Note]:
    """Say what would match after a change; one sentence where queries and documents need the same one."""
    parts = [
        (found, f"{found.matches:,} {kind} id{'' if found.matches == 1 else 's'} ({found})")
        for kind, found in (("query", query), ("document", document))
        if found is not None
    ]
    if len(parts) == 2 and parts[0][0].change == parts[1][0].change:
        parts = [(parts[0][0], f"{parts[0][1]} and {parts[1][1]}")]
    for found, text in parts:
        numbers = " Were ids read as numbers somewhere?" if "zero" in found.change or ".0" in found.change else ""
        yield Note("ids-almost-match", f"{text} would match after {found.change}.{numbers}", found.matches)
