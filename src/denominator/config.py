"""The settings that a project writes down: ``[tool.denominator]`` in pyproject.toml, or denominator.toml.

::

    [tool.denominator]
    k = [5, 10]
    corpus-size = 24
    ignore = ["D1"]

    [tool.denominator.severities]
    J101 = "error"

    [tool.denominator.per-file-ignores]
    "runs/old-*.run" = ["F"]

In denominator.toml the same stands without ``tool.denominator``. The nearest file counts, from the working directory
upwards; where a folder has both, denominator.toml. Only commands read it: a function of the library never depends on
where it is called. What a command line says goes before what a file says.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from denominator.audit.options import AuditOptions
from denominator.audit.settings import SETTINGS, nearest, understood
from denominator.errors import InputError, UsageError
from denominator.quoting import quoted

__all__ = ["Config", "InForce", "find", "in_force", "load"]

OWN = "denominator.toml"
SHARED = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """What one file says."""

    path: Path | None = None
    """The file, or None where there is none."""
    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """Field of `AuditOptions` → its value, understood."""


@dataclass(frozen=True, slots=True)
class InForce:
    """One setting as it is in force."""

    key: str
    """As a file spells it: ``corpus-size``."""
    value: Any
    origin: str
    """The file it is from, ``command line`` or ``default``."""


def find(start: Path) -> Config:
    """Return what the nearest configuration file says, from a folder upwards.

    Raises:
        InputError: the file cannot be read, or is not TOML.
        UsageError: it has a key or a value that is none.
    """
    for folder in [start, *start.parents]:
        for path in (folder / OWN, folder / SHARED):
            if path.is_file():
                found = load(path)
                if found is not None:
                    return found
    return Config()


def load(path: Path) -> Config | None:
    """Return what a file says, or None for a pyproject.toml without our table."""
    table = _parsed(path)
    if path.name == SHARED:
        table = table.get("tool", {}).get("denominator")
        if table is None:
            return None
    if not isinstance(table, Mapping):
        raise UsageError(f"{path}: tool.denominator is {table!r:.100}: expected a table of settings")
    known = {name.replace("_", "-"): name for name in SETTINGS}
    settings: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise UsageError(f"{path}: {quoted(key)} is not a setting{nearest(key, known)}")
        try:
            settings[known[key]] = understood(known[key], value, f"{key} = {value!r:.100}")
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
    if "per_file_ignores" in settings:
        settings["per_file_ignores"] = _anchored(settings["per_file_ignores"], path.parent)
    return Config(path, MappingProxyType(settings))


def in_force(config: Config, given: Mapping[str, Any]) -> tuple[InForce, ...]:
    """Return every setting with its origin; `given` is what the command line says, by field of `AuditOptions`."""
    defaults = AuditOptions()
    found = []
    for name in (one.name for one in fields(AuditOptions)):
        if name in given:
            value, origin = given[name], "command line"
        elif name in config.settings:
            value, origin = config.settings[name], str(config.path)
        else:
            value, origin = getattr(defaults, name), "default"
        found.append(InForce(name.replace("_", "-"), value, origin))
    return tuple(found)


def _parsed(path: Path) -> dict[str, Any]:
    """Return a TOML file as a dict."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start:,} is not UTF-8, which TOML files are") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from error


def _anchored(patterns: Mapping[str, tuple[str, ...]], folder: Path) -> Mapping[str, tuple[str, ...]]:
    """Return file patterns with a slash as whole paths, so that they fit from every folder below the file's own."""
    root = os.path.abspath(folder)
    return MappingProxyType(
        {
            os.path.join(root, pattern) if "/" in pattern and not os.path.isabs(pattern) else pattern: codes
            for pattern, codes in patterns.items()
        }
    )
