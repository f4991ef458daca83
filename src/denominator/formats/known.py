"""The formats that are known, in the order in which they are asked.

To force one: ``read_run(path, format="trec")`` or ``--run-format trec``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from denominator.formats import (
    arrow_files,
    beir,
    frames,
    golden_yaml,
    irds,
    jsonl,
    mappings,
    msmarco,
    nested_json,
    ranx_lz4,
    trec,
)
from denominator.formats.table import Format, Kind, ObjectFormat

__all__ = ["FORMATS", "OBJECTS"]

_RUN: frozenset[Kind] = frozenset({"run"})
_QRELS: frozenset[Kind] = frozenset({"qrels"})
_BOTH: frozenset[Kind] = frozenset({"run", "qrels"})

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "parquet": Format(_BOTH, "Parquet", arrow_files.sniff_parquet, arrow_files.read_parquet),
        "arrow": Format(_BOTH, "an Arrow or Feather file", arrow_files.sniff_arrow, arrow_files.read_arrow),
        "ranx-lz4": Format(_BOTH, "ranx's own .lz4 file, which is refused", ranx_lz4.sniff, ranx_lz4.read),
        "json": Format(_BOTH, "nested JSON ({query: {document: value}})", nested_json.sniff, nested_json.read),
        "jsonl": Format(_BOTH, "JSON lines (query_id, doc_id and a value, or retrieved)", jsonl.sniff, jsonl.read),
        "yaml": Format(_QRELS, "golden YAML (query and grades)", golden_yaml.sniff, golden_yaml.read),
        "beir": Format(_BOTH, "BEIR (tab-separated under a header)", beir.sniff, beir.read),
        "msmarco": Format(_RUN, "MS MARCO (query doc rank, or query doc rank score)", msmarco.sniff, msmarco.read),
        "trec": Format(_BOTH, "TREC (a run has 6 columns, qrels have 4)", trec.sniff, trec.read),
    }
)
"""Files, by the name that forces the format. TREC stays last: it takes what no other format claims."""

OBJECTS: Mapping[str, ObjectFormat] = MappingProxyType(
    {
        "frame": ObjectFormat(frames.accepts, frames.read, frames.name),
        "ir_datasets": ObjectFormat(irds.accepts, irds.read, irds.name),
        "rows": ObjectFormat(mappings.accepts, mappings.read, mappings.name),
    }
)
"""Python objects: frames, dicts, iterables, ids of data sets."""
