"""A benchmark as rows, the same for CSV and pandas.

==================  ===============================================================================================
row                 ``run``: a run's mean · ``published``: a published value beside it · ``macro``: a mean over
                    languages · ``macro-published``: what is published of those languages, beside it
dataset             the data set's id, or the name of the judgments where they are of none
run, measure        whose mean, by what
official            whether the data set's makers compare systems by this measure
value               the run's mean
ceiling             the highest mean that any ranking could have; empty where higher is not better
share_of_ceiling    value / ceiling
n                   what the mean is over: queries, or languages in a macro row
judged, answered    counts of queries
rank, systems       the run's place, and among how many systems, the run among them; ``tied`` have the same value
primary_rank        the place among ``primary_systems``: those not from secondary sources, and the run
system              in published rows: whose value
published           that value
difference          the run's value minus the published one, at the decimals of the source
secondary           whether the source is neither the collection's nor that of the system's makers
same_as             what another source calls the same system
source, note        where the value stands, and what else to know of it
==================  ===============================================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.benchmark.standing import Benchmark, Standing

__all__ = ["COLUMNS", "records", "to_pandas"]

COLUMNS = {
    "row": "text",
    "dataset": "text",
    "run": "text",
    "measure": "text",
    "official": "flag",
    "value": "real",
    "ceiling": "real",
    "share_of_ceiling": "real",
    "n": "count",
    "judged": "count",
    "answered": "count",
    "rank": "count",
    "systems": "count",
    "tied": "count",
    "primary_rank": "count",
    "primary_systems": "count",
    "system": "text",
    "published": "real",
    "difference": "real",
    "secondary": "flag",
    "same_as": "text",
    "source": "text",
    "note": "text",
}
"""Column → what it holds."""

_DTYPES = {"text": "object", "real": "float64", "count": "Int64", "flag": "boolean"}


def records(found: Benchmark) -> Iterator[dict[str, Any]]:
    """Yield the rows: of every data set, then over the languages; each mean before what is published beside it."""
    for part in found.parts:
        for one in part.standings:
            yield from _rows("", part.dataset or part.scores.qrels.name, one)
    for one in found.macro:
        yield from _rows("macro", found.macro_dataset, one)


def _rows(kind: str, dataset: str, one: Standing) -> Iterator[dict[str, Any]]:
    """Yield the row of a mean and those beside it."""
    mean, rank, primary = one.mean, one.rank, one.primary_rank
    own = dict.fromkeys(COLUMNS) | {
        "row": kind or "run",
        "dataset": dataset,
        "run": mean.run,
        "measure": str(mean.measure),
        "official": one.official,
        "value": mean.value,
        "ceiling": mean.ceiling,
        "share_of_ceiling": mean.share_of_ceiling,
        "n": mean.n,
        "judged": mean.judged,
        "answered": mean.answered,
        "rank": None if rank is None else rank.place,
        "systems": None if rank is None else rank.of,
        "tied": None if rank is None else rank.tied,
        "primary_rank": None if primary is None else primary.place,
        "primary_systems": None if primary is None else primary.of,
    }
    yield own
    for beside in one.beside:
        row = beside.row
        yield own | {
            "row": f"{kind}-published".lstrip("-"),
            "system": row.system,
            "published": row.value,
            "difference": beside.difference,
            "secondary": row.secondary,
            "same_as": row.same_as or None,
            "source": row.source,
            "note": row.note or None,
        }


def to_pandas(found: Benchmark) -> Any:
    """Return the rows as a DataFrame, whatever is missing in them."""
    import pandas as pd

    rows = list(records(found))
    return pd.DataFrame(
        {name: pd.Series([row[name] for row in rows], dtype=_DTYPES[kind]) for name, kind in COLUMNS.items()}
    )
