"""Public files that are known by their content: name, revision, and what is known to be odd about them.

The table is ``known_files.csv`` beside this module: the SHA-256 of a file's bytes as published, where, and facts. A
label such as v1.0 is no revision, so nothing here goes by a file's name. Our own samples are in it too.
"""

from __future__ import annotations

import csv
import hashlib
import os
import pkgutil
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KNOWN", "LARGEST", "Known", "known_file", "known_file_at"]

LARGEST = 50_000_000
"""Bytes of the largest file that is looked at."""


@dataclass(frozen=True, slots=True)
class Known:
    """One published file."""

    sha256: str
    size: int
    """Bytes."""
    name: str
    revision: str
    repository: str
    commit: str
    """All 40 digits, or empty for what is in no repository of others."""
    path: str
    """Inside the repository."""
    superseded: bool
    """Whether another file of the same name has taken its place."""
    issues: tuple[str, ...]
    """What is known to be odd about it."""

    @property
    def published(self) -> str:
        """Where: repository, commit and path."""
        return f"{self.repository}{f' at {self.commit[:12]}' if self.commit else ''}, {self.path}"

    @property
    def url(self) -> str:
        """The address of exactly these bytes, or empty where they are in no repository of others."""
        return f"https://{self.repository}/raw/{self.commit}/{self.path}" if self.commit else ""


def _table() -> Mapping[str, Known]:
    """Read the table of the package."""
    text = (pkgutil.get_data(__package__, "known_files.csv") or b"").decode("utf-8")
    rows = [
        Known(
            row["sha256"],
            int(row["bytes"]),
            row["name"],
            row["revision"],
            row["repository"],
            row["commit"],
            row["path"],
            row["superseded"] == "yes",
            tuple(row["facts"].split(" | ")) if row["facts"] else (),
        )
        for row in csv.DictReader(text.splitlines())
    ]
    return MappingProxyType({row.sha256: row for row in rows})


KNOWN: Mapping[str, Known] = _table()
"""SHA-256 in hexadecimal digits → file."""


def known_file(path: str) -> Known | None:
    """Return what is known of a file, or None: unknown, larger than :data:`LARGEST`, or no file that can be read."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
            return None
        with open(path, "rb") as file:
            return KNOWN.get(hashlib.file_digest(file, "sha256").hexdigest())
    except (OSError, ValueError):  # gone, not to be read, or no path at all: a name may be any text
        return None


def known_file_at(commit: str, path: str) -> Known | None:
    """Return the row of the file that is published at a commit under a path."""
    return next((row for row in KNOWN.values() if (row.commit, row.path) == (commit, path)), None)
