"""A row a value, typed; the columns are those of :mod:`denominator.outputs.records`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from denominator.outputs.json import settings
from denominator.outputs.records import columns, records

if TYPE_CHECKING:
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["render"]


def render(scores: Scores, options: Options) -> bytes:
    """Return the bytes of a Parquet file; the schema's metadata holds the settings as JSON under ``denominator``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"text": pa.string(), "real": pa.float64(), "count": pa.int64(), "flag": pa.bool_()}
    rows = list(records(scores, options.per_query))
    arrays = {name: pa.array([row[name] for row in rows], types[kind]) for name, kind in columns(scores).items()}
    table = pa.table(arrays).replace_schema_metadata({"denominator": json.dumps(settings(scores))})
    out = pa.BufferOutputStream()
    pq.write_table(table, out)
    written: bytes = out.getvalue().to_pybytes()
    return written
