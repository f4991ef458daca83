"""What the checks look at: the files as they stand, and the ranking and numbers they stand for.

Everything is columnar and worked out once, when the first check asks. Scoring needs rows that hold a pair once: the
best-scored copy of a document is kept, and of contradictory grades the first, so that an audit can say what a number
would be where `score` refuses the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.audit.ranks import Ranks
from denominator.audit.repeated import Repeats
from denominator.audit.tied import Ties
from denominator.averages import average
from denominator.cached import cached_property
from denominator.collapse import collapsed
from denominator.engines import Settings
from denominator.engines.columnar import score_hits
from denominator.formats.subset import subset
from denominator.hits import match
from denominator.measures import parse_measure, parse_measures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denominator.audit.corpus import Corpus
    from denominator.audit.options import AuditOptions
    from denominator.bounds import Bounds
    from denominator.formats import Reading
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64, Bool, Fault, Qrels, Run

__all__ = ["Evidence", "QrelsEvidence", "RunEvidence", "scored"]


def once(rows: Any, value: Any) -> Any:
    """Return rows with each (query, document) pair once: the copy with the highest `value`, the first among equals."""
    again = rows.repeated_rows
    if not len(again):
        return rows
    from denominator import ids

    best: dict[tuple[int, str], int] = {}
    for row, query, doc in zip(
        again.tolist(), rows.query[again].tolist(), ids.strings_at(rows.doc_id, again), strict=True
    ):
        kept = best.setdefault((query, doc), row)
        if value[row] > value[kept] or (value[kept] != value[kept] and value[row] == value[row]):
            best[query, doc] = row
    keep = np.ones(len(rows), dtype=np.bool_)
    keep[again] = False
    keep[list(best.values())] = True
    return subset(rows, keep)


@dataclass(frozen=True, eq=False)
class QrelsEvidence:
    """One qrels file."""

    raw: Qrels
    """Every row as it stands."""
    faults: tuple[Fault, ...]
    """What the reader saw."""

    @property
    def name(self) -> str:
        """The file's name."""
        return self.raw.source.name

    @cached_property
    def judged(self) -> Qrels:
        """The judgments with each pair once; of contradictory grades the first counts, and one must be a number."""
        rows = self.raw
        if rows.relevance.dtype.kind == "f" and not np.isnan(rows.relevance).all():
            rows = subset(rows, ~np.isnan(rows.relevance))
        qrels: Qrels = once(rows, np.zeros(len(rows)))
        return qrels

    @cached_property
    def repeats(self) -> Repeats:
        """The rows whose pair is judged more than once."""
        return Repeats.of(self.raw)

    def relevant(self, level: float) -> I64:
        """Return |Rel| per query: the documents with a grade of at least `level`; aligned with ``judged.queries``."""
        return self._count(self.judged.relevance >= level)

    def labelled(self) -> I64:
        """Return how many documents are judged (grade 0 or more) per query; aligned with ``judged.queries``."""
        return self._count(self.judged.relevance >= 0)

    @cached_property
    def by_id(self) -> I64:
        """The judged queries in byte order of their ids, as indices: the order in which `score` adds, and lists."""
        queries = self.judged.queries
        return np.array(sorted(range(len(queries)), key=queries.__getitem__), dtype=np.int64)

    def mean_of(self, values: F64, among: Bool | None = None) -> float:
        """Return the mean of a per-query column as `evaluate` takes it; over the queries that `among` masks, if given.

        The mean over no query is 0.
        """
        order = self.by_id if among is None else self.by_id[among[self.by_id]]
        return float(average(values[order], "mean") or 0.0)

    def worst_first(self, which: Bool, *badness: F64 | I64) -> I64:
        """Return the queries that `which` masks, lowest badness first, ties in byte order of their ids."""
        chosen = self.by_id[which[self.by_id]]
        keys = [column[chosen] for column in reversed(badness)]
        return chosen[np.lexsort(keys)] if keys else chosen

    def _count(self, mask: Bool) -> I64:
        return np.bincount(self.judged.query[mask], minlength=len(self.judged.queries))


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """One run, against the judgments of the audit."""

    raw: Run
    """Every row as it stands."""
    faults: tuple[Fault, ...]
    """What the reader saw."""
    qrels: QrelsEvidence
    level: float = 1

    @property
    def name(self) -> str:
        """The file's name."""
        return self.raw.source.name

    @cached_property
    def ranked(self) -> Run:
        """The run with each document once a query, its best-scored copy."""
        run: Run = once(self.raw, self.raw.score)
        return run

    @cached_property
    def hits(self) -> Hits:
        """The judged part of the ranking."""
        return match(self.qrels.judged, self.ranked)

    @cached_property
    def ties(self) -> Ties:
        """The documents of ``ranked`` that share their score, as 64-bit and as 32-bit floats."""
        return Ties.of(self.ranked)

    @cached_property
    def ranks(self) -> Ranks | None:
        """The rank column in the order of the scores; None where there is none, or something in it is no number."""
        return Ranks.of(self.raw)

    @cached_property
    def best_lists(self) -> Hits:
        """The best rankings that the judgments allow at the lengths that the run has; of any length if unanswered."""
        hits = self.hits
        query = hits.judged_query
        position = np.arange(len(query)) - hits.judged_offsets[query]
        length = np.where(hits.answered, hits.retrieved, np.diff(hits.judged_offsets))
        kept = (position < length[query]) & (hits.judged_grade >= 0)
        return replace(
            hits,
            answered=np.ones(len(hits.queries), dtype=np.bool_),
            retrieved=length,
            query=query[kept],
            position=position[kept],
            grade=hits.judged_grade[kept],
        )

    def scores(self, measures: Sequence[str | Measure], **settings: Any) -> dict[str, F64]:
        """Return per-query values, shape (q,) aligned with ``hits.queries``; an unanswered query is worth 0.

        Each is worked out once, however many checks ask for it, and cannot be written to.
        """
        how = Settings(level=self.level, **settings)
        wanted = [parse_measure(one) if isinstance(one, str) else one for one in measures]
        new = [one for one in dict.fromkeys(wanted) if (str(one), how) not in self._known]
        for name, values in scored(self.hits, new, how).items() if new else ():
            values.flags.writeable = False
            self._known[name, how] = values
        return {str(one): self._known[str(one), how] for one in wanted}

    def over_orders(self, measures: Sequence[str]) -> dict[str, Bounds]:
        """Return the lowest, expected and highest values over all orders of ties, (q,) each, of bounded measures."""
        from denominator.bounds.orders import order_bounds
        from denominator.bounds.tied import Tied

        found = order_bounds(Tied.of(self.hits, self.ranked), parse_measures(measures), Settings(level=self.level))
        return {str(one): bounds for one, bounds in found.items() if bounds is not None}

    def over_labels(self, measures: Sequence[str]) -> dict[str, Bounds]:
        """Return the lowest and highest values over all labels of the unjudged documents retrieved, (q,) each."""
        from denominator.bounds import Asked
        from denominator.bounds.labels import label_bounds

        found = label_bounds(self.hits, parse_measures(measures), Settings(level=self.level), Asked(unjudged=True))
        return {str(one): bounds for one, bounds in found.items() if bounds is not None}

    def mean_bounds(self, bounds: Mapping[str, Bounds]) -> dict[str, float]:
        """Return the means of bounds over the judged queries: RR lowest, RR expected (over orders only), RR highest."""
        return {
            f"{name} {word}": self.mean_of(values)
            for name, each in bounds.items()
            for word, values in zip(("lowest", "expected", "highest"), each, strict=True)
            if values is not None
        }

    @cached_property
    def _known(self) -> dict[tuple[str, Settings], F64]:
        """What was scored so far."""
        return {}

    def means(self, measures: Sequence[str | Measure], among: Bool | None = None, **settings: Any) -> dict[str, float]:
        """Return the mean of some measures over the judged queries, or over those that `among` masks."""
        return {name: self.mean_of(values, among) for name, values in self.scores(measures, **settings).items()}

    def mean_of(self, values: F64, among: Bool | None = None) -> float:
        """Return the mean of a per-query column over the judged queries, or over those that `among` masks."""
        return self.qrels.mean_of(values, among)


