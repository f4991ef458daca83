"""Scores, means and ledgers as tables of Arrow, pandas and polars; `TABLES` documents every column.

Long form is tidy: a row for each (run, query, measure), runs, then measures, then queries in byte order. Wide form has
a row for each (run, query) and a column for each measure, which is called as it is typed: ``nDCG@10``. In pandas run
and query are the index of the wide form. Ids are text, always: ``007`` is not ``7``.

What all rows share, the dialect and the settings, is in ``frame.attrs`` and in the metadata of an Arrow schema; Parquet
files keep both.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from denominator import tables
from denominator.errors import UsageError
from denominator.quoting import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denominator.bounds.means import Interval
    from denominator.ledger import Ledger
    from denominator.measures import Measure
    from denominator.scores import RunScores, Scores

    Columns = dict[str, Sequence[Any]]

__all__ = ["BOUNDS", "PARTS", "TABLES", "WIDE", "form_of", "ledger_table", "plain_attrs", "scores_table"]

TABLES: Mapping[str, Mapping[str, str]] = {
    "scores": {
        "run": "text",
        "query_id": "text",
        "measure": "text",  # as it is typed
        "value": "real",  # missing where no number is right: `undefined`, or unanswered and 0 would be perfect
        "answered": "flag",  # whether the run holds the query
        "undefined": "flag",  # whether the definition has no value here
        "engine": "text",  # who computed the value, with the version; "unanswered" where nobody did
        "numerator": "count?",  # missing for a measure that is no fraction of counts, as the next two
        "denominator": "count?",
        "best": "count?",  # the highest numerator that any ranking could have
        "ceiling": "real",  # the highest value that any ranking could have; missing where higher is not better
        "group": "text?",  # the query's group (by=); missing where there are no groups
        "dialect": "text",  # the choices behind the numbers
    },
    "means": {
        "run": "text",
        "measure": "text",
        "group": "text?",  # missing for a mean over all queries of the set, and for a macro mean
        "over": "text",  # what n counts: "queries", or "groups" for a macro mean
        "value": "real",
        "n": "count",
        "judged": "count",
        "answered": "count",
        "undefined": "count",
        "answerable": "count",
        "ceiling": "real",
        "share_of_ceiling": "real",
        "numerator": "count?",  # the sums of a mean that is their quotient: micro recall, which a dialect asks for
        "denominator": "count?",
        "queries": "text",  # the query set
        "dialect": "text",
    },
    "ledger": {
        "run": "text",
        "query_id": "text",
        "measure": "text",
        "value": "real",
        "numerator": "count?",
        "denominator": "count?",
        "best": "count?",
        "ceiling": "real",
        "share_of_ceiling": "real",
    },
    "findings": {
        "finding": "count",  # its number, from 0: a finding has a row for each of its places
        "code": "text",
        "slug": "text",
        "severity": "text",
        "source": "text",  # the file it is about
        "line": "count?",  # missing where it does not apply, as the next two
        "query_id": "text?",
        "doc_id": "text?",
        "count": "count",  # how many places the finding has
        "message": "text",
        "fix": "text",
        "numbers": "text",  # JSON object: the numbers that the message states
        "values": "text",  # JSON object: what was measured at this place
    },
    "crosscheck": {
        "measure": "text",  # as it is typed
        "tool": "text",
        "version": "text",
        "own": "flag",  # whether it is one of our engines
        "status": "text",  # answered, refused, crashed, hung, or lacking: no such measure or level
        "mean": "real",  # that the tool itself makes
        "n": "count?",  # how many queries its mean is over; missing without an answer
        "compared": "count",  # how many judged queries were compared with ours
        "apart": "count",  # on how many it differs
        "by_choice": "count",  # how many of them a choice explains, and so on: the four add up to `apart`
        "by_ties": "count",
        "no_number": "count",
        "unexplained": "count",
        "causes": "text",  # such as "order=score32 queries=answered"
        "words": "text",  # what it said besides, or in place of a number
    },
}
"""Table → its columns in order → their kind: see :mod:`denominator.tables` for the type that a kind has where."""

BOUNDS = ("ties_low", "ties_expected", "ties_high", "unjudged_low", "unjudged_high", "floor")
"""Further columns of scores and means, real numbers, where these bounds were asked for."""

WIDE = ("run", "query_id")
"""The index of the wide forms of scores and ledgers; every other column is a real number or a count."""

PARTS = {"": "real", " numerator": "count?", " denominator": "count?", " best": "count?", " ceiling": "real"}
"""What stands behind a measure's name in a ledger's wide form → the kind of the column."""


def form_of(form: object, known: Sequence[str]) -> str:
    """Return the name of a form, or refuse it.

    Raises:
        UsageError: another form than those that are known.
    """
    if form not in known:
        raise UsageError(f"form={shown(form)}: expected {' or '.join(json.dumps(one) for one in known)}")
    return str(form)


def scores_table(scores: Scores, form: str) -> Any:
    """Return scores as a pyarrow Table: ``long``, ``wide``, or ``means``, a row for each mean.

    Raises:
        UsageError: another form.
    """
    columns: dict[str, Callable[[Scores], Columns]] = {"long": _long, "wide": _wide, "means": _means}
    return _table(columns[form_of(form, list(columns))](scores), "means" if form == "means" else "scores", scores)


def ledger_table(ledger: Ledger, form: str) -> Any:
    """Return a ledger as a pyarrow Table: ``long``, or ``wide`` with up to five columns for each measure (`PARTS`).

    Raises:
        UsageError: another form.
    """
    columns: dict[str, Callable[[Ledger], Columns]] = {"long": _ledger, "wide": _wide_ledger}
    return _table(columns[form_of(form, list(columns))](ledger), "ledger", ledger.scores)


def plain_attrs(scores: Scores) -> dict[str, Any]:
    """Return what all rows share, in plain types: the dialect and the settings."""
    settings = {"queries": scores.query_set.name, **scores.settings._asdict(), "collapse": scores.collapse}
    if scores.asked.anything:
        settings["bounds"] = scores.asked._asdict()
    return {"dialect": scores.dialect, "settings": settings}


def _table(columns: Columns, table: str, scores: Scores) -> Any:
    """Return columns as a pyarrow Table; what is not in the table's list is a column of a wide form."""
    known = TABLES[table]
    kinds = {
        name: known.get(name) or next((kind for part, kind in PARTS.items() if part and name.endswith(part)), "real")
        for name in columns
    }
    attrs = plain_attrs(scores)
    return tables.arrow_table(columns, kinds, {"dialect": attrs["dialect"], "settings": json.dumps(attrs["settings"])})


