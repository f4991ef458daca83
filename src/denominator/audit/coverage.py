"""D, third part: how much of the collection anybody has judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.counted import have, number
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, QrelsEvidence
    from denominator.model import I64

__all__ = ["CHECKS"]


def _places(qrels: QrelsEvidence, worst: I64, judged: I64, relevant: I64, size: int) -> Places:
    return Places.of_queries(
        [qrels.judged.queries[query] for query in worst.tolist()],
        judged=judged[worst],
        rel=relevant[worst],
        coverage=judged[worst] / size,
        relevant_share=relevant[worst] / size,
    )


@check(
    "D113",
    "collection-is-partly-labelled",
    Severity.INFO,
    fix="report how many documents were judged beside the recall; judge a sample of the others to see what is missing",
)
def label_coverage(e: Evidence) -> Iterator[Found]:
    """Every document that nobody judged is outside |Rel|, so recall is only as good as the labels cover the collection.

    With 8 of 24 documents judged the coverage is 8/24 = 33.3%. If 4 relevant ones are among the 16 others, |Rel| is 12
    and not 8, and a recall that reads 4/8 = 0.500 is 4/12 = 0.333. Needs the size of the collection.

    **Fix**: print the coverage with the number, and deepen the pool or judge a random sample of what is unjudged.

    **Ignore** when the pool was deep and broad, and systems are compared that contributed to it.
    """
    size, judged = e.options.corpus_size, e.qrels.labelled()
    if size is None or not len(judged):
        return
    relevant = e.qrels.relevant(e.options.level)
    numbers: dict[str, float | int | None] = {"corpus size": size}
    told = []
    for name, counts in (("judged", judged), ("relevant", relevant)):
        low, high, mean = int(counts.min()), int(counts.max()), e.qrels.mean_of(counts / size)
        numbers |= {f"fewest {name}": low, f"most {name}": high, f"{name} / corpus": mean}
        span = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        told.append(f"{span} ({_percent(mean)} in the mean) are {name}")
    worst = e.qrels.worst_first(np.ones(len(judged), dtype=np.bool_), judged)
    message = f"of {number(size, 'documents')}, per query {' and '.join(told)}"
    yield Found(e.qrels.name, message, _places(e.qrels, worst, judged, relevant, size), numbers)


@check(
    "D114",
    "label-coverage-is-low",
    Severity.WARNING,
    fix="judge more documents of these queries, or leave recall of them out",
)
def coverage_below_minimum(e: Evidence) -> Iterator[Found]:
    """A query has a smaller share of the collection judged than was asked for with min_coverage.

    At 3 of 24 documents judged the coverage is 12.5%. One relevant document more among the 21 others moves a recall of
    2/3 = 0.667 to 2/4 = 0.500. Needs min_coverage and the size of the collection.

    **Fix**: judge more documents of the queries that are listed, the least covered first.

    **Ignore** by lowering min_coverage, when a pool as deep as this one is known to find what is relevant.
    """
    size, least = e.options.corpus_size, e.options.min_coverage
    if size is None or least is None:
        return
    judged = e.qrels.labelled()
    low = judged / size < least
    if low.any():
        worst = e.qrels.worst_first(low, judged)
        lowest = int(judged[worst[0]])
        yield Found(
            e.qrels.name,
            f"{have(int(low.sum()), len(low))} less than {_percent(least)} of the collection judged; the lowest is "
            f"{lowest:,} of {number(size, 'documents')}, {_percent(lowest / size)}",
            _places(e.qrels, worst, judged, e.qrels.relevant(e.options.level), size),
            {"queries": int(low.sum()), "min_coverage": least, "fewest judged": lowest, "lowest": lowest / size},
        )


@check(
    "D116",
    "corpus-smaller-than-judgments",
    Severity.ERROR,
    fix="give the number of documents (or passages, if these are judged) in the collection",
)
def corpus_size_contradicted(e: Evidence) -> Iterator[Found]:
    """More distinct documents are judged than the collection is said to hold, so every coverage is too high.

    With a corpus size of 10 and 24 distinct judged documents a query with 8 judgments reads 80% covered; of 24 it would
    be 33.3% at most. Documents were counted where passages are judged, or the size of another collection was given.

    **Fix**: count what the judged ids stand for, documents or passages.

    **Ignore**: there is no good reason to; without a corpus size nothing is said about coverage.
    """
    size = e.options.corpus_size
    if size is None or size >= len(e.qrels.judged):
        return
    distinct = len(np.unique(ids.hash_ids(e.qrels.judged.doc_id)))
    if distinct > size:
        yield Found(
            e.qrels.name,
            f"{number(distinct, 'distinct documents')} {'is' if distinct == 1 else 'are'} judged, but the collection "
            f"is said to hold {size:,}",
            numbers={"judged documents": distinct, "corpus size": size},
        )


def _percent(share: float) -> str:
    """Return a share in per cent, with enough digits to see it.

    >>> _percent(0.125), _percent(0.0000258)
    ('12.5%', '0.0026%')
    """
    return f"{share:.1%}" if share >= 0.001 or share == 0 else f"{100 * share:.2g}%"


CHECKS = (label_coverage, coverage_below_minimum, corpus_size_contradicted)
