"""Golden sets in YAML: queries with the grades of their documents, as people write them by hand.

::

    - query: q_milk              q_milk:
      grades: {d1: 3, d2: 2}       d1: 3
    - query: q_store               d2: 2
      grades: {s1: 3}            q_store: {grades: {s1: 3}}

Everything is read as the text that stands there: YAML's own rules would make ``007`` a 7 and ``no`` a false.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from denominator.formats.faults import show
from denominator.formats.names import QUERY, plain
from denominator.formats.sources import refusal
from denominator.formats.typed import Gathered, NotText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]

GRADES = "grades"

IDS = (*QUERY[0], "id", "query")
"""Keys of an entry that hold its query id, the first that is there; ``query`` may be the question itself."""


_GRADES = re.compile(r"""\s*(-\s+)?(\S+:\s+)?(\{(.*[,\s])?)?["']?grades["']?\s*:(\s|$)""")
"""A line with the key ``grades``: first in it, or among the members of an object in braces."""

_QUERY = re.compile(r"\S.*:\s*(\{.*\}\s*)?")
"""A line with a query as key, alone or with its grades in braces."""


def sniff(head: Head, kind: Kind) -> bool:
    """Take a text with a line ``grades:``, or whose lines are queries as keys and, indented, their grades."""
    lines = [line for line in head.lines if not line.startswith(("---", "%YAML"))]
    if any(_GRADES.match(line) for line in lines):
        return True
    return bool(lines) and all(line.startswith((" ", "\t")) or _QUERY.fullmatch(line) for line in lines)


def read(content: Content, options: Options) -> Table:
    """Read a list of ``{query, grades: {doc: grade}}`` or a mapping of queries; a key that occurs twice is a fault."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # safe: it builds texts, lists and dicts and nothing else
    try:
        root = yaml.compose(content.text(), Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else None
        raise refusal(content.name, "yaml", f"not YAML: {show(error.problem or str(error), 200)}", line) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise refusal(content.name, "yaml", f"not YAML that can be read: {show(str(error), 200)}") from None
    rows = Gathered()
    for query, grades in _entries(root, rows):
        for doc, grade in _members(grades, rows, f'the grades of query "{show(query)}"'):
            rows.query.append(query)
            rows.doc.append(doc.value)
            rows.value.append(grade.value if _is_text(grade) else NotText(_kind(grade)))
            rows.line.append(doc.start_mark.line + 1)
    return rows.table(options, f"golden YAML {options.kind}", texts_are_numbers=True)


def _entries(root: Any, rows: Gathered) -> Iterator[tuple[str, Any]]:
    """Yield each query's id and the node that holds its grades."""
    if _is_mapping(root) and GRADES in _keys(root):
        yield from _entry(root, rows)
    elif _is_mapping(root):
        for query, node in _members(root, rows, "the file"):
            if _is_mapping(node) and GRADES in _keys(node):
                yield from _entry(node, rows, query.value)
            else:
                yield query.value, node
    elif _is_list(root):
        for node in root.value:
            yield from _entry(node, rows)
    else:
        rows.lose("yaml-shape", f"{_kind(root)} is all there is; a list of {{query, grades}} is expected")


def _entry(node: Any, rows: Gathered, query: str | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the query id and the grades of one entry."""
    line = node.start_mark.line + 1
    if not _is_mapping(node):
        rows.lose("yaml-shape", f"{_kind(node)} is not an entry with query and grades", line)
        return
    members = {plain(key.value): value for key, value in _members(node, rows, "the entry")}
    name = next((members[key] for key in IDS if key in members), None)
    if query is None and name is not None and _is_text(name):
        query = name.value
    if query is None or GRADES not in members:
        missing = "query id (query, or query_id)" if query is None else "grades"
        rows.lose("yaml-shape", f"an entry without {missing}", line)
        return
    yield query, members[GRADES]


def _members(node: Any, rows: Gathered, where: str) -> Iterator[tuple[Any, Any]]:
    """Yield a mapping's keys and values; a key that occurs twice is a fault, as is what is no mapping."""
    if not _is_mapping(node):
        line = node.start_mark.line + 1
        rows.lose("yaml-shape", f"{where}: {_kind(node)} is not a mapping {{document: grade}}", line)
        return
    seen: dict[str, int] = {}
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not _is_text(key):
            rows.lose("yaml-shape", f"{where}: a key that is {_kind(key)}", line)
            continue
        if key.value in seen:
            rows.faults.add(
                "repeated-key",
                f"{where}: {show(key.value)} is a key twice (first in line {seen[key.value]:,}); keep one of the two",
                line=line,
            )
        seen.setdefault(key.value, line)
        yield key, value


def _keys(node: Any) -> set[str]:
    """Return a mapping's keys as the tables of names spell them."""
    return {plain(key.value) for key, _ in node.value if _is_text(key)}


def _is_text(node: Any) -> bool:
    return isinstance(node.value, str)


def _is_mapping(node: Any) -> bool:
    return node is not None and node.id == "mapping"


def _is_list(node: Any) -> bool:
    return node is not None and node.id == "sequence"


def _kind(node: Any) -> str:
    """Return what a node is, in words."""
    if node is None:
        return "nothing"
    if not _is_text(node):
        return "a list" if _is_list(node) else "a mapping"
    return f'the text "{show(node.value)}"'