def scored(hits: Hits, measures: Sequence[str | Measure], settings: Settings) -> dict[str, F64]:
    """Return per-query values by the measure's text; an unanswered query is worth 0."""
    wanted = [parse_measure(measure) if isinstance(measure, str) else measure for measure in measures]
    return {str(one): np.nan_to_num(values, nan=0.0) for one, values in score_hits(hits, wanted, settings).items()}


@dataclass(frozen=True, eq=False)
class Evidence:
    """All that an audit was given."""

    qrels: QrelsEvidence
    runs: tuple[RunEvidence, ...]
    options: AuditOptions
    truth: QrelsEvidence | None = None
    """A more complete set of judgments, to compare with."""
    corpus: Corpus | None = None
    """The collection, where it was given and read."""
    others: tuple[QrelsEvidence, ...] = field(default=())
    """Further qrels files audited together, such as other languages or splits."""

    @classmethod
    def of(
        cls,
        qrels: Reading[Qrels],
        runs: Sequence[Reading[Run]],
        options: AuditOptions,
        *,
        truth: Reading[Qrels] | None = None,
        others: Sequence[Reading[Qrels]] = (),
    ) -> Evidence:
        """Return the evidence in some readings."""
        judged = QrelsEvidence(qrels.rows, qrels.faults)
        return cls(
            judged,
            tuple(RunEvidence(_documents(run.rows, options), run.faults, judged, options.level) for run in runs),
            options,
            None if truth is None else QrelsEvidence(truth.rows, truth.faults),
            others=tuple(QrelsEvidence(other.rows, other.faults) for other in others),
        )

    @cached_property
    def near_texts(self) -> Mapping[str, int] | None:
        """Document → number of its group of nearly equal texts; None where they are not asked for."""
        if self.corpus is None or self.options.near_duplicates is None:
            return None
        from denominator.audit.near import near_groups

        return near_groups(self.corpus.texts, self.options.near_duplicates)

    def with_options(self, **changes: Any) -> Evidence:
        """Return the same evidence under other options."""
        options = replace(self.options, **changes)
        runs = self.runs
        if options.level != self.options.level:
            runs = tuple(replace(run, level=options.level) for run in runs)
        return replace(self, options=options, runs=runs)


def _documents(run: Run, options: AuditOptions) -> Run:
    """Return a run as it stands, or its chunks collapsed to documents where that was asked for."""
    return run if options.collapse is None else collapsed(run, options.collapse)
