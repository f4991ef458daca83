"""A dialect at work: judgments, a run and measures in; what the dialect's tool would say of each query out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.averages import average, pooled
from denominator.dialects import formulas
from denominator.dialects.inputs import judgments, ranked, tie_blocks, tied_queries
from denominator.dialects.known import dialect as named
from denominator.engines import Settings
from denominator.engines.columnar import score_hits
from denominator.errors import UndefinedError
from denominator.hits import match
from denominator.ledger import as_seen
from denominator.measures import parse_measures, undefined, worth_unanswered
from denominator.model import Note
from denominator.quoting import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denominator.dialects.dialect import Choices, Dialect
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, Bool, Qrels, Run

__all__ = ["Applied", "apply"]


@dataclass(frozen=True, eq=False)
class Applied:
    """What a dialect says of a run. Shapes: (q,) aligned with `queries`."""

    dialect: Dialect
    queries: tuple[str, ...]
    """The judged queries, in the order of ``qrels.queries``."""
    values: Mapping[Measure, F64]
    """NaN: this query is not in the mean."""
    hits: Mapping[Measure, Hits]
    """The judged part of the ranking that each value comes from."""
    sums: Mapping[Measure, tuple[F64, F64]] = field(default_factory=dict)
    """Numerators and denominators of a measure whose mean is sum / sum (micro recall)."""
    more: Mapping[Measure, F64] = field(default_factory=dict)
    """The values of the queries that are in the mean and not judged, which mostly are 0."""
    notes: tuple[Note, ...] = ()
    """What the reader of the numbers should know: ties whose order the tool does not fix."""

    def mean(self, measure: Measure) -> float | None:
        """Return the mean (sum, geometric mean) over the queries that are in it; None where none is.

        Values are added in byte order of their queries' ids, as evaluate does.
        """
        order = np.array(sorted(range(len(self.queries)), key=self.queries.__getitem__), dtype=np.int64)
        value = self.values[measure][order]
        kept = ~np.isnan(value)
        if measure in self.sums:
            above, below = self.sums[measure]
            return pooled(above[order][kept], below[order][kept])
        return average(np.append(value[kept], self.more.get(measure, [])), measure.spec.aggregate)

    def n(self, measure: Measure) -> int:
        """Return how many queries are in the mean."""
        return int((~np.isnan(self.values[measure])).sum()) + len(self.more.get(measure, []))


def apply(qrels: Qrels, run: Run, measures: Any, dialect: str | Dialect, *, depth: int | None = None) -> Applied:
    """Score a run as a dialect's tool would.

    `qrels` and `run` may hold a pair more than once, as ``examine_qrels`` and ``examine_run`` return them: the dialect
    says what happens then. `depth` cuts every ranking first.

    Raises:
        UsageError: the dialect does not have a measure, or its choices leave it without a value.
        InputError: the files hold what the dialect refuses, or lack what it needs.
        UndefinedError: a query has no relevant document, which is an error in the dialect.
    """
    spoken = named(dialect)
    wanted = parse_measures(measures)
    spoken.check(wanted)
    groups: dict[Choices, list[Measure]] = {}
    for measure in wanted:
        choices = spoken.for_measure(measure)
        formulas.check(measure, choices, depth)
        groups.setdefault(choices, []).append(measure)
    found: dict[Measure, F64] = {}
    seen: dict[Measure, Hits] = {}
    sums: dict[Measure, tuple[F64, F64]] = {}
    more: dict[Measure, F64] = {}
    notes: dict[str, Note] = {}
    rankings: dict[tuple[Any, ...], tuple[Run, Hits]] = {}
    for choices, some in groups.items():
        rows = (choices.order, choices.ties, choices.duplicates, choices.negative)
        if rows not in rankings:
            ordered = ranked(run, choices)
            rankings[rows] = (ordered, match(judgments(qrels, choices), ordered))
        ordered, every = rankings[rows]
        # trec_eval is "9" or "10", which choices were held to
        settings = Settings(choices.level, depth, choices.unjudged == "removed", choices.trec_eval)  # type: ignore[arg-type]
        hits = as_seen(every, settings)
        values = _values(ordered, hits, some, choices)
        if choices.queries == "run":
            others = _values(ordered, as_seen(match(_not_judged(qrels, ordered), ordered), settings), some, choices)
            more.update({measure: value[~np.isnan(value)] for measure, value in others.items()})
        for measure in some:
            found[measure] = _in_the_mean(hits, measure, choices, values[measure])
            seen[measure] = hits
            if choices.recall == "micro" and measure.name == "R":
                sums[measure] = _micro(hits, measure, choices)
        if choices.ties == "unstable" and "ties" not in notes:
            notes.update(_unstable(run, choices, qrels))
    kept = {measure: found[measure] for measure in wanted}
    return Applied(spoken, qrels.queries, kept, seen, sums, more, tuple(notes.values()))


def _not_judged(qrels: Qrels, run: Run) -> Qrels:
    """Return judgments of the other queries of a run: none."""
    others = tuple(query for query in run.queries if query not in qrels.number_of)
    return replace(qrels, queries=others, query=qrels.query[:0], doc_id=qrels.doc_id[:0], relevance=qrels.relevance[:0])


def _values(run: Run, hits: Hits, measures: Sequence[Measure], choices: Choices) -> dict[Measure, F64]:
    """Return the values of the queries of some hits, before it is asked which of them are in a mean."""
    plain = _plain(hits, measures, choices)
    if plain is not None:
        return plain
    blocks = _blocks(run, hits) if choices.ties in formulas.SHARED_PLACES else None
    return {measure: formulas.values(hits, blocks, measure, choices) for measure in measures}


def _plain(hits: Hits, measures: Sequence[Measure], choices: Choices) -> dict[Measure, F64] | None:
    """Return the columnar engine's values where the formulas are trec_eval's; None where one is not."""
    own = choices._replace(recall="rel") if choices.recall == "micro" else choices
    if (own.recall, own.precision, own.ap, own.gain, own.ideal, own.rbp) != (
        "rel",
        "k",
        "rel",
        "linear",
        "judged",
        "binary",
    ):
        return None
    if choices.ties in formulas.SHARED_PLACES:
        return None
    # trec_eval is "9" or "10", which choices were held to
    return score_hits(hits, measures, Settings(choices.level, trec_eval=choices.trec_eval))  # type: ignore[arg-type]


def _blocks(run: Run, hits: Hits) -> formulas.Blocks:
    """Return the block of ties of each hit."""
    _, low, high = tie_blocks(run)
    code = run.numbers_of(hits.queries)
    place = run.ranking.offsets[code[hits.query]] + hits.position
    return formulas.Blocks(low[place], high[place])


def _in_the_mean(hits: Hits, measure: Measure, choices: Choices, values: F64) -> F64:
    """Return values with NaN where a query is not in the mean, and with what the others without a value are worth."""
    level = measure.level(choices.level)
    out = np.where(hits.answered, values, worth_unanswered(hits, measure, choices.level))
    relevant = hits.relevant(level)
    if choices.queries in ("answered", "run"):
        out[~hits.answered] = np.nan
    elif choices.queries == "answerable":
        out[relevant == 0] = np.nan
    without = undefined(hits, measure, choices.level) if measure.spec.needs == "gain" else relevant == 0
    asked = without & ~np.isnan(out)
    if choices.no_relevant == "error" and asked.any():
        _refuse(hits, asked, measure)
    elif choices.no_relevant == "1" and measure.spec.needs is not None:
        out[asked] = 1.0
    elif choices.no_relevant in ("dropped", "unfound"):
        out[without] = np.nan
    if choices.no_relevant == "unfound":
        out[hits.count(hits.grade >= level) == 0] = np.nan
    return out


def _refuse(hits: Hits, without: Bool, measure: Measure) -> None:
    """Say which queries have no relevant document."""
    queries = [hits.queries[at] for at in np.flatnonzero(without).tolist()]
    raise UndefinedError(
        f"{measure}: {'query' if len(queries) == 1 else f'{len(queries):,} queries,'} {listed(sorted(queries))} "
        f"without a relevant document, where this dialect's tool stops; use no_relevant=0 or no_relevant=dropped"
    )


def _micro(hits: Hits, measure: Measure, choices: Choices) -> tuple[F64, F64]:
    """Return found and |Rel| per query."""
    level = measure.level(choices.level)
    found = hits.count((hits.grade >= level) & (hits.position < int(measure.cutoff or 0)))
    return found.astype(np.float64), hits.relevant(level).astype(np.float64)


def _unstable(run: Run, choices: Choices, qrels: Qrels) -> dict[str, Note]:
    """Return a note where the order of ties, which the tool does not fix, can change a value."""
    tied = tied_queries(ranked(run, choices._replace(ties="averaged")))
    queries = [
        query for query, some in zip(run.queries, tied.tolist(), strict=True) if some and query in qrels.number_of
    ]
    if not queries:
        return {}
    text = (
        f"{run.name}: the tool orders ties differently at each call; {len(queries):,} judged queries have ties "
        f"({listed(queries)}), and their values are one possibility."
    )
    return {"ties": Note("unstable-ties", text, len(queries))}
