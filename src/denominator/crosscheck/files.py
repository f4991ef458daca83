"""The two files as every implementation gets them, and the rows in them.

A TREC file is handed on as it is, only uncompressed and as UTF-8: what a tool makes of its line ends, its ranks and its
repeated lines is part of the answer. Whatever else we read is written as TREC first, every row as it stands.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from denominator.errors import DenominatorError, FormatError, UsageError

if TYPE_CHECKING:
    from denominator.model import Fault, Qrels, Run

__all__ = ["Given", "given"]


@dataclass(frozen=True, eq=False)
class Given:
    """One of the two inputs."""

    name: str
    path: str
    """A plain file in the work folder."""
    rows: Any
    """Every row as it stands, a `Run` or `Qrels`; None where a line cannot become a row."""
    faults: tuple[Fault, ...]
    error: DenominatorError | None = None
    """Why there are no rows."""


def given(source: Any, kind: str, folder: str, *, form: str | None, encoding: str, float_grades: bool = False) -> Given:
    """Read an input once, and leave it as a plain TREC file in a folder.

    Raises:
        InputError: it cannot be opened, or it is no TREC file and cannot be read.
    """
    path = str(Path(folder) / f"{kind}.txt")
    if not _is_file(source):
        found = _examined(source, type(source).__name__, path, kind, form, encoding, float_grades)
    else:
        name, known = _copied(source, kind, path, form, encoding)
        with open(path, "rb") as file:
            found = _examined(_Named(file, name), name, path, kind, known, "utf-8", float_grades)
        if known == "trec":
            return found
    if found.error is not None:
        raise found.error
    _write(found.rows, path)
    return found


def _is_file(source: Any) -> bool:
    """Return whether a source is a path, or standard input."""
    return isinstance(source, os.PathLike) or (isinstance(source, str) and not source.startswith("ir_datasets:"))


def _copied(source: Any, kind: str, path: str, form: str | None, encoding: str) -> tuple[str, str]:
    """Copy a file, uncompressed, and return its name and format."""
    from denominator.formats.sniff import known_format, recognise
    from denominator.formats.sources import open_content

    with open_content(source, encoding=encoding) as content:
        # kind is one of the two words
        known = known_format(form, kind) if form else recognise(content.head, kind)  # type: ignore[arg-type]
        with open(path, "wb") as file:
            file.writelines(content.blocks())
        return content.name, known


class _Named:
    """An open file that messages call by the name of the one it was copied from."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.name = name
        self.read = file.read


def _examined(
    source: Any, name: str, path: str, kind: str, form: str | None, encoding: str, float_grades: bool
) -> Given:
    """Return the rows as they stand; where a line cannot be one, why not, for other tools may take it all the same."""
    from denominator.formats import examine_qrels, examine_run

    try:
        if kind == "run":
            reading: Any = examine_run(source, format=form, encoding=encoding)
        else:
            reading = examine_qrels(source, format=form, encoding=encoding, float_grades=float_grades)
    except FormatError as error:
        return Given(name, path, None, error.faults, error)
    return Given(reading.rows.source.name, path, reading.rows, reading.faults)


def _write(rows: Run | Qrels, path: str) -> None:
    """Write rows as TREC."""
    from denominator.formats import write_qrels, write_run
    from denominator.model import Run

    try:
        if isinstance(rows, Run):
            write_run(rows, path, format="trec")
        else:
            write_qrels(rows, path, format="trec")
    except DenominatorError as error:
        words = str(error).replace(path, "a TREC file")
        raise UsageError(
            f"{rows.source.name}: the other implementations read TREC files, and it cannot be one: {words}"
        ) from error
