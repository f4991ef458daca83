"""What an evaluation notices about its inputs and says beside its numbers: who is missing, empty, or out of order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from denominator import ids
from denominator.hints import Hint, hint
from denominator.model import Note
from denominator.quoting import listed, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import I32, I64, Bool, Qrels, Run

__all__ = ["Over", "about_qrels", "about_run", "no_common_queries"]

QUERIES_SEARCHED = 20
ROWS_SEARCHED = 100
"""How many queries without a judged document are searched for ids that almost match, and how many of their rows."""


class Over(NamedTuple):
    """A measure with its means over the judged, answered and answerable queries: how much the choice matters."""

    measure: str
    judged: float
    answered: float
    answerable: float
    which: str
    """Which queries can be answered, as this measure sees it: ``those with a relevant document``."""


def about_qrels(
    qrels: Qrels, level: float, queries: str, chosen: Bool, measures: Sequence[Measure] = ()
) -> Iterator[Note]:
    """Say what the judgments alone decide: queries without a relevant document, and grades below 0.

    `chosen` masks ``qrels.queries``: the queries that the mean may be over; `queries` is the name of the query set. A
    best possible mean is named where that set is the same for every run.
    """
    relevant = np.bincount(qrels.query[qrels.relevance >= level], minlength=len(qrels.queries))
    total, empty = int(chosen.sum()), chosen & (relevant == 0)
    at_one = np.bincount(qrels.query[qrels.relevance >= 1], minlength=len(qrels.queries))
    emptied = empty & (at_one > 0)
    then = "; they are not in the mean"
    if queries == "answered":
        then = "; {it} 0 for every system that answers"
    elif queries != "answerable":
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
    negative = int((qrels.relevance < 0).sum())
    if negative:
        what = "1 judgment has a grade" if negative == 1 else f"{negative:,} judgments have grades"
        yield Note("negative-grades", f"{what} below 0: in the pool, but not judged.", negative)


def about_run(qrels: Qrels, run: Run, hits: Hits, over: Over | None) -> Iterator[Note]:
    """Say which queries a run misses or adds, where its ranks and scores part, and which ids almost match."""
    judged, held = qrels.number_of.keys(), run.number_of.keys()
    missing, ignored = sorted(judged - held), sorted(held - judged)
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
    yield from _order_notes(run)
    yield from _id_notes(hint(missing, ignored) if missing and ignored else None, _document_hint(qrels, run, hits))


def no_common_queries(qrels: Qrels, run: Run) -> str:
    """Return the message for a run that holds none of the judged queries."""
    judged = f"{len(qrels.queries):,} judged {'query' if len(qrels.queries) == 1 else 'queries'}"
    message = (
        f"{run.name}: no query in common with {qrels.source.name}: 0 of {judged} in the run; "
        f"e.g. qrels {quoted(qrels.queries[0])}, run {quoted(run.queries[0])}"
    )
    found = hint(qrels.queries, run.queries)
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


def _falling_ranks(rank: I64, query: I32, rows: I64 | None) -> tuple[I64, I64]:
    """Return the pairs of rows that follow one another in a ranking while their ranks fall, the upper and the lower.

    Block by block: a run has millions of rows, and the few pairs are all that is looked at twice.
    """
    found = [np.zeros((2, 0), dtype=np.int64)]
    for low in range(0, len(rank) - 1, ids.BLOCK):
        high = min(low + ids.BLOCK + 1, len(rank))
        part = rank[low:high] if rows is None else rank[rows[low:high]]
        upper = np.flatnonzero(part[1:] < part[:-1]) + low
        pairs = np.stack([upper, upper + 1]) if rows is None else np.stack([rows[upper], rows[upper + 1]])
        found.append(pairs[:, query[pairs[0]] == query[pairs[1]]])
    above, below = np.concatenate(found, axis=1)
    return above, below


def _document_hint(qrels: Qrels, run: Run, hits: Hits) -> Hint | None:
    """Return how judged and retrieved document ids would match in answered queries where not one does."""
    matched = np.bincount(hits.query, minlength=len(qrels.queries))
    silent = _names(qrels.queries, hits.answered & (matched == 0))[:QUERIES_SEARCHED]
    if not silent:
        return None
    best: dict[str, list[Hint]] = {}
    for query in silent:
        rows = run.ranking.rows_of(run.number_of[query])[:ROWS_SEARCHED]
        judged = ids.strings_at(qrels.doc_id, np.flatnonzero(qrels.query == qrels.number_of[query]))
        found = hint(judged, ids.strings_at(run.doc_id, rows))
        if found is not None:
            best.setdefault(found.change, []).append(found)
    if not best:
        return None
    change, found_of = max(best.items(), key=lambda item: sum(each.matches for each in item[1]))
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
