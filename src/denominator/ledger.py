"""What a number was divided by, and how high it could have been: numerators, denominators and ceilings.

``R@5 0.500 = 4/8, ceiling 0.625 (5/8), 80% of ceiling``: four of eight relevant documents are among the first five, and
no ranking of five could hold more than five of the eight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from denominator.measures import ceiling, fraction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64
    from denominator.scores import RunScores, Scores

__all__ = ["Counted", "Ledger", "LedgerRow", "as_seen", "ceilings", "fractions", "ideal"]


class Counted(NamedTuple):
    """What a measure's values were divided by, where another rule than the registry's says so. Shapes: (q,)."""

    fraction: tuple[I64, I64, I64] | None
    """Numerators, denominators and best numerators; None for a measure that is no fraction of counts."""
    ceiling: F64 | None

    def ordered(self, order: I64) -> Counted:
        """Return the same with the queries in another order. `order` (q,)."""
        counts, top = self.fraction, self.ceiling
        return Counted(
            None if counts is None else (counts[0][order], counts[1][order], counts[2][order]),
            None if top is None else top[order],
        )


class LedgerRow(NamedTuple):
    """One value of one query with the counts behind it; counts are None for a measure that is no fraction of counts."""

    run: str
    query_id: str
    measure: Measure
    value: float | None
    numerator: int | None
    denominator: int | None
    best: int | None
    """The highest numerator that any ranking could have."""
    ceiling: float | None
    """The highest value that any ranking could have; None where higher is not better."""

    @property
    def share_of_ceiling(self) -> float | None:
        """The value as a share of its ceiling; None where there is none, or it is 0."""
        return self.value / self.ceiling if self.ceiling and self.value is not None else None

    def __str__(self) -> str:
        """Return ``R@5 0.500 = 4/8, ceiling 0.625 (5/8), 80% of ceiling``."""
        text = f"{self.measure} " + ("has no value" if self.value is None else f"{self.value:.3f}")
        if self.denominator is not None and self.value is not None:
            text += f" = {self.numerator}/{self.denominator}"
        if self.ceiling is not None:
            text += f", ceiling {self.ceiling:.3f}"
            if self.denominator is not None:
                text += f" ({self.best}/{self.denominator})"
        if self.share_of_ceiling is not None:
            text += f", {self.share_of_ceiling:.0%} of ceiling"
        return text


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Ledger:
    """Numerator, denominator and ceiling of every row of some scores, in the order of :meth:`Scores.rows`.

    >>> from denominator import evaluate
    >>> ledger = evaluate({"q1": {"d1": 1, "d2": 1}}, {"q1": {"d1": 1.0}}, "R@1").ledger()
    >>> print(ledger, *ledger)
    <Ledger: 1 row> R@1 0.500 = 1/2, ceiling 0.500 (1/2), 100% of ceiling
    """

    scores: Scores

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self.scores.runs) * len(self.scores.measures) * len(self.scores.queries)

    def __iter__(self) -> Iterator[LedgerRow]:
        """Yield a row for every judged query of every run and measure."""
        for run in self.scores.runs:
            for measure in self.scores.measures:
                yield from self._rows(run, measure)

    def __repr__(self) -> str:
        """Return ``<Ledger: 12 rows>``."""
        return f"<Ledger: {len(self):,} {'row' if len(self) == 1 else 'rows'}>"

    def to_arrow(self, form: Literal["long", "wide"] = "long") -> Any:
        """Return the rows as a pyarrow Table; :data:`denominator.frames.TABLES` documents its columns."""
        from denominator.frames import ledger_table

        return ledger_table(self, form)

    def to_pandas(self, form: Literal["long", "wide"] = "long") -> Any:
        """Return the rows as a DataFrame: long, a row for each value; or wide, up to five columns for each measure."""
        from denominator import frames, tables

        index = frames.WIDE if form == "wide" else ()
        return tables.to_pandas(self.to_arrow(form), index, frames.plain_attrs(self.scores))

    def to_polars(self, form: Literal["long", "wide"] = "long") -> Any:
        """Return the rows as a polars DataFrame; see `to_arrow`."""
        from denominator.tables import to_polars

        return to_polars(self.to_arrow(form))

    def _rows(self, run: RunScores, measure: Measure) -> Iterator[LedgerRow]:
        """Yield the rows of one run and one measure."""
        values, top = run.values[measure].tolist(), self.scores.ceilings(run, measure)
        tops = [None] * len(values) if top is None else top.tolist()
        counts = self.scores.fractions(run, measure)
        if counts is None:
            parts: Any = [(None, None, None)] * len(values)
        else:
            parts = zip(*(column.tolist() for column in counts), strict=True)
        for query, value, highest, (numerator, denominator, best) in zip(
            self.scores.queries, values, tops, parts, strict=True
        ):
            known = None if value != value else value
            yield LedgerRow(run.name, query, measure, known, numerator, denominator, best, highest)


def as_seen(hits: Hits, settings: Settings) -> Hits:
    """Return a ranking as the evaluation sees it: cut to the depth, and condensed where that is asked for."""
    if settings.depth is not None:
        hits = hits.truncated(settings.depth)
    return hits.condensed() if settings.judged_only else hits


def fractions(hits: Hits, measure: Measure, settings: Settings) -> tuple[I64, I64, I64] | None:
    """Return numerator, denominator and best numerator per query, or None for a measure that is no such fraction."""
    found = fraction(as_seen(hits, settings), measure, settings.level)
    if found is None or settings.depth is None or measure.spec.better != "higher":
        return found
    numerator, denominator, best = found
    return numerator, denominator, np.minimum(best, settings.depth)


def ceilings(hits: Hits, measure: Measure, settings: Settings) -> F64 | None:
    """Return the highest value that any ranking could get, per judged query; None where higher is not better.

    Measures of a whole returned set are compared with the best set of the size that was returned. Under a depth
    (``-M``) the registry's formula is only an upper bound; the ideal ranking, cut there, says what can be had.
    """
    spec = measure.spec
    if spec.better != "higher" or (spec.highest is None and spec.fraction is None):
        return None
    wanted = hits.relevant(measure.level(settings.level))
    hits = replace(hits, retrieved=np.where(hits.answered, hits.retrieved, wanted))
    counts = fractions(hits, measure, settings)
    if counts is not None:
        _, denominator, best = counts
        return best / np.maximum(denominator, 1)
    highest = ceiling(as_seen(hits, settings), measure, settings.level)
    if settings.depth is None or spec.family == "sets":
        return highest
    from denominator.engines.columnar import score_hits

    return np.minimum(highest, score_hits(ideal(hits, measure), [measure], settings)[measure])


def ideal(hits: Hits, measure: Measure) -> Hits:
    """Return the best ranking that the judgments allow: every judged document, the most worth first."""
    query, grade = hits.judged_query, hits.judged_grade
    worth = grade.astype(np.float64)
    for own, gain in dict(measure["gains"] or {}).items() if "gains" in measure.spec.params else ():
        worth[grade == own] = gain
    order = np.lexsort((-worth, grade < 0, query))
    everyone = np.ones(len(hits.queries), dtype=np.bool_)
    every = replace(
        hits,
        answered=everyone,
        retrieved=np.diff(hits.judged_offsets),
        query=query,
        position=np.arange(len(query)) - hits.judged_offsets[query],
        grade=grade[order],
    )
    return replace(every.condensed(), answered=everyone)
