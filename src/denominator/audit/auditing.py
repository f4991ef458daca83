"""How an audit goes: examine the files, gather the evidence, run the checks that are wanted, sort what they find."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from denominator.audit.corpus import with_corpus
from denominator.audit.evidence import Evidence
from denominator.audit.per_query import query_table
from denominator.audit.registry import CHECKS
from denominator.errors import DenominatorError
from denominator.evaluation import named_runs
from denominator.findings import SEVERITIES, Findings, Unread
from denominator.formats import Reading, examine_qrels, examine_run, parse_lenient

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.audit.options import AuditOptions
    from denominator.findings import Finding

__all__ = ["audited", "run_checks"]

FORGIVEN = {"header": "skip", "fields": "skip", "tag": "none"}
"""Lines that are no rows, or lack a tag, do not stop an audit: they are findings, and all the others are audited."""


def audited(
    qrels: Any,
    runs: Any,
    options: AuditOptions,
    *,
    truth: Any = None,
    others: Sequence[Any] = (),
    corpus: Any = None,
    reading: Mapping[str, Mapping[str, Any]] | None = None,
) -> Findings:
    """Examine everything that is given and run the checks; see :func:`denominator.audit`.

    `reading` holds the arguments of the readers, under ``qrels`` and ``run``.
    """
    how = {kind: _lenient((reading or {}).get(kind, {})) for kind in ("qrels", "run")}
    judged = examine_qrels(qrels, **how["qrels"])
    readings, failures = _examined(runs, how["run"])
    evidence = Evidence.of(
        judged,
        readings,
        options,
        truth=None if truth is None else examine_qrels(truth, **how["qrels"]),
        others=[examine_qrels(other, **how["qrels"]) for other in others],
    )
    if corpus is not None:
        evidence = with_corpus(evidence, corpus)
    return replace(run_checks(evidence), failures=tuple(failures))


def run_checks(evidence: Evidence) -> Findings:
    """Run the checks that the options want, and return what they find, most severe first, then by code and file."""
    options = evidence.options
    wanted = [one for code, one in CHECKS.items() if options.wants(code)]
    found = [finding for one in wanted for finding in one(evidence) if not _is_ignored(finding, options)]
    beside = [*([] if evidence.truth is None else [evidence.truth]), *evidence.others]
    sources = [evidence.qrels.raw.source, *(run.raw.source for run in evidence.runs)]
    sources += [some.raw.source for some in beside]
    place = {source.name: number for number, source in reversed(list(enumerate(sources)))}
    found.sort(
        key=lambda one: (SEVERITIES.index(one.severity), one.code, place.get(one.source, len(place)), one.source)
    )
    runs = evidence.runs if any(one.code.startswith("D") for one in wanted) else ()
    tables = tuple(query_table(run, options, options.corpus_size) for run in runs)
    return Findings(tuple(found), tuple(one.code for one in wanted), tuple(sources), tables)


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
    """Return whether a code is to be left out for a file: a pattern fits its name, its last part or its whole path."""
    names = (finding.source, PurePath(finding.source).name, os.path.abspath(finding.source))
    return any(
        finding.code.startswith(codes) and any(fnmatchcase(name, pattern) for name in names)
        for pattern, codes in options.per_file_ignores.items()
    )
