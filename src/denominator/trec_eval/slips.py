"""Where trec_eval's own value is wrong, and the drop-in prints it all the same. Each slip adds a note."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.trec_eval import intcast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.hits import Hits
    from denominator.model import F64, I64, Qrels
    from denominator.trec_eval.columns import Column
    from denominator.trec_eval.options import Options

__all__ = ["miscompared", "note_nan", "summary_num_rel", "unanswered"]


def unanswered(column: Column, relevant: I64, options: Options, notes: list[str]) -> F64 | float:
    """Return what trec_eval 10 gives a query that the run lacks; `relevant` is |Rel| per query.

    It ranks one invented document, and takes back what that did to num_ret, utility, unj and rbp_resid. It knows them
    by name: utility and rbp_resid with parameters have another one, and keep the invented document.
    """
    measure, name = column.measure, column.family
    if name == "num_rel":
        return relevant.astype(np.float64)
    if name not in ("utility", "rbp_resid") or column.name == name:
        return measure.spec.unanswered or 0.0
    invented = 0 if options.judged_only else 1
    if invented:
        notes.append(f"{column.name}: trec_eval 10 scores queries that the run lacks as if they held one document")
    if name == "utility":
        outside = options.collection - invented - relevant
        b, c, d = (float(measure[letter]) for letter in "bcd")
        return b * invented + c * relevant + d * outside
    p = float(measure["p"])
    return p + (1 - p) if invented else 0.0


def summary_num_rel(qrels: Qrels, options: Options, notes: list[str]) -> float:
    """Return the summary of num_rel under ``-c``: every judgment above 0, whatever ``-l`` says (m_num_rel.c)."""
    counted = int((qrels.relevance > 0).sum())
    true = int((qrels.relevance >= options.level).sum())
    if counted != true:
        notes.append(f"num_rel of all: with -c trec_eval counts grades above 0; at -l {options.level} it is {true:,}")
    return float(counted)


def note_nan(columns: Sequence[Column], retrieved: I64, notes: list[str]) -> None:
    """Say where trec_eval prints NaN: interpolated precision of a ranking that ``-J`` left empty."""
    names = {column.family for column in columns} & {"iprec_at_recall", "11pt_avg"}
    if names and (retrieved == 0).any():
        notes.append(
            f"{' and '.join(sorted(names))}: -J leaves {int((retrieved == 0).sum()):,} rankings empty; trec_eval "
            "prints -nan for them and for the summary, here they are 0"
        )


def miscompared(column: Column, value: F64, hits: Hits, options: Options, notes: list[str]) -> F64:
    """Return a measure with gains as trec_eval computes it, where its order of the gains is not the right one.

    `value` holds the right values, one per judged query; they stay where trec_eval's is not a number.
    """
    name = column.family
    given = [(int(grade), gain) for grade, gain in column.pairs]
    worth = dict(given)
    relevant = hits.relevant(options.level)
    starts = np.searchsorted(hits.query, np.arange(len(hits.queries) + 1))
    changed = value.copy()
    for query in np.flatnonzero(hits.answered & (relevant > 0) if name == "Rndcg" else hits.answered).tolist():
        grades = hits.judged_grade[hits.judged_offsets[query] : hits.judged_offsets[query + 1]]
        ideal = intcast.ideal_gains(given, np.bincount(grades[grades >= 0].astype(np.int64)).tolist())
        if ideal is None:
            continue
        gains = [0.0] * int(hits.retrieved[query])
        here = slice(int(starts[query]), int(starts[query + 1]))
        for position, grade in zip(hits.position[here].tolist(), hits.grade[here].tolist(), strict=True):
            gains[position] = worth.get(grade, grade) if grade >= 0 else 0.0
        changed[query] = intcast.MEASURES[name](gains, ideal)
    nan = np.isnan(changed)
    undefined, wrong = nan & hits.answered, ~nan & ~np.isclose(changed, value, rtol=1e-12, atol=0)
    if undefined.any():
        notes.append(f"{column.name}: trec_eval prints -nan for {int(undefined.sum()):,} queries, and for the summary")
    if wrong.any():
        notes.append(
            f"{column.name}: trec_eval cannot order gains less than 1 apart; {int(wrong.sum()):,} queries have its "
            "wrong value (`denominator score` prints the right one)"
        )
    return np.where(nan, value, changed)
