"""What changes how the numbers of a benchmark are to be read, each as a note with its own numbers."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import numpy as np

from denominator.benchmark.fit import barely_judged, retrieved_and_judged
from denominator.ciral import COUNTS, split_id
from denominator.model import Note
from denominator.quoting import listed, percent, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.benchmark.judged import Judged
    from denominator.benchmark.standing import Part
    from denominator.scores import Mean, RunScores

__all__ = ["FEW", "cautions"]

FEW = 25
"""With fewer queries than this, what one of them can do to a mean is said."""
QUIET = frozenset({"no-relevant-mean", "rank-against-ties", "resorted"})
"""What scoring notices of a run and these notes leave out: it is said of the ceiling, or changes no comparison."""
_TOLD_ABOVE = 5e-5
"""What four decimals show."""


def cautions(data: Judged, part: Part) -> Iterator[Note]:
    """Yield the notes: on the judgments, on what they allow, then on each run."""
    for run in part.scores.runs:
        yield from _barely(part, run)
    yield from _revision(data)
    yield from _few(part)
    yield from _ceilings(part)
    yield from _shallow(data)
    yield from _unjudged(data, part)
    yield from _of_runs(part)


def _of_runs(part: Part) -> Iterator[Note]:
    """Yield what is said of each run; what is said of several in the same words, once."""
    together: dict[tuple[str, str], tuple[list[str], int]] = {}
    for run in part.scores.runs:
        for note in (*_short(part, run), *(note for note in run.notes if note.kind not in QUIET)):
            together.setdefault((note.kind, note.message), ([], note.count))[0].append(_name(part, run))
    for (kind, message), (names, count) in together.items():
        yield Note(kind, message if len(part.scores.runs) == 1 else f"{', '.join(names)}: {message}", count)


def _barely(part: Part, run: RunScores) -> Iterator[Note]:
    """Say that a run has next to nothing that is judged: it may well be one for other queries."""
    documents, judged = retrieved_and_judged(run)
    if barely_judged(run):
        yield Note(
            "barely-judged",
            f"{_name(part, run)}: only {judged:,} of its {documents:,} documents for {int(run.answered.sum()):,} "
            "judged queries are judged. Is it for other queries with the same ids? It has no rank.",
            judged,
        )


def _revision(data: Judged) -> Iterator[Note]:
    """Say that the judgments are not those that the published values were computed with."""
    if data.known is not None and data.known.superseded:
        odd = f"; {'; '.join(data.known.issues)}" if data.known.issues else ""
        yield Note(
            "superseded",
            f"{plain(data.qrels.source.name)} is {data.known.name}, {data.known.revision} ({data.known.published})"
            f"{odd}. The published values beside the runs are by the revision that took its place.",
        )
    elif data.namesake is not None:
        with open(data.qrels.source.name, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        yield Note(
            "unknown-revision",
            f"{plain(data.qrels.source.name)} is named like {data.namesake.name}, but its bytes are those of no known "
            f"revision (SHA-256 {digest[:16]}…; {data.namesake.revision} has {data.namesake.sha256[:16]}…). No "
            "published value was computed with it, so none is set beside the runs.",
        )
    elif not data.dataset:
        name = plain(os.path.basename(data.qrels.source.name))
        yield Note("unknown-judgments", f"{name}: judgments of no known data set; nothing is published for them.")
    if data.dataset and not data.named:
        yield Note("no-official", f"{data.dataset} names no official measure; nDCG@10 and R@100 stand in for it.")


def _few(part: Part) -> Iterator[Note]:
    """Say what one query can do where there are few."""
    number = len(part.scores.queries)
    if number < FEW:
        yield Note(
            "few-queries",
            f"{number:,} judged {'query' if number == 1 else 'queries'}: one query alone moves a mean by up to "
            f"{1 / number:.3f}, and two systems that differ by less may well change places on others.",
            number,
        )


def _ceilings(part: Part) -> Iterator[Note]:
    """Say which means cannot reach 1, and why."""
    run = part.scores.runs[0] if part.scores.runs else None
    if run is None:
        return
    empty = [query for query, rel in zip(part.scores.queries, _relevant(run), strict=True) if not rel]
    capped: dict[str, list[str]] = {}
    for one in part.standings:
        mean = one.mean
        if mean.run != run.name or mean.ceiling is None or mean.ceiling > 1 - _TOLD_ABOVE or _share(mean):
            continue
        by_empty = abs(mean.ceiling - (mean.n - len(empty)) / mean.n) < _TOLD_ABOVE
        capped.setdefault("" if by_empty else f"{mean.ceiling:.4f}", []).append(str(mean.measure))
    for ceiling, measures in capped.items():
        if ceiling:
            yield Note(
                "ceiling",
                f"{listed(measures)}: no ranking can have more than {ceiling}, because queries have more relevant "
                "documents than the cutoff lets in.",
            )
            continue
        yield _emptied(measures, empty, len(part.scores.queries))


def _emptied(measures: list[str], empty: list[str], total: int) -> Note:
    """Say which means cannot reach 1 because some queries score 0 for everybody."""
    some = total - len(empty)
    have, score = ("has", "scores") if len(empty) == 1 else ("have", "score")
    return Note(
        "ceiling",
        f"{listed(measures)}: no ranking can have more than {some}/{total} = {some / total:.4f}, because {len(empty)} "
        f"of {total:,} judged queries ({listed(empty)}) {have} no relevant document and {score} 0 for every system.",
        len(empty),
    )


def _shallow(data: Judged) -> Iterator[Note]:
    """Say how deep the judgments are, where other judgments of the same queries are deeper."""
    if not data.dataset.startswith("ciral/"):
        return
    language, split, _ = split_id(data.dataset)
    queries, judgments, relevant = COUNTS[language, split]
    if split == "test-a-pools":
        other, _, shallow = COUNTS[language, "test-a"]
        yield Note(
            "pooled",
            f"Deep judgments, pooled from the systems of the shared task: |Rel| {relevant / queries:.1f} a query, "
            f"where the shallow ones of the same queries (ciral/{language}/test-a) have {shallow / other:.1f}. The two "
            "give other numbers and other rankings; never compare a value of one with a value of the other.",
        )
        return
    text = f"Shallow judgments: {judgments / queries:.1f} documents a query, |Rel| {relevant / queries:.1f}"
    if split == "test-a":
        others, deep, found = COUNTS[language, "test-a-pools"]
        text += (
            f"; the pools of the same queries (ciral/{language}/test-a-pools) judge {deep / others:.1f}, |Rel| "
            f"{found / others:.1f}. Most of what is relevant is not known here; see --pools"
        )
    yield Note("shallow", f"{text}.")


def _unjudged(data: Judged, part: Part) -> Iterator[Note]:
    """Say how much of the runs' tops nobody has judged: it counts as wrong, right or not."""
    shares = {one.mean.run: one.mean for one in reversed(part.standings) if one.mean.measure.name == "Judged"}
    seen = [(_name(part, run), shares[run.name].value) for run in part.scores.runs if run.name in shares]
    some = [(name, share) for name, share in seen if share is not None and share < 1]
    if not some:
        return
    pools = "they are what other systems found; " if data.dataset.startswith("ciral/") else ""
    rest = f"{pools}what nobody judged counts as non-relevant, whatever it is, so recall is a lower bound."
    cutoff = shares[part.scores.runs[0].name].measure.cutoff
    if len(some) == 1:
        ((name, share),) = some
        yield Note("unjudged", f"{name}: {percent(share)} of the first {cutoff} documents are judged; {rest}")
        return
    each = ", ".join(f"{name} {percent(share)}" for name, share in some)
    yield Note("unjudged", f"Of the first {cutoff} documents are judged: {each}; {rest}")


def _short(part: Part, run: RunScores) -> Iterator[Note]:
    """Say that a run ends before the deepest official cutoff does."""
    deepest = max(
        (int(measure.cutoff or 0) for measure in part.scores.measures if str(measure) in part.official), default=0
    )
    longest = int(run.hits.retrieved.max())
    if longest < deepest:
        text = f"at most {longest:,} documents a query, and a measure looks at {deepest:,}."
        yield Note("short-run", f"Holds {text}" if len(part.scores.runs) > 1 else f"The run: holds {text}", longest)


def _name(part: Part, run: RunScores) -> str:
    """Return what a run is called among those of its data set: without its folder where that tells them apart."""
    names = [os.path.basename(one.name) for one in part.scores.runs]
    if len(names) == 1:
        return "The run"
    return plain(run.name if len(set(names)) < len(names) else os.path.basename(run.name))


def _relevant(run: RunScores) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return how many relevant documents each query has, in the order of the scores."""
    return np.asarray(run.hits.relevant(1), dtype=np.int64)


def _share(mean: Mean) -> bool:
    """Return whether a mean says how much is judged, and not how good a ranking is."""
    return mean.measure.name == "Judged"
