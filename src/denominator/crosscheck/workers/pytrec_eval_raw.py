"""pytrec_eval as its README uses it: ``parse_run``, ``parse_qrel``, ``RelevanceEvaluator``, a mean over its dict."""

from __future__ import annotations

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Raw:
    """``RelevanceEvaluator(parse_qrel(…), {name}, relevance_level=…).evaluate(parse_run(…))``."""

    def version(self) -> str:
        """Return the version of the distribution, for the module of the terrier one states it too."""
        import pytrec_eval

        return str(getattr(pytrec_eval, "__version__", ""))

    def load(self, qrels: str, run: str) -> None:
        """Read both files with pytrec_eval's own parsers."""
        import pytrec_eval

        with open(qrels, encoding="utf-8") as file:
            self.qrels = pytrec_eval.parse_qrel(file)
        with open(run, encoding="utf-8") as file:
            self.run = pytrec_eval.parse_run(file)

    def answer(self, ask: Ask) -> Answer:
        """Evaluate, and average over the queries that come back, as the README's example does."""
        import pytrec_eval

        found = pytrec_eval.RelevanceEvaluator(self.qrels, {ask.name}, **ask.options).evaluate(self.run)
        values = {}
        for query, measures in found.items():
            name = ask.name if ask.name in measures else next(iter(measures))
            values[query] = measures[name]
        mean = pytrec_eval.compute_aggregated_measure(ask.name, list(values.values())) if values else None
        return Answer(values, mean)


if __name__ == "__main__":
    serve(Raw())
