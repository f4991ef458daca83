"""From columns of ids and values, as found, to a table with its faults: where readers of other formats end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import ids
from denominator.formats import numbers
from denominator.formats.described import described, is_missing
from denominator.formats.faults import Faults, Place, show, tell_values
from denominator.formats.table import Options, Table
from denominator.model import Labels

if TYPE_CHECKING:
    from denominator.model import I32, I64, Fault

__all__ = ["coded", "from_columns", "labels", "large_strings", "ranks"]


def from_columns(
    query_id: Sequence[object],
    doc_id: Sequence[object],
    value: Sequence[object],
    *,
    options: Options,
    read_as: str,
    line: Sequence[int] | None = None,
    has_lines: bool = False,
    iteration: Sequence[str] | None = None,
    rank: Sequence[object] | None = None,
    tag: Sequence[str] | None = None,
    faults: Iterable[Fault] = (),
    lost: int = 0,
) -> Table:
    """Make a table of n rows from columns of length n (lists, numpy arrays of objects or numbers).

    Ids must be strings, not empty, without NUL or lone surrogates: anything else is a fault of severity ERROR that
    names the row, or its line where `line` or `has_lines` gives it one. Values may be text or numbers, as found.
    `read_as` is the sentence about the format, without the number of rows.
    """
    lines = np.asarray(line, dtype=np.int64) if line is not None else None
    seen = Faults(found=list(faults))
    place = Place(lines, has_lines)
    query_texts, lost_queries = _checked(query_id, "query id", place, seen)
    doc_texts, lost_docs = _checked(doc_id, "document id", place, seen)
    found = value.tolist() if isinstance(value, np.ndarray) else value
    if options.kind == "run":
        ready = isinstance(value, np.ndarray) and value.dtype == np.float64
        values = numbers.Values(np.asarray(value)) if ready else numbers.scores(found)
    else:
        values = numbers.grades(found, real_allowed=options.float_grades)
    tell_values(values, options.kind, place, seen)
    queries, query = coded(query_texts)
    return Table(
        queries,
        query,
        large_strings(doc_texts),
        values.array,
        read_as,
        seen.listing(),
        lost=lost + len(lost_queries | lost_docs),
        unusable=values.unusable(),
        line=lines,
        has_lines=has_lines or lines is not None,
        iteration=labels(iteration) if iteration is not None else None,
        rank=ranks(rank) if rank is not None else None,
        tag=labels(tag) if tag is not None else None,
        wide=values.wide,
    )


def _checked(found: Sequence[object], noun: str, place: Place, faults: Faults) -> tuple[list[str], set[int]]:
    """Return ids as strings, and the rows whose id is none; their faults are told."""
    plain: list[Any] = list(found)
    if _all_plain(plain):
        return plain, set()
    out: list[str] = []
    lost: set[int] = set()
    for row, text in enumerate(found):
        why = _why_no_id(text)
        if why:
            lost.add(row)
            faults.add(f"{noun.split()[0]}-id", place.words(row, f"{noun} {why}"), line=place.line(row))
        out.append("" if why else str(text))
    return out, lost


def _all_plain(found: list[Any]) -> bool:
    """Return whether all ids are sure to be good, in a few passes over all of them at once."""
    try:
        joined = "".join(found)  # a TypeError is the answer for what is not text
        joined.encode("utf-8")
    except (TypeError, UnicodeEncodeError):
        return False
    return "\0" not in joined and "" not in found


def _why_no_id(text: object) -> str:
    """Return what is wrong with an id, or nothing."""
    if is_missing(text):
        return "is missing"
    if not isinstance(text, str):
        hint = ": 007 is not 7, so turn it into text yourself" if isinstance(text, Real) else ""
        return f"is {described(text)}, an id is text{hint}"
    if not text:
        return "is empty"
    if "\0" in text:
        return f"{show(text)} holds a NUL character, which no tool can keep"
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return f"{show(text)} holds half a surrogate pair, which is no character"
    return ""


def coded(texts: Iterable[str]) -> tuple[tuple[str, ...], I32]:
    """Return the distinct texts in order of first appearance, and per text the index of its kind."""
    index: dict[str, int] = {}
    codes = [index.setdefault(text, len(index)) for text in texts]
    return tuple(index), np.array(codes, dtype=np.int32)


def labels(texts: Iterable[str]) -> Labels:
    """Return a column of texts with few distinct values."""
    return Labels(*coded(texts))


def large_strings(texts: Sequence[str]) -> Any:
    """Return an Arrow ``large_string`` array."""
    return ids.column_of(texts)


def ranks(found: Sequence[object]) -> I64 | tuple[str, ...]:
    """Return a rank column: whole numbers, or its texts where one is not a whole number."""
    column = numbers.grades(found).array
    if column.dtype == np.int64:
        return column.astype(np.int64, copy=False)
    integers = [numbers.whole(rank) for rank in found]
    return tuple(
        numbers.words(rank) if integer is None else str(integer) for rank, integer in zip(found, integers, strict=True)
    )
