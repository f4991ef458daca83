"""What every reader returns, and the three small nouns that readers are written in.

A reader is one function ``read(content, options) -> Table``. It turns an input into **rows as they stand** and lists
what it saw; it never drops, merges, sorts or corrects a row. Everything after that is the same for every format and
done in :mod:`denominator.formats`: duplicates, NaN, conflicting grades, leniencies, refusing or noting.

To add a format for files
    1. write ``formats/<name>.py`` with ``sniff(head: Head, kind: Kind) -> bool`` and
       ``read(content: Content, options: Options) -> Table``;
    2. add a row to ``FORMATS`` in ``formats/known.py``. The order there is the order of asking; TREC is asked last.

To add a kind of object (a frame, a dict, an ``ir_datasets:`` id)
    write ``accepts(source: object) -> bool`` and ``read(source: object, options: Options) -> Table`` and add a row to
    ``OBJECTS`` there. Objects are asked before a string is taken for a path.

Most readers end in :func:`denominator.formats.columns.from_columns`: lists of query ids, document ids and values (text
or numbers, as found) in, a table out, with the faults of ids and values already named. A reader adds what only it
knows: a line that is no row (``Fault`` of severity ERROR, kind ``field-count``), a choice it made (severity INFO, such
as "no score column: score is minus the rank"). INFO and WARNING become ``source.notes`` and are printed by ``score``.
What cannot be read at all raises ``sources.refusal(content.name, kind, message, line)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.model import F64, I32, I64, Fault, Labels

__all__ = ["Format", "Kind", "ObjectFormat", "Options", "Table"]

Kind = Literal["run", "qrels"]


class Options(NamedTuple):
    """What the caller asked for, as a reader needs to know it."""

    kind: Kind
    encoding: str = "utf-8"
    float_grades: bool = False
    """Whether grades may be real numbers (qrels)."""
    lenient: Mapping[str, str] = MappingProxyType({})
    """The chosen leniencies, such as ``{"duplicates": "best"}``; names and choices are checked already."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Rows as they stand. Shapes: n rows, in the order of the input."""

    queries: tuple[str, ...]
    """The distinct query ids, in order of first appearance."""
    query: I32
    """(n,) index into `queries`."""
    doc_id: Any
    """(n,) Arrow ``large_string`` array."""
    value: F64 | I64
    """(n,) score (float64) or grade (int64; float64 where one is not whole). NaN where a fault says why."""
    read_as: str
    """What was recognised, without the number of rows: ``TREC run, 6 columns``."""
    faults: tuple[Fault, ...] = ()
    """What was seen while reading, with severities; `source` may be left empty, it is filled in later."""
    lost: int = 0
    """How many lines could not become rows (wrong number of fields, not UTF-8, NUL); each has its fault."""
    unusable: I64 | None = None
    """The rows whose value is no number (NaN stands there), in order; each has its fault."""
    line: I64 | None = None
    """(n,) line of each row, from 1; None where row i is line i + 1 or there are no lines."""
    has_lines: bool = False
    """Whether the input is text with one row a line."""
    iteration: Labels | None = None
    """Qrels: the second column."""
    rank: I32 | I64 | tuple[str, ...] | None = None
    """Run: the rank column, as texts where one of them is not a whole number."""
    tag: Labels | None = None
    """Run: the tag column."""
    wide: Mapping[int, str] = field(default_factory=dict)
    """Run: row → what stood there, for scores that a float may not hold apart from others."""


class Format(NamedTuple):
    """One row of the table of file formats."""

    kinds: frozenset[Kind]
    title: str
    """How a message calls it: ``TREC (4 or 6 columns)``."""
    sniff: Callable[[Head, Kind], bool]
    """Whether the first bytes of a file are this format; must be sure, TREC takes what nobody claims."""
    read: Callable[[Content, Options], Table]


class ObjectFormat(NamedTuple):
    """One row of the table of Python objects that hold rows."""

    accepts: Callable[[object], bool]
    read: Callable[[object, Options], Table]
    name: Callable[[object], str]
    """What messages call the object: ``DataFrame``, ``ir_datasets:cranfield``."""
