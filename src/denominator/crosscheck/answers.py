"""What came of asking one implementation for one measure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from denominator.measures import Measure

__all__ = ["Answer", "Question", "Status"]

REFUSED_FILE = "FormatError: "
"""How our own words begin for a file that cannot be read as it stands; a line for each reason follows."""

Status = Literal["answered", "refused", "crashed", "hung", "lacking"]
"""What came of asking: a value for each query; an error in words; the end of the process; nothing within the limit; or
the implementation has no such measure, or not at such a relevance level."""


@dataclass(frozen=True, slots=True)
class Question:
    """One measure as it was asked for."""

    text: str
    measure: Measure | None
    """None where the text is one that we refuse, and that other tools may read all the same."""
    refusal: str = ""
    """Why we refuse it."""

    def __str__(self) -> str:
        """Return it as it is typed."""
        return self.text


@dataclass(frozen=True, eq=False)
class Answer:
    """What one implementation said to one question."""

    tool: str
    question: Question
    status: Status
    values: Mapping[str, float] = field(default_factory=dict)
    """Query id → value, for the queries that the tool has a value for."""
    mean: float | None = None
    """The mean that the tool itself makes."""
    words: str = ""
    """The exception, the last words of a process that ended, what is lacking, or what happened besides."""
    refused: Mapping[str, str] = field(default_factory=dict)
    """Query id → why the tool refuses this query, where it goes on with the others."""
    call: str = ""
    """How it was asked, as its users write it."""
    seconds: float = 0.0

    @property
    def brief(self) -> str:
        """The words in one line: of a file that we refuse the first reason, without the options of other verbs."""
        if not self.words.startswith(REFUSED_FILE):
            return " ".join(self.words.split())
        first = self.words.removeprefix(REFUSED_FILE).partition("\n")[0]
        return first.partition(" --lenient")[0].rstrip(";:., (")

    @property
    def answered(self) -> bool:
        """Whether there are values."""
        return self.status == "answered"
