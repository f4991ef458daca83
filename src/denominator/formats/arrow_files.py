"""Parquet, and Arrow's own files (Feather): columns by any of their usual names, ranx's included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denominator.errors import InputError
from denominator.formats import names
from denominator.formats.columnar import from_arrow
from denominator.formats.faults import show

if TYPE_CHECKING:
    from denominator.formats.sources import Content, Head
    from denominator.formats.table import Kind, Options, Table

__all__ = ["read_arrow", "read_parquet", "sniff_arrow", "sniff_parquet"]

PARQUET = b"PAR1"
ARROW_FILE = b"ARROW1\0\0"
ARROW_STREAM = b"\xff\xff\xff\xff"
FEATHER_1 = b"FEA1"


def sniff_parquet(head: Head, kind: Kind) -> bool:
    """Take a file that begins as Parquet does."""
    return head.data.startswith(PARQUET)


def sniff_arrow(head: Head, kind: Kind) -> bool:
    """Take a file that begins as an Arrow file, an Arrow stream or a Feather file does."""
    return head.data.startswith((ARROW_FILE, ARROW_STREAM, FEATHER_1))


def read_parquet(content: Content, options: Options) -> Table:
    """Read the columns that matter of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(str(content.path) if content.path else pa.BufferReader(content.read()))
        roles = names.roles(file.schema_arrow.names, options.kind, content.name)
        columns = file.read(columns=[str(name) for name in roles.values()])
    except (pa.ArrowException, OSError) as error:
        raise _refused(content, "Parquet", sniff_parquet(content.head, options.kind), error) from None
    return _table(columns, roles, options, "Parquet", content.name)


def read_arrow(content: Content, options: Options) -> Table:
    """Read an Arrow file or stream; Feather is the former."""
    import pyarrow as pa

    if content.head.data.startswith(FEATHER_1):
        raise InputError(f"{content.name}: Feather of the first kind, before Arrow 1.0; write it again as Parquet")
    try:
        buffer = pa.BufferReader(content.read())
        is_file = content.head.data.startswith(ARROW_FILE)
        with pa.ipc.open_file(buffer) if is_file else pa.ipc.open_stream(buffer) as reader:
            columns = reader.read_all()
    except (pa.ArrowException, OSError) as error:
        raise _refused(content, "an Arrow file", sniff_arrow(content.head, options.kind), error) from None
    return _table(
        columns, names.roles(columns.column_names, options.kind, content.name), options, "Arrow", content.name
    )


def _table(columns: Any, roles: dict[str, object], options: Options, title: str, where: str) -> Table:
    """Make the table of some columns of an Arrow table."""
    read_as = f"{title} {options.kind}, columns {', '.join(show(str(name)) for name in roles.values())}"
    return from_arrow({role: columns.column(name) for role, name in roles.items()}, roles, options, read_as, where)


def _refused(content: Content, title: str, begun: bool, error: Exception) -> InputError:
    """Return the error for a file that Arrow cannot read; `begun` says whether it begins as one that it can."""
    if not begun:
        return InputError(f"{content.name}: was to be read as {title} and is none; name its own format, or none")
    return InputError(
        f"{content.name}: begins as {title} and cannot be read ({show(str(error), 200)}); write or fetch it again"
    )
