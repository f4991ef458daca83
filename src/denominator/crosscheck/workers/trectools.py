"""trectools as its README uses it: ``TrecEval(TrecRun(…), TrecQrel(…)).get_ndcg(depth=10, per_query=True)``."""

from __future__ import annotations

import math
from typing import Any

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Trectools:
    """``TrecEval(run, qrels).get_…(…)``, once with ``per_query=True`` and once for the mean it prints."""

    def version(self) -> str:
        """Return the version of the distribution; the module states none."""
        from importlib.metadata import version

        return version("trectools")

    def load(self, qrels: str, run: str) -> None:
        """Read both files with trectools' own readers."""
        import warnings

        warnings.simplefilter("ignore")  # its own use of pandas is deprecated
        from trectools import TrecEval, TrecQrel, TrecRun

        self.evaluation = TrecEval(TrecRun(run), TrecQrel(qrels))

    def answer(self, ask: Ask) -> Answer:
        """Return every query's value, and its mean: the sum over the number of topics of the run.

        A query that has no row, or a NaN, adds nothing to that sum: it counts 0 if it is a topic of the run.
        """
        method = getattr(self.evaluation, ask.name)
        table, mean = method(**ask.options, per_query=True), method(**ask.options, per_query=False)
        if isinstance(table, tuple):  # get_rbp returns the residuals too
            table, mean = table[0], mean[0]
        column: Any = table[table.columns[0]] if hasattr(table, "columns") else table
        found = {str(query): float(value) for query, value in column.items()}
        topics = [str(topic) for topic in self.evaluation.run.topics()]
        judged = {str(topic) for topic in self.evaluation.qrels.topics()}
        values = {topic: found.get(topic, math.nan) for topic in topics if topic in judged}
        empty = [topic for topic, value in values.items() if math.isnan(value)]
        values.update(dict.fromkeys(empty, 0.0))
        outside = len(topics) - len(values)
        notes = [f"queries without a value, which add 0 to its mean: {len(empty):,}"] if empty else []
        notes += [f"its mean divides by {len(topics):,} topics, {outside:,} of them not judged"] if outside else []
        return Answer(values, float(mean), "; ".join(notes))


if __name__ == "__main__":
    serve(Trectools())
