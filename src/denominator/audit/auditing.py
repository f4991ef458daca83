"""How an audit goes: examine the files, gather the evidence, run the checks that are wanted, sort what they find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from denominator.audit.evidence import Evidence
from denominator.audit.registry import CHECKS
from denominator.errors import DenominatorError
from denominator.evaluation import named_runs
from denominator.findings import Findings, Unread
from denominator.formats import Reading, examine_qrels, examine_run, parse_lenient
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denominator.audit.options import AuditOptions
    from denominator.findings import Finding

__all__ = ["audited", "run_checks"]

FORGIVEN = {"header": "skip", "fields": "skip"}
"""Lines that are no rows do not stop an audit: they are findings, and the other lines are audited."""

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def audited(
    qrels: Any,
    runs: Any,
    options: AuditOptions,
    *,
    truth: Any = None,
    others: Sequence[Any] = (),
    corpus: Any = None,
    reading: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Findings:
    """Examine everything that is given and run the checks; see :func:`denominator.audit`.

    `reading` holds the arguments of the readers, under ``qrels`` and ``run``; `progress` is called with
    (steps done, steps in all).
    """
    how = {kind: _lenient((reading or {}).get(kind, {})) for kind in ("qrels", "run")}
    judged = examine_qrels(qrels, **how["qrels"])
    readings, failures = _examined(runs, how["run"])
    evidence = Evidence.of(
        judged,
        readings,
        options,
        truth=None if truth is None else examine_qrels(truth, **how["qrels"]),
        corpus=corpus,
        others=[examine_qrels(other, **how["qrels"]) for other in others],
    )
    return replace(run_checks(evidence, progress), failures=tuple(failures))


def run_checks(evidence: Evidence, progress: Callable[[int, int], None] | None = None) -> Findings:
    """Run the checks that the options want, and return what they find, most severe first, then by code and file."""
    wanted = [one for code, one in CHECKS.items() if evidence.options.wants(code)]
    found: list[Finding] = []
    for number, one in enumerate(wanted, start=1):
        found += [finding for finding in one(evidence) if not _is_ignored(finding, evidence.options)]
        if progress is not None:
            progress(number, len(wanted))
    files = [evidence.qrels.name, *(run.name for run in evidence.runs)]
    place = {name: number for number, name in reversed(list(enumerate(files)))}
    found.sort(key=lambda one: (_ORDER[one.severity], one.code, place.get(one.source, len(place)), one.source))
    return Findings(tuple(found), tuple(one.code for one in wanted))


def _lenient(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a reader that forgives, on top of what the user forgives, lines that are no rows."""
    return {**reading, "lenient": {**FORGIVEN, **parse_lenient(reading.get("lenient", ""))}}


def _examined(runs: Any, how: Mapping[str, Any]) -> tuple[list[Reading[Any]], list[Unread]]:
    """Examine each run; raise when there were some and none could be read."""
    readings: list[Reading[Any]] = []
    failures: list[Unread] = []
    for name, source in [] if isinstance(runs, list | tuple) and not runs else named_runs(runs):
        try:
            readings.append(_named(examine_run(source() if callable(source) else source, **how), name))
        except DenominatorError as error:
            failures.append(Unread(name, error))
    if failures and not readings:
        raise failures[0].error
    return readings, failures


def _named(reading: Reading[Any], name: str) -> Reading[Any]:
    """Return a reading under the name that the caller gave, which is unique."""
    rows = reading.rows
    if rows.source.name == name:
        return reading
    rows = replace(rows, source=replace(rows.source, name=name))
    return Reading(rows, tuple(replace(fault, source=name) for fault in reading.faults))


def _is_ignored(finding: Finding, options: AuditOptions) -> bool:
    """Return whether a code is to be left out for a file: the pattern fits its path, or its last part."""
    return any(
        finding.code.startswith(codes)
        for pattern, codes in options.per_file_ignores.items()
        if fnmatchcase(finding.source, pattern) or fnmatchcase(PurePath(finding.source).name, pattern)
    )
