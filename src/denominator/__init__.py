"""Retrieval evaluation that shows what every number was divided by.

>>> import denominator as dn
>>> qrels = dn.read_qrels({"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}})
>>> run = dn.read_run({"q1": {"d1": 2.0, "d9": 1.0}})
>>> for mean in dn.evaluate(qrels, run, ["RR", "R@1"]).means():
...     print(mean)
RR 0.500 (2 judged: 1 answered, 1 scored 0), 50% of the ceiling 1.000
R@1 0.250 (2 judged: 1 answered, 1 scored 0), 33% of the ceiling 0.750

Every name is imported when it is first used, so ``import denominator`` costs next to nothing; only `audit`,
`benchmark`, `crosscheck`, `evaluate` and `explain`, which import nothing themselves, are here from the start, because
modules of the same names would take their places.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from denominator.audit import audit
from denominator.benchmark import benchmark
from denominator.crosscheck import crosscheck
from denominator.evaluate import evaluate
from denominator.explain import explain

if TYPE_CHECKING:
    from denominator.dialects import dialect
    from denominator.errors import (
        AbsentError,
        AuditError,
        DenominatorError,
        EngineDisagreement,
        EngineError,
        FormatError,
        InputError,
        MeasureError,
        MissingExtraError,
        NoCommonQueriesError,
        TooLargeError,
        UndefinedError,
        UsageError,
    )
    from denominator.findings import Finding, Findings
    from denominator.formats import read_qrels, read_run, write_qrels, write_run
    from denominator.groups import read_groups
    from denominator.ledger import Ledger, LedgerRow
    from denominator.measures import Measure, parse_measure, parse_measures
    from denominator.model import Fault, Note, Qrels, Run, Severity
    from denominator.scores import Mean, Score, Scores

__all__ = [
    "AbsentError",
    "AuditError",
    "DenominatorError",
    "EngineDisagreement",
    "EngineError",
    "Fault",
    "Finding",
    "Findings",
    "FormatError",
    "InputError",
    "Ledger",
    "LedgerRow",
    "Mean",
    "Measure",
    "MeasureError",
    "MissingExtraError",
    "NoCommonQueriesError",
    "Note",
    "Qrels",
    "Run",
    "Score",
    "Scores",
    "Severity",
    "TooLargeError",
    "UndefinedError",
    "UsageError",
    "__version__",
    "audit",
    "benchmark",
    "crosscheck",
    "dialect",
    "evaluate",
    "explain",
    "parse_measure",
    "parse_measures",
    "read_groups",
    "read_qrels",
    "read_run",
    "write_qrels",
    "write_run",
]

_HOME = {
    "dialect": "dialects",
    "read_groups": "groups",
    **dict.fromkeys(("read_qrels", "read_run", "write_qrels", "write_run"), "formats"),
    **dict.fromkeys(("Measure", "parse_measure", "parse_measures"), "measures"),
    **dict.fromkeys(("Fault", "Note", "Qrels", "Run", "Severity"), "model"),
    **dict.fromkeys(("Mean", "Score", "Scores"), "scores"),
    **dict.fromkeys(("Ledger", "LedgerRow"), "ledger"),
    **dict.fromkeys(("Finding", "Findings"), "findings"),
}
"""Public name to the module it lives in; the others are exceptions."""


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("denominator")
    elif name in __all__:
        value = getattr(importlib.import_module(f"denominator.{_HOME.get(name, 'errors')}"), name)
    else:
        raise AttributeError(f"module 'denominator' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, imported or not."""
    return sorted({*globals(), *__all__})
