"""Frames: pandas, polars and pyarrow, whichever the caller has imported; none of them is imported for the asking."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from denominator.errors import InputError
from denominator.formats import names
from denominator.formats.columnar import from_arrow
from denominator.formats.faults import Faults, show
from denominator.formats.typed import Gathered

if TYPE_CHECKING:
    from denominator.formats.table import Options, Table

__all__ = ["accepts", "name", "read"]

FRAMES = (
    ("pandas", "DataFrame"),
    ("pandas", "Series"),
    ("polars", "DataFrame"),
    ("polars", "LazyFrame"),
    ("pyarrow", "Table"),
    ("pyarrow", "RecordBatch"),
)
"""(module, class) of what is a frame here."""


def accepts(source: object) -> bool:
    """Return whether an object is a frame."""
    return _which(source) is not None


def name(source: object) -> str:
    """Return what messages call a frame: ``pandas DataFrame``."""
    return " ".join(_which(source) or ("frame",))


def read(source: Any, options: Options) -> Table:
    """Read a frame's columns by any of their usual names; in pandas, levels of the index count as columns."""
    library, kind = _which(source) or ("", "")
    if kind == "LazyFrame":
        raise InputError("polars LazyFrame: not computed yet; pass frame.collect()")
    where = f"{library} {kind}"
    if kind == "Series":  # one column, and all else in the index, as groupby makes it
        source = source.to_frame(names.value_names(options.kind)[0][0] if source.name is None else source.name)
    if library == "pandas":
        return _read_pandas(source, options, where)
    have = source.columns if library == "polars" else source.schema.names
    roles = names.roles(have, options.kind, where)
    if library == "polars":
        columns = {role: _polars_column(source, column, where) for role, column in roles.items()}
    else:
        columns = {role: source.column(column) for role, column in roles.items()}
    return from_arrow(columns, roles, options, _read_as(roles, options, where), where)


def _read_pandas(frame: Any, options: Options, where: str) -> Table:
    """Read a pandas frame; a column of Python objects of several types is read cell by cell."""
    import pyarrow as pa

    have = list(frame.columns)
    levels = [level for level in frame.index.names if level is not None and level not in have]
    roles = names.roles([*have, *levels], options.kind, where)
    series = {
        role: frame[column] if column in have else frame.index.get_level_values(column).to_series(index=frame.index)
        for role, column in roles.items()
    }
    read_as = _read_as(roles, options, where)
    try:
        columns = {role: pa.array(one, from_pandas=True) for role, one in series.items()}
    except (pa.ArrowException, UnicodeError, OverflowError):
        return _cell_by_cell({role: one.tolist() for role, one in series.items()}, options, read_as)
    return from_arrow(columns, roles, options, read_as, where)


def _cell_by_cell(cells: dict[str, list[Any]], options: Options, read_as: str) -> Table:
    """Read columns of Python objects, which Arrow has no type for."""
    rows = Gathered(cells["query"], cells["doc"], faults=Faults())
    if "value" in cells:
        rows.value = cells["value"]
    else:
        rows.take_ranks(cells["rank"])
    for role in ("rank", "tag", "iteration"):
        getattr(rows, role).extend(cells.get(role, ()))
    return rows.table(options, read_as)


def _polars_column(frame: Any, column: object, where: str) -> Any:
    """Return a polars column as Arrow."""
    try:
        return frame.get_column(column).to_arrow()
    except Exception as error:  # polars' own errors; it is not imported here, so they cannot be named
        raise InputError(f"{where}: column {show(str(column))} cannot be read ({show(str(error), 200)})") from error


def _which(source: object) -> tuple[str, str] | None:
    """Return the library and class of a frame, or None; a library that nobody has imported made no frame."""
    for library, kind in FRAMES:
        frame_type = getattr(sys.modules.get(library), kind, None)
        if frame_type is not None and isinstance(source, frame_type):
            return library, kind
    return None


def _read_as(roles: dict[str, object], options: Options, where: str) -> str:
    return f"{where}, {options.kind}, columns {', '.join(show(str(column)) for column in roles.values())}"
