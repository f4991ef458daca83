"""What a cross-check found: who said what, where they part from us, and which of their choices explains it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from denominator.frames import TABLES
from denominator.tables import arrow_table, to_pandas, to_polars

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from denominator.crosscheck.answers import Answer, Question
    from denominator.findings import Findings
    from denominator.model import Source

__all__ = ["NO_NUMBER", "Apart", "Asked", "Cause", "Crosscheck", "Line"]

NO_NUMBER = "no number"
"""What is said of a query for which a tool raises an error or says NaN."""


class Apart(NamedTuple):
    """One query on which an implementation and we say different things."""

    query_id: str
    ours: float | None
    """None: the query is not in our mean."""
    theirs: float | None
    """None: the query is not in theirs."""
    explained: str
    """What explains it: ``choices``, ``ties``, ``no number`` (there is nothing to explain), or no text."""

    @property
    def size(self) -> float:
        """How far the two values are from each other; a query that only one of them counts differs by its value."""
        return abs((self.ours or 0.0) - (self.theirs or 0.0))


class Cause(NamedTuple):
    """A choice that is another one there, held to the values: with it we say what the tool says."""

    choice: str
    """A name in ``denominator.dialects.CHOICES``; ``formula`` where the tool computes something else by that name."""
    ours: str
    theirs: str
    meaning: str
    """What the tool's choice means, in words."""
    queries: int
    """On how many of the queries that differ this choice is needed."""


@dataclass(frozen=True, eq=False)
class Line:
    """One implementation's answer to one question, beside ours."""

    question: Question
    answer: Answer
    version: str
    own: bool
    """Whether the implementation is ours."""
    n: int | None = None
    """How many queries its mean is over; None where there is none."""
    unjudged: int = 0
    """How many queries without judgments it gives a value for."""
    compared: int = 0
    """How many judged queries were compared; 0 where there is nothing of ours to compare with."""
    apart: tuple[Apart, ...] = ()
    """The queries on which it differs from us, the largest difference first."""
    left_out: tuple[str, ...] = ()
    """The queries that it has no value for where ours is 0, if nothing else is apart and its mean is over as many as
    ours: it divides by all topics, and says nothing else than we do."""
    causes: tuple[Cause, ...] = ()
    tolerance: float = 0.0
    """The difference from which two values count as different."""

    @property
    def tool(self) -> str:
        """The implementation's name."""
        return self.answer.tool

    @property
    def largest(self) -> Apart | None:
        """The query with the largest difference; None where there is no difference."""
        return self.apart[0] if self.apart else None

    @property
    def by_choice(self) -> int:
        """How many of the differences a choice explains."""
        return sum(one.explained == "choices" for one in self.apart)

    @property
    def by_ties(self) -> int:
        """How many lie inside the interval of all orders of tied documents, where the tool has no order of its own."""
        return sum(one.explained == "ties" for one in self.apart)

    @property
    def no_number(self) -> int:
        """How many of the differences are queries for which the tool has no number: an error, or NaN."""
        return sum(one.explained == NO_NUMBER for one in self.apart)

    @property
    def unexplained(self) -> int:
        """How many differences nothing explains."""
        return sum(not one.explained for one in self.apart)


class Asked(NamedTuple):
    """What was asked, and how."""

    tools: tuple[str, ...]
    missing: tuple[str, ...]
    """Implementations that are not installed."""
    level: float
    limit: float
    """Seconds."""


@dataclass(frozen=True, eq=False)
class Crosscheck:
    """What :func:`denominator.crosscheck` returns."""

    qrels: Source
    run: Source
    queries: tuple[str, ...]
    """The judged queries."""
    answered: int
    """How many of them the run answers."""
    dialect: str
    """The dialect that our numbers are in."""
    why_dialect: str
    """Why it is not the default one; empty where it is."""
    lines: tuple[Line, ...]
    """Question by question, the implementations in the order of the table."""
    asked: Asked
    seconds: Mapping[str, float]
    """How long each implementation took, start included."""
    findings: Findings | None = None

    def of(self, tool: str) -> tuple[Line, ...]:
        """Return the lines of one implementation."""
        return tuple(line for line in self.lines if line.tool == tool)

    def questions(self) -> Iterator[tuple[Question, tuple[Line, ...]]]:
        """Yield each question with its lines."""
        for question in dict.fromkeys(line.question for line in self.lines):
            yield question, tuple(line for line in self.lines if line.question is question)

    def to_arrow(self) -> Any:
        """Return a pyarrow Table with a row for each implementation and measure: see `denominator.frames.TABLES`."""
        own: dict[str, list[Any]] = {
            "measure": [str(line.question) for line in self.lines],
            "apart": [len(line.apart) for line in self.lines],
            "causes": [" ".join(f"{one.choice}={one.theirs}" for one in line.causes) for line in self.lines],
            **{name: [getattr(line.answer, name) for line in self.lines] for name in ("status", "mean", "words")},
        }
        kinds = TABLES["crosscheck"]
        columns = {name: own[name] if name in own else [getattr(line, name) for line in self.lines] for name in kinds}
        return arrow_table(columns, kinds)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame, a row for each implementation and measure; see `to_arrow`."""
        frame: pd.DataFrame = to_pandas(self.to_arrow())
        return frame

    def to_polars(self) -> Any:
        """Return a polars DataFrame; see `to_arrow`."""
        return to_polars(self.to_arrow())

    @property
    def agree(self) -> bool | None:
        """Whether our own engines gave the same values for every measure that two of them answered.

        None where no measure has two answers of ours: one engine was asked, or the others refused, crashed or hung. One
        answer agrees with nobody.
        """
        if any(line.own and line.apart for line in self.lines):
            return False
        answers = Counter(line.question for line in self.lines if line.own and line.answer.answered)
        return True if any(count > 1 for count in answers.values()) else None

    @property
    def silent(self) -> tuple[Line, ...]:
        """Our own engines' lines without an answer, where they have the measure: refused, crashed, or hung."""
        return tuple(
            line for line in self.lines if line.own and not line.answer.answered and line.answer.status != "lacking"
        )

    @property
    def apart(self) -> int:
        """How many differences there are: (implementation, measure, query)."""
        return sum(len(line.apart) for line in self.lines)

    @property
    def unexplained(self) -> int:
        """How many of them nothing explains."""
        return sum(line.unexplained for line in self.lines)
