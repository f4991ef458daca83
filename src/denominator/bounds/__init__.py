"""What a number could have been: under other orders of ties, under other labels, and under no system at all.

- `ties`: documents of one query with equal scores stand in some order, and nothing but their names decides in which.
  The lowest, the expected and the highest value over all orders.
- `unjudged`: a document that nobody judged counts as wrong. The lowest and the highest value over all labellings of
  the unjudged documents in the ranking.
- `floor`: what a random order of the same candidates would score, or a random draw from the corpus.

All are exact, for P, R, RR, Success, AP, nDCG and RBP; other measures are not bounded, and their entry is None.
Per-query arrays have shape (q,), aligned with ``qrels.queries``; an unanswered query is worth what it is anyway, 0.

This module imports nothing heavy: scoring that asks for no bounds does not pay for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64, Qrels, Run

__all__ = ["BOUNDED", "NOT_ASKED", "NOT_FOUND", "Asked", "Bounds", "Found", "find", "floor", "ties", "unjudged"]

BOUNDED = ("P", "R", "RR", "Success", "AP", "nDCG", "RBP")
"""The measures whose bounds are known exactly. Sorting ties by gain, say, would be wrong for infAP."""


class Bounds(NamedTuple):
    """The values of one measure that are possible. Shapes: (q,)."""

    low: F64
    expected: F64 | None
    """The mean over all orders, each as likely as any other; None where no likelihood is known: for labels."""
    high: F64

    def ordered(self, order: I64) -> Bounds:
        """Return the same with the queries in another order. `order` (q,)."""
        return Bounds(self.low[order], None if self.expected is None else self.expected[order], self.high[order])


class Asked(NamedTuple):
    """Which bounds are wanted, and what they rest on."""

    ties: bool = False
    unjudged: bool = False
    gmax: float | None = None
    """The highest grade that an unjudged document could have; None: the highest in the qrels."""
    max_unjudged_relevant: int = 0
    """How many unjudged documents outside the ranking could be relevant too."""
    floor: bool = False
    corpus_size: int | None = None
    """The documents that the floor draws from; None: those that were retrieved, in random order."""

    @property
    def anything(self) -> bool:
        """Whether any bounds are wanted."""
        return self.ties or self.unjudged or self.floor


NOT_ASKED = Asked()


class Found(NamedTuple):
    """The bounds of one run, by measure; a mapping is None where it was not asked for, its value where not bounded."""

    ties: Mapping[Measure, Bounds | None] | None = None
    unjudged: Mapping[Measure, Bounds | None] | None = None
    floor: Mapping[Measure, F64 | None] | None = None

    def ordered(self, order: I64) -> Found:
        """Return the same with the queries in another order. `order` (q,)."""
        ties, unjudged = (
            bounds and {one: None if both is None else both.ordered(order) for one, both in bounds.items()}
            for bounds in (self.ties, self.unjudged)
        )
        floor = self.floor and {one: None if value is None else value[order] for one, value in self.floor.items()}
        return Found(ties, unjudged, floor)


NOT_FOUND = Found()


def ties(qrels: Qrels, run: Run, measures: Any, settings: Settings | None = None) -> dict[Measure, Bounds | None]:
    """Return the lowest, expected and highest value of each query over all orders of documents with equal scores.

    Of three documents with one score the second by name is relevant: it can be at rank 1, 2 or 3.

    >>> from denominator import read_qrels, read_run
    >>> qrels, run = read_qrels({"q": {"b": 1}}), read_run({"q": {"a": 1.0, "b": 1.0, "c": 1.0}})
    >>> [round(float(part[0]), 3) for part in ties(qrels, run, "RR").popitem()[1]]
    [0.333, 0.611, 1.0]

    Sources: McSherry and Najork, Computing information retrieval performance measures efficiently in the presence of
    tied scores, ECIR 2008, 414-421 (expected values); lowest and highest by putting the tied documents of higher gain
    last or first.

    Raises:
        UsageError: depth and judged_only are both set: which documents are cut, and so which are condensed, is open.
    """
    # asked for, so it is there
    return _found(qrels, run, measures, settings, Asked(ties=True)).ties  # type: ignore[return-value]


def unjudged(
    qrels: Qrels,
    run: Run,
    measures: Any,
    gmax: float | None = None,
    max_unjudged_relevant: int = 0,
    settings: Settings | None = None,
) -> dict[Measure, Bounds | None]:
    """Return the lowest and highest value of each query over all labellings of the unjudged documents in its ranking.

    Each of them, also one in the pool with a grade below 0, takes any grade from 0 to `gmax` (the highest grade in the
    qrels), and so do `max_unjudged_relevant` documents that were not retrieved. More relevant documents enlarge |Rel|
    and the ideal ranking too: R, AP and nDCG with every unjudged document taken as 0 are **not** lower bounds.

    Two judged relevant at ranks 2 and 3, rank 1 unjudged: nDCG is 0.693, and 0.693 is not the least, for a relevant
    document at rank 1 makes the ranking perfect, and one further down the ideal ranking longer.

    >>> from denominator import read_qrels, read_run
    >>> qrels = read_qrels({"q": {"a": 1, "b": 1}})
    >>> run = read_run({"q": {"u": 4.0, "a": 3.0, "b": 2.0, "v": 1.0}})
    >>> found = unjudged(qrels, run, "P@3 nDCG@3")
    >>> [(str(one), round(float(both.low[0]), 3), round(float(both.high[0]), 3)) for one, both in found.items()]
    [('P@3', 0.667, 1.0), ('nDCG@3', 0.531, 1.0)]

    Raises:
        UsageError: `gmax` or `max_unjudged_relevant` make no sense, or judged_only takes the unjudged documents out.
    """
    asked = Asked(unjudged=True, gmax=gmax, max_unjudged_relevant=max_unjudged_relevant)
    # asked for, so it is there
    return _found(qrels, run, measures, settings, asked).unjudged  # type: ignore[return-value]


def floor(
    qrels: Qrels, run: Run, measures: Any, corpus_size: int | None = None, settings: Settings | None = None
) -> dict[Measure, F64 | None]:
    """Return the expected value of each query for a random order of the documents that were retrieved.

    With `corpus_size`: for as many documents drawn at random from a corpus of that size, which holds all judged ones.

    One relevant document among four, at any rank alike: (1 + 1/2 + 1/3 + 1/4)/4.

    >>> from denominator import read_qrels, read_run
    >>> run = read_run({"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}})
    >>> round(float(floor(read_qrels({"q": {"a": 1}}), run, "RR").popitem()[1][0]), 3)
    0.521

    Raises:
        UsageError: the corpus is smaller than what is judged or retrieved, or depth and judged_only are both set.
    """
    # asked for, so it is there
    return _found(qrels, run, measures, settings, Asked(floor=True, corpus_size=corpus_size)).floor  # type: ignore[return-value]


def _found(qrels: Qrels, run: Run, measures: Any, settings: Settings | None, asked: Asked) -> Found:
    """Match and find."""
    from denominator.bounds.asking import check
    from denominator.engines import Settings
    from denominator.hits import match
    from denominator.measures import parse_measures

    chosen = settings or Settings()
    check(asked, chosen)
    return find(match(qrels, run), run, parse_measures(measures), chosen, asked)


def find(hits: Hits, run: Run, measures: tuple[Measure, ...], settings: Settings, asked: Asked) -> Found:
    """Return the bounds that were asked for; `hits` are the run's, before `settings` are applied."""
    from denominator.bounds.labels import label_bounds
    from denominator.bounds.orders import order_bounds, random_values
    from denominator.bounds.tied import Tied, drawn, shuffled

    found = Found()
    if asked.ties:
        found = found._replace(ties=order_bounds(Tied.of(hits, run), measures, settings))
    if asked.unjudged:
        found = found._replace(unjudged=label_bounds(hits, measures, settings, asked))
    if asked.floor:
        pool = shuffled(hits) if asked.corpus_size is None else drawn(hits, asked.corpus_size, run.name)
        found = found._replace(floor=random_values(pool, measures, settings))
    return found
