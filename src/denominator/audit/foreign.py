"""I: judgments that are about other documents than a run retrieves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.chunks import separator_of
from denominator.audit.counted import have
from denominator.audit.identity import change_of, matched_in
from denominator.audit.renamed import Documents
from denominator.findings import Places
from denominator.model import Severity
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.model import I64, Bool

__all__ = ["CHECKS"]

POOL = 5
"""Judged documents from which on a query is expected to have one of them somewhere in a list."""


@check(
    "I111",
    "judgments-are-foreign",
    Severity.WARNING,
    fix="look at both files: are they of one collection, one language, one split, and one unit (passage or document)?",
)
def foreign_judgments(e: Evidence) -> Iterator[Found]:
    """Not one of the documents that are retrieved for a query is judged, at any depth: the judgments look foreign.

    Query 16 of one split is not query 16 of another: the ids match, no document does, and every measure is 0 without
    an error anywhere. With 7 of 80 judged queries answered and all 700 documents of theirs unjudged, AP is 0.000
    because of the pair of files, not because of the system. It is an error where it holds for every answered query,
    and a warning where it holds for most of those that have 5 judged documents or more: where one document is judged,
    not to find it is no wonder. Ids that would match after a change, or as chunks, are left to I102, I104 and I105.

    **Fix**: give the judgments of the collection, the language and the split that the run was made for.

    **Ignore** when the system is known to find nothing.
    """
    for run in e.runs:
        answered = run.hits.answered & (run.hits.retrieved > 0)
        nothing = answered & (matched_in(run) == 0)
        pooled = answered & (np.diff(run.hits.judged_offsets) >= POOL)
        everywhere = bool(nothing.any() and (nothing == answered).all())
        if not everywhere and 2 * int((nothing & pooled).sum()) <= int(pooled.sum()):
            continue
        if change_of(run) is None and separator_of(run) is None:
            yield _foreign(run, answered, nothing, everywhere=everywhere)


def _foreign(run: RunEvidence, answered: Bool, nothing: Bool, *, everywhere: bool) -> Found:
    """Return what there is to say of a run that holds no judged document for some queries."""
    judged: I64 = np.diff(run.hits.judged_offsets)
    worst = run.qrels.worst_first(nothing, -judged)
    documents, first = Documents(run), int(worst[0])
    pair = documents.judged(first), documents.retrieved(first, 1)
    shown = f"; judged {quoted(pair[0][0])}, run {quoted(pair[1][0])}" if all(pair) else ""
    count, of = int(nothing.sum()), int(answered.sum())
    return Found(
        run.name,
        f"{have(count, of, 'answered queries')} not one judged document in the run, at any depth"
        f"{', so nothing scores' if everywhere else ''}: are these the judgments of another collection? (query "
        f"{quoted(run.hits.queries[first])}{shown})",
        Places.of_queries(
            [run.hits.queries[query] for query in worst.tolist()],
            judged=judged[worst],
            retrieved=run.hits.retrieved[worst],
        ),
        {"queries": count, "answered": of},
        Severity.ERROR if everywhere else None,
    )


CHECKS = (foreign_judgments,)
