"""Scores as tables of Arrow and pandas.

Long form, one row per (run, query, measure), runs, then measures, then queries in byte order:

===============  =======  ======================================================================
run              string   the run's name
query_id         string   ids are strings, always
measure          string   as it is typed: ``nDCG@10``
value            float64  null where no number is right (``undefined`` is true there)
answered         bool     whether the run holds the query
undefined        bool     whether the definition has no value here
engine           string   who computed the value, with the version; ``unanswered`` where nobody did
numerator        int64    null for a measure that is no fraction of counts, as the next two
denominator      int64
best             int64    the highest numerator that any ranking could have
ceiling          float64  the highest value that any ranking could have; null where there is none
===============  =======  ======================================================================

The Arrow schema's metadata holds ``dialect`` and ``settings``. Wide form: index (run, query_id), a float64 column per
measure, NaN where the long form has null.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from denominator.errors import UsageError

if TYPE_CHECKING:
    from denominator.scores import Scores

__all__ = ["to_arrow", "to_pandas"]


def to_arrow(scores: Scores) -> Any:
    """Return the long form as a pyarrow Table."""
    import pyarrow as pa

    rows, ledger = list(scores.rows()), list(scores.ledger())
    columns = {
        "run": pa.array([row.run for row in rows], pa.string()),
        "query_id": pa.array([row.query_id for row in rows], pa.string()),
        "measure": pa.array([str(row.measure) for row in rows], pa.string()),
        "value": pa.array([row.value for row in rows], pa.float64()),
        "answered": pa.array([row.answered for row in rows], pa.bool_()),
        "undefined": pa.array([row.undefined for row in rows], pa.bool_()),
        "engine": pa.array([row.engine for row in rows], pa.string()),
        "numerator": pa.array([row.numerator for row in ledger], pa.int64()),
        "denominator": pa.array([row.denominator for row in ledger], pa.int64()),
        "best": pa.array([row.best for row in ledger], pa.int64()),
        "ceiling": pa.array([row.ceiling for row in ledger], pa.float64()),
    }
    metadata = {
        "dialect": scores.dialect,
        "settings": json.dumps(
            {"queries": scores.query_set.name, **scores.settings._asdict(), "collapse": scores.collapse}
        ),
    }
    return pa.table(columns).replace_schema_metadata(metadata)


def to_pandas(scores: Scores, form: Literal["long", "wide"] = "long") -> Any:
    """Return a DataFrame in long or wide form.

    Raises:
        UsageError: another form.
    """
    import pandas as pd

    if form == "long":
        return to_arrow(scores).to_pandas()
    if form != "wide":
        raise UsageError(f'form={form!r}: expected "long" or "wide"')
    index = pd.MultiIndex.from_product([[run.name for run in scores.runs], scores.queries], names=["run", "query_id"])
    columns = {
        str(measure): [value for run in scores.runs for value in run.values[measure].tolist()]
        for measure in scores.measures
    }
    return pd.DataFrame(columns, index=index, dtype="float64")
