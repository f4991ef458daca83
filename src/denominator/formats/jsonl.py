"""JSON lines: a row a line, or a query a line with the list of what was retrieved for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from denominator.formats.described import Pairs
from denominator.formats.faults import INSIDE_BOM, show
from denominator.formats.records import Records
from denominator.formats.sources import NAME_IT
from denominator.formats.typed import Gathered, Named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]


def sniff(head: Head, kind: Kind) -> bool:
    """Take a text whose first line begins as a JSON object does (nested JSON is asked for before)."""
    line = head.lines[0].lstrip() if head.lines else head.data[:80].decode("utf-8", "replace").lstrip()
    return line.startswith("{") and line[1:].lstrip()[:1] in ('"', "}", "")


def read(content: Content, options: Options) -> Table:
    """Read one object a line; blank lines are passed over, every other line that is none is a fault with its number."""
    records = Records(options, Gathered(written=True))
    rows = records.rows
    decode = json.JSONDecoder(object_pairs_hook=Pairs, parse_constant=Named).raw_decode
    for number, line in _lines(content):
        try:
            text = line.decode("utf-8")
            record, end = decode(text)
            if end < len(text):
                raise json.JSONDecodeError("more follows after the object", text, end)
        except json.JSONDecodeError as error:
            if text.startswith("\ufeff"):
                rows.lose("bom-inside", INSIDE_BOM, number)
                continue
            rows.lose("json", f"not a JSON object: {show(error.msg, 200)}, at column {error.colno}", number)
        except UnicodeDecodeError as error:
            rows.lose(
                "encoding",
                f"byte 0x{line[error.start]:02x} is not UTF-8; convert the file",
                number,
                remedy=NAME_IT,
            )
        except (RecursionError, ValueError) as error:  # ValueError: a whole number of thousands of digits
            rows.lose("json", f"not a JSON object that can be read: {show(str(error), 200)}", number)
        else:
            records.add(record, "", number)
    return rows.table(options, f"JSON lines {options.kind}")


def _lines(content: Content) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers."""
    number = 0
    for block in content.blocks():
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        for line in lines:
            number += 1
            stripped = line.strip()
            if stripped:
                yield number, stripped
