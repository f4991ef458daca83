"""D: what a number is divided by at a cutoff, and how high it could have been."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import seen
from denominator.audit.counted import have
from denominator.audit.evidence import scored
from denominator.engines import Settings
from denominator.findings import Places
from denominator.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
    from denominator.model import F64, I64, Bool

__all__ = ["CHECKS"]


@dataclass(frozen=True, eq=False)
class Cut:
    """A run at one cutoff; or the judgments alone, where no run was given: they set the ceilings by themselves."""

    qrels: QrelsEvidence
    run: RunEvidence | None
    k: int
    relevant: I64
    """|Rel| per judged query."""

    def capped(self, measure: str, ceiling: F64, low: Bool, why: str) -> Found | None:
        """Return what there is to say where the queries in `low` have a ceiling below 1, for the reason `why`.

        Nothing is said of a mean that can reach 1 in the digits that are printed.
        """
        best = self.qrels.mean_of(ceiling)
        if not seen(best, 1.0):
            return None
        message = f"{measure} cannot exceed {best:.3f}: {why}"
        numbers: dict[str, float | int | None] = {f"ceiling {measure}": best, "queries": int(low.sum())}
        worst = self.qrels.worst_first(low, ceiling)
        columns = {"k": np.full(len(worst), self.k), "rel": self.relevant[worst], "ceiling": ceiling[worst]}
        if self.run is not None:
            values = self.run.scores([measure])[measure]
            mean = numbers[measure] = self.run.mean_of(values)
            columns[measure] = values[worst]
            numbers["share of ceiling"] = mean / best if best else None
            message += f". It is {mean:.3f}" + (f", {mean / best:.0%} of that ceiling" if best else "")
        names = self.qrels.judged.queries
        places = Places.of_queries([names[query] for query in worst.tolist()], **columns)
        return Found((self.run or self.qrels).name, message, places, numbers)

    def holding(self, many: Bool, what: str) -> str:
        """Say how many queries have more (or fewer) relevant documents than k, and how many have none at all."""
        text = f"{have(int(many.sum()), len(many))} {what} than {self.k} relevant documents"
        empty = int((self.relevant == 0).sum())
        if not empty:
            return text
        if (many & (self.relevant == 0)).any():
            return f"{text}, {empty:,} of them none"
        return f"{text}, and {empty:,} {'has' if empty == 1 else 'have'} none"


def said(found: Found | None) -> Iterator[Found]:
    """Yield what there is to say, if there is anything."""
    if found is not None:
        yield found


def cuts(e: Evidence) -> Iterator[Cut]:
    """Yield every run at every cutoff, or the judgments at every cutoff."""
    relevant = e.qrels.relevant(e.options.level)
    for run in e.runs or (None,):
        for k in e.options.k:
            yield Cut(e.qrels, run, k, relevant)


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
    for cut in cuts(e):
        many = cut.relevant > cut.k
        if many.any():
            ceiling = np.minimum(cut.relevant, cut.k) / np.maximum(cut.relevant, 1)
            yield from said(cut.capped(f"R@{cut.k}", ceiling, many, cut.holding(many, "more")))


@check(
    "D103",
    "few-relevant-cap-precision",
    Severity.INFO,
    fix="report precision beside its ceiling, or use a k (or R-precision) that the queries can fill",
)
def precision_ceiling(e: Evidence) -> Iterator[Found]:
    """Precision@k cannot reach 1 when a query has fewer relevant documents than k.

    Precision@k divides by k, however few relevant documents there are, so it is at most min(1, |Rel|/k). With
    |Rel| = 3 and k = 5 a perfect ranking reads 3/5 = 0.600, and 0.400 is two thirds of what can be had.

    **Fix**: print the ceiling beside the number, lower k, or report R-precision, whose cutoff is |Rel| itself.

    **Ignore** when only systems on the same judgments and the same k are compared with each other.
    """
    for cut in cuts(e):
        few = cut.relevant < cut.k
        if few.any():
            ceiling = np.minimum(cut.relevant, cut.k) / cut.k
            yield from said(cut.capped(f"P@{cut.k}", ceiling, few, cut.holding(few, "fewer")))


@check(
    "D104",
    "cutoff-caps-average-precision",
    Severity.INFO,
    fix="report AP without a cutoff, or AP@k beside its ceiling; say what AP@k was divided by",
)
def average_precision_ceiling(e: Evidence) -> Iterator[Found]:
    """AP@k cannot reach 1 when a query has more relevant documents than k, because it divides by all of them.

    trec_eval divides the sum of precisions by |Rel|, with a cutoff too: with |Rel| = 12 a perfect top 5 reads
    5/12 = 0.417. Other tools divide by min(k, |Rel|) and print 1.000 for the same list under the same name.

    **Fix**: leave out the cutoff, or print the ceiling, and say which of the two denominators a number has.

    **Ignore** when all the numbers that are compared come from one tool, one k and the same judgments.
    """
    for cut in cuts(e):
        many = cut.relevant > cut.k
        if not many.any():
            continue
        name = f"AP@{cut.k}"
        reachable = np.minimum(cut.relevant, cut.k)
        why = f"AP divides by |Rel|, and {cut.holding(many, 'more')}"
        found = cut.capped(name, reachable / np.maximum(cut.relevant, 1), many, why)
        if found is None or cut.run is None:
            yield from said(found)
            continue
        mean = cut.run.means([name])[name]
        other = cut.run.mean_of(cut.run.scores([name])[name] * cut.relevant / np.maximum(reachable, 1))
        more = f"; divided by min({cut.k}, |Rel|) it would read {other:.3f}" if seen(mean, other) else ""
        yield Found(
            found.source, found.message + more, found.places, {**found.numbers, f"{name} by min(k, |Rel|)": other}
        )


def _of_lists(e: Evidence, name: str) -> Iterator[tuple[Cut, RunEvidence, str, F64, Bool]]:
    """Yield (cut, run, measure, highest value per query of lists as long as the run's, where that is below 1)."""
    for cut in cuts(e):
        if cut.run is not None:
            measure = f"{name}@{cut.k}"
            ceiling = scored(cut.run.best_lists, [measure], Settings(level=cut.run.level))[measure]
            yield cut, cut.run, measure, ceiling, ceiling < 1


def _causes(short: Bool, nothing: Bool, of: int, find: str) -> str:
    """Say how many lists are too short and how many queries have nothing to find."""
    causes = []
    if short.any():
        causes.append(f"{have(int(short.sum()), of)} a shorter list than {find} would fill")
    if nothing.any():
        causes.append(f"{have(int(nothing.sum()), of)} nothing to find")
    return " and ".join(causes)


@check(
    "D105",
    "short-list-caps-average-precision",
    Severity.INFO,
    fix="retrieve at least k documents for every query, or say how many lists are shorter",
)
def short_lists_average_precision(e: Evidence) -> Iterator[Found]:
    """A list shorter than k and than |Rel| caps AP@k below what the judgments allow.

    A relevant document that has no place in the list adds 0 to a sum that is divided by |Rel|. One document returned
    for a query with |Rel| = 5 reads 1/5 = 0.200 at best, where a list of five could read 1.000.

    **Fix**: retrieve at least k documents for every query. If a filter or a threshold cut the lists on purpose, say
    so beside the number.

    **Ignore** when a short answer is what the system is meant to give.
    """
    for cut, run, measure, ceiling, _ in _of_lists(e, "AP"):
        full = np.minimum(cut.relevant, cut.k)
        short = run.hits.answered & (run.hits.retrieved < full)
        if short.any():
            best = run.mean_of(full / np.maximum(cut.relevant, 1))
            why = f"{have(int(short.sum()), len(short))} a shorter list than the relevant documents would fill"
            found = cut.capped(measure, ceiling, short, why)
            if found is not None and seen(run.mean_of(ceiling), best):
                message = f"{found.message}; with lists of {cut.k} the ceiling is {best:.3f}"
                yield Found(found.source, message, found.places, {**found.numbers, "ceiling of full lists": best})


@check(
    "D106",
    "short-list-caps-ndcg",
    Severity.INFO,
    fix="retrieve at least k documents for every query; leave out or repair queries that have no positive grade",
)
def ndcg_ceiling(e: Evidence) -> Iterator[Found]:
    """The ideal of nDCG@k holds more gain than a short list can, and none at all where no grade is positive.

    nDCG divides by the gain of the ideal ranking of all judged documents. One document returned at k = 5 for a query
    with five relevant ones reads 1/2.948 = 0.339 at best. A tool that builds the ideal from what was retrieved
    prints 1.000 there, which is wrong. A query without a positive grade scores 0 for every system.

    **Fix**: retrieve at least k documents for every query; see to queries without a positive grade.

    **Ignore** when a short answer is what the system is meant to give.
    """
    for cut, run, measure, ceiling, low in _of_lists(e, "nDCG"):
        nothing = run.qrels.relevant(np.nextafter(0, 1)) == 0
        short = low & ~nothing
        if low.any():
            causes = _causes(short, nothing, len(low), "the documents with a gain")
            yield from said(cut.capped(measure, ceiling, low, causes))


@check(
    "D107",
    "nothing-to-find-caps-success",
    Severity.INFO,
    fix="leave out the queries without a relevant document (--queries answerable), or print the ceiling",
)
def success_ceiling(e: Evidence) -> Iterator[Found]:
    """Success@k, the hit rate, cannot reach 1 when a query has nothing to find or its list is empty.

    Success@k asks of every query whether a relevant document is among the first k. Where there is none, the answer is
    no for every system: with 1 of 3 such queries the hit rate is at most 2/3 = 0.667.

    **Fix**: take the mean over the answerable queries, or print the ceiling beside the number.

    **Ignore** when only systems on the same judgments are compared with each other.
    """
    for cut, run, measure, ceiling, low in _of_lists(e, "Success"):
        empty = run.hits.answered & (run.hits.retrieved == 0) & (cut.relevant > 0)
        if low.any():
            causes = _causes(empty, cut.relevant == 0, len(low), "one document")
            yield from said(cut.capped(measure, ceiling, low, causes))


@check(
    "D108",
    "relevant-fewer-than-cutoff",
    Severity.INFO,
    fix="lower k to what the queries hold, or judge more; do not read single queries to three decimals",
)
def fewer_relevant(e: Evidence) -> Iterator[Found]:
    """A query with fewer relevant documents than k has a recall of few steps and places that no system can fill.

    Recall moves by 1/|Rel| with every document found or missed: with |Rel| = 3 it knows 0, 0.333, 0.667 and 1, and
    one overlooked judgment moves it by a third. At k = 5 two of the five places hold something wrong however good
    the ranking is.

    **Fix**: choose k at or below |Rel| for most queries, or judge more documents of the queries that are listed.

    **Ignore** when each question has one right answer by nature, as in known-item search.
    """
    relevant = e.qrels.relevant(e.options.level)
    for k in e.options.k:
        few = (relevant < k) & (relevant > 0)
        if few.any():
            worst = e.qrels.worst_first(few, relevant)
            least, span = (
                int(relevant[worst[0]]),
                "1 relevant document" if k == 2 else f"1 to {k - 1} relevant documents",
            )
            yield Found(
                e.qrels.name,
                f"{have(int(few.sum()), len(few))} {span} where k is {k}; the fewest is "
                f"{least}, where each document found or missed moves recall by {1 / least:.3f}",
                Places.of_queries(
                    [e.qrels.judged.queries[query] for query in worst.tolist()],
                    k=np.full(len(worst), k),
                    rel=relevant[worst],
                    step=1 / relevant[worst],
                ),
                {"queries": int(few.sum()), "k": k, "fewest": least, "step": 1 / least},
            )


@check(
    "D109",
    "capped-recall-reads-higher",
    Severity.INFO,
    fix="compare with a published recall only after making sure that it is divided by |Rel|",
)
def capped_recall(e: Evidence) -> Iterator[Found]:
    """Recall divided by min(|Rel|, k), as some tools do, would read higher than recall here.

    With |Rel| = 8 and k = 5, four found are a recall of 4/8 = 0.500; divided by min(8, 5) they read 4/5 = 0.800. In a
    mean over four queries, three of them with |Rel| = 3, that is 0.700 instead of 0.625. The capped form mixes
    precision and recall, and hides that half of what is relevant was never seen.

    **Fix**: divide by |Rel| and print the ceiling; ask of every published number which of the two it is.

    **Ignore** when no number from elsewhere is compared with yours.
    """
    for cut in cuts(e):
        if cut.run is None:
            continue
        names = f"R@{cut.k}", f"RCap@{cut.k}"
        recall, capped = (cut.run.scores(names)[name] for name in names)
        more = capped > recall
        if more.any():
            mean, other = cut.run.mean_of(recall), cut.run.mean_of(capped)
            if not seen(mean, other):
                continue
            worst = cut.qrels.worst_first(more, recall - capped)
            yield Found(
                cut.run.name,
                f"divided by min(|Rel|, {cut.k}), recall would read {other:.3f} instead of {mean:.3f}: "
                f"{have(int(more.sum()), len(more))} more than {cut.k} relevant documents, some of them found",
                Places.of_queries(
                    [cut.qrels.judged.queries[query] for query in worst.tolist()],
                    k=np.full(len(worst), cut.k),
                    rel=cut.relevant[worst],
                    recall=recall[worst],
                    capped=capped[worst],
                ),
                {names[0]: mean, names[1]: other, "queries": int(more.sum())},
            )


CHECKS = (
    recall_ceiling,
    precision_ceiling,
    average_precision_ceiling,
    short_lists_average_precision,
    ndcg_ceiling,
    success_ceiling,
    fewer_relevant,
    capped_recall,
)
