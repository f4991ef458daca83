"""Tables of Arrow, and what pandas and polars make of them: types that do not depend on a library's version.

=========  =================  =========================================
kind       Arrow              pandas
=========  =================  =========================================
``text``   string, required   string
``text?``  string             string; ``<NA>`` where there is none
``real``   double             float64; NaN where there is none
``count``  int64, required    int64
``count?`` int64              Int64; ``<NA>`` where there is none
``flag``   bool, required     bool
=========  =================  =========================================

``string`` is :class:`pandas.StringDtype`, which pandas 2 and 3 both have, and not the ``object`` or ``str`` that either
would choose by itself. Ids are text; nothing here looks at what a text looks like.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from denominator.errors import MissingExtraError
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PANDAS", "arrow_table", "to_pandas", "to_polars"]

PANDAS = {
    "text": "string",
    "text?": "string",
    "real": "float64",
    "count": "int64",
    "count?": "Int64",
    "flag": "bool",
}
"""Kind of column to pandas' name of its type."""


def arrow_table(
    columns: Mapping[str, Sequence[Any]], kinds: Mapping[str, str], metadata: Mapping[str, str] | None = None
) -> Any:
    """Return columns of equal length as a pyarrow Table, each of the kind that stands under its name."""
    import pyarrow as pa

    types = {"text": pa.string(), "real": pa.float64(), "count": pa.int64(), "flag": pa.bool_()}
    fields, arrays = [], []
    for name, cells in columns.items():
        kind = kinds[name]
        arrow = types[kind.rstrip("?")]
        fields.append(pa.field(name, arrow, nullable=kind.endswith("?") or kind == "real"))
        try:
            arrays.append(pa.array(cells, arrow))
        except UnicodeEncodeError:  # the name of a file need not be UTF-8
            arrays.append(pa.array([None if cell is None else plain(cell) for cell in cells], arrow))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields, dict(metadata) if metadata else None))


def to_pandas(table: Any, index: Sequence[str] = (), attrs: Mapping[str, Any] | None = None) -> Any:
    """Return a pyarrow Table as a DataFrame of the types above; `index` names the columns that become its index."""
    import pandas as pd
    import pyarrow as pa

    string, whole = pd.StringDtype(), pd.Int64Dtype()
    types = {pa.string(): string, pa.large_string(): string, pa.int64(): whole}
    frame = table.to_pandas(types_mapper=types.get, ignore_metadata=True)
    required = [field.name for field in table.schema if field.type == pa.int64() and not field.nullable]
    frame = frame.astype(dict.fromkeys(required, "int64"))
    if index:
        frame = frame.set_index(list(index))
    frame.attrs.update(attrs or {})
    return frame


def to_polars(table: Any) -> Any:
    """Return a pyarrow Table as a polars DataFrame.

    Raises:
        MissingExtraError: polars is not installed.
    """
    try:
        import polars as pl
    except ImportError:
        raise MissingExtraError("a polars frame needs polars: pip install polars") from None
    return pl.from_arrow(table)
