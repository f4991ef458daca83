"""The cross-check: every implementation at hand on the same question, where they part, and why.

This module imports nothing heavy, so that the package can hold the function under the module's own name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.crosscheck.result import Crosscheck

__all__ = ["crosscheck"]


def crosscheck(
    qrels: Any,
    run: Any,
    measures: Any = "P@10 R@10 RR AP nDCG@10",
    *,
    tools: Sequence[str] | None = None,
    limit: float = 60.0,
    level: float = 1,
    float_grades: bool = False,
) -> Crosscheck:
    """Ask every implementation for the same numbers, each in a process of its own, and say why they part.

    >>> found = crosscheck({"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": {"d1": 1.0}}, "RR", tools=["ours"])
    >>> [(line.tool, line.answer.mean, line.apart) for line in found.lines]
    [('columnar', 0.5, ()), ('pytrec_eval', 0.5, ()), ('reference', 0.5, ())]

    Args:
        qrels: judgments, or anything that :func:`denominator.read_qrels` reads.
        run: a run, or anything that :func:`denominator.read_run` reads. The others get both as TREC files.
        measures: ``"nDCG@10 R@100"``, or a list of texts and measures.
        tools: names in ``denominator.crosscheck.tools.TOOLS``; ``ours`` stands for our three engines, ``installed``
            for all that are installed, which is the default.
        limit: seconds that an implementation may take to load, and for each measure; one that takes longer has hung.
            ranx, which compiles first, has four times as long.
        level: the grade from which a document is relevant, where a measure has no ``rel=``.
        float_grades: accept grades that are not whole numbers.

    A refusal, a crash and a hang of an implementation are results, not errors of this call.

    Raises:
        InputError: one of the two cannot be opened, or cannot be a TREC file.
        NoCommonQueriesError: none of the judged queries is in the run; nobody is asked.
        MeasureError: no such measure.
        UsageError: another argument that makes no sense; an implementation that there is not.
        MissingExtraError: an implementation that was asked for by name is not installed.
    """
    from denominator.crosscheck.asking import crosschecked

    return crosschecked(qrels, run, measures, tools=tools, limit=limit, level=level, float_grades=float_grades)
