"""I: a run of chunks against judgments of documents."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.compared import Compared, means_of
from denominator.audit.counted import number
from denominator.audit.renamed import Documents
from denominator.collapse import collapsed
from denominator.findings import Places
from denominator.hits import match
from denominator.model import Severity
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, RunEvidence

__all__ = ["CHECKS", "separator_of"]

SEPARATORS = ("#", "_", "-", ":", "/", ".", "|", "@", "~", "$", "%", "+", ",", ";", "=", "!", "::", "__", "--", "##")
"""What is tried between document and chunk; of equally good ones the first is offered."""
ROWS_SEARCHED, OF_A_QUERY = 20_000, 100
"""How many rows of a run, and of a query, are looked at for the separator; its number is then taken over all rows."""


def separator_of(run: RunEvidence) -> str | None:
    """Return what stands between document and chunk in a run's ids, or None where the judgments are about its ids.

    Before its last occurrence stands a judged document; and more often so than a retrieved id is judged as it is.
    """
    documents, rows_left, whole = Documents(run), ROWS_SEARCHED, 0
    tails: dict[str, Counter[str]] = {mark: Counter() for mark in SEPARATORS}
    for query in run.qrels.worst_first(run.hits.answered).tolist():
        retrieved = documents.retrieved(query, min(rows_left, OF_A_QUERY))
        rows_left -= len(retrieved)
        judged = set(documents.judged(query))
        whole += sum(one in judged for one in retrieved)
        for mark in SEPARATORS:
            cut = (one.rpartition(mark) for one in retrieved if mark in one and one not in judged)
            tails[mark].update(tail for front, _, tail in cut if front in judged)
        if rows_left <= 0:
            break
    mark = max(SEPARATORS, key=lambda one: (tails[one].total(), -SEPARATORS.index(one)))
    found = tails[mark].total()
    numbered = len(tails[mark]) > 1 or found == 1 or all(tail.isdigit() for tail in tails[mark])
    return mark if found > whole and numbered else None  # one tail on every id is a suffix that somebody added


@check(
    "I105",
    "run-holds-chunks-of-documents",
    Severity.WARNING,
    fix="score documents by their best chunk (`--collapse` with the separator that is named), or judge the chunks",
)
def chunks(e: Evidence) -> Iterator[Found]:
    """The run holds chunks (`doc#3`) where the judgments are about documents (`doc`), so that hits do not count.

    With `doc#3` first and `doc` relevant, AP is 0; with the ids cut at the last `#`, and of each document its best
    chunk, it is 1. The two numbers that the message states are without and with `--collapse`, which `score` has too.
    It is an error where not one id is judged as it stands.

    **Fix**: `denominator score --collapse '#'`; or judge the chunks themselves, if they are what is shown to people.

    **Ignore** when documents and their parts are both in the collection and judged apart.
    """
    for run in e.runs:
        mark = separator_of(run)
        if mark is None:
            continue
        measures = ["AP", f"nDCG@{e.options.k[0]}"]
        whole = collapsed(run.ranked, mark)
        hits = match(run.qrels.judged, whole)
        both = Compared(run, run.means(measures), means_of(run, hits, measures))
        before, after = (np.bincount(some.query, minlength=len(hits.queries)) for some in (run.hits, hits))
        worst = run.qrels.worst_first(after > before, before - after)
        found = number(len(hits.query), "judged documents")
        found += f" instead of {len(run.hits.query):,}" if len(hits.query) != len(run.hits.query) else ", no more"
        held = int(ids.before_last(run.ranked.doc_id, mark)[1].sum())
        yield Found(
            run.name,
            f"the run holds chunks and the judgments documents: of {number(len(run.ranked), 'rows')} {held:,} can be "
            f"cut at the last {quoted(mark)}, which finds {found}; with --collapse {quoted(mark)} "
            f"{both.words(named=False)}",
            Places.of_queries(
                [hits.queries[query] for query in worst.tolist()], found=before[worst], found_collapsed=after[worst]
            ),
            {
                "rows": len(run.ranked),
                "chunks": held,
                "documents": len(whole),
                "judged found": len(run.hits.query),
                "judged found collapsed": len(hits.query),
                **both.numbers("collapsed"),
            },
            None if len(run.hits.query) else Severity.ERROR,
        )


CHECKS = (chunks,)
