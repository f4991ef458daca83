"""The formats that are known, in the order in which they are asked.

To force one: ``read_run(path, format="trec")`` or ``--run-format trec``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from denominator.formats.table import Format, Kind, ObjectFormat

__all__ = ["FORMATS", "OBJECTS"]

_RUN: frozenset[Kind] = frozenset({"run"})
_QRELS: frozenset[Kind] = frozenset({"qrels"})
_BOTH: frozenset[Kind] = frozenset({"run", "qrels"})


def _later(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a format's module that is imported when it is first called: most files need one of ten."""

    def call(*given: Any) -> Any:
        return getattr(importlib.import_module(f"denominator.formats.{module}"), name)(*given)

    return call


def _file(kinds: frozenset[Kind], title: str, module: str, suffix: str = "") -> Format:
    """Return a row of the table of files."""
    return Format(kinds, title, _later(module, f"sniff{suffix}"), _later(module, f"read{suffix}"))


def _object(module: str) -> ObjectFormat:
    """Return a row of the table of objects."""
    return ObjectFormat(*(_later(module, name) for name in ("accepts", "read", "name")))


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "parquet": _file(_BOTH, "Parquet", "arrow_files", "_parquet"),
        "arrow": _file(_BOTH, "an Arrow or Feather file", "arrow_files", "_arrow"),
        "ranx-lz4": _file(_BOTH, "ranx's own .lz4 file, which is refused", "ranx_lz4"),
        "json": _file(_BOTH, "nested JSON ({query: {document: value}})", "nested_json"),
        "jsonl": _file(_BOTH, "JSON lines (query_id, doc_id and a value, or retrieved)", "jsonl"),
        "yaml": _file(_QRELS, "golden YAML (query and grades)", "golden_yaml"),
        "beir": _file(_BOTH, "BEIR (tab-separated under a header)", "beir"),
        "msmarco": _file(_RUN, "MS MARCO (query doc rank, or query doc rank score)", "msmarco"),
        "trec": _file(_BOTH, "TREC (a run has 6 columns, qrels have 4)", "trec"),
    }
)
"""Files, by the name that forces the format. TREC stays last: it takes what no other format claims."""

OBJECTS: Mapping[str, ObjectFormat] = MappingProxyType(
    {
        "frame": _object("frames"),
        "ir_datasets": _object("irds"),
        "rows": _object("mappings"),
    }
)
"""Python objects: frames, dicts, iterables, ids of data sets."""
