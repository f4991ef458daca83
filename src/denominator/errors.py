"""Every exception this package raises on purpose.

::

    DenominatorError
    ├── InputError (ValueError)          a file, frame or mapping cannot be used as it stands
    │   ├── AbsentError                  a data set's files are not on this machine
    │   ├── FormatError                  carries every fault that was found, with its line
    │   ├── NoCommonQueriesError         qrels and run share no query id
    │   └── TooLargeError                the input would not fit into memory
    ├── UsageError (ValueError)          an argument or option that makes no sense
    │   └── MeasureError                 an unknown measure, or a parameter it cannot have
    ├── UndefinedError (ArithmeticError) the textbook definition has no value here (|Rel| = 0)
    ├── EngineError (RuntimeError)       an engine was asked for what it cannot compute
    │   └── EngineDisagreement           two engines that must agree do not
    ├── AuditError (ValueError)          the audit found what makes a number wrong
    └── MissingExtraError (ImportError)  an optional library is not installed

Each message says where, what was found, what was expected and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.findings import Finding
    from denominator.model import Fault

__all__ = [
    "AbsentError",
    "AuditError",
    "DenominatorError",
    "EngineDisagreement",
    "EngineError",
    "FormatError",
    "InputError",
    "MeasureError",
    "MissingExtraError",
    "NoCommonQueriesError",
    "TooLargeError",
    "UndefinedError",
    "UsageError",
]

FAULTS_SHOWN = 20
"""How many faults of one file an error message spells out; the rest are counted."""


class DenominatorError(Exception):
    """The root: catch this to catch everything the package raises on purpose.

    Its arguments are the lines of its message. What could steer a terminal, or look like a further line, is spelled out
    in each: a file's name may hold it.
    """

    def __str__(self) -> str:
        """Return the message."""
        return "\n".join(plain(str(line)) for line in self.args)


class InputError(DenominatorError, ValueError):
    """A file, frame or mapping cannot be used as it stands."""


class AbsentError(InputError):
    """Files of a data set are not on this machine, and nothing is downloaded unasked."""

    def __init__(self, message: str, dataset: str, part: str) -> None:
        """Carry the id of the data set and the part of it that was wanted: docs, queries, qrels or scoreddocs."""
        self.dataset = dataset
        self.part = part
        super().__init__(*message.split("\n"))

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled with all that makes it."""
        return type(self), (str(self), self.dataset, self.part)


class FormatError(InputError):
    """An input was refused; `faults` holds everything that is wrong with it, in file order."""

    def __init__(self, source: str, faults: Sequence[Fault]) -> None:
        """Spell out the first faults of `source` and count the rest."""
        self.source = source
        self.faults = tuple(faults)
        lines = [str(fault) for fault in self.faults[:FAULTS_SHOWN]]
        hidden = sum(fault.count for fault in self.faults) - sum(f.count for f in self.faults[:FAULTS_SHOWN])
        if hidden > 0:
            lines.append(f"{source}: and {hidden:,} more")
        super().__init__(*lines)

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled with all that makes it."""
        return type(self), (self.source, self.faults)


class NoCommonQueriesError(InputError):
    """Qrels and run share no query id, so nothing can be measured."""


class TooLargeError(InputError):
    """The input would not fit into the memory that is available."""


class UsageError(DenominatorError, ValueError):
    """An argument or option that makes no sense."""


class MeasureError(UsageError):
    """An unknown measure, or a parameter it cannot have."""


class UndefinedError(DenominatorError, ArithmeticError):
    """The textbook definition has no value here, such as recall of a query without relevant documents."""


class EngineError(DenominatorError, RuntimeError):
    """An engine was asked for what it cannot compute."""


class EngineDisagreement(EngineError):  # noqa: N818  (it names what happened, not only that it is an error)
    """Two engines that must agree gave different values."""


class AuditError(DenominatorError, ValueError):
    """The audit found what makes a number wrong; `findings` holds the findings of severity ERROR."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        """Spell out the first findings and count the rest."""
        self.findings = tuple(findings)
        lines = [f"{one.source}: {one.code} {one.message}. Fix: {one.fix}" for one in self.findings[:FAULTS_SHOWN]]
        hidden = len(self.findings) - len(lines)
        super().__init__(*lines, *([f"and {hidden:,} more findings"] if hidden else []))

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled with all that makes it."""
        return type(self), (self.findings,)


class MissingExtraError(DenominatorError, ImportError):
    """An optional library is not installed; the message holds the pip line."""
