"""What the field calls its columns: one table of spellings for frames, Parquet, JSON lines and tab-separated files.

Capitals do not matter, and ``query-id`` is ``query_id``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from denominator.errors import InputError
from denominator.formats.faults import SWAPPED, show

if TYPE_CHECKING:
    from denominator.formats.table import Kind

__all__ = ["DOC", "ITERATION", "QUERY", "RANK", "RETRIEVED", "TAG", "find", "plain", "roles", "value_names"]

QUERY = (("query_id", "qid", "q_id", "queryid", "topic_id", "topic"),)
DOC = (("doc_id", "docno", "corpus_id", "document_id", "passage_id", "pid", "did"), ("docid",))
SCORE = (("score", "sim"),)
RELEVANCE = (("relevance", "label", "rel", "grade"), ("score",))
ITERATION = (("iteration", "iter", "subtopic_id"),)
RANK = (("rank",),)
TAG = (("tag", "run_id", "runid", "run_tag"),)
RETRIEVED = (("retrieved", "results", "hits"),)
"""Each a list of choices, the first that is there counts; within a choice, two that are there are too many.

``docid`` comes after ``docno``: PyTerrier's results have both, and its ``docid`` is a number inside its index.
"""


def plain(name: object) -> str:
    """Return a column's name as the tables spell it.

    >>> plain("Query-ID ")
    'query_id'
    """
    return str(name).strip().lower().replace("-", "_").replace(" ", "_")


def value_names(kind: Kind) -> tuple[tuple[str, ...], ...]:
    """Return what a run's score, or a judgment's grade, may be called."""
    return SCORE if kind == "run" else RELEVANCE


def find(names: Iterable[object], choices: tuple[tuple[str, ...], ...], where: str) -> object | None:
    """Return the name among `names` that stands for a role, or None.

    Raises :class:`~denominator.errors.InputError` when two stand for it: nobody can know which is meant.
    """
    spelled: dict[str, list[object]] = {}
    for name in names:
        spelled.setdefault(plain(name), []).append(name)
    for choice in choices:
        there = [name for word in choice for name in spelled.get(word, [])]
        if len(there) > 1:
            both = " and ".join(show(str(name)) for name in there)
            raise InputError(f"{where}: {both} may both hold the {choice[0]}; leave one away or rename it")
        if there:
            return there[0]
    return None


def roles(names: Iterable[object], kind: Kind, where: str) -> dict[str, object]:
    """Return which of some columns play which role: ``query``, ``doc``, ``value`` and whichever else there is.

    Raises :class:`~denominator.errors.InputError` when one of the three is missing; a run may have ``rank`` instead of
    ``value``.
    """
    have = list(names)
    choices = {"query": QUERY, "doc": DOC, "value": value_names(kind)}
    choices |= {"rank": RANK, "tag": TAG} if kind == "run" else {"iteration": ITERATION}
    found = {role: name for role, choice in choices.items() if (name := find(have, choice, where)) is not None}
    missing = [role for role in ("query", "doc", "value") if role not in found]
    if missing == ["value"] and "rank" in found:
        missing = []
    if missing:
        wanted = " and no ".join(_called(choices[role]) for role in missing)
        there = show(", ".join(str(name) for name in have), 300) or "no names"
        words = f"{where}: no {wanted} among {there}; {kind_columns(kind)} are expected"
        swapped = kind == "run" and missing == ["value"] and find(have, RELEVANCE, where) is not None
        raise InputError(f"{words}. {SWAPPED}" if swapped else words)
    return found


def kind_columns(kind: Kind) -> str:
    """Return the columns that are expected, in words.

    >>> kind_columns("run")
    'query_id, doc_id and score'
    """
    return f"query_id, doc_id and {value_names(kind)[0][0]}"


def _called(choices: tuple[tuple[str, ...], ...]) -> str:
    """Return a role's names in words: ``query_id (or qid, …)``."""
    first, *others = (word for choice in choices for word in choice)
    return f"{first} (or {', '.join(others)})" if others else first
