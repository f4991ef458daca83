"""Columns that come as Arrow (Parquet, Feather, polars, pyarrow; pandas by way of it) to a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator.errors import InputError
from denominator.formats import columns as listed
from denominator.formats.faults import Faults, show
from denominator.formats.numbers import EXACT
from denominator.formats.table import Table
from denominator.formats.typed import SCORES_FROM_RANKS, Gathered, tell_integer_ids
from denominator.model import Labels

if TYPE_CHECKING:
    from denominator.formats.table import Options
    from denominator.model import F64, I64

__all__ = ["from_arrow"]


def from_arrow(
    columns: Mapping[str, Any], names: Mapping[str, object], options: Options, read_as: str, where: str
) -> Table:
    """Make a table of Arrow arrays by role (``query``, ``doc``, ``value``, ``rank``, ``tag``, ``iteration``).

    `names` holds what the input calls them, for messages. Ids that are whole numbers become their exact decimal text,
    and that is noted. Raises :class:`~denominator.errors.InputError` for ids of another type than text or whole numbers
    and for values that are no numbers; single rows without an id or a value get a fault.
    """
    faults = Faults()
    arrays = {role: _whole(column) for role, column in columns.items()}
    query = _ids(arrays["query"], f"{where}: column {show(str(names['query']))}", "query id", faults)
    doc = _ids(arrays["doc"], f"{where}: column {show(str(names['doc']))}", "document id", faults)
    value_role = "value" if "value" in arrays else "rank"
    _refuse_no_number(arrays[value_role], f"{where}: column {show(str(names[value_role]))}")
    value = None if _is_odd(query) or _is_odd(doc) else _values(arrays[value_role], options)
    if value is None:
        return _row_by_row(query, doc, arrays, options, read_as, faults)
    if value_role == "rank":
        value = -value
        faults.keep(SCORES_FROM_RANKS)
    wide: dict[int, str] = {}
    if options.kind == "run" and not _is_float(arrays[value_role]):
        wide = {row: str(arrays[value_role][row].as_py()) for row in np.flatnonzero(np.abs(value) >= EXACT).tolist()}
    queries = query.dictionary_encode()
    return Table(
        tuple(queries.dictionary.to_pylist()),
        queries.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False),
        doc,
        value,
        read_as,
        faults.listing(),
        iteration=_labels(arrays.get("iteration")),
        rank=listed.ranks(arrays["rank"].to_pylist()) if "rank" in arrays else None,
        tag=_labels(arrays.get("tag")),
        wide=wide,
    )


def _is_float(array: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(array.type))


def _row_by_row(
    query: Any, doc: Any, arrays: Mapping[str, Any], options: Options, read_as: str, faults: Faults
) -> Table:
    """Make the table the slow way, which names the rows that are wrong."""
    rows = Gathered(query.to_pylist(), doc.to_pylist(), faults=faults)
    if "value" in arrays:
        rows.value = arrays["value"].to_pylist()
    else:
        rows.take_ranks(arrays["rank"].to_pylist())
    for role in ("rank", "tag", "iteration"):
        if role in arrays:
            getattr(rows, role).extend(_plain(arrays[role]).to_pylist())
    return rows.table(options, read_as)


def _whole(column: Any) -> Any:
    """Return an Arrow column, in pieces or not, as one array with its dictionary, if any, resolved."""
    import pyarrow as pa

    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # a dictionary cannot always be put together, its texts can
            column = pa.concat_arrays([_plain(chunk) for chunk in column.chunks])
    return _plain(column)


def _plain(array: Any) -> Any:
    """Return an array without a dictionary."""
    import pyarrow as pa

    return array.dictionary_decode() if pa.types.is_dictionary(array.type) else array


def _ids(array: Any, where: str, what: str, faults: Faults) -> Any:
    """Return ids as a ``large_string`` array; nulls stay."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_integer(kind):
        tell_integer_ids(what, len(array) - array.null_count, faults)
    elif pa.types.is_floating(kind):
        raise InputError(
            f"{where} holds floats where {what}s are expected: 7.0 may have been 7, 007 or 7.0, and a missing value "
            "turns whole numbers into floats; read the ids as text (in pandas: dtype=str) and pass that"
        )
    elif not (pa.types.is_null(kind) or _is_text(kind)):
        raise InputError(f"{where} holds {kind} where {what}s are expected; ids are text: convert them yourself")
    try:
        texts = array.cast(pa.large_string())
        texts.validate(full=True)
    except pa.ArrowInvalid as error:
        raise InputError(f"{where}: {what}s that are not UTF-8 ({show(str(error), 200)})") from None
    return texts


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _is_odd(ids: Any) -> bool:
    """Return whether some id is missing, empty, or holds a NUL: the slow way names it."""
    import pyarrow.compute as pc

    if ids.null_count:
        return True
    shortest = pc.min(pc.binary_length(ids)).as_py()
    return shortest == 0 or bool(pc.any(pc.match_substring(ids, "\0")).as_py())


def _refuse_no_number(array: Any, where: str) -> None:
    """Raise for a column of values that are no numbers."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return
    raise InputError(
        f"{where} holds {'text' if _is_text(kind) else kind} where numbers are expected; convert it yourself"
    )


def _values(array: Any, options: Options) -> F64 | I64 | None:
    """Return scores or grades as one clean numpy array, or None where rows have to be looked at one by one."""
    import pyarrow as pa

    wanted = pa.int64() if options.kind == "qrels" and pa.types.is_integer(array.type) else pa.float64()
    try:
        numbers = array.cast(wanted, safe=wanted == pa.int64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None
    if options.kind == "run":
        return np.asarray(numbers, dtype=np.float64)
    if array.null_count or not np.isfinite(numbers).all():
        return None
    if options.float_grades:
        return np.asarray(numbers, dtype=np.float64)
    if (numbers != np.trunc(numbers)).any() or (np.abs(numbers) >= 2.0**63).any():
        return None
    return np.asarray(numbers, dtype=np.int64)


def _labels(array: Any | None) -> Labels | None:
    """Return a column of tags or iterations."""
    import pyarrow as pa

    if array is None:
        return None
    try:
        coded = array.cast(pa.large_string()).fill_null("").dictionary_encode()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return listed.labels([str(cell) for cell in array.to_pylist()])
    codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    return Labels(tuple(coded.dictionary.to_pylist()), codes)
