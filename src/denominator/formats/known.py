"""The formats that are known, in the order in which they are asked.

To force one: ``read_run(path, format="trec")`` or ``--run-format trec``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from denominator.formats import trec
from denominator.formats.table import Format, Kind, ObjectFormat

__all__ = ["FORMATS", "OBJECTS"]

_BOTH: frozenset[Kind] = frozenset({"run", "qrels"})

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "trec": Format(_BOTH, "TREC (a run has 6 columns, qrels have 4)", trec.sniff, trec.read),
    }
)
"""Files, by the name that forces the format. TREC stays last: it takes what no other format claims."""

OBJECTS: Mapping[str, ObjectFormat] = MappingProxyType({})
"""Python objects: frames, dicts, iterables, ids of data sets."""
