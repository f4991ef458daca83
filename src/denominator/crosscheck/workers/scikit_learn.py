"""scikit-learn as people use it for retrieval: for each query the retrieved documents' grades and scores.

``ndcg_score([[grades]], [[scores]], k=k)`` and ``average_precision_score(grades > 0, scores)``: a document without a
judgment counts as grade 0, and what was not retrieved is not there.
"""

from __future__ import annotations

from collections import defaultdict

from denominator.crosscheck.workers.channel import Answer, Ask, serve


class Sklearn:
    """One call a query, and the plain mean of what comes back."""

    def version(self) -> str:
        """Return the version that the module states."""
        import sklearn

        return str(sklearn.__version__)

    def load(self, qrels: str, run: str) -> None:
        """Read both files into dicts: scikit-learn has no readers."""
        import sklearn.metrics

        self.metrics = sklearn.metrics
        self.qrels: dict[str, dict[str, float]] = defaultdict(dict)
        self.run: dict[str, list[tuple[str, float]]] = defaultdict(list)
        with open(qrels, encoding="utf-8") as file:
            for line in file:
                query, _, doc, grade = line.split()
                self.qrels[query][doc] = float(grade)
        with open(run, encoding="utf-8") as file:
            for line in file:
                query, _, doc, _, score, _ = line.split()
                self.run[query].append((doc, float(score)))

    def answer(self, ask: Ask) -> Answer:
        """Score the queries that are in both files; those that scikit-learn refuses are said."""
        import warnings

        import numpy as np

        warnings.simplefilter("ignore")  # it warns of each query without a relevant document
        values, refused = {}, {}
        for query in self.run:
            if query not in self.qrels:
                continue
            grades = np.array([[self.qrels[query].get(doc, 0.0) for doc, _ in self.run[query]]])
            scores = np.array([[score for _, score in self.run[query]]])
            try:
                if ask.name == "ndcg_score":
                    values[query] = self.metrics.ndcg_score(grades, scores, **ask.options)
                else:
                    values[query] = self.metrics.average_precision_score(grades[0] > 0, scores[0])
            except ValueError as error:
                refused[query] = str(error).splitlines()[0]
        return Answer(values, float(np.mean(list(values.values()))) if values else None, refused=refused)


if __name__ == "__main__":
    serve(Sklearn())
