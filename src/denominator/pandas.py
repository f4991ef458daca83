"""pandas: scores from a frame in one call, and files that give a frame back as it was.

Importing this module registers the accessor, as pandas calls what stands behind ``frame.denominator``:

>>> import pandas as pd
>>> import denominator.pandas
>>> run = pd.DataFrame({"qid": ["q1", "q1"], "docno": ["d9", "d1"], "score": [2.0, 1.0]})
>>> scores = run.denominator.evaluate({"q1": {"d1": 1}}, "RR R@1")
>>> scores.to_pandas("wide")["RR"].tolist()
[0.5]

Columns may have the names of ir_measures, ir_datasets, PyTerrier or trec_eval, and may be levels of the index. Ids are
text. Ids that a frame holds as whole numbers become their decimal text, and a note in ``Run.source.notes`` says so:
zeros in front of them were lost when the frame was made. Floats are refused: 7.0 may have been 7, 007 or a missing
value's neighbour.

A CSV file has no types, and ``pandas.read_csv`` makes 7 of 007. `read_frame` takes every column for text but those
that are known to be numbers: it gives back what `write_frame` wrote, but for ``frame.attrs``, which only Parquet keeps,
and reads any other CSV file without losing an id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from denominator.errors import InputError, UsageError
from denominator.framefiles import read_frame, write_frame
from denominator.model import Qrels, Run
from denominator.quoting import listed, shown

if TYPE_CHECKING:
    from denominator.findings import Findings
    from denominator.scores import Scores

__all__ = ["MEASURES", "FrameAccessor", "read_frame", "write_frame"]

MEASURES = "P@10 R@10 RR@10 nDCG@10"
"""What is measured where nothing is said: what the command line prints then."""


@pd.api.extensions.register_dataframe_accessor("denominator")
class FrameAccessor:
    """What ``frame.denominator`` offers: the frame is a run, or several runs with their names in a column."""

    def __init__(self, frame: pd.DataFrame) -> None:
        """Keep the frame; its columns are looked at when something is asked of them."""
        self._frame = frame

    def evaluate(self, qrels: Any, measures: Any = MEASURES, *, runs: str | None = None, **options: Any) -> Scores:
        """Score the run in this frame, or the runs that the column `runs` tells apart.

        `qrels` and `measures` are those of :func:`denominator.evaluate`, and so are `options` and what is raised.
        Without `measures` they are those of ``denominator score``: P, R, RR and nDCG at 10.
        """
        from denominator.evaluate import evaluate

        return evaluate(qrels, self._runs(runs), measures, **options)

    def audit(self, qrels: Any, *, runs: str | None = None, **options: Any) -> Findings:
        """Audit the run in this frame, or the runs that the column `runs` tells apart.

        `qrels` is that of :func:`denominator.audit`, and so are `options` and what is raised.
        """
        from denominator.audit import audit

        return audit(qrels, self._runs(runs), **options)

    def to_run(self, **options: Any) -> Run:
        """Read the frame as a run: see :meth:`denominator.Run.from_pandas`."""
        return Run.from_pandas(self._frame, **options)

    def to_qrels(self, **options: Any) -> Qrels:
        """Read the frame as judgments: see :meth:`denominator.Qrels.from_pandas`."""
        return Qrels.from_pandas(self._frame, **options)

    def _runs(self, column: str | None) -> Any:
        """Return the frame, or a frame for each run.

        Raises:
            UsageError: there is no such column.
            InputError: a row without the name of its run.
        """
        if column is None:
            return self._frame
        if column not in self._frame.columns:
            there = listed([str(name) for name in self._frame.columns])
            raise UsageError(f"runs={shown(column)}: no such column; there are {there}")
        missing = int(self._frame[column].isna().sum())
        if missing:
            raise InputError(
                f"pandas DataFrame: {missing:,} {'row has' if missing == 1 else 'rows have'} no name of a run in "
                f"column {shown(column)}; every row belongs to one"
            )
        parts = self._frame.groupby(column, sort=False, observed=True)
        return {str(name): part.drop(columns=column) for name, part in parts}
