"""Which queries have a row in trec_eval's printout, and where the program stops instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.errors import InputError, NoCommonQueriesError
from denominator.noticed import no_common_queries
from denominator.quoting import listed

if TYPE_CHECKING:
    from denominator.model import I64, Bool, Qrels, Run
    from denominator.trec_eval.options import Options

__all__ = ["MissingQueryError", "Standing", "standing"]


class MissingQueryError(InputError):
    """The run lacks a judged query, and trec_eval 10 without ``-c`` stops there."""


@dataclass(frozen=True, eq=False)
class Standing:
    """The queries with a row, in byte order of their ids: q of them."""

    queries: tuple[str, ...]
    row: I64
    """(q,) the index of each in ``qrels.queries``."""
    answered: Bool
    """(q,) whether the run holds it."""
    judged: int
    """How many queries the qrels hold, with a row or without: what ``-c`` divides by."""


def standing(qrels: Qrels, run: Run, options: Options, notes: list[str]) -> Standing:
    """Return the queries with a row: those in both files (9), or all judged ones (10).

    Raises:
        NoCommonQueriesError: no query is in both (9; exit status 7 there).
        MissingQueryError: a judged query is not in the run (10 without ``-c``; exit status 4 there).
    """
    held, index = run.number_of, qrels.number_of
    missing = sorted(query for query in index if query not in held)
    if len(missing) == len(index):
        if options.trec_eval == "9":
            raise NoCommonQueriesError(no_common_queries(qrels, run))
        notes.append(f"every value is that of an empty run. {no_common_queries(qrels, run)}")
    if missing and options.trec_eval == "10" and not options.complete:
        raise MissingQueryError(
            f"{run.name}: {len(missing):,} of {len(index):,} judged queries are not in the run ({listed(missing)}); "
            "trec_eval 10 stops there without -c. Add -c to score them as 0, or --compat 9 to leave them out"
        )
    queries = tuple(sorted(index if options.trec_eval == "10" else index.keys() & held))
    row = np.array([index[query] for query in queries], dtype=np.int64)
    answered = np.array([query in held for query in queries], dtype=np.bool_)
    _note_negative(qrels, queries, row, notes)
    return Standing(queries, row, answered, len(index))


def _note_negative(qrels: Qrels, queries: tuple[str, ...], row: I64, notes: list[str]) -> None:
    """Say which queries trec_eval cannot calculate: those with no judgment of 0 or more."""
    judgments = np.bincount(qrels.query[qrels.relevance >= 0], minlength=len(qrels.queries))[row]
    if not judgments.all():
        names = listed([queries[number] for number in np.flatnonzero(judgments == 0).tolist()])
        notes.append(
            f"only grades below 0 are given for {names}: trec_eval stops there (Can't calculate measure, exit status "
            "4), here it scores as a query without a relevant document"
        )
