"""Nested JSON: ``{query: {document: value}}``, as pytrec_eval, BEIR and ranx keep qrels and runs."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from denominator.formats.described import Pairs, as_json
from denominator.formats.faults import show
from denominator.formats.names import DOC, QUERY, RETRIEVED, plain
from denominator.formats.records import Records
from denominator.formats.sources import refusal
from denominator.formats.typed import Gathered, Named

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]


_FIRST_MEMBER = re.compile(rb'\{\s*("(?:[^"\\]|\\.)*")\s*:\s*([{\[])', re.DOTALL)
"""An object's first key, where its value is an object or an array."""

_MEMBERS_OF_ROWS = {word for choice in (*QUERY, *DOC, *RETRIEVED) for word in choice}


def sniff(head: Head, kind: Kind) -> bool:
    """Take a text that begins as ``{"query": {`` or as an array of objects, unless every line is an object."""
    start = head.data.lstrip()
    if start.startswith(b"["):
        return start[1:].lstrip()[:1] in (b"{", b"]")
    if start.rstrip() == b"{}":
        return True
    first = _FIRST_MEMBER.match(start)
    if first is None or (first[2] == b"[" and _key(first[1]) in _MEMBERS_OF_ROWS):
        return False
    line, _, rest = start.partition(b"\n")
    try:
        by_itself = json.loads(line)
    except (RecursionError, ValueError):
        return True
    is_row = any(plain(key) in _MEMBERS_OF_ROWS and not isinstance(value, dict) for key, value in by_itself.items())
    return not rest.strip() and not is_row


def read(content: Content, options: Options) -> Table:
    """Read nested JSON, or a JSON array of rows, whole. The same key twice in one object is seen, not overwritten."""
    text = content.text()
    try:
        whole = json.loads(text, object_pairs_hook=Pairs, parse_constant=Named)
    except json.JSONDecodeError as error:
        raise refusal(
            content.name, "json", f"not JSON: {show(error.msg, 200)}, at column {error.colno}", error.lineno
        ) from None
    except (RecursionError, ValueError) as error:  # ValueError: a whole number of thousands of digits
        raise refusal(content.name, "json", f"not JSON that can be read: {show(str(error), 200)}") from None
    if isinstance(whole, Pairs):
        records = Records(options, Gathered(written=True))
        _add_nested(records, whole)
        return records.rows.table(options, f"nested JSON {options.kind}")
    if isinstance(whole, list):
        records = Records(options, Gathered(written=True))
        for number, record in enumerate(whole, start=1):
            records.add(record, f"element {number:,}")
        return records.rows.table(options, f"JSON {options.kind}, an array of rows")
    raise refusal(
        content.name,
        "json",
        f"{as_json(whole)} is all there is; {{query: {{document: value}}}} is expected",
        1,
    )


def _add_nested(records: Records, whole: Pairs) -> None:
    """Add the rows of ``{query: {document: value}}``, or for a run of ``{query: [document, ...]}``."""
    rows = records.rows
    seen: set[str] = set()
    for query, documents in whole:
        if query in seen:
            rows.faults.add(
                "repeated-key",
                f'query "{show(query)}" is a key twice; most readers of JSON would drop the first. Merge the two',
                query_id=query,
            )
        seen.add(query)
        if isinstance(documents, Pairs):
            rows.extend(query, (doc for doc, _ in documents), (value for _, value in documents))
        elif isinstance(documents, list) and records.options.kind == "run":
            records.add_retrieved(query, documents, f"query {show(query)}")
        else:
            rows.lose(
                "json-shape",
                f'query "{show(query)}" holds {_shown(documents)}, not an object {{document: value}}',
                query_id=query,
            )


def _shown(value: Any) -> str:
    """Return a JSON value as a message quotes it."""
    return "a list" if isinstance(value, list) else as_json(value)


def _key(quoted: bytes) -> str:
    """Return a key of a JSON object as the tables of names spell it."""
    try:
        return plain(json.loads(quoted))
    except ValueError:
        return ""
