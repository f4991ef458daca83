"""ir_measures as its documentation uses it: ``calc([measure], read_trec_qrels(…), read_trec_run(…))``."""

from __future__ import annotations

from typing import Any

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Measures:
    """``ir_measures.calc([parse_measure(name)], qrels, run)``, which gives the mean and every query's value."""

    def version(self) -> str:
        """Return the version that the module states."""
        import ir_measures

        return str(ir_measures.__version__)

    def load(self, qrels: str, run: str) -> None:
        """Read both files with ir_measures' own readers, into lists, for they are asked more than once."""
        import ir_measures

        library: Any = ir_measures
        self.qrels = list(library.read_trec_qrels(qrels))
        self.run = list(library.read_trec_run(run))

    def answer(self, ask: Ask) -> Answer:
        """Return every query's value and the aggregate."""
        import ir_measures

        measure = ir_measures.parse_measure(ask.name)
        found: Any = ir_measures.calc([measure], self.qrels, self.run)
        return Answer({one.query_id: one.value for one in found.per_query}, found.aggregated[measure])


if __name__ == "__main__":
    serve(Measures())
