"""Whether a text is a run or qrels, where its content says so for sure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from denominator.formats import names, numbers
from denominator.formats.sniff import claimed_by

if TYPE_CHECKING:
    from denominator.formats.sources import Head
    from denominator.formats.table import Kind

__all__ = ["kind_of_head"]


def kind_of_head(head: Head) -> Kind | None:
    """Return what a text holds by its columns, its header or its keys; None where it may be both."""
    run, qrels = claimed_by(head, "run"), claimed_by(head, "qrels")
    if head.width == 4 and qrels == "trec" and all(fields[1] == "0" for fields in head.fields if len(fields) == 4):
        return "qrels"
    if run == "msmarco":
        return "run"
    for kind, name, width in (("run", run, 6), ("qrels", qrels, 4)):
        if name == "trec" and head.width == width:
            return "run" if kind == "run" else "qrels"
    if run == qrels:
        return _KINDS[run](head) if run in _KINDS else None
    return "run" if qrels == "trec" else "qrels" if run == "trec" else None


def _kind_of_rows(head: Head) -> Kind | None:
    """Return what rows under a header are: BEIR's own header and whole numbers are qrels."""
    header, *rows = (line.split("\t") for line in head.lines)
    columns = [names.plain(name) for name in header]
    by_keys = _kind_of_columns(columns)
    if by_keys is not None or columns != ["query_id", "corpus_id", "score"] or not rows:
        return by_keys
    return "qrels" if all(len(row) == 3 and numbers.whole(row[2]) is not None for row in rows) else None


def _kind_of_objects(head: Head) -> Kind | None:
    """Return what JSON lines are, by the keys of the first."""
    try:
        first = json.loads(head.lines[0])
    except (IndexError, RecursionError, ValueError):
        return None
    return _kind_of_columns([names.plain(key) for key in first]) if isinstance(first, dict) else None


def _kind_of_columns(columns: list[str]) -> Kind | None:
    """Return what has such columns, where one of them is no other kind's; both may call their values scores."""
    for kind, own in _OWN.items():
        if own & set(columns):
            return kind
    return None


def _words(*choices: tuple[tuple[str, ...], ...]) -> set[str]:
    return {word for choice in choices for words in choice for word in words}


_OWN: dict[Kind, set[str]] = {
    "run": _words(names.RANK, names.TAG, names.RETRIEVED) | {"sim"},
    "qrels": _words(names.RELEVANCE, names.ITERATION) - {"score"},
}
"""Names of columns that only one of the two has."""

_KINDS = {"beir": _kind_of_rows, "jsonl": _kind_of_objects}
"""Formats that both kinds come in, and what tells them apart."""
