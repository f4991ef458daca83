"""Published judgments that somebody put one behind the other into one file: known by the bytes of each.

Query 12 of one language is not query 12 of another, and two sets of judgments of the same queries may grade the same
document differently. In one file nobody can tell them apart any more, and every number is of neither.
"""

from __future__ import annotations

import functools
import hashlib
import os
from typing import TYPE_CHECKING

from denominator.fingerprints import KNOWN

if TYPE_CHECKING:
    from denominator.fingerprints import Known

__all__ = ["LARGEST", "known_parts", "merged"]

LARGEST = 5_000_000
"""Bytes of the largest file that is taken apart; all known judgments together have a third of that."""


def merged(source: object) -> str:
    """Return what a file is merged from, in words, or the empty text: not merged, not known, or no file to be read."""
    if not isinstance(source, str | os.PathLike):
        return ""
    try:
        if not os.path.isfile(source) or os.path.getsize(source) > LARGEST:
            return ""
        with open(source, "rb") as file:
            parts = known_parts(file.read())
    except (OSError, ValueError):  # gone, not to be read, or no path at all: a name may be any text
        return ""
    if len(parts) < 2:
        return ""
    names = " and ".join(f"{part.name} ({part.revision})" for part in parts)
    return f"judgments that must never be merged stand in it: {names}"


def known_parts(data: bytes) -> tuple[Known, ...]:
    """Return the known judgments that bytes consist of, one after the other; none where something else is in them.

    A line end that was put between two of them belongs to neither.
    """
    judgments = [known for known in KNOWN.values() if "qrels" in known.path]

    @functools.cache
    def parts_from(start: int) -> tuple[Known, ...] | None:
        if start == len(data):
            return ()
        for known in judgments:
            end = start + known.size
            if end > len(data) or hashlib.sha256(data[start:end]).hexdigest() != known.sha256:
                continue
            for gap in (b"", b"\n", b"\r\n"):
                rest = parts_from(end + len(gap)) if data[end : end + len(gap)] == gap else None
                if rest is not None:
                    return (known, *rest)
        return None

    return parts_from(0) or ()
