"""ranx's own ``.lz4`` files: recognised, and refused with the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options

__all__ = ["read", "sniff"]

LZ4 = b"\x04\x22\x4d\x18"


def sniff(head: Head, kind: Kind) -> bool:
    """Take what is compressed with lz4 twice, as ranx writes it: the outer one is unpacked before this is asked."""
    return head.data.startswith(LZ4)


def read(content: Content, options: Options) -> NoReturn:
    """Refuse the file with a sentence that names what can be read."""
    raise InputError(
        f"{content.name}: packed twice with lz4, as ranx saves `.lz4` files (CBOR inside); these are not read: save it "
        "from ranx as .json, .trec or .parquet"
    )
