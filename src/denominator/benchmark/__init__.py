"""Runs beside what others published for the same judgments: differences, ranks, ceilings, and what to beware of.

This module imports nothing heavy, so that the package can hold the function under the module's own name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from denominator.benchmark.standing import Benchmark

__all__ = ["benchmark", "benchmark_ciral"]


def benchmark(
    dataset: Any,
    runs: Any,
    measures: Any = (),
    *,
    ciral_dir: str | os.PathLike[str] | None = None,
) -> Benchmark:
    """Score runs on a data set by its official measures, and set them beside the values that others published for it.

    >>> from denominator import benchmark
    >>> found = benchmark({"q1": {"d1": 1, "d2": 1}}, {"q1": {"d1": 2.0, "d9": 1.0}}, "R@1")
    >>> [(str(one.mean.measure), one.mean.value, one.mean.ceiling) for one in found.parts[0].standings][:2]
    [('nDCG@10', 0.6131471927654584, 1.0), ('R@100', 0.5, 1.0)]

    Args:
        dataset: an id: ``ciral/sw/test-a``, or any of ir_datasets that has qrels; or a file of judgments, which is
            recognised by its bytes, or anything else that :func:`denominator.read_qrels` reads.
        runs: one run or several, as for :func:`denominator.evaluate`.
        measures: further ones, beside the official measures of the data set and ours.
        ciral_dir: the folder with local copies of CIRAL; by default what ``DENOMINATOR_CIRAL`` names.

    Means are over all judged queries, as with trec_eval ``-c``: so are the published values.

    Raises:
        UsageError: several data sets, whose judgments are never pooled; or a measure or id that there is not.
        InputError: the judgments, or all the runs, cannot be used.
    """
    from denominator.benchmark.benchmarking import benchmarked
    from denominator.benchmark.standing import Benchmark

    part = benchmarked(dataset, runs, measures, ciral_dir)
    return Benchmark((part,), failures=part.scores.failures)


def benchmark_ciral(
    runs: Mapping[str, Any],
    split: str = "test-a",
    measures: Any = (),
    *,
    ciral_dir: str | os.PathLike[str] | None = None,
) -> Benchmark:
    """Score one run in several languages of CIRAL, each by its own judgments, and take the mean of the languages.

    Args:
        runs: language (``ha``, ``so``, ``sw``, ``yo``) to the system's run in it.
        split: ``dev``, ``test-a``, ``test-a-pools`` or ``test-b``.
        measures: further ones, beside the official measures and ours.
        ciral_dir: the folder with local copies of CIRAL; by default what ``DENOMINATOR_CIRAL`` names.

    The query ids of one language are other queries in another: nothing is ever pooled. The macro mean is over
    languages, each counting once, and its `n` is their number; of one language there is none.

    Raises:
        UsageError: a language or split that there is not, or one file for two languages.
        InputError: the judgments, or a run, cannot be used.
    """
    from denominator.benchmark.languages import across_languages

    return across_languages(runs, split, measures, ciral_dir)
