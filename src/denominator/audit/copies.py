"""R, second part: the same text under different ids, where the collection is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.collection import documents_of
from denominator.audit.compared import apart
from denominator.audit.counted import have, number
from denominator.audit.renamed import Documents
from denominator.findings import Place, Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from denominator.audit.corpus import Corpus
    from denominator.audit.evidence import Evidence, RunEvidence

__all__ = ["CHECKS"]


@dataclass(frozen=True, slots=True)
class _Copy:
    """A retrieved document whose text is that of another one."""

    query: int
    rank: int
    doc_id: str
    other: str
    """The document that has the text too: retrieved earlier, or judged."""
    grade: float | None
    """The grade of this one; None where it is not judged."""


def _copies(e: Evidence, run: RunEvidence, texts: Mapping[str, int]) -> Iterator[_Copy]:
    """Yield the retrieved documents that copy a relevant one, down to the largest cutoff.

    A copy that is relevant itself copies a relevant one that was retrieved above it; an unjudged one any relevant one.
    """
    documents, level = Documents(run), e.options.level
    for query in np.flatnonzero(run.hits.answered).tolist():
        found = documents.retrieved(query, max(e.options.k))
        if texts.keys().isdisjoint(found):
            continue
        grades = documents.grades(query)
        relevant = [doc for doc in sorted(grades) if grades[doc] >= level and doc in texts]
        judged = {texts[doc]: doc for doc in reversed(relevant)}
        above: dict[int, str] = {}
        for rank, doc in enumerate(found, start=1):
            if doc not in texts:
                continue
            text, grade = texts[doc], grades.get(doc)
            if grade is not None and grade >= level:
                if text in above:
                    yield _Copy(query, rank, doc, above[text], grade)
                above.setdefault(text, doc)
            elif (grade is None or grade < 0) and text in judged:
                yield _Copy(query, rank, doc, judged[text], None)


def _told(e: Evidence, corpus: Corpus, near: Mapping[str, int] | None, *, counted: bool) -> Iterator[Found]:
    """Yield, for each run and cutoff, what P@k is with and without the copies that are counted, or are not.

    With groups of `near` texts, those are told that are no copies to the letter.
    """
    for run in e.runs:
        every = [one for one in _copies(e, run, corpus.same_text) if (one.grade is not None) == counted]
        if near is not None:
            exact = {(one.query, one.doc_id) for one in every}
            every = [one for one in _copies(e, run, near) if (one.grade is not None) == counted]
            every = [one for one in every if (one.query, one.doc_id) not in exact]
        for k in e.options.k:
            some = sorted((one for one in every if one.rank <= k), key=lambda one: (one.rank, one.query, one.doc_id))
            if some:
                yield _at(run, k, some, counted=counted, near="the" if near is None else "nearly the")


def _at(run: RunEvidence, k: int, copies: list[_Copy], *, counted: bool, near: str) -> Found:
    """Return what copies change at one cutoff."""
    hits, name = run.hits, f"P@{k}"
    found = hits.count((hits.grade >= run.level) & (hits.position < k))
    extra = np.bincount([one.query for one in copies], minlength=len(hits.queries))
    told = run.means([name])[name]
    other = run.mean_of((found - extra if counted else found + extra) / k)
    texts = apart(told, other)
    queries = len({one.query for one in copies})
    are = "has" if len(copies) == 1 else "have"
    if counted:
        message = (
            f"{number(len(copies), 'relevant documents')} in the top {k} of {number(queries, 'queries')} {are} {near} "
            f"text of a relevant one above: {name} is {texts[0]}, and {texts[1]} if a text counts once"
        )
    else:
        message = (
            f"{number(len(copies), 'unjudged documents')} in the top {k} of {number(queries, 'queries')} {are} {near} "
            f"text of a relevant one: {name} is {texts[0]}, and would be {texts[1]} if the copies counted as well"
        )
    ordered = sorted(copies, key=lambda one: (one.rank, hits.queries[one.query], one.doc_id))

    def at(place: int) -> Place:
        one = ordered[place]
        return Place(None, hits.queries[one.query], one.doc_id, {"k": k, "rank": one.rank, "copy_of": one.other})

    which = "if a text counts once" if counted else "if copies counted"
    return Found(
        run.name,
        message,
        Places(len(ordered), at),
        {name: told, f"{name} {which}": other, "copies": len(copies), "queries": queries},
    )


@check(
    "R201",
    "relevant-text-counts-twice",
    Severity.WARNING,
    fix="leave copies out of the collection, or judge only one of them relevant",
)
def counted_twice(e: Evidence) -> Iterator[Found]:
    """A relevant text stands in the first k under two ids, and both count.

    The reader gets nothing from the second one. With the same relevant text at ranks 1 and 2 and nothing else relevant,
    P@5 is 2/5 = 0.400; a text that counts once gives 1/5 = 0.200. That number is what `score` prints with the lower
    copy judged 0. Texts are compared after NFKC and with blanks as one; needs the corpus.

    **Fix**: take copies out of the collection before it is indexed.

    **Ignore** when each copy has a place of its own to be found at, as with laws that are cited under two numbers.
    """
    if e.corpus is not None:
        yield from _told(e, e.corpus, None, counted=True)


@check(
    "R202",
    "copy-of-relevant-is-unjudged",
    Severity.WARNING,
    fix="give the copies the grade of the text that they copy",
)
def unjudged_copy(e: Evidence) -> Iterator[Found]:
    """A copy of a relevant document is retrieved and counts as wrong, because only the other id is judged.

    With the copy at rank 1 and its judged twin not retrieved, P@5 is 0 and would be 1/5 = 0.200. That number is what
    `score` prints when the copy has a judgment too. Texts are compared after NFKC and with blanks as one; needs the
    corpus.

    **Fix**: add a judgment for each copy, with its twin's grade, or take copies out of the collection.

    **Ignore** when only one of the copies is the right answer, for its source or its date.
    """
    if e.corpus is not None:
        yield from _told(e, e.corpus, None, counted=False)


@check(
    "R203",
    "copies-are-graded-differently",
    Severity.WARNING,
    fix="give the same text the same grade",
)
def graded_differently(e: Evidence) -> Iterator[Found]:
    """The same text has different grades for the same query, under different ids.

    A judge who saw it twice thought twice, and which copy a system returns decides its score. With one copy graded 1
    and the other 0, |Rel| is 1; it is 2 if the higher grade holds, and a system that returns the other copy alone has
    RR 0 or 1. Needs the corpus.

    **Fix**: decide on one grade for each text.

    **Ignore** when the judgment is about the source as well as the text.
    """
    corpus = e.corpus
    if corpus is None or not corpus.same_text:
        return
    judged, texts, level = e.qrels.judged, corpus.same_text, e.options.level
    grades: dict[tuple[str, int], list[tuple[float, str]]] = {}
    for row, doc in enumerate(judged.doc_id.to_pylist()):
        if doc in texts and judged.relevance[row] >= 0:
            grades.setdefault((judged.query_of(row), texts[doc]), []).append((judged.relevance[row].item(), doc))
    apart = {key: sorted(some) for key, some in grades.items() if len({grade for grade, _ in some}) > 1}
    if not apart:
        return
    rel = int((judged.relevance >= level).sum())
    low = sum(grade >= level for some in apart.values() for grade, _ in some)
    highest = rel - low + sum(len(some) for some in apart.values() if some[-1][0] >= level)
    lowest = rel - low + sum(len(some) for some in apart.values() if some[0][0] >= level)
    ordered = sorted(((some[0][0] - some[-1][0], query, some) for (query, _), some in apart.items()))

    def at(place: int) -> Place:
        _, query, some = ordered[place]
        (grade, doc), (most, other) = some[0], some[-1]
        return Place(None, query, doc, {"grade": grade, "copy_of": other, "other_grade": most})

    yield Found(
        e.qrels.name,
        f"{number(len(apart), 'texts')} {'is' if len(apart) == 1 else 'are'} graded differently under different ids of "
        f"the same query: |Rel| is {rel:,}, {highest:,} if the highest grade of a text holds, {lowest:,} if the lowest",
        Places(len(ordered), at),
        {"texts": len(apart), "|Rel|": rel, "|Rel| highest": highest, "|Rel| lowest": lowest},
    )


@check(
    "R204",
    "corpus-holds-copies",
    Severity.INFO,
    fix="leave copies out of the collection before it is indexed and judged",
)
def copies_in_corpus(e: Evidence) -> Iterator[Found]:
    """Documents of the collection have the same text as others.

    They take places in every ranking, and a judge sees at most one of them. Of 10 documents with 3 of one text, 8 are
    distinct. Texts are compared after NFKC and with blanks as one, by a 128-bit hash; documents without text are not
    compared. Needs the corpus.

    **Fix**: keep one document of each text, and a list of the ids that it stands for.

    **Ignore** when neither judgments nor the first documents of a run hold a copy: R201 and R202 say so.
    """
    corpus = e.corpus
    if corpus is None:
        return
    rows, first = corpus.copies
    if not len(rows):
        return
    size = np.diff(np.append(first, len(rows)))
    order = np.lexsort((rows[first], -size))
    yield Found(
        corpus.name,
        f"{have(len(rows), len(corpus), 'documents')} a text that others have too: {number(len(first), 'texts')} "
        f"{'stands' if len(first) == 1 else 'stand'} for them, and {len(corpus) - len(rows) + len(first):,} documents "
        "are distinct",
        documents_of(corpus, rows[first][order], copies=size[order]),
        {
            "copies": len(rows),
            "texts": len(first),
            "documents": len(corpus),
            "distinct": len(corpus) - len(rows) + len(first),
        },
    )


@check(
    "R205",
    "relevant-near-copy-counts-twice",
    Severity.INFO,
    fix="leave near-copies out of the collection, or judge only one of them relevant",
)
def near_counted_twice(e: Evidence) -> Iterator[Found]:
    """Nearly the same relevant text stands in the first k under two ids, and both count.

    As R201, for texts that share most of their words: at least near_duplicates of the runs of three words that either
    has. With such texts at ranks 1 and 2 and nothing else relevant, P@5 is 0.400, and 0.200 if the text counts once.
    Needs the corpus, near_duplicates, and the extra `dedup`. Only judged documents and the first k are compared.

    **Fix**: keep the newest version of each document.

    **Ignore** when versions differ in what matters, as prices or dates do.
    """
    if e.corpus is not None and e.near_texts is not None:
        yield from _told(e, e.corpus, e.near_texts, counted=True)


@check(
    "R206",
    "near-copy-of-relevant-is-unjudged",
    Severity.INFO,
    fix="judge the near-copies of relevant documents",
)
def near_unjudged_copy(e: Evidence) -> Iterator[Found]:
    """A text that is nearly that of a relevant document is retrieved and counts as wrong, because nobody judged it.

    As R202, for texts that share most of their words. With it at rank 1 and nothing else relevant retrieved, P@5 is 0
    and would be 0.200. Needs the corpus, near_duplicates, and the extra `dedup`.

    **Fix**: judge what is listed; most of it will have the grade of what it resembles.

    **Ignore** when versions differ in what matters, as prices or dates do.
    """
    if e.corpus is not None and e.near_texts is not None:
        yield from _told(e, e.corpus, e.near_texts, counted=False)


CHECKS = (counted_twice, unjudged_copy, graded_differently, copies_in_corpus, near_counted_twice, near_unjudged_copy)
