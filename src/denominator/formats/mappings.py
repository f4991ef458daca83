"""Python objects that hold rows: dicts of dicts, and anything that yields tuples or objects with named fields."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from denominator.formats.described import described
from denominator.formats.faults import show
from denominator.formats.names import value_names
from denominator.formats.records import Records

if TYPE_CHECKING:
    from denominator.formats.table import Options, Table

__all__ = ["accepts", "add_objects", "name", "read"]


def accepts(source: object) -> bool:
    """Return whether an object is a mapping or yields rows: not a path, and not an open file."""
    if isinstance(source, (str, bytes, bytearray, os.PathLike, io.IOBase)) or hasattr(source, "read"):
        return False
    return isinstance(source, Iterable)


def name(source: object) -> str:
    """Return what messages call the object: ``dict``, ``list``."""
    return type(source).__name__


def read(source: Any, options: Options) -> Table:
    """Read ``{query: {document: value}}``, or rows that are tuples (query, document, value), dicts or named tuples."""
    records = Records(options)
    if isinstance(source, Mapping):
        _add_mapping(source, records)
        return records.rows.table(options, f"{name(source)} of dicts, {options.kind}")
    add_objects(source, records)
    return records.rows.table(options, f"{name(source)} of rows, {options.kind}")


def _add_mapping(source: Mapping[Any, Any], records: Records) -> None:
    """Add the rows of a mapping from queries to what was retrieved or judged for them."""
    for query, documents in source.items():
        if isinstance(documents, Mapping):
            records.rows.extend(query, documents.keys(), documents.values())
        elif isinstance(documents, (list, tuple)) and records.options.kind == "run":
            records.add_retrieved(query, documents, f"query {show(str(query))}")
        else:
            shown = described(documents) if documents is not None else "nothing"
            records.rows.lose("shape", f"query {show(str(query))} holds {shown}, not a dict {{document: value}}")


def add_objects(source: Iterable[Any], records: Records) -> None:
    """Add a row per element: ``(query, document, value)``, a dict, or an object with ir_measures' fields."""
    rows = records.rows
    fields = [word for choice in value_names(records.options.kind) for word in choice]
    for number, element in enumerate(source, start=1):
        if hasattr(element, "query_id") and hasattr(element, "doc_id"):
            value = next((getattr(element, field) for field in fields if hasattr(element, field)), None)
            rows.query.append(element.query_id)
            rows.doc.append(element.doc_id)
            rows.value.append(value)
            iteration = getattr(element, "iteration", getattr(element, "subtopic_id", None))
            if iteration is not None and records.options.kind == "qrels":
                rows.iteration.append(str(iteration))
        elif isinstance(element, Mapping):
            records.add(element, f"element {number:,}")
        elif isinstance(element, (tuple, list)) and len(element) == 3:
            rows.query.append(element[0])
            rows.doc.append(element[1])
            rows.value.append(element[2])
        else:
            shown = show(repr(element))
            rows.lose("shape", f"element {number:,}: {shown} is no row; (query, document, value) is expected")
