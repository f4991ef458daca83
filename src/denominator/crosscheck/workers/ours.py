"""Our engines, each as ``denominator score --engine NAME`` uses it; the name is the worker's argument."""

from __future__ import annotations

import sys
from typing import Any

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Ours:
    """``evaluate(qrels, run, measure, engine=NAME)``: every judged query has a value."""

    def __init__(self, engine: str, float_grades: bool) -> None:
        """Take the engine's name, and whether grades may be real numbers."""
        self.engine, self.float_grades = engine, float_grades

    def version(self) -> str:
        """Return the version of the engine's library."""
        from importlib.metadata import version

        return version("pytrec-eval-terrier" if self.engine == "pytrec_eval" else "denominator")

    def load(self, qrels: str, run: str) -> None:
        """Read both files strictly, as `denominator score` does."""
        from denominator.formats import read_qrels, read_run

        self.qrels, self.run = read_qrels(qrels, float_grades=self.float_grades), read_run(run)

    def answer(self, ask: Ask) -> Answer:
        """Evaluate one measure."""
        import math

        from denominator.evaluate import evaluate

        options: dict[str, Any] = ask.options
        scores = evaluate(self.qrels, self.run, ask.name, engine=self.engine, **options)
        run, measure = scores.runs[0], scores.measures[0]
        column = run.values[measure].tolist()
        values = {query: value for query, value in zip(scores.queries, column, strict=True) if not math.isnan(value)}
        note = "; ".join(one.message for one in run.notes if one.kind == "withheld")
        return Answer(values, scores.means()[0].value, note)


if __name__ == "__main__":
    serve(Ours(sys.argv[1], "float-grades" in sys.argv))
