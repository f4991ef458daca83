"""One JSON document with everything: settings, sources, notes, means, and the rows if asked for."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from denominator.outputs.records import records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.model import Note, Source
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["render", "settings"]

_OF_THE_RUN = ("run", "dialect", "level", "depth", "judged_only", "collapse", "trec_eval")
_OF_A_ROW = {
    "mean": ("group", "query_id", "numerator", "denominator"),
    "group": ("query_id", "numerator", "denominator"),
    "macro": ("group", "query_id", "numerator", "denominator"),
    "query": ("group", "n", "judged", "answerable", "queries"),
}
"""Row → the columns that say nothing there."""


def render(scores: Scores, options: Options) -> str:
    """Return the document; characters outside ASCII are escaped, so no terminal is steered by an id."""
    by_run: dict[str, dict[str, list[dict[str, Any]]]] = {run.name: {} for run in scores.runs}
    for record in records(scores, options.per_query):
        row, run = record.pop("row"), record["run"]
        sums = set() if record["denominator"] is None else {"numerator", "denominator"}  # of a quotient of sums
        idle = {*_OF_THE_RUN, *_OF_A_ROW[row]} - sums
        kept = {name: value for name, value in record.items() if name not in idle}
        by_run[run].setdefault(row, []).append(kept)
    document = {
        **settings(scores),
        "qrels": {**_source(scores.qrels), "notes": _notes(scores.notes)},
        "runs": [
            {"name": run.name, **_source(run.source), "notes": _notes(run.notes), **_rows(by_run[run.name])}
            for run in scores.runs
        ],
        "failed": [{"name": failure.run, "error": str(failure.error)} for failure in scores.failures],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def settings(scores: Scores) -> dict[str, Any]:
    """Return the choices behind the numbers."""
    return {
        "dialect": scores.dialect,
        "queries": scores.query_set.name,
        "settings": {**scores.settings._asdict(), "collapse": scores.collapse},
        "engines": scores.engines,
        "judged": len(scores.queries),
        **({"bounds": scores.asked._asdict()} if scores.asked.anything else {}),
    }


def _source(source: Source) -> dict[str, str]:
    """Return where rows came from."""
    return {"source": source.name, "read_as": source.read_as}


def _notes(notes: Sequence[Note]) -> list[dict[str, Any]]:
    """Return notes as objects."""
    return [asdict(note) for note in notes]


def _rows(rows: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Return a run's rows under the names of the document."""
    names = {"mean": "means", "group": "groups", "macro": "macro_means", "query": "per_query"}
    return {names[row]: listed for row, listed in rows.items()}
