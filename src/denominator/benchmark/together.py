"""Why the judgments of several data sets are never pooled, for those that somebody asked to pool."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from denominator.ciral import LANGUAGES, pinned_file, split_id
from denominator.errors import UsageError
from denominator.quoting import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NO_POOLING", "is_ciral", "never_together", "refuse_pooling"]

NO_POOLING = (
    "the query ids of one language are those of other queries in another, and some document ids (VOA#7460#0) are those "
    "of passages in two"
)
"""Why the languages of CIRAL are never one set of judgments."""


def never_together(datasets: Sequence[str]) -> str:
    """Return the refusal to pool data sets, with its reason."""
    parts = [split_id(one)[:2] for one in datasets if is_ciral(one)]
    languages = sorted({language for language, _ in parts})
    splits = {split for _, split in parts}
    asked = f"{listed(list(datasets))}: one data set at a time"
    if len(parts) < len(datasets):
        return f"{asked}; the same query id may mean another query in each, so their judgments are never pooled"
    if len(languages) > 1:
        named = ", ".join(LANGUAGES[language] for language in languages)
        return (
            f"{asked}. {named} are never merged: {NO_POOLING}. `denominator ciral --all 'runs/{{lang}}.run'` scores "
            "each by its own judgments and gives the mean of the languages"
        )
    if {"test-a", "test-a-pools"} <= splits:
        known = pinned_file(languages[0], "test-a", "qrels")
        facts = [fact for fact in (known.issues if known else ()) if "never be merged" in fact]
        return f"{asked}. test-a and test-a-pools are never merged: {'; '.join(facts)}"
    return f"{asked}. Query ids of one split can be those of other queries in another, so they are never merged"


def refuse_pooling(dataset: Any, runs: Any) -> None:
    """Refuse a second data set where a run is expected.

    Raises:
        UsageError: with the reason why the two are never pooled.
    """
    for run in runs if isinstance(runs, list | tuple) else [runs]:
        if isinstance(run, str) and is_ciral(run) and not os.path.exists(run):
            raise UsageError(never_together([str(dataset), run]))


def is_ciral(text: str) -> bool:
    """Return whether a text is the id of a split of CIRAL.

    >>> is_ciral("ciral/sw/dev"), is_ciral("runs/sw.run")
    (True, False)
    """
    if not text.startswith("ciral/"):
        return False
    try:
        split_id(text)
    except UsageError:
        return False
    return True
