"""One JSON document with everything: what was asked, every answer, every query that differs, and the findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from denominator.outputs.findings.json import as_finding, as_place, finite

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck, Line
    from denominator.findings import Finding
    from denominator.outputs.crosscheck import Options

__all__ = ["render"]


def render(result: Crosscheck, options: Options) -> str:
    """Return the document; characters outside ASCII are escaped, so no terminal is steered by an id."""
    document = {
        "qrels": {"source": result.qrels.name, "read_as": result.qrels.read_as},
        "run": {"source": result.run.name, "read_as": result.run.read_as},
        "judged": len(result.queries),
        "answered": result.answered,
        "dialect": result.dialect,
        "why_dialect": result.why_dialect,
        "asked": result.asked._asdict(),
        "seconds": dict(result.seconds),
        "agree": result.agree,
        "apart": result.apart,
        "unexplained": result.unexplained,
        "lines": [_line(line) for line in result.lines],
        "findings": [_finding(one) for one in result.findings or ()],
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _line(line: Line) -> dict[str, Any]:
    """Return one implementation's answer to one question."""
    answer = line.answer
    row = {
        "measure": str(line.question),
        "tool": line.tool,
        "version": line.version,
        "own": line.own,
        "status": answer.status,
        "mean": answer.mean,
        "queries": line.n,
        "unjudged_queries": line.unjudged,
        "compared": line.compared,
        "differing": len(line.apart),
        "explained_by_choice": line.by_choice,
        "explained_by_ties": line.by_ties,
        "without_number": line.no_number,
        "unexplained": line.unexplained,
        "left_out": list(line.left_out),
        "causes": [one._asdict() for one in line.causes],
        "apart": [finite(one._asdict()) for one in line.apart],
        "words": answer.words,
        "call": answer.call,
        "seconds": answer.seconds,
    }
    return finite(row)


def _finding(one: Finding) -> dict[str, Any]:
    """Return a finding with its places."""
    return {**as_finding(one), "places": [as_place(place) for place in one.places]}
