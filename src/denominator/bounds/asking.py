"""What can be asked for of the bounds, and what is refused, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denominator.bounds import Asked
from denominator.errors import UsageError
from denominator.native import native
from denominator.quoting import shown

if TYPE_CHECKING:
    from denominator.engines import Settings

__all__ = ["asked_for", "check"]

MOST_OUTSIDE = 10_000_000
"""Relevant documents that nobody judged and the run does not hold: a table of as many discounts is made."""
LARGEST = 1 << 63
"""Grades and counts are 64-bit numbers."""


def asked_for(
    settings: Settings,
    *,
    ties: Any = False,
    unjudged: Any = None,
    gmax: Any = None,
    max_unjudged_relevant: Any = None,
    floor: Any = False,
    corpus_size: Any = None,
) -> Asked:
    """Check the arguments of :func:`denominator.evaluate` that are about bounds; raises as :func:`check` does."""
    if unjudged not in (None, "bounds"):
        raise UsageError(f'unjudged={shown(unjudged)}: expected "bounds", or None')
    for name, flag in (("ties", ties), ("floor", floor)):
        if flag not in (True, False, None):
            raise UsageError(f"{name}={shown(flag)}: expected True or False")
    outside = 0 if max_unjudged_relevant is None else max_unjudged_relevant
    asked = Asked(bool(ties), unjudged == "bounds", gmax, outside, bool(floor), corpus_size)
    if max_unjudged_relevant is not None and not asked.unjudged:
        raise UsageError(
            f"max_unjudged_relevant={shown(max_unjudged_relevant)} is how many unjudged documents can be relevant "
            'outside the ranking: it goes with unjudged="bounds"'
        )
    return check(asked, settings)


def check(asked: Asked, settings: Settings) -> Asked:
    """Return what was asked for with plain numbers, or refuse it.

    Raises:
        UsageError: a number that is none, or one that goes with nothing; settings under which the question is open.
    """
    asked = asked._replace(
        gmax=native(asked.gmax),
        max_unjudged_relevant=native(asked.max_unjudged_relevant),
        corpus_size=native(asked.corpus_size),
    )
    if asked.gmax is not None and not asked.unjudged:
        raise UsageError(
            f'gmax={shown(asked.gmax)} is the highest grade of an unjudged document: it goes with unjudged="bounds"'
        )
    if asked.corpus_size is not None and not asked.floor:
        raise UsageError(
            f"corpus_size={shown(asked.corpus_size)} is what the floor draws from: it goes with floor=True"
        )
    if asked.gmax is not None and not (_is_number(asked.gmax) and 0 <= asked.gmax < LARGEST):
        raise UsageError(
            f"gmax={shown(asked.gmax)}: expected the highest grade a document can have, 0 or more, below 2^63"
        )
    if not _is_count(asked.max_unjudged_relevant, 0, MOST_OUTSIDE):
        raise UsageError(
            f"max_unjudged_relevant={shown(asked.max_unjudged_relevant)}: expected a number of documents, 0 to "
            f"{MOST_OUTSIDE:,}"
        )
    if asked.corpus_size is not None and not _is_count(asked.corpus_size, 1, LARGEST - 1):
        raise UsageError(
            f"corpus_size={shown(asked.corpus_size)}: expected a number of documents, 1 or more, below 2^63"
        )
    _check_settings(asked, settings)
    return asked


def _check_settings(asked: Asked, settings: Settings) -> None:
    """Refuse settings under which a bound would not be about the number beside it."""
    if not settings.judged_only:
        return
    if asked.unjudged:
        raise UsageError(
            "unjudged bounds with judged_only (-J): it takes the unjudged documents out of the ranking, and the bounds "
            "ask what they could add; leave one away"
        )
    if asked.corpus_size is not None:
        raise UsageError(
            "a floor over a corpus with judged_only (-J): a random draw is hardly ever judged; leave corpus_size or "
            "judged_only away"
        )
    if settings.depth is not None:
        what = "ties" if asked.ties else "a floor"
        raise UsageError(
            f"{what} with both depth (-M) and judged_only (-J): the order decides which documents are cut before the "
            "rest is condensed; leave one away"
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
