"""A golden folder: a few tiny files that show one check at work, and what it is expected to say about them.

``tests/golden/CODE/`` holds ``qrels``, ``run`` (``run2``, ``run3`` … if there are more), and where the check needs them
``truth``, ``other`` (``other2`` …), ``corpus.jsonl`` and ``options.json`` with fields of AuditOptions. Any of the files
may have an ending (``run.gz``). ``expected`` holds a JSON object a line for each finding.
"""

import contextlib
import json
from pathlib import Path
from typing import Any

import denominator as dn
from denominator.findings import Findings

HERE = Path(__file__).resolve().parent
PLACES = 3
"""How many places of a finding are written down."""


def folders() -> list[Path]:
    """Return the golden folders, by code."""
    return sorted(path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__")


def audited(folder: Path, **changes: Any) -> Findings:
    """Audit the files of a folder, by their bare names, so that no message depends on where the folder is."""

    def named(stem: str) -> list[str]:
        return sorted(path.name for path in folder.iterdir() if path.name.split(".")[0].rstrip("0123456789") == stem)

    options = folder / "options.json"
    settings: dict[str, Any] = json.loads(options.read_text(encoding="utf-8")) if options.exists() else {}
    with contextlib.chdir(folder):
        return dn.audit(
            named("qrels")[0],
            named("run"),
            truth=next(iter(named("truth")), None),
            others=named("other"),
            corpus=next(iter(named("corpus")), None),
            **{**settings, "select": (folder.name,), **changes},
        )


def written(found: Findings, code: str) -> list[dict[str, Any]]:
    """Return the findings of a code as `expected` holds them."""
    objects = [
        {
            "severity": one.severity.value,
            "source": one.source,
            "message": one.message,
            "numbers": dict(one.numbers),
            "count": one.count,
            "places": [
                {"line": place.line, "query_id": place.query_id, "doc_id": place.doc_id, **dict(place.values)}
                for place in one.places.first(PLACES)
            ],
        }
        for one in found.of(code)
    ]
    plain: list[dict[str, Any]] = json.loads(json.dumps(objects, default=_number))
    return plain


def _number(value: Any) -> Any:
    """Return a NumPy number as a Python one."""
    return value.item()


def expected(folder: Path) -> list[dict[str, Any]]:
    """Return what a folder expects."""
    return [json.loads(line) for line in (folder / "expected").read_text(encoding="utf-8").splitlines()]
