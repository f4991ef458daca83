"""Readers and writers of qrels and runs.

>>> run = read_run({"q1": {"d1": 2.0, "d2": 1.0}})
>>> len(run), run.queries
(2, ('q1',))

`read_qrels` and `read_run` are strict: what they return is clean, or they raise
:class:`~denominator.errors.FormatError` with everything that is wrong. `examine_qrels` and `examine_run` return every
row as it stands and list what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from denominator.errors import FormatError, InputError, UsageError
from denominator.formats.known import FORMATS, OBJECTS
from denominator.formats.lenient import LENIENCIES, parse_lenient
from denominator.formats.sniff import known_format, recognise, wrong_format
from denominator.formats.sources import open_content, refusal
from denominator.formats.strict import accept, examine
from denominator.formats.table import Options, Table
from denominator.model import Fault, Qrels, Run, Severity
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.formats.write import write_qrels, write_run

__all__ = [
    "FORMATS",
    "LENIENCIES",
    "Reading",
    "examine_qrels",
    "examine_run",
    "parse_lenient",
    "read_qrels",
    "read_run",
    "write_qrels",
    "write_run",
]

BOM_STRIPPED = Fault("bom", Severity.INFO, "a byte order mark was stripped from the front", line=1)

Rows = TypeVar("Rows", Run, Qrels)


def __getattr__(name: str) -> object:
    """Import the writers when one is first asked for."""
    if name not in ("write_qrels", "write_run"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from denominator.formats import write

    return getattr(write, name)


class Reading(NamedTuple, Generic[Rows]):
    """Every row of an input as it stands, and everything that is wrong or odd about it, in file order."""

    rows: Rows
    faults: tuple[Fault, ...]


def read_qrels(
    source: object,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    lenient: str | Mapping[str, str] = "",
    float_grades: bool = False,
) -> Qrels:
    """Read relevance judgments: a path, ``-`` for standard input, a dict, a frame, an ``ir_datasets:`` id.

    Args:
        source: what to read; compressed files are recognised by their first bytes.
        format: the name of a format in :data:`FORMATS`, where it should not be recognised from the content.
        encoding: of a text file.
        lenient: what to forgive, such as ``"conflicts=max"``: see :data:`LENIENCIES`.
        float_grades: accept grades that are real numbers; `relevance` is then float64.

    Raises:
        FormatError: with every fault and its line.
        InputError: the input cannot be opened, or would not fit into memory; or it is several published files of
            judgments, one behind the other.
        UsageError: an unknown format, encoding or leniency.
    """
    options = Options("qrels", encoding, float_grades, parse_lenient(lenient))
    try:
        qrels = cast(Qrels, _settled(source, format, options, accept))
    except FormatError:
        _refuse_merged(source)
        raise
    if any(note.kind == "split-query" for note in qrels.source.notes):
        _refuse_merged(source)
    return qrels


def _refuse_merged(source: object) -> None:
    """Refuse published judgments that were put one behind the other; asked only where the rows look like it.

    Raises:
        InputError: with the names of the files that it was.
    """
    from denominator.merged import merged

    words = merged(source)
    if words:
        raise InputError(
            f"{short(str(source))}: {words}. The same query id means another query in each, or the same pair another "
            "grade; score each alone"
        )


def read_run(
    source: object,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    lenient: str | Mapping[str, str] = "",
) -> Run:
    """Read a run: a path, ``-`` for standard input, a dict, a frame, an ``ir_datasets:`` id; see :func:`read_qrels`.

    `lenient` may be such as ``"duplicates=best,nan=last"``.
    """
    options = Options("run", encoding, lenient=parse_lenient(lenient))
    return cast(Run, _settled(source, format, options, accept))


def examine_qrels(
    source: object,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    lenient: str | Mapping[str, str] = "",
    float_grades: bool = False,
) -> Reading[Qrels]:
    """Read judgments with every row as it stands, repeats and contradictions included, and list all faults.

    `lenient` may only say which lines are rows (``header``, ``fields``, ``tag``, ``comments``). Raises
    :class:`~denominator.errors.FormatError` when a line cannot become a row, or nothing is one.
    """
    options = Options("qrels", encoding, float_grades, _about_lines(lenient))
    if isinstance(source, Qrels):
        return Reading(source, _reexamined(source, options))
    rows, faults = _settled(source, format, options, examine)
    return Reading(cast(Qrels, rows), faults)


def examine_run(
    source: object,
    *,
    format: str | None = None,
    encoding: str = "utf-8",
    lenient: str | Mapping[str, str] = "",
) -> Reading[Run]:
    """Read a run with every row as it stands, duplicates and NaN included, and list all faults: see `examine_qrels`."""
    options = Options("run", encoding, lenient=_about_lines(lenient))
    if isinstance(source, Run):
        return Reading(source, _reexamined(source, options))
    rows, faults = _settled(source, format, options, examine)
    return Reading(cast(Run, rows), faults)


def _about_lines(lenient: str | Mapping[str, str]) -> Mapping[str, str]:
    """Return leniencies that only say which lines are rows; refuse the others, for no row is touched."""
    chosen = parse_lenient(lenient)
    for name in chosen:
        if name not in ("header", "fields", "tag", "comments"):
            raise UsageError(f"lenient {name}: not here, where every row is shown as it stands")
    return chosen


def _reexamined(rows: Run | Qrels, options: Options) -> tuple[Fault, ...]:
    """Return what is wrong with rows that were read before, or made by a program."""
    table = Table(
        queries=rows.queries,
        query=rows.query,
        doc_id=rows.doc_id,
        value=rows.score if isinstance(rows, Run) else rows.relevance,
        read_as=rows.source.read_as,
        line=rows.line,
        has_lines=rows.has_lines,
        rank=rows.rank if isinstance(rows, Run) else None,
        tag=rows.tag if isinstance(rows, Run) else None,
        iteration=rows.iteration if isinstance(rows, Qrels) else None,
    )
    return examine(table, options, rows.source.name, rows.source.format)[1]


Settled = TypeVar("Settled")


def _is_path(source: object) -> bool:
    """Return whether a source is a path for sure, so that no reader of objects need be imported to ask."""
    return hasattr(source, "__fspath__") or (isinstance(source, str) and not source.startswith("ir_datasets:"))


def _settled(
    source: object, format: str | None, options: Options, settle: Callable[[Table, Options, str, str], Settled]
) -> Settled:
    """Read an input and return what `settle` makes of its table, the options, its name and the name of its format."""
    for known, one in ({} if _is_path(source) else OBJECTS).items():
        if one.accepts(source):
            if format is not None:
                raise UsageError(f"format={format!r}: a file can be forced to a format, not {one.name(source)}")
            return settle(one.read(source, options), options, one.name(source), known)
    if not (isinstance(source, str) or hasattr(source, "__fspath__") or hasattr(source, "read")):
        raise InputError(
            f"{type(source).__name__}: neither a path nor rows; give one of {', '.join(OBJECTS)}, or a path"
        )
    asked = known_format(format, options.kind) if format is not None else None
    with open_content(source, encoding=options.encoding) as content:  # type: ignore[arg-type]  # checked above
        name = asked or recognise(content.head, options.kind)
        try:
            table = FORMATS[name].read(content, options)
            if content.bom:
                table = replace(table, faults=(BOM_STRIPPED, *table.faults))
            return settle(table, options, content.name, name)
        except FormatError as error:
            words = wrong_format(asked, content.head, options.kind) if asked else ""
            if not words:
                raise
            why = refusal(content.name, "format", words, remedy="leave the format to be recognised").faults
            raise FormatError(content.name, [*why, *error.faults]) from None
