"""The one call: judgments, runs and measures in, scores out.

This module imports nothing heavy, so that the package can hold the function under the module's own name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from denominator.dialects import Dialect
    from denominator.scores import Scores

__all__ = ["evaluate"]


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Any,
    *,
    queries: Literal["judged", "answered", "answerable", "run"] | str | Sequence[str] = "judged",
    engine: Literal["auto", "pytrec_eval", "columnar", "reference"] | str = "auto",
    trec_eval: Literal["9", "10"] = "9",
    level: float = 1,
    depth: int | None = None,
    judged_only: bool = False,
    by: Mapping[str, str] | str | os.PathLike[str] | None = None,
    collapse: str | None = None,
    dialect: str | Dialect | None = None,
    ties: bool = False,
    unjudged: Literal["bounds"] | None = None,
    gmax: float | None = None,
    max_unjudged_relevant: int | None = None,
    floor: bool = False,
    corpus_size: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """Score one run or many against judgments; every judged query has a row, and every mean says what it is over.

    >>> scores = evaluate({"q1": {"d1": 2, "d2": 1}, "q2": {"d3": 1}}, {"q1": {"d9": 2.0, "d1": 1.0}}, "RR R@1 nDCG@2")
    >>> print(scores.means()[0])
    RR 0.250 (2 judged: 1 answered, 1 scored 0), 25% of the ceiling 1.000

    Args:
        qrels: judgments, or anything that :func:`denominator.read_qrels` reads: a path, a dict, a frame.
        runs: a run, or anything that :func:`denominator.read_run` reads; or several: a list, or a mapping from name to
            run. A function without arguments that returns a run is called when its turn comes.
        measures: ``"nDCG@10 R@100"``, or a list of texts and measures, ours or ir_measures'.
        queries: what the means are over: every judged query (an unanswered one scores 0, as trec_eval ``-c`` has it),
            those that the run answers, those that have a relevant document, all of the run's, judged or not
            (``run``), or a list of query ids.
        engine: ``auto`` trusts pytrec_eval, and for large runs uses columnar and has pytrec_eval score a part again.
        trec_eval: whose rule holds where 9.0.8 and 10.0 differ.
        level: the grade from which a document is relevant, where a measure has no ``rel=`` (``-l``).
        depth: look at so many documents of each query only (``-M``).
        judged_only: take unjudged documents out of the rankings first (``-J``).
        by: groups of queries that get means of their own: a mapping from query id to group, or a file of such lines.
        collapse: what stands between document and chunk in the runs' ids, as in ``doc#3``; the best-scored chunk of a
            document then counts as the document. The last one in an id is meant.
        dialect: score as another tool would, ``"beir"``, or with single choices changed:
            ``dialect("trec_eval-c").using(gain="exponential")``. The arguments above that are given change it too.
        ties: also give the lowest, expected and highest value over all orders of documents with equal scores.
        unjudged: ``"bounds"`` also gives the lowest and highest value over all labels that the unjudged documents in
            the ranking could have; nDCG that takes them for 0 is no lower bound.
        gmax: the highest grade that an unjudged document could have; by default the highest in the judgments.
        max_unjudged_relevant: how many unjudged documents that were not retrieved could be relevant too; by default 0.
        floor: also give what the same documents in random order would be expected to score.
        corpus_size: let the floor be a random draw of as many documents from a corpus of this size.
        progress: called with (runs done, runs in all) after each run.

    Of several runs, one that cannot be scored does not lose the others: it is in ``Scores.failures``.

    Raises:
        InputError: the judgments, or all the runs, cannot be used; NoCommonQueriesError if no query is in both.
        MeasureError: no such measure.
        UsageError: another argument that makes no sense.
        EngineError: the engine asked for lacks a measure; EngineDisagreement if two engines part.
    """
    from denominator.evaluation import Request, score_all

    request = Request.of(
        measures,
        queries=queries,
        engine=engine,
        trec_eval=trec_eval,
        level=level,
        depth=depth,
        judged_only=judged_only,
        by=by,
        collapse=collapse,
        dialect=dialect,
        ties=ties,
        unjudged=unjudged,
        gmax=gmax,
        max_unjudged_relevant=max_unjudged_relevant,
        floor=floor,
        corpus_size=corpus_size,
    )
    scores = score_all(qrels, runs, request, progress)
    if not scores.runs:
        raise scores.failures[0].error
    return scores
