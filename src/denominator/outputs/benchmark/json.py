"""One JSON document with everything: judgments and their revision, means, ranks, published values, notes."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from denominator.outputs.json import settings

if TYPE_CHECKING:
    from denominator.benchmark.standing import Benchmark, Part, Rank, Standing
    from denominator.outputs import Options

__all__ = ["render"]


def render(found: Benchmark, options: Options) -> str:
    """Return the document; characters outside ASCII are escaped, so no terminal is steered by an id."""
    document: dict[str, Any] = {"datasets": [_part(part) for part in found.parts]}
    if found.macro:
        document["macro"] = {"over": found.macro_dataset, "means": [_standing(one) for one in found.macro]}
    document["failed"] = [{"name": failure.run, "error": str(failure.error)} for failure in found.failures]
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _part(part: Part) -> dict[str, Any]:
    """Return a data set with its runs."""
    runs = [
        {
            "name": run.name,
            "source": run.source.name,
            "read_as": run.source.read_as,
            "means": [_standing(one) for one in part.standings if one.mean.run == run.name],
        }
        for run in part.scores.runs
    ]
    return {
        "dataset": part.dataset or None,
        "qrels": {"source": part.scores.qrels.name, "read_as": part.scores.qrels.read_as, "known": _known(part)},
        "official": list(part.official),
        **settings(part.scores),
        "runs": runs,
        "notes": [asdict(note) for note in part.notes],
    }


def _known(part: Part) -> dict[str, Any] | None:
    """Return which published file the judgments are."""
    known = part.known
    if known is None:
        return None
    return {
        "name": known.name,
        "revision": known.revision,
        "superseded": known.superseded,
        "sha256": known.sha256,
        "published": known.published,
        "issues": list(known.issues),
    }


def _standing(one: Standing) -> dict[str, Any]:
    """Return a mean with its ranks and the published values."""
    mean = one.mean
    return {
        "measure": str(mean.measure),
        "official": one.official,
        "value": mean.value,
        "ceiling": mean.ceiling,
        "share_of_ceiling": mean.share_of_ceiling,
        "n": mean.n,
        "over": "languages" if mean.over == "groups" else mean.over,
        "judged": mean.judged,
        "answered": mean.answered,
        "rank": _rank(one.rank),
        "rank_without_secondary": _rank(one.primary_rank),
        "published": [
            {
                "system": row.system,
                "value": row.value,
                "difference": difference,
                "secondary": row.secondary,
                "same_as": row.same_as or None,
                "source": row.source,
                "note": row.note or None,
            }
            for row, difference in one.beside
        ],
    }


def _rank(rank: Rank | None) -> dict[str, int] | None:
    """Return a place."""
    return None if rank is None else rank._asdict()
