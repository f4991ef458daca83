"""What a dialect divides by: fractions and ceilings where a choice changed the denominator, the gain or the order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator import ledger
from denominator.dialects import formulas
from denominator.engines import Settings
from denominator.ledger import Counted
from denominator.measures import undefined
from denominator.model import Note
from denominator.quoting import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denominator.dialects.dialect import Choices, Dialect
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, I64

    Fraction = tuple[I64, I64, I64]

__all__ = ["counted", "uncounted"]

FIRST_ONLY = ("RR", "Success")
"""Measures of the first relevant document: one that counts twice, or shares its place, adds nothing to them."""


def counted(seen: Mapping[Measure, Hits], spoken: Dialect, depth: int | None, repeated: bool) -> dict[Measure, Counted]:
    """Return the counts and ceilings of each measure, whose hits the dialect saw; nothing where there are none.

    `repeated` says whether the run holds a document more than once for a query.
    """
    found = {}
    for measure, hits in seen.items():
        choices = spoken.for_measure(measure)
        if _why_not(measure, choices, repeated):
            found[measure] = Counted(None, None)
            continue
        # trec_eval is "9" or "10", which choices were held to
        settings = Settings(choices.level, depth, choices.unjudged == "removed", choices.trec_eval)  # type: ignore[arg-type]
        top = _ceiling(hits, measure, choices, settings)
        if top is not None and choices.no_relevant == "1" and measure.spec.needs is not None:
            top = np.where(undefined(hits, measure, choices.level), 1.0, top)
        parts = _fraction(hits, measure, choices, settings)
        if parts is not None and choices.no_relevant == "1" and measure.spec.needs is not None:
            given = undefined(hits, measure, choices.level)  # 1 by agreement is no fraction of anything
            parts = (parts[0], np.where(given, 0, parts[1]), parts[2])
        found[measure] = Counted(parts, top)
    return found


def uncounted(measures: Sequence[Measure], spoken: Dialect, repeated: bool) -> Iterator[Note]:
    """Say which measures have neither fraction nor ceiling in a dialect, though they have elsewhere, and why."""
    reasons: dict[str, list[str]] = {}
    for measure in measures:
        reason = _why_not(measure, spoken.for_measure(measure), repeated)
        if reason and (measure.spec.fraction is not None or measure.spec.highest is not None):
            reasons.setdefault(reason, []).append(str(measure))
    for reason, names in reasons.items():
        yield Note("no-ceiling", f"No ceiling for {listed(names)}: {reason}.", len(names))


def _why_not(measure: Measure, choices: Choices, repeated: bool) -> str:
    """Return why a value has no ceiling; empty where it has one."""
    if measure.name in FIRST_ONLY:
        return ""
    if choices.ties == "middle":
        return "documents that tie share a place, so that the first k places may hold more than k (ties=middle)"
    if choices.duplicates == "positional" and repeated:
        return "a document that stands twice counts twice, so that no number of documents is the most (duplicates)"
    return ""


def _fraction(hits: Hits, measure: Measure, choices: Choices, settings: Settings) -> Fraction | None:
    """Return numerator, denominator and the best numerator of each query; None for a measure that is no fraction."""
    name = measure.name
    if name not in ("P", "R"):
        return ledger.fractions(hits, measure, settings)
    if measure["judged_only"]:
        hits, measure = hits.condensed(), measure(judged_only=False)
    if name == "R":
        measure = formulas.as_divided(measure, choices)
    plain = ledger.fractions(hits, measure, settings)
    if plain is None:
        return None
    above, below, best = plain
    if name == "R" and choices.recall == "retrieved":
        level = measure.level(choices.level)
        below = np.where(hits.answered, hits.count(hits.grade >= level), np.minimum(hits.retrieved, best))
    elif name == "P" and choices.precision == "returned":
        below = np.minimum(hits.retrieved, below)
    return above, below, np.minimum(best, below)


def _ceiling(hits: Hits, measure: Measure, choices: Choices, settings: Settings) -> F64 | None:
    """Return the highest value that any ranking could get; as for sets, none returns fewer documents than the run."""
    relevant = hits.relevant(measure.level(choices.level)) if "rel" in measure.spec.params else None
    if measure.name in ("P", "R") and relevant is not None:
        wanted = replace(hits, retrieved=np.where(hits.answered, hits.retrieved, relevant))
        counts = _fraction(wanted, measure, choices, settings)
        return None if counts is None else counts[2] / np.maximum(counts[1], 1)
    if measure.name == "AP" and choices.ap != "rel" and relevant is not None:
        whole = np.minimum(relevant, formulas.cutoff_of(measure))
        reached = whole if settings.depth is None or choices.ap == "retrieved" else np.minimum(whole, settings.depth)
        return reached / np.maximum(whole, 1)
    if measure.name == "nDCG" and choices.ideal == "full":
        return None  # the ideal goes on below the cutoff, where no ranking that is cut can follow
    if measure.name == "nDCG":
        hits, measure = formulas.gained(hits, measure, choices)
        if choices.ideal != "judged":  # the ranking is compared with one that is as short as itself
            settings = settings._replace(depth=None)
    if measure.name == "RBP" and choices.rbp == "graded":
        best = ledger.ideal(hits, measure)
        best = best if settings.depth is None else best.truncated(settings.depth)
        return formulas.values(best, None, measure, choices._replace(ties="id-descending"))
    return ledger.ceilings(hits, measure, settings)