def _long(scores: Scores) -> Columns:
    """Return the columns of the long form."""
    rows, ledger = list(scores.rows()), list(scores.ledger())
    members = {} if scores.groups is None else scores.groups.members
    group = {query: name for name, queries in members.items() for query in queries}
    parts = ("numerator", "denominator", "best", "ceiling")
    return {
        "run": [row.run for row in rows],
        "query_id": [row.query_id for row in rows],
        "measure": _typed(scores, rows),
        **{name: [getattr(row, name) for row in rows] for name in ("value", "answered", "undefined", "engine")},
        **{name: [getattr(row, name) for row in ledger] for name in parts},
        "group": [group.get(row.query_id) for row in rows],
        "dialect": [scores.dialect] * len(rows),
        **_bounds(
            scores,
            [each for run in scores.runs for measure in scores.measures for each in scores.bounds(run, measure)],
        ),
    }


def _bounds(scores: Scores, bounds: Sequence[tuple[Interval | None, Interval | None, float | None]]) -> Columns:
    """Return the columns of the bounds that were asked for (`BOUNDS`): missing where a measure is not bounded."""
    columns: Columns = {}
    for at, part in enumerate(("ties", "unjudged")):
        if getattr(scores.asked, part):
            for end in ("low", "expected", "high") if part == "ties" else ("low", "high"):
                columns[f"{part}_{end}"] = [getattr(each[at], end) for each in bounds]
    if scores.asked.floor:
        columns["floor"] = [each[2] for each in bounds]
    return columns


def _typed(scores: Scores, rows: Sequence[Any]) -> list[str]:
    """Return the measure of each row as it is typed."""
    words = {measure: str(measure) for measure in scores.measures}
    return [words[row.measure] for row in rows]


def _keys(scores: Scores) -> Columns:
    """Return the two columns that a wide form's rows are known by."""
    return {
        "run": [run.name for run in scores.runs for _ in scores.queries],
        "query_id": list(scores.queries) * len(scores.runs),
    }


def _wide(scores: Scores) -> Columns:
    """Return the columns of the wide form."""
    return {**_keys(scores), **{str(measure): _values(scores, measure) for measure in scores.measures}}


def _values(scores: Scores, measure: Measure) -> list[float | None]:
    """Return one measure's values of all runs."""
    cells = (value for run in scores.runs for value in run.values[measure].tolist())
    return [None if value != value else value for value in cells]


def _means(scores: Scores) -> Columns:
    """Return the columns of the means: over all queries, over the groups, and over the groups' means."""
    means = [*scores.means(), *scores.group_means(), *scores.macro_means()]
    own = {"measure": [str(mean.measure) for mean in means], "dialect": [scores.dialect] * len(means)}
    columns = {name: own[name] if name in own else [getattr(mean, name) for mean in means] for name in TABLES["means"]}
    return {**columns, **_bounds(scores, [(mean.ties, mean.unjudged, mean.floor) for mean in means])}


def _ledger(ledger: Ledger) -> Columns:
    """Return the columns of a ledger's long form."""
    rows = list(ledger)
    typed = _typed(ledger.scores, rows)
    return {name: typed if name == "measure" else [getattr(row, name) for row in rows] for name in TABLES["ledger"]}


def _wide_ledger(ledger: Ledger) -> Columns:
    """Return the columns of a ledger's wide form: only those parts that a measure has."""
    scores = ledger.scores
    columns = _keys(scores)
    for measure in scores.measures:
        columns[str(measure)] = _values(scores, measure)
        counts = [scores.fractions(run, measure) for run in scores.runs]
        if all(one is not None for one in counts):
            for at, part in enumerate((" numerator", " denominator", " best")):
                columns[f"{measure}{part}"] = [cell for one in counts if one for cell in one[at].tolist()]
        ceilings = _ceilings(scores, scores.runs, measure)
        if ceilings is not None:
            columns[f"{measure} ceiling"] = ceilings
    return columns


def _ceilings(scores: Scores, runs: Sequence[RunScores], measure: Measure) -> list[float] | None:
    """Return one measure's ceilings of all runs, or None where higher is not better."""
    found = [scores.ceilings(run, measure) for run in runs]
    # none is None, as was just asked
    return None if any(one is None for one in found) else [top for one in found for top in one.tolist()]  # type: ignore[union-attr]
