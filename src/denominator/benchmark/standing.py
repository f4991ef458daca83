"""What a benchmark returns: the standing of runs among published values, per data set and over languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from denominator.benchmark.published import Published
    from denominator.fingerprints import Known
    from denominator.model import Note
    from denominator.scores import Failure, Mean, Scores

__all__ = ["Benchmark", "Beside", "Part", "Rank", "Standing", "compared"]


class Beside(NamedTuple):
    """A published value beside that of a run."""

    row: Published
    difference: float
    """The run's value minus the published one, at the decimals of its source."""


class Rank(NamedTuple):
    """A place among systems, from 1; equal values share the better place."""

    place: int
    of: int
    """Systems, the run among them."""
    tied: int
    """How many published systems have the same value, at the decimals of their sources."""

    def __str__(self) -> str:
        """Return ``2 of 7``, or ``2= of 7`` beside an equal."""
        return f"{self.place}{'=' if self.tied else ''} of {self.of}"


class Standing(NamedTuple):
    """A run's mean by one measure, and where it stands among the published ones."""

    mean: Mean
    official: bool
    """Whether the data set's makers compare systems by this measure."""
    beside: tuple[Beside, ...] = ()
    """What is published, best first."""

    @property
    def rank(self) -> Rank | None:
        """The place among all published systems; None where nothing is published."""
        return _rank(self.beside)

    @property
    def primary_rank(self) -> Rank | None:
        """The place among the systems whose values are not from secondary sources."""
        return _rank([one for one in self.beside if not one.row.secondary])


@dataclass(frozen=True, eq=False)
class Part:
    """Runs on one data set."""

    dataset: str
    """Its id; empty where the judgments are of no known data set."""
    scores: Scores
    standings: tuple[Standing, ...]
    """Runs in the order given, each with its measures: the official ones first."""
    notes: tuple[Note, ...]
    """What changes how the numbers are to be read."""
    known: Known | None = None
    """The published file of judgments that was used, recognised by its bytes."""

    @property
    def official(self) -> tuple[str, ...]:
        """The official measures, as they are typed."""
        return tuple(dict.fromkeys(str(one.mean.measure) for one in self.standings if one.official))


@dataclass(frozen=True, eq=False)
class Benchmark:
    """What :func:`denominator.benchmark` returns; of several languages, with the means over them."""

    parts: tuple[Part, ...]
    macro: tuple[Standing, ...] = ()
    """Means over languages, each counting once; empty for a single data set."""
    macro_dataset: str = ""
    """What the means are over: ``ciral/test-a over ha, so, sw, yo``."""
    failures: tuple[Failure, ...] = ()
    """Runs that could not be scored."""

    def records(self) -> list[dict[str, Any]]:
        """Return a row for every mean and for every published value beside it: see ``benchmark.records``."""
        from denominator.benchmark.records import records

        return list(records(self))

    def to_pandas(self) -> Any:
        """Return the records as a DataFrame; texts are `str`, numbers float64 or Int64, which may be missing."""
        from denominator.benchmark.records import to_pandas

        return to_pandas(self)

    def __repr__(self) -> str:
        """Return the means, one a line, each with its rank."""
        named = [(part.dataset, one) for part in self.parts for one in part.standings]
        named += [(self.macro_dataset, one) for one in self.macro]
        lines = []
        for dataset, one in named:
            rank = f", rank {one.rank}" if one.rank is not None else ""
            lines.append(f"{dataset} {one.mean.run}: {one.mean}{rank}".strip())
        return "\n".join(lines)


def compared(value: float | None, rows: tuple[Published, ...]) -> tuple[Beside, ...]:
    """Return published values beside a run's, best first; none where the run has no value.

    >>> from denominator.benchmark.published import published
    >>> rows = tuple(row for row in published("ciral/sw/test-a") if (row.system, row.measure) == ("bm25-dt", "R@100"))
    >>> [one.difference for one in compared(0.47861, rows)]
    [0.0]
    """
    if value is None:
        return ()
    beside = [Beside(row, _difference(value, row)) for row in rows]
    return tuple(sorted(beside, key=lambda one: (-one.row.value, one.row.system, one.row.source)))


def _difference(value: float, row: Published) -> float:
    """Return a value minus a published one; none where the published one may be its rounding, as far as that goes."""
    half = 0.5 * 10**-row.decimals
    return 0.0 if abs(value - row.value) <= half * (1 + 1e-9) else round(value - row.value, row.decimals)


def _rank(beside: tuple[Beside, ...] | list[Beside]) -> Rank | None:
    """Return the place among systems, each counted once: by its value that is not from a secondary source, if any."""
    if not beside:
        return None
    of: dict[str, Beside] = {}
    for one in sorted(beside, key=lambda one: one.row.secondary):
        of.setdefault(one.row.counted_as, one)
    better = sum(one.difference < 0 for one in of.values())
    return Rank(better + 1, len(of) + 1, sum(one.difference == 0 for one in of.values()))
