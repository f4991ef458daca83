"""A TREC file as its lines, and what a repair makes of them: only what it is about changes, not a byte besides."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from denominator.cached import cached_property
from denominator.formats import Reading, examine_qrels, examine_run

if TYPE_CHECKING:
    from denominator.formats.table import Kind

__all__ = ["Keep", "Lines", "Mended", "ended", "fields_at", "fields_of", "mapped"]

Keep = Literal["best", "first", "last"]
"""Which of several rows of one query and document stays."""

_FIELD = re.compile(rb"[^ \t]+")
BOM = b"\xef\xbb\xbf"

FORGIVEN = {"header": "skip", "fields": "skip", "tag": "none"}
"""Lines that are no rows stay in the copy where they stand, unless a repair is about them."""


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines of a TREC file, each with its end; never changed, only replaced by other lines."""

    name: str
    kind: Kind
    lines: tuple[bytes, ...]
    bom: bool = False
    """Whether a byte order mark stands before the first line."""
    lenient: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What the reader was told: ``comments=rows``."""

    @classmethod
    def of(cls, name: str, kind: Kind, data: bytes, *, bom: bool = False, lenient: Mapping[str, str]) -> Lines:
        """Cut a text into lines, which end at LF and nowhere else."""
        return cls(name, kind, tuple(io.BytesIO(data)), bom, lenient)

    @cached_property
    def reading(self) -> Reading[Any]:
        """The rows as they stand, and what is wrong with them; each row knows its line.

        Raises:
            FormatError: a line holds what no repair can mend, such as NUL; or no line is a row.
        """
        examine = examine_run if self.kind == "run" else examine_qrels
        how = {**FORGIVEN, **self.lenient}
        return examine(_Named(self.data(), self.name), format="trec", lenient=how)

    def data(self) -> bytes:
        """Return the whole text, the byte order mark included."""
        return (BOM if self.bom else b"") + b"".join(self.lines)

    def is_comment(self, line: bytes) -> bool:
        """Return whether a line is a comment and no row."""
        return line.startswith(b"#") and self.lenient.get("comments") != "rows"

    def is_text(self, line: bytes) -> bool:
        """Return whether a line is neither blank nor a comment."""
        return bool(line.strip()) and not self.is_comment(line)

    def line_at(self, row: int) -> int:
        """Return the index of a row's line."""
        return int(self.reading.rows.line_of(row)) - 1

    def without(self, which: Iterable[int]) -> Lines:
        """Return the file without the lines at some indices."""
        gone = set(which)
        return replace(self, lines=tuple(line for at, line in enumerate(self.lines) if at not in gone))

    def with_lines(self, changed: Mapping[int, bytes]) -> Lines:
        """Return the file with other lines at some indices."""
        lines = list(self.lines)
        for at, line in changed.items():
            lines[at] = line
        return replace(self, lines=tuple(lines))

    def with_fields(self, number: int, texts: Mapping[int, str]) -> Lines:
        """Return the file with another text in the field `number`, from 0, of some rows; the gaps stay as they are."""
        changed = {}
        for row, text in texts.items():
            at = self.line_at(row)
            line = self.lines[at]
            old = fields_at(line)[number]
            changed[at] = line[: old.start()] + text.encode() + line[old.end() :]
        return self.with_lines(changed)


@dataclass(frozen=True, eq=False)
class Mended:
    """What one repair made of a file."""

    file: Lines
    count: int
    """How many lines, rows or judgments it changed or left out."""
    queries: frozenset[str] = frozenset()
    """The queries whose ranking or judgments are not what they were."""
    remark: str = ""
    """What else there is to know: what was chosen, what was left as it was."""


def mapped(file: Lines, change: Callable[[bytes], bytes | None]) -> Mended:
    """Return a file with each line changed, or left out where the change is None, and how many lines that were."""
    lines = tuple(change(line) for line in file.lines)
    count = sum(new != old for new, old in zip(lines, file.lines, strict=True))
    return Mended(replace(file, lines=tuple(line for line in lines if line is not None)), count)


def ended(line: bytes) -> tuple[bytes, bytes]:
    """Return a line without its end, and the end: LF, CR LF, a CR at the end of the file, or nothing.

    >>> ended(b"q1 0 d1 1\\r\\n")
    (b'q1 0 d1 1', b'\\r\\n')
    """
    text = line.removesuffix(b"\n").removesuffix(b"\r")
    return text, line[len(text) :]


def fields_at(line: bytes) -> list[re.Match[bytes]]:
    """Return the fields of a line, each with its place."""
    return list(_FIELD.finditer(ended(line)[0]))


def fields_of(line: bytes) -> list[str]:
    """Return the texts of the fields of a line."""
    return [one.group().decode("utf-8", "replace") for one in fields_at(line)]


class _Named(io.BytesIO):
    """A text in memory that goes by the name of its file."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name
