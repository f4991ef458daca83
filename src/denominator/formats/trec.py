"""TREC's text formats: a run has six columns, qrels have four, between blanks or tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]

WIDTH: dict[Kind, int] = {"run": 6, "qrels": 4}


def sniff(head: Head, kind: Kind) -> bool:
    """Take every text: TREC is what a file is when no other format claims it."""
    return True


def read(content: Content, options: Options) -> Table:
    """Read a run or qrels in TREC's format."""
    raise NotImplementedError
