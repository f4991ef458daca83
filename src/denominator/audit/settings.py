"""What the settings of an audit may be, wherever they are from: Python, a command line, a configuration file."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from denominator.audit.options import AuditOptions
from denominator.collapse import check_separator
from denominator.errors import UsageError
from denominator.model import Severity
from denominator.quoting import quoted

__all__ = ["SETTINGS", "Setting", "codes", "nearest", "options_of", "understood"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: how a value given for it is understood; raises ValueError for one that is not."""

    understand: Callable[[Any], Any]
    expected: str
    """What a message says is expected."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean X?`` for a word that is almost one of the known ones, and the known ones otherwise."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=1)
    return f"; did you mean {near[0]}?" if near else f"; there are: {', '.join(names)}"


_READ_AS_DIGITS = str.maketrans("OIL", "011")


def nearest_codes(word: str) -> str:
    """Return ``; did you mean X or Y?`` for a word that is almost a code, and a family's codes or the families else."""
    from denominator.audit.registry import CHECKS

    digits = word[:1].upper() + word[1:].upper().translate(_READ_AS_DIGITS)
    near = [digits] if digits in CHECKS else difflib.get_close_matches(digits, CHECKS, n=3, cutoff=0.7)
    if near:
        return f"; did you mean {' or '.join(sorted(near))}?"
    family = [code for code in CHECKS if code[:1] == word[:1].upper()]
    if family:
        return f"; those of {family[0][0]} are {family[0]} to {family[-1]}"
    letters = ", ".join(dict.fromkeys(code[0] for code in CHECKS))
    return f"; codes begin with {letters}: `denominator rules` lists them"


def options_of(settings: Mapping[str, Any]) -> AuditOptions:
    """Return the options in some settings.

    Raises:
        UsageError: an unknown setting, with the nearest known one, or a value that it cannot have.
    """
    return AuditOptions(**{name: understood(name, value) for name, value in settings.items()})


def understood(name: str, value: Any, words: str = "") -> Any:
    """Return a setting's value as `AuditOptions` holds it; `words` is how a message shows what was given."""
    if name not in SETTINGS:
        raise UsageError(f"{quoted(name)} is not a setting of the audit{nearest(name, SETTINGS)}")
    try:
        return SETTINGS[name].understand(value)
    except UsageError as error:
        raise UsageError(f"{words or name}: {error}") from None
    except (ValueError, TypeError, AttributeError):
        raise UsageError(f"{words or f'{name}={value!r:.100}'}: expected {SETTINGS[name].expected}") from None


def _cutoffs(value: Any) -> tuple[int, ...]:
    given = value.replace(",", " ").split() if isinstance(value, str) else value
    listed = [given] if isinstance(given, int) else list(given)
    found = tuple(dict.fromkeys(_count(one) for one in listed))
    if not found:
        raise ValueError
    return found


def _count(value: Any) -> int:
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError
    return value


def _maybe(understand: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else understand(value)


def _level(value: Any) -> float:
    number = _number(value)
    if not 0 < number < float("inf"):
        raise ValueError
    return int(number) if number == int(number) else number


def _share(value: Any) -> float:
    number = _number(value)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def _positive_share(value: Any) -> float:
    if not (share := _share(value)):
        raise ValueError
    return share


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    return float(value)


def _scale(value: Any) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(-?\d+)\s*-\s*(-?\d+)\s*", value) if isinstance(value, str) else None
    low, high = map(int, found.groups()) if found else value
    if any(isinstance(end, bool) or not isinstance(end, int) for end in (low, high)) or low > high:
        raise ValueError
    return low, high


def codes(value: Any) -> tuple[str, ...]:
    """Return codes, or the beginnings of codes, each of which some check has."""
    from denominator.audit.registry import CHECKS

    listed = value.replace(",", " ").split() if isinstance(value, str) else list(value)
    for one in listed:
        if not any(code.startswith(one) for code in CHECKS) or not one:
            raise UsageError(f"no check has a code that begins with {quoted(one)}{nearest_codes(one)}")
    return tuple(listed)


def _severities(value: Any) -> Mapping[str, Severity]:
    from denominator.audit.registry import CHECKS

    for code in value:
        if code not in CHECKS:
            raise UsageError(f"no check has the code {quoted(str(code))}{nearest_codes(str(code))}")
    return MappingProxyType({code: Severity(getattr(one, "value", one)) for code, one in value.items()})


def _per_file(value: Any) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({str(pattern): codes(listed) for pattern, listed in value.items()})


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        "k": Setting(_cutoffs, "numbers of documents, 1 or more, as in 5,10"),
        "level": Setting(_level, "a grade above 0; a document of grade 0 is judged non-relevant"),
        "corpus_size": Setting(_maybe(_count), "a number of documents, 1 or more"),
        "grades": Setting(_maybe(_scale), "the smallest and the largest grade, as in 0-3"),
        "min_coverage": Setting(_maybe(_share), "a share between 0 and 1"),
        "min_judged": Setting(_share, "a share between 0 and 1"),
        "min_queries": Setting(_count, "a number of queries, 1 or more"),
        "max_tied": Setting(_share, "a share between 0 and 1"),
        "collapse": Setting(_maybe(check_separator), "what stands between document and chunk, as in #"),
        "near_duplicates": Setting(_maybe(_positive_share), "a share above 0, at most 1, as in 0.8"),
        "select": Setting(codes, "codes of checks, or their beginnings, as in D,R101"),
        "ignore": Setting(codes, "codes of checks, or their beginnings, as in D,R101"),
        "per_file_ignores": Setting(_per_file, "file patterns, each with codes of checks or their beginnings"),
        "severities": Setting(_severities, "codes of checks, each with error, warning or info"),
    }
)
"""Field of `AuditOptions` → what may be given for it."""
