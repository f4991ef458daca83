"""Groups of queries, such as languages or topics, that get means of their own.

A group file has two columns, query id and group, between tabs, commas or blanks:

    q1  Hausa
    q2  Yoruba

A first line that names the columns is skipped. A judged query that no line names belongs to the group ``(no group)``:
it has its own mean, so that nothing disappears, and stays out of the macro mean over the named groups.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

from denominator.errors import FormatError, InputError, UsageError
from denominator.model import Fault, Note, Severity
from denominator.native import text
from denominator.quoting import listed, quoted, short, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["NO_GROUP", "Groups", "grouped", "read_groups"]

NO_GROUP = "(no group)"
_HEADINGS = frozenset({"query_id", "query-id", "qid", "query", "topic", "topic_id"})


class Groups(NamedTuple):
    """The judged queries of an evaluation, divided."""

    members: Mapping[str, tuple[str, ...]]
    """Group name to its judged queries, groups in the order in which they were first named, `NO_GROUP` last."""
    notes: tuple[Note, ...]

    @property
    def named(self) -> tuple[str, ...]:
        """The groups that the caller named: all but `NO_GROUP`."""
        return tuple(name for name in self.members if name != NO_GROUP)


def read_groups(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read a group file: query id to group, in the order of the lines.

    Raises:
        FormatError: a line without two columns, an empty name, or a query in two groups; every such line is named.
        InputError: the file is not there, is not UTF-8, or names no query.
    """
    source = str(path)
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{short(source, 200)}: {why}; expected a file with lines of query id and group") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source}:{line}: not UTF-8 at byte {error.start}; save the file as UTF-8") from error
    found: dict[str, str] = {}
    at: dict[str, int] = {}
    faults: list[Fault] = []
    for line, fields in _rows(text, _delimiter(source, text)):
        message = _what_is_wrong(fields, found, at)
        if message is None:
            found[fields[0]] = fields[1]
            at.setdefault(fields[0], line)
        else:
            faults.append(Fault("group-line", Severity.ERROR, message, source, line))
    if faults:
        raise FormatError(source, faults)
    if not found:
        raise InputError(f"{source}: no query in it; expected lines of query id and group")
    return found


def grouped(by: Mapping[str, str] | str | os.PathLike[str], queries: Sequence[str]) -> Groups:
    """Divide the judged queries by a mapping from query id to group, or by a group file.

    Raises:
        UsageError: not one judged query has a group, or a group has the name of the rest.
    """
    group_of = by if isinstance(by, Mapping) else read_groups(by)
    name = "the groups" if isinstance(by, Mapping) else str(by)
    if not group_of:
        raise UsageError("by is empty: expected a mapping from query id to group, or a file of such lines")
    strange = [one for pair in group_of.items() for one in pair if not _is_name(one)]
    if strange:
        raise UsageError(f"by holds {shown(strange[0])}: expected query ids and names of groups")
    group_of = {text(query): text(group) for query, group in group_of.items()}
    if NO_GROUP in group_of.values():
        raise UsageError(f"{name}: a group cannot be called {NO_GROUP}, the queries without one are")
    members: dict[str, list[str]] = {group: [] for group in group_of.values()}
    rest = []
    for query in queries:
        if query in group_of:
            members[group_of[query]].append(query)
        else:
            rest.append(query)
    if len(rest) == len(queries):
        given = next(iter(group_of), "")
        raise UsageError(
            f"{name}: none of the {len(queries):,} judged queries has a group; "
            f"e.g. {quoted(given)} there, {quoted(queries[0])} in the qrels"
        )
    kept = {group: tuple(some) for group, some in members.items() if some}
    if rest:
        kept[NO_GROUP] = tuple(rest)
    return Groups(kept, tuple(_notes(name, members, rest)))


def _notes(name: str, members: Mapping[str, Sequence[str]], rest: Sequence[str]) -> Iterator[Note]:
    """Say which queries have no group and which groups no query."""
    if rest:
        are = "query has" if len(rest) == 1 else "queries have"
        yield Note(
            "queries-without-group",
            f"{name}: {len(rest):,} judged {are} no group ({listed(rest)}): own mean, not in the macro mean.",
            len(rest),
        )
    empty = [group for group, some in members.items() if not some]
    if empty:
        word = "group has" if len(empty) == 1 else "groups have"
        yield Note("groups-empty", f"{name}: {len(empty):,} {word} no judged query: {listed(empty)}.", len(empty))


def _is_name(value: object) -> bool:
    """Return whether a value can be an id or the name of a group: a text, or a number that is one."""
    return isinstance(value, str) or (isinstance(value, Real) and not isinstance(value, bool) and value == value)


def _delimiter(source: str, text: str) -> str | None:
    """Return what stands between the columns, from the file's name or else its lines; None means blanks."""
    suffix = os.path.splitext(source)[1].lower()
    if suffix in {".csv", ".tsv"}:
        return "," if suffix == ".csv" else "\t"
    lines = [line for line in text.splitlines() if line.strip()]
    if any("\t" in line for line in lines):
        return "\t"
    words = [line.split() for line in lines]
    if all(len(some) == 2 for some in words) and not all(some[0].endswith(",") for some in words):
        return None
    return "," if all("," in line for line in lines) else None


def _rows(text: str, delimiter: str | None) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, fields) of each line that is not empty, without a heading."""
    import csv

    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if delimiter is None:
            fields = line.split()
        else:
            fields = [field.strip() for field in next(csv.reader([line], delimiter=delimiter), [])]
            while len(fields) > 2 and not fields[-1]:
                fields.pop()
        if number == 1 and fields and fields[0].lower() in _HEADINGS:
            continue
        yield number, fields


def _what_is_wrong(fields: Sequence[str], found: Mapping[str, str], at: Mapping[str, int]) -> str | None:
    """Return why a line cannot be used, or None."""
    if len(fields) != 2:
        count = f"{len(fields)} {'column' if len(fields) == 1 else 'columns'}"
        return f"{count}, a group file has 2: query id and group"
    query, group = fields
    if query.startswith("\ufeff"):
        return "a byte order mark (U+FEFF) begins this line: two files joined? Take it out"
    if not query or not group:
        return "an empty query id or group; expected both"
    if query in found and found[query] != group:
        return (
            f"query {quoted(query)} is in group {quoted(group)} here and in {quoted(found[query])} on line {at[query]}"
        )
    return None
