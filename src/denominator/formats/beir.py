"""Tab-separated rows under a header line: BEIR's qrels (``query-id corpus-id score``), and its other spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.errors import InputError
from denominator.formats import names
from denominator.formats.lined import Lines, read_lines
from denominator.formats.sources import refusal

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read", "sniff"]


def sniff(head: Head, kind: Kind) -> bool:
    """Take a text whose first line is a header, with tabs, that names query, document and value."""
    if not head.lines or "\t" not in head.lines[0]:
        return False
    try:
        names.roles(_split(head.lines[0]), kind, head.name)
    except InputError:
        return False
    return True


def read(content: Content, options: Options) -> Table:
    """Read rows under a header that says which column is which; a field may hold anything but a tab."""
    if not content.head.lines:
        raise refusal(content.name, "header", "no line with columns; query-id, corpus-id and score are expected", 1)
    header = _split(content.head.lines[0])
    roles = names.roles(header, options.kind, content.name)
    at = {role: header.index(str(name)) for role, name in roles.items()}
    lines = Lines("\t", len(header), f"the header names {len(header)}", at, header=True)
    return read_lines(
        content, options, lines, f"BEIR {options.kind} (tab-separated under a header), {len(header)} columns"
    )


def _split(line: str) -> list[str]:
    return line.split("\t")
