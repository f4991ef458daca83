"""Texts that are nearly the same, found with MinHash and confirmed by the words themselves."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from denominator.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["near_groups", "shingles", "similarity"]

WORDS = 3
"""Words of a shingle."""
PERMUTATIONS = 128
MARGIN = 0.1
"""How far below the threshold the sketches look, for their estimate is off by about 0.05."""


def shingles(text: str) -> frozenset[str]:
    """Return every three words that follow one another, in lower case; a shorter text is one shingle.

    >>> sorted(shingles("The rain in May"))
    ['rain in may', 'the rain in']
    """
    words = text.lower().split()
    return frozenset(" ".join(words[at : at + WORDS]) for at in range(max(len(words) - WORDS + 1, 1)))


def similarity(one: frozenset[str], two: frozenset[str]) -> float:
    """Return the Jaccard similarity: shared shingles of all shingles.

    >>> similarity(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    return len(one & two) / len(one | two)


def near_groups(texts: Mapping[str, str], threshold: float) -> dict[str, int]:
    """Return the number of its group for each document that is as similar as `threshold` to another one.

    Documents are of one group when a chain of such pairs leads from one to the other. MinHash proposes pairs, and may
    miss one near the threshold; that a pair is as similar as is said is computed exactly.

    Raises:
        MissingExtraError: datasketch is not installed.
    """
    try:
        from datasketch import MinHash, MinHashLSH
    except ImportError:
        raise MissingExtraError("near-duplicates need datasketch: pip install 'denominator[dedup]'") from None
    pieces = {key: shingles(texts[key]) for key in sorted(texts) if texts[key]}
    index = MinHashLSH(threshold=max(threshold - MARGIN, 0.05), num_perm=PERMUTATIONS)
    leader: dict[str, str] = {}
    for key, some in pieces.items():
        sketch = MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch([piece.encode("utf-8", "surrogatepass") for piece in some])
        for other in sorted(index.query(sketch)):
            if similarity(some, pieces[other]) >= threshold:
                leader[_first(leader, key)] = _first(leader, other)
        index.insert(key, sketch)
    return _numbered(pieces, leader)


def _first(leader: dict[str, str], key: str) -> str:
    """Return the document that stands for a group."""
    while key in leader and leader[key] != key:
        key = leader[key]
    return key


def _numbered(pieces: Mapping[str, frozenset[str]], leader: dict[str, str]) -> dict[str, int]:
    """Return the number of the group of each document that is not alone."""
    groups: dict[str, list[str]] = {}
    for key in pieces:
        groups.setdefault(_first(leader, key), []).append(key)
    number = itertools.count()
    return {key: at for group in groups.values() if len(group) > 1 for at in [next(number)] for key in group}
