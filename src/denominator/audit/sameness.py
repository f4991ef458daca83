"""Whether two runs hold the same documents with the same scores, in whatever order their rows stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator import ids

if TYPE_CHECKING:
    from denominator.model import U64, Run

__all__ = ["fingerprint"]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(31)


def fingerprint(run: Run) -> tuple[int, int, int]:
    """Return a fingerprint of a run's (query, document, score) rows; the order of the rows, ranks and tags have no say.

    Two runs that differ share one with a chance of about 1 in 2**64. Costs one pass over the run.
    """
    total = folded = 0
    for low in range(0, len(run), ids.BLOCK):
        part = slice(low, low + ids.BLOCK)
        bits = (run.score[part] + 0.0).view(np.uint64)  # -0.0 is 0.0
        mixed = _mixed(_mixed(run.pair_hash[part]) ^ bits)
        total = (total + int(mixed.sum(dtype=np.uint64))) % 2**64
        folded ^= int(np.bitwise_xor.reduce(_mixed(mixed)))
    return len(run), total, folded


def _mixed(words: U64) -> U64:
    """Return words whose bits all depend on all bits of the given ones."""
    out = words * _ODD
    out ^= out >> _SHIFT
    out *= _ODD
    out ^= out >> _SHIFT
    return out
