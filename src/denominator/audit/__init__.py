"""The audit: every way in which the files in hand can make a number mislead, found, named and shown with its number.

This module imports nothing heavy, so that the package can hold the function under the module's own name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.findings import Findings

__all__ = ["audit"]


def audit(
    qrels: Any,
    runs: Any = (),
    *,
    k: int | Sequence[int] | None = None,
    truth: Any = None,
    others: Sequence[Any] = (),
    corpus: Any = None,
    lenient: str = "",
    float_grades: bool = False,
    **settings: Any,
) -> Findings:
    """Find what in judgments and runs can make a number mislead; each finding has its numbers, its places and a fix.

    >>> found = audit({"q1": {"d1": 1, "d2": 1, "d3": 1}}, {"q1": {"d1": 2.0, "d9": 1.0}}, k=1, select="D101")
    >>> [(one.code, one.slug, one.places.at(0).query_id, round(one.numbers["ceiling R@1"], 3)) for one in found]
    [('D101', 'cutoff-caps-recall', 'q1', 0.333)]

    Args:
        qrels: judgments, or anything that :func:`denominator.read_qrels` reads. Unlike there, repeats, contradictions
            and lines that are no rows are not refused: they are findings.
        runs: a run, or several: a list, or a mapping from name to run; none to audit the judgments alone.
        k: the cutoffs at which ceilings, ties and unjudged documents are looked at; 10 unless said otherwise.
        truth: a more complete set of judgments to compare with.
        others: further judgments audited together, such as other languages or splits.
        corpus: the documents: a file, or an ``ir_datasets:`` id.
        lenient: which lines are rows, such as ``fields=extra`` or ``comments=rows``.
        float_grades: accept grades that are not whole numbers.
        **settings: the other fields of :class:`denominator.audit.options.AuditOptions`: ``corpus_size=24``,
            ``select="D,R101"``, ``ignore=["T"]``, ``severities={"D101": "warning"}`` …

    Nothing that was given is changed. Of several runs, one that cannot be read is in ``Findings.failures``.

    Raises:
        InputError: the judgments, or all the runs, cannot be read at all.
        UsageError: an argument that makes no sense.
    """
    from denominator.audit.auditing import audited
    from denominator.audit.settings import options_of

    if k is not None:
        settings["k"] = k
    reading = {"lenient": lenient}
    return audited(
        qrels,
        runs,
        options_of(settings),
        truth=truth,
        others=others,
        corpus=corpus,
        reading={"run": reading, "qrels": {**reading, "float_grades": float_grades}},
    )
