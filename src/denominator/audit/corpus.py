"""The collection of an audit: its ids, a hash of every text, and the texts of the documents that matter.

A text is compared after NFKC normalisation and with runs of blanks as one; case counts. Of a document that neither is
judged nor stands among the first documents of a run only the id and 16 bytes are kept.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import ids
from denominator.cached import cached_property
from denominator.errors import InputError
from denominator.formats.documents import name_of, read_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denominator.audit.evidence import Evidence
    from denominator.model import I64, U64, Bool

__all__ = ["Corpus", "normal_text", "with_corpus"]


def normal_text(text: str) -> str:
    """Return a text as it is compared: NFKC, with one blank between words and none at the ends.

    >>> normal_text(" ﬁne\\u00a0 rain\\n")
    'fine rain'
    """
    return " ".join((text if text.isascii() else unicodedata.normalize("NFKC", text)).split())


@dataclass(frozen=True, eq=False)
class Corpus:
    """A collection that was read once. Shapes: n documents as they stand, repeated ids included."""

    name: str
    doc_id: Any
    """(n,) ids, an Arrow ``large_string`` array."""
    content: U64
    """(n, 2) a 128-bit hash of the normalised text; zeros where there is no text."""
    texts: Mapping[str, str]
    """The normalised texts of the documents that were wanted and are there; of a repeated id the first."""

    @classmethod
    def of(cls, source: Any, wanted: frozenset[str]) -> Corpus:
        """Read a collection; keep the texts of the documents that are wanted.

        Raises:
            InputError: it cannot be read, or holds nothing.
        """
        octets, lengths, digests = bytearray(), [], bytearray()
        texts: dict[str, str] = {}
        for key, text in read_documents(source):
            normal = normal_text(text)
            raw = key.encode("utf-8")
            octets += raw
            lengths.append(len(raw))
            digests += (
                hashlib.blake2b(normal.encode("utf-8", "surrogatepass"), digest_size=16).digest() if normal else _NONE
            )
            if key in wanted:
                texts.setdefault(key, normal)
        if not lengths:
            raise InputError(f"{name_of(source)}: no documents in it")
        return cls(
            name_of(source),
            _column(octets, lengths),
            np.frombuffer(bytes(digests), dtype="<u8").reshape(-1, 2),
            texts,
        )

    @cached_property
    def _ids(self) -> tuple[U64, I64]:
        """The hashes of the distinct ids, ascending, and the first row of each."""
        hashes, first = np.unique(ids.hash_ids(self.doc_id), return_index=True)
        return hashes, first

    def __len__(self) -> int:
        """Return how many documents there are, a repeated id counted once."""
        return len(self._ids[0])

    @property
    def again(self) -> I64:
        """The rows whose id stands on an earlier row."""
        later = np.ones(len(self.doc_id), dtype=np.bool_)
        later[self._ids[1]] = False
        return np.flatnonzero(later)

    def holds(self, column: Any) -> Bool:
        """Return which ids of a column are in the collection, by their 64-bit hash. Shape (m,)."""
        known, wanted = self._ids[0], ids.hash_ids(column)
        at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        there: Bool = known[at] == wanted
        return there

    @cached_property
    def copies(self) -> tuple[I64, I64]:
        """The rows of distinct ids whose text others have too, grouped by text, and where each group begins."""
        rows = np.sort(self._ids[1])
        rows = rows[self.content[rows].any(axis=1)]
        high, low = self.content[rows].T
        order = np.lexsort((rows, low, high))
        rows, high, low = rows[order], high[order], low[order]
        new = np.ones(len(rows), dtype=np.bool_)
        new[1:] = (high[1:] != high[:-1]) | (low[1:] != low[:-1])
        alone = new & np.append(new[1:], True)
        return rows[~alone], np.flatnonzero(new[~alone])

    @cached_property
    def same_text(self) -> Mapping[str, int]:
        """Wanted document → number of its text, for the texts that at least two wanted documents have."""
        return _shared({key: text for key, text in self.texts.items() if text})


def _shared(texts: Mapping[str, str]) -> dict[str, int]:
    """Return the number of its text for each document whose text another one has."""
    by_text: dict[str, list[str]] = {}
    for key, text in texts.items():
        by_text.setdefault(text, []).append(key)
    groups = (group for group in by_text.values() if len(group) > 1)
    return {key: number for number, group in enumerate(groups) for key in group}


_NONE = bytes(16)


def _column(octets: bytearray, lengths: list[int]) -> Any:
    """Return ids that stand one after the other as a column."""
    import pyarrow as pa

    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return pa.Array.from_buffers(
        pa.large_string(), len(lengths), [None, pa.py_buffer(offsets), pa.py_buffer(bytes(octets))]
    )


def with_corpus(evidence: Evidence, source: Any) -> Evidence:
    """Return evidence with the collection read, which also says how many documents there are."""
    corpus = Corpus.of(source, frozenset(_wanted(evidence)))
    size = evidence.options.corpus_size
    options = replace(evidence.options, corpus_size=len(corpus) if size is None else size)
    return replace(evidence, corpus=corpus, options=options)


def _wanted(evidence: Evidence) -> Iterable[str]:
    """Yield the judged documents, and the first ones of every run down to the largest cutoff."""
    yield from evidence.qrels.judged.doc_id.to_pylist()
    most = max(evidence.options.k)
    for run in evidence.runs:
        ranking = run.ranked.ranking
        place = np.arange(len(run.ranked)) - np.repeat(ranking.offsets[:-1], np.diff(ranking.offsets))
        first = np.flatnonzero(place < most)
        yield from ids.strings_at(run.ranked.doc_id, ranking.rows_at(first))
