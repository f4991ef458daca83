"""MS MARCO's runs: ``query doc rank`` and no score; and the same with a score as fourth column."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from denominator.formats import numbers
from denominator.formats.lined import Lines, read_lines
from denominator.formats.typed import SCORES_FROM_RANKS

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]


def sniff(head: Head, kind: Kind) -> bool:
    """Take a run of three or four columns whose third one counts up from 0 or 1 within every query.

    Other texts with three columns (``query doc score``) are not claimed: whether the third is a rank cannot be known.
    """
    width = head.width
    if kind != "run" or width not in (3, 4):
        return False
    last: dict[str, int] = {}
    odd = 0
    for fields in head.fields:
        rank = numbers.whole(fields[2]) if len(fields) == width else None
        if rank is None or (width == 4 and numbers.real(fields[3]) is None):
            odd += 1
            continue
        before = last.get(fields[0])
        if rank <= before if before is not None else rank not in (0, 1):
            return False
        last[fields[0]] = rank
    return odd <= len(head.fields) // 4  # a line or two may be spoilt: better named here than taken for TREC


def read(content: Content, options: Options) -> Table:
    """Read ``query doc rank``, where the score is minus the rank, or ``query doc rank score``."""
    if content.head.width == 4:
        lines = Lines(" \t", 4, "4 are expected: query doc rank score", {"query": 0, "doc": 1, "rank": 2, "value": 3})
        return read_lines(content, options, lines, "run, 4 columns (query doc rank score)")
    lines = Lines(" \t", 3, "3 are expected: query doc rank", {"query": 0, "doc": 1, "rank": 2})
    table = read_lines(content, options, lines, "MS MARCO run, 3 columns (query doc rank; score is minus the rank)")
    return replace(table, faults=(*table.faults, SCORES_FROM_RANKS))
