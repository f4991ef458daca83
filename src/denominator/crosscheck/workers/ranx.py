"""ranx as its documentation uses it: ``Qrels.from_file``, ``Run.from_file``, ``evaluate(…, make_comparable=True)``."""

from __future__ import annotations

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Ranx:
    """``evaluate(qrels, run, name, make_comparable=True)``; the values of single queries are in ``run.scores``."""

    def version(self) -> str:
        """Return the version of the distribution; the module states none."""
        from importlib.metadata import version

        return version("ranx")

    def load(self, qrels: str, run: str) -> None:
        """Read both files with ranx's own readers."""
        from ranx import Qrels, Run

        self.qrels = Qrels.from_file(qrels, kind="trec")
        self.path = run
        Run.from_file(run, kind="trec")

    def answer(self, ask: Ask) -> Answer:
        """Evaluate a run that is fresh from its file: an evaluation sorts it in place, and ties change with it."""
        from ranx import Run, evaluate

        run = Run.from_file(self.path, kind="trec")
        mean = evaluate(self.qrels, run, ask.name, make_comparable=True)
        return Answer(dict(run.scores[ask.name]), float(mean))


if __name__ == "__main__":
    serve(Ranx())
