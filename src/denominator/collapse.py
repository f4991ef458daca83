"""A ranking of chunks as a ranking of documents: of each document the best-scored chunk stays.

Passage retrieval writes ids such as ``doc#3`` where the judgments are about ``doc``. The document's id is what stands
before the **last** separator: a chunk's number is put at the end, and the document's own id may hold the separator too
(``SITE#10#0`` is passage 0 of ``SITE#10``). An id without the separator, or with nothing before it, stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.errors import UsageError
from denominator.formats.subset import subset
from denominator.model import Note
from denominator.quoting import quoted

if TYPE_CHECKING:
    from denominator.model import I64, Bool, Run

__all__ = ["check_separator", "collapsed"]

COMPARED = 1 << 20
"""Rows whose ids are compared in one step."""


def check_separator(separator: str) -> str:
    """Return a separator that ids can be cut at.

    Raises:
        UsageError: it is empty, or holds a blank, which no id does.
    """
    if not isinstance(separator, str) or not separator or separator != "".join(separator.split()):
        shown = quoted(separator) if isinstance(separator, str) else repr(separator)[:100]
        raise UsageError(f"collapse {shown}: expected what stands between document and chunk, as in #")
    return separator


def collapsed(run: Run, separator: str) -> Run:
    """Return a run with every id cut before the last `separator`, and of each document its best-scored row.

    The rows that stay keep their order, line and rank. Ties between chunks of one document are no choice: the score is
    the same. Ties between documents are then broken by the document's id, as everywhere.

    >>> from denominator.formats import read_run
    >>> run = collapsed(read_run({"q1": {"a#2": 3.0, "b#0": 2.0, "a#1": 1.0}}), "#")
    >>> [(run.doc_of(row), run.score[row].item()) for row in range(len(run))]
    [('a', 3.0), ('b', 2.0)]

    Raises:
        UsageError: a separator that ids cannot be cut at.
    """
    column, held = ids.before_last(run.doc_id, check_separator(separator))
    kept = np.zeros(len(run), dtype=np.bool_)
    cut = replace(run, doc_id=column)
    kept[_best_rows(cut)] = True
    out = subset(cut, kept)
    return replace(out, source=replace(out.source, notes=(*out.source.notes, _note(held, kept, separator))))


def _note(held: Bool, kept: Bool, separator: str) -> Note:
    """Say what was collapsed."""
    chunks = int(held.sum())
    return Note(
        "collapsed",
        f"{chunks:,} of {len(held):,} rows hold a chunk (cut at the last {quoted(separator)}); the best-scored chunk "
        f"of a document counts, which leaves {int(kept.sum()):,} rows.",
        chunks,
    )


def _best_rows(run: Run) -> I64:
    """Return the best-ranked row of each (query, document) pair."""
    ranked = run.ranking.in_order()
    hashes = run.pair_hash[ranked]
    _, first, group = np.unique(hashes, return_index=True, return_inverse=True)
    best = first[group]
    if _all_same(run, ranked, ranked[best]):
        rows: I64 = ranked[first]
        return rows
    seen: dict[tuple[int, str], int] = {}  # two pairs share a hash, which all but never happens: compare the texts
    for row, query, doc in zip(
        ranked.tolist(), run.query[ranked].tolist(), ids.strings_at(run.doc_id, ranked), strict=True
    ):
        seen.setdefault((query, doc), row)
    return np.array(list(seen.values()), dtype=np.int64)


def _all_same(run: Run, left: I64, right: I64) -> bool:
    """Return whether rows hold the same query and document, pair by pair."""
    apart = np.flatnonzero(left != right)
    for low in range(0, len(apart), COMPARED):
        one, other = left[apart[low : low + COMPARED]], right[apart[low : low + COMPARED]]
        if (run.query[one] != run.query[other]).any():
            return False
        words = ids.order_words(run.doc_id, np.concatenate([one, other]))
        if any((word[: len(one)] != word[len(one) :]).any() for word in words):
            return False
    return True
