"""A JSON object a line: first the settings, then a record for every value, then the notes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from denominator.outputs.json import settings
from denominator.outputs.records import records

if TYPE_CHECKING:
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["render"]


def render(scores: Scores, options: Options) -> str:
    """Return the lines; ``row`` says what each one is: settings, mean, group, macro, query, note or failed."""
    lines: list[dict[str, Any]] = [{"row": "settings", **settings(scores)}]
    lines += records(scores, options.per_query)
    lines += [{"row": "note", "run": None, **asdict(note)} for note in scores.notes]
    lines += [{"row": "note", "run": run.name, **asdict(note)} for run in scores.runs for note in run.notes]
    lines += [{"row": "failed", "run": failure.run, "error": str(failure.error)} for failure in scores.failures]
    return "".join(json.dumps(line, allow_nan=False) + "\n" for line in lines)
