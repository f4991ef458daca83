"""Frames in files, Parquet or CSV, that come back with every value, id and type that they had.

The types of a table that this package made are known from the names of its columns. In any other table a column is text
but those that hold scores, grades or ranks by one of their usual names. No type is ever guessed from what texts look
like: 007 is an id, and so are NA and 1e5.

CSV has no place for ``frame.attrs``; Parquet keeps them.
"""

from __future__ import annotations

import io
import math
import os
import re
import warnings
from typing import TYPE_CHECKING, Any

from denominator.errors import InputError, MeasureError, UsageError
from denominator.formats.names import RANK, RELEVANCE, SCORE, plain
from denominator.formats.placing import placed, split_suffix
from denominator.formats.sources import open_content
from denominator.frames import BOUNDS, PARTS, TABLES, WIDE
from denominator.measures import parse_measure
from denominator.quoting import quoted
from denominator.tables import PANDAS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

__all__ = ["read_frame", "write_frame"]

CODE = re.compile(r"[A-Z]\d{3}")
"""A column of findings in wide form."""

NUMBERS = {word for choices in (SCORE, RELEVANCE, RANK) for words in choices for word in words}
"""What columns of numbers are called in runs and judgments."""


def write_frame(frame: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a frame as its name's ending says, ``.csv`` or ``.parquet``; the file appears whole or not at all.

    Named levels of the index are written as columns. A further ``.gz``, ``.bz2``, ``.xz``, ``.zst`` or ``.lz4``
    compresses a CSV file. Parquet keeps ``frame.attrs``, and CSV has no place for them.

    Raises:
        UsageError: another ending.
        InputError: the place cannot be written to.
    """
    import csv

    suffix, compression = split_suffix(str(path))
    if suffix not in (".csv", ".parquet") or (suffix == ".parquet" and compression):
        raise UsageError(f"{path}: a frame is written as .csv, which may be compressed (.csv.gz), or as .parquet")
    flat = _flat(frame)
    with placed(str(path)) as file:
        if suffix == ".parquet":
            flat.to_parquet(file)
        else:  # all texts in quotes: a carriage return inside one would end its row
            text = flat.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
            file.write(text.encode("utf-8"))


def read_frame(source: str | os.PathLike[str] | Any) -> pd.DataFrame:
    """Read a Parquet or CSV file, or one that is open as bytes, as a frame; no text becomes a number for its looks.

    A table of :data:`denominator.frames.TABLES` has its documented types, and a wide form its index. Compressed files
    are recognised by their first bytes.

    Raises:
        InputError: the file cannot be read, or a cell is not of the type of its column.
    """
    import pandas as pd

    with open_content(source, encoding="utf-8") as content:
        name, data = content.name, content.read()
    try:
        frame = _flat(pd.read_parquet(io.BytesIO(data))) if data.startswith(b"PAR1") else _texts(data)
    except (ValueError, OSError, pd.errors.ParserWarning) as error:
        raise InputError(f"{name}: neither a Parquet nor a CSV file ({str(error).splitlines()[0]})") from None
    kinds, index = _kinds([str(column) for column in frame.columns])
    typed = {column: _typed(frame[column], kinds.get(column, "as it is"), name) for column in frame.columns}
    whole = pd.DataFrame(typed, columns=frame.columns)
    if index:
        whole = whole.set_index(list(index))
    whole.attrs.update(frame.attrs)
    return whole


def _flat(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the named levels of its index as columns, and no other index."""
    import pandas as pd

    unnamed: list[Any] = [level for level, name in enumerate(frame.index.names) if name is None]
    if len(unnamed) == frame.index.nlevels:
        flat = frame.set_axis(pd.RangeIndex(len(frame)), axis=0)
    else:
        flat = frame.droplevel(unnamed).reset_index()
    flat.attrs.update(frame.attrs)
    return flat


def _texts(data: bytes) -> pd.DataFrame:
    """Return a CSV file with every cell as its text; an index without a name, which only counts rows, is left away."""
    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("error", pd.errors.ParserWarning)  # rows longer than the heading
        frame = pd.read_csv(io.BytesIO(data), dtype="string", na_filter=False, index_col=False, encoding="utf-8")
    first = frame.columns[0]
    if first.startswith("Unnamed: ") and frame[first].tolist() == [str(row) for row in range(len(frame))]:
        frame = frame.drop(columns=first)
    return frame


def _kinds(names: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the kind of each known column, and the columns that are the index."""
    for table in TABLES.values():
        own, further = names[: len(table)], names[len(table) :]
        if list(own) == list(table) and set(further) <= set(BOUNDS):
            return {**table, **dict.fromkeys(further, "real")}, ()
    if tuple(names[:2]) == WIDE and len(names) > 2:
        kinds = {name: _kind_of_measure(name) for name in names[2:]}
        if all(kinds.values()):
            return {**dict.fromkeys(WIDE, "text"), **kinds}, WIDE
    if names and names[0] == "source" and all(CODE.fullmatch(name) for name in names[1:]):
        return {"source": "text", **dict.fromkeys(names[1:], "count")}, ("source",)
    return {name: "number" if plain(name) in NUMBERS else "text" for name in names}, ()


def _kind_of_measure(name: str) -> str:
    """Return the kind of a column of a wide form, or nothing."""
    part = next((part for part in PARTS if part and name.endswith(part)), "")
    try:
        parse_measure(name.removesuffix(part))
    except MeasureError:
        return ""
    return PARTS[part]


def _typed(column: pd.Series[Any], kind: str, name: str) -> Any:
    """Return a column in the type of its kind.

    Raises:
        InputError: a cell cannot be; the first one is named.
    """
    import pandas as pd

    from_text = _is_text(column)
    if kind == "number":
        return _numbers(column) if from_text else column
    if kind.startswith("text"):
        return _as_text(column, kind) if from_text else column
    if not from_text:
        return column.astype(PANDAS[kind])  # type: ignore[call-overload]  # the name of a type, from a table
    out = []
    for row, cell in enumerate(column.tolist(), start=1):
        try:
            out.append(PARSED[kind](cell))
        except ValueError:
            raise InputError(
                f"{name}: column {quoted(str(column.name))}, row {row:,}: {quoted(str(cell))} is not {WORDS[kind]}"
            ) from None
    # the type's name is from a table
    return pd.array(out, dtype=PANDAS[kind])  # type: ignore[call-overload]


def _is_text(column: pd.Series[Any]) -> bool:
    """Return whether a column holds texts, and nothing but texts and missing cells."""
    import pandas as pd

    if isinstance(column.dtype, pd.StringDtype):
        return True
    return column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) in ("string", "empty")


def _as_text(column: pd.Series[Any], kind: str) -> Any:
    """Return a column as type ``string``; an empty cell is a missing one where there is no empty text."""
    texts = column.astype("string")
    return texts.mask(texts == "") if kind == "text?" else texts


def _numbers(column: pd.Series[Any]) -> Any:
    """Return the numbers that all cells of a column are, whole ones as int64, or else their texts."""
    import pandas as pd

    cells = column.tolist()
    for read, dtype in ((_whole, "int64"), (_real, "float64")):
        try:
            # the type's name is from a table
            return pd.array([read(cell) for cell in cells], dtype=dtype)  # type: ignore[call-overload]
        except (ValueError, OverflowError):
            continue
    return column.astype("string")


def _real(cell: str) -> float:
    """Return a number bit for bit; NaN where there is none."""
    return float(_digits(cell)) if cell else math.nan


def _whole(cell: str) -> int:
    """Return a whole number."""
    return int(_digits(cell))


def _digits(cell: str) -> str:
    """Return a cell, or refuse what Python alone takes for a number: 1_000, and digits of other scripts."""
    if "_" in cell or not cell.isascii():
        raise ValueError(cell)
    return cell


def _flag(cell: str) -> bool:
    """Return a truth value as pandas writes it."""
    if cell not in ("True", "False"):
        raise ValueError(cell)
    return cell == "True"


PARSED: dict[str, Callable[[str], Any]] = {
    "real": _real,
    "count": _whole,
    "count?": lambda cell: _whole(cell) if cell else None,
    "flag": _flag,
}
"""Kind of column → what reads a cell of it."""

WORDS = {"real": "a number", "count": "a whole number", "count?": "a whole number", "flag": "True or False"}
"""Kind of column → what is expected, in a message."""
