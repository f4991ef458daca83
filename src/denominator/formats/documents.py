"""The documents of a collection, one by one: JSON lines, tab-separated lines, an ``ir_datasets:`` id, or a mapping.

Nothing is kept: a collection may be larger than memory. A document's text is its title and its text, joined by a blank.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from denominator.errors import FormatError, InputError
from denominator.formats import irds
from denominator.formats.faults import INSIDE_BOM, Faults, show
from denominator.formats.sources import BOM, open_content

if TYPE_CHECKING:
    from denominator.formats.sources import Content

__all__ = ["name_of", "read_documents"]

IDS = ("_id", "id", "docid", "doc_id", "docno", "pid")
TITLES = ("title",)
TEXTS = ("text", "contents", "body", "segment", "passage")
"""What the fields of a document are called in collections that are handed around."""


def name_of(source: object) -> str:
    """Return what messages call a collection."""
    if isinstance(source, str | os.PathLike):
        return show(os.fspath(source), 200) if not irds.accepts(source) else irds.name(source)
    return type(source).__name__


def read_documents(source: Any) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of every document, in the order of the source.

    Raises:
        FormatError: lines that are no documents, all of them, once the end is reached.
        InputError: the source cannot be opened, or is none.
    """
    if irds.accepts(source):
        yield from irds.documents(source)
    elif isinstance(source, Mapping):
        for key, text in source.items():
            yield _id(str(key)), str(text)
    elif isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        with open_content(source, limit=sys.maxsize) as content:  # it is read in blocks, and not kept
            yield from _lines(content)
    else:
        raise InputError(f"corpus {type(source).__name__}: expected a file, an ir_datasets: id, or a mapping id → text")


def _lines(content: Content) -> Iterator[tuple[str, str]]:
    """Yield the documents in lines, JSON objects or fields between tabs, as the first line is."""
    faults = Faults()
    first = next(iter(content.head.lines), "")
    split = _from_json if first.lstrip().startswith("{") else _from_tabs(first)
    number = 0
    for block in content.blocks():
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for line in lines:
            number += 1
            if line.startswith(BOM):
                faults.add("bom-inside", INSIDE_BOM, line=number)
                continue
            try:
                document = split(line.decode("utf-8").rstrip("\r"), number)
            except UnicodeDecodeError as error:
                faults.add("encoding", f"byte 0x{line[error.start]:02x} is not UTF-8; convert the file", line=number)
            except (ValueError, RecursionError) as error:
                faults.add("document", show(str(error), 200), line=number)
            else:
                if document is not None:
                    yield document
    if faults.found:
        raise FormatError(content.name, [replace(fault, source=content.name) for fault in faults.listing()])


def _from_json(line: str, number: int) -> tuple[str, str] | None:
    """Return the document in a JSON object, None for a blank line; raise ValueError for anything else."""
    if not line.strip():
        return None
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("expected a JSON object a line")
    key = next((found[name] for name in IDS if name in found), None)
    if isinstance(key, bool) or not isinstance(key, str | int) or key == "":
        raise ValueError(f"no id: expected one of {', '.join(IDS)}")
    texts = [found[name] for name in TITLES if isinstance(found.get(name), str)]
    text = next((found[name] for name in TEXTS if isinstance(found.get(name), str)), None)
    if text is None and not texts:
        raise ValueError(f"no text: expected one of {', '.join((*TITLES, *TEXTS))}")
    return _id(str(key)), " ".join([*texts, *([] if text is None else [text])])


def _id(text: str) -> str:
    """Return an id; raise ValueError for one that cannot be in a qrels file either."""
    if "\0" in text or (not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)):
        raise ValueError("the id holds a NUL or half a character (a lone surrogate)")
    return text


def _from_tabs(first: str) -> Any:
    """Return what splits a line at tabs: by the names in a header line, else the id and then the text."""
    header = [name.strip().lower() for name in first.split("\t")]
    named = any(name in IDS for name in header) and any(name in (*TITLES, *TEXTS) for name in header)
    key = next((at for at, name in enumerate(header) if name in IDS), 0) if named else 0
    wanted = [at for at, name in enumerate(header) if name in (*TITLES, *TEXTS)] if named else None

    def split(line: str, number: int) -> tuple[str, str] | None:
        if not line.strip() or (named and line == first):
            return None
        fields = line.split("\t")
        if len(fields) < 2 or not fields[key if key < len(fields) else 0].strip():
            raise ValueError("expected an id, a tab and a text")
        if wanted is None:
            return _id(fields[0].strip()), " ".join(fields[1:])
        if len(fields) <= key:
            raise ValueError(f"{len(fields)} {'field' if len(fields) == 1 else 'fields'}, the header has {len(header)}")
        return _id(fields[key].strip()), " ".join(fields[at] for at in wanted if at < len(fields))

    return split
