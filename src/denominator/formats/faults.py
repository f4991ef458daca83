"""Collecting what is wrong with an input, so that a user mends a file once and not once per line.

Text from files is escaped and shortened wherever a message shows it: an id may hold a terminal's control sequences, and
a line may be ten megabytes long.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from denominator.model import Fault, Severity

if TYPE_CHECKING:
    from denominator.formats.numbers import Values
    from denominator.formats.table import Kind
    from denominator.model import I64

__all__ = ["INSIDE_BOM", "KEPT", "LIMITS", "SWAPPED", "Faults", "Place", "lines_words", "listed", "show", "tell_values"]

KEPT = 200
"""How many faults of one kind are spelled out; the rest become one fault with their count."""

LIMITS: dict[Kind, str] = {"run": "the largest 64-bit float (1.8e308)", "qrels": "a 64-bit whole number"}
"""What a score, or a grade, must not be beyond."""

SWAPPED = "Are qrels and run swapped?"
"""What is asked where the numbers or columns are those of the other kind."""

SHOWN = 60
"""How many characters of a text from a file a message shows."""


def show(text: str | bytes, limit: int = SHOWN) -> str:
    """Return a text from a file as a message may show it: control characters escaped, the middle of long text left out.

    >>> show("d1")
    'd1'
    >>> show("\\x1b[2Jd1")
    '\\\\x1b[2Jd1'
    >>> show("x" * 1000, limit=20)
    'xxxxxxxxxx…xxxxx (1,000 characters)'
    """
    if isinstance(text, bytes):
        text = text[: 2 * limit].decode("utf-8", "replace") + ("…" if len(text) > 2 * limit else "")
    size = len(text)
    if size > limit:
        text = f"{text[: limit // 2]}…{text[-(limit // 4) :]}"
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return f"{safe} ({size:,} characters)" if size > limit else safe


INSIDE_BOM = "a byte order mark (U+FEFF) begins this line: two files joined? It would be a part of the id; take it out"
"""What is said of a mark at the beginning of a line that is not the first."""


def lines_words(lines: list[int]) -> str:
    """Return the first lines of a list as words.

    >>> lines_words([4])
    'line 4'
    >>> lines_words([1, 4, 9, 12, 15])
    'lines 1, 4, 9 and 2 more'
    """
    if len(lines) == 1:
        return f"line {lines[0]:,}"
    return f"lines {listed([f'{line:,}' for line in lines])}"


def listed(words: list[str], most: int = 3) -> str:
    """Return a few words as an enumeration, the rest counted.

    >>> listed(["a", "b"])
    'a and b'
    """
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most:,} more"
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@dataclass(eq=False, repr=False)
class Faults:
    """Faults as they are found: the first of each kind as they are, the rest counted."""

    found: list[Fault] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """How often each kind was told, the unkept ones included."""
    _rest: dict[str, Fault] = field(default_factory=dict)

    def add(
        self,
        kind: str,
        message: str,
        *,
        severity: Severity = Severity.ERROR,
        line: int | None = None,
        query_id: str | None = None,
        doc_id: str | None = None,
        count: int = 1,
        lines: Iterable[int] = (),
        query_ids: Iterable[str] = (),
        remedy: str = "",
    ) -> None:
        """Keep one fault; after the first few of its kind it is only counted."""
        first = tuple(itertools.islice(lines, KEPT)), tuple(itertools.islice(query_ids, KEPT))
        self.keep(Fault(kind, severity, message, "", line, query_id, doc_id, count, *first, remedy))

    def keep(self, fault: Fault) -> None:
        """Keep a fault made elsewhere, as :meth:`add` does."""
        seen = self.counts.get(fault.kind, 0)
        self.counts[fault.kind] = seen + 1
        if seen < KEPT:
            self.found.append(fault)
        else:
            first = self._rest.setdefault(fault.kind, replace(fault, count=0))
            self._rest[fault.kind] = replace(first, count=first.count + fault.count)

    def listing(self) -> tuple[Fault, ...]:
        """Return what was found, and one fault for the rest of each kind, with its count and first line."""
        rest = [replace(f, message=f"{f.count:,} more like these ({f.kind})", remedy="") for f in self._rest.values()]
        return (*self.found, *rest)


class Place(NamedTuple):
    """Where a row stands: on a line of a file, or at a number in a list."""

    lines: I64 | None = None
    has_lines: bool = False

    def line(self, row: int) -> int | None:
        """Return the line of a row, from 1, or None."""
        if self.lines is not None:
            return int(self.lines[row])
        return row + 1 if self.has_lines else None

    def words(self, row: int, message: str) -> str:
        """Return a message with the row's number in front where it has no line."""
        return message if self.line(row) is not None else f"row {row + 1:,}: {message}"


def tell_values(values: Values, kind: Kind, place: Place, faults: Faults) -> None:
    """Add the faults of the scores or grades that could not be converted."""
    noun = "score" if kind == "run" else "grade"
    wanted = "a number" if kind == "run" else "a whole number"
    for row, text in values.not_numbers.items():
        faults.add(f"{noun}-number", place.words(row, f'{noun} "{show(text)}" is not {wanted}'), line=place.line(row))
    for row, text in values.overflows.items():
        faults.add(
            f"{noun}-overflow",
            place.words(row, f'{noun} "{show(text)}" is beyond {LIMITS[kind]}'),
            line=place.line(row),
        )
    if values.fractions:
        row, text = next(iter(values.fractions.items()))
        count, total = len(values.fractions), len(values.array)
        in_lines = place.line(row) is not None  # where a run is told from qrels before its numbers are read
        unit, swapped = ("lines", "") if in_lines else ("rows", f"{SWAPPED} ")
        message = (
            f'grade "{show(text)}" is not a whole number ({count:,} of {total:,} {unit} affected); trec_eval would '
            f"silently use {int(values.array[row])}. {swapped}Round the grades yourself"
        )
        option = "--float-grades (in Python float_grades=True)"
        remedy = f"or {option} takes them as real-valued gains, where there is that option"
        faults.add("grade-fraction", place.words(row, message), line=place.line(row), count=count, remedy=remedy)
