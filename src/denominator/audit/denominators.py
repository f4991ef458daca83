"""D: what a number is divided by, and how high it could have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence

__all__ = ["CHECKS"]


@check(
    "D101",
    "cutoff-caps-recall",
    Severity.INFO,
    fix="raise k, or report recall beside its ceiling and the share of it that was reached",
)
def recall_ceiling(e: Evidence) -> Iterator[Found]:
    """Recall@k cannot reach 1 when a query has more relevant documents than k.

    A list of k documents holds at most k of the |Rel| relevant ones, so recall@k is at most min(1, k/|Rel|). With
    |Rel| = 8 and k = 5 a perfect ranking reads 5/8 = 0.625; a system at 0.500 has reached 80% of what can be had.

    **Fix**: raise k until it is at least the largest |Rel|, or print the ceiling beside the number.

    **Ignore** when only systems on the same judgments and the same k are compared with each other.
    """
    for run in e.runs:
        relevant = run.hits.relevant(e.options.level)
        for k in e.options.k:
            capped = np.flatnonzero(relevant > k)
            if not len(capped):
                continue
            worst = capped[np.argsort(-relevant[capped], kind="stable")]
            ceiling = np.minimum(1.0, k / np.maximum(relevant, 1)) * (relevant > 0)
            recall = run.scores([f"R@{k}"])[f"R@{k}"]
            mean, best = (run.mean_of(column, relevant > 0) for column in (recall, ceiling))
            yield Found(
                run.name,
                f"recall@{k} cannot exceed {best:.3f}: {len(capped):,} of {int((relevant > 0).sum()):,} queries have "
                f"more than {k} relevant documents. R@{k} is {mean:.3f}, {mean / best:.0%} of that ceiling",
                Places.of_queries(
                    [run.hits.queries[query] for query in worst.tolist()],
                    k=[k] * len(worst),
                    rel=relevant[worst],
                    recall=recall[worst],
                    ceiling=ceiling[worst],
                ),
                {f"R@{k}": mean, f"ceiling R@{k}": best, "queries": len(capped)},
            )


CHECKS = (recall_ceiling,)
