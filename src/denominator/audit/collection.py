"""I: the ids of the collection, where it is given, and those of the judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import below_one
from denominator.audit.counted import have, number
from denominator.audit.placed import worst_rows
from denominator.findings import Place, Places
from denominator.model import Severity
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.corpus import Corpus
    from denominator.audit.evidence import Evidence
    from denominator.model import I64

__all__ = ["CHECKS", "documents_of"]


@check(
    "I103",
    "corpus-lacks-judged-documents",
    Severity.WARNING,
    fix="judge on the collection that is searched: add what is missing, or leave its judgments out and say so",
)
def not_in_corpus(e: Evidence) -> Iterator[Found]:
    """Judged documents are not in the collection, so that no system that searches it can find them.

    With 4 relevant documents, one of which the collection lacks, no system has a recall above 3/4 = 0.750. It is
    another version of the collection, a part of it, or ids that are written otherwise; when not one judged document is
    in it, it is an error: this is another collection. Needs the corpus.

    **Fix**: search the collection that was judged; or take the judgments of what is missing out of the qrels.

    **Ignore** when documents were withdrawn from a public collection, as on the web; the ceiling that is stated holds.
    """
    corpus = e.corpus
    if corpus is None or not len(e.qrels.judged):
        return
    judged = e.qrels.judged
    there = corpus.holds(judged.doc_id)
    if there.all():
        return
    relevant = judged.relevance >= e.options.level
    queries = len(judged.queries)
    rel, left = (np.bincount(judged.query[some], minlength=queries) for some in (relevant, relevant & there))
    best = e.qrels.mean_of(np.where(rel > 0, left / np.maximum(rel, 1), 0.0))
    rows = np.flatnonzero(~there)
    order = worst_rows(judged, rows, -judged.relevance[rows].astype(np.float64))
    lost = int((relevant & ~there).sum())
    yield Found(
        e.qrels.name,
        f"{have(len(rows), len(judged), 'judgments', ('is', 'are'))} of documents that {short(corpus.name)} does not "
        f"hold, {lost:,} of them relevant: whatever is retrieved, mean recall is at most {below_one(best)}",
        Places.of_rows(judged, rows[order], grade=judged.relevance[rows][order]),
        {"missing": len(rows), "judgments": len(judged), "relevant missing": lost, "best recall": best},
        None if there.any() else Severity.ERROR,
    )


@check(
    "I110",
    "corpus-repeats-ids",
    Severity.WARNING,
    fix="give every document of the collection an id of its own",
)
def repeated_ids(e: Evidence) -> Iterator[Found]:
    """The same id stands in the collection more than once.

    Which of the texts was indexed is chance, and the collection is smaller than its lines: of 10 lines with 2 repeats
    there are 8 documents, and label coverage is divided by 8. Needs the corpus.

    **Fix**: find out whether the texts are the same; leave the repeats out, or number the documents anew.

    **Ignore** when the repeats are exact, and only the size of the collection was wanted.
    """
    corpus = e.corpus
    if corpus is None or not len(corpus.again):
        return
    again = corpus.again
    yield Found(
        corpus.name,
        f"{number(len(again), 'documents')} {'has' if len(again) == 1 else 'have'} an id that stands earlier in the "
        f"collection too: it holds {number(len(corpus), 'documents')} and not {len(corpus.doc_id):,}",
        documents_of(corpus, again),
        {"repeats": len(again), "documents": len(corpus), "lines": len(corpus.doc_id)},
    )


def documents_of(corpus: Corpus, rows: I64, **values: I64) -> Places:
    """Return some documents of a collection."""

    def at(number: int) -> Place:
        some = {name: column[number].item() for name, column in values.items()}
        return Place(doc_id=str(corpus.doc_id[int(rows[number])].as_py()), values=some)

    return Places(len(rows), at)


CHECKS = (not_in_corpus, repeated_ids)
