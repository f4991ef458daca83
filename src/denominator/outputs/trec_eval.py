"""trec_eval's layout: a name in 22 characters, a query id or ``all``, a value, with tabs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.trec_eval import Table

__all__ = ["printout"]

SUMMARY = "all"
"""What stands in place of a query id."""


def printout(table: Table, *, queries: bool = False, summary: bool = True) -> str:
    """Return the text trec_eval prints: the queries (``-q``), one after the other, then the summary (not with ``-n``).

    Counts are printed as whole numbers, texts as they are, all else with four decimals (meas_print_single.c).
    """
    parts = _queries(table) if queries else []
    if summary:
        for column, value in zip(table.columns, table.summary, strict=True):
            if column.in_summary:
                parts.append(column.template % (SUMMARY, value))
    return "".join(parts)


def _queries(table: Table) -> list[str]:
    """Return one text per query, each from the same template: a printout may have a million lines."""
    shown = [(column, rows) for column, rows in zip(table.columns, table.rows, strict=True) if column.in_queries]
    template = "".join(column.template for column, _ in shown)
    fillings: list[Sequence[object]] = []
    for _, rows in shown:
        fillings += [table.queries, rows]
    return [template % filling for filling in zip(*fillings, strict=True)]
