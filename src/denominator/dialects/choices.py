"""The choices behind a number: what each is called, what it may be, and what that means. Data only."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from denominator.errors import UsageError
from denominator.quoting import quoted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CHOICES", "Choice", "checked"]

LARGEST_LEVEL = 1 << 63


class Choice(NamedTuple):
    """One choice: the question it answers, and the answers with what each of them means."""

    name: str
    title: str
    values: Mapping[str, str]
    """Value → its meaning, the default first; empty where any number will do."""
    default: str | float


def _choice(name: str, title: str, **values: str) -> Choice:
    """Return a choice of named values, the first of which is the default; _ stands for - in a value."""
    named = {value.strip("_").replace("_", "-"): meaning for value, meaning in values.items()}
    return Choice(name, title, MappingProxyType(named), next(iter(named)))


_ALL = (
    _choice(
        "order",
        "What ranks the documents",
        score64="the score, compared as a 64-bit float",
        score32="the score, compared as a 32-bit float: scores that differ beyond seven digits tie",
        rank="the rank column, lowest first",
        file="the order of the rows in the file",
    ),
    _choice(
        "ties",
        "What happens to documents that tie",
        id_descending="the greater document id first, in byte order",
        id_ascending="the lesser document id first, in byte order",
        file="the earlier row of the file first",
        averaged="each of them is worth the mean of what their places are worth (nDCG and RBP only)",
        together="all of them at the last of their places, precision taken behind it (AP only)",
        middle="all of them at the middle of their places, cut to a whole rank (cutoffs may then hold more than k)",
        unstable="no fixed order: a tied query has another value at each call, and here one of them",
    ),
    _choice(
        "queries",
        "Which queries a mean is over",
        judged="every judged query; one that the run lacks scores 0",
        answered="the judged queries that the run holds",
        answerable="the judged queries with a relevant document, held or not",
        run="every query that the run holds, judged or not; nothing is relevant to one that is not",
    ),
    _choice(
        "no_relevant",
        "What a query without a relevant document is worth",
        _0="0, or what the formula says",
        _1="1, where the formula divides by what is not there",
        dropped="nothing: it is in no mean",
        unfound="nothing, and so is a query whose ranking holds no relevant document",
        error="an error",
    ),
    _choice(
        "recall",
        "What recall at k is divided by",
        rel="the number of relevant documents, |Rel|",
        capped="min(|Rel|, k), so that 1 can be reached",
        k="k, which is precision under the name of recall",
        hit="nothing: 1 if any relevant document is in the first k, the hit rate under the name of recall",
        retrieved="the relevant documents that the whole ranking holds",
        micro="|Rel| summed over queries: all that was found over all there is",
    ),
    _choice(
        "precision",
        "What precision at k is divided by",
        k="k, however few documents were returned",
        returned="the documents returned in the first k",
    ),
    _choice(
        "ap",
        "What average precision is divided by",
        rel="the number of relevant documents, |Rel|",
        capped="min(|Rel|, k)",
        retrieved="the relevant documents found in the first k (in the whole ranking, without a k)",
    ),
    _choice(
        "gain",
        "What a grade gains in nDCG",
        linear="the grade itself",
        exponential="2**grade - 1",
        binary="1 from the relevance level upwards",
    ),
    _choice(
        "ideal",
        "Which documents the ideal ranking of nDCG is made of",
        judged="all judged documents of the query",
        retrieved="the retrieved ones only, so that what was missed costs nothing",
        top="those in the first k only: the ranking is compared with itself in a better order",
        returned="all judged documents, but no more of them than the first k hold",
        full="one of gain 1 at each place that the first k hold, whether or not there are so many",
    ),
    _choice(
        "duplicates",
        "What happens to a document that a query's ranking holds twice",
        refuse="the file is refused",
        first="its first row counts",
        last="its last row counts",
        best="its best-ranked row counts",
        positional="every row counts, as often as it stands there",
    ),
    _choice(
        "unjudged",
        "What a document without a judgment is",
        nonrelevant="not relevant",
        removed="taken out of the ranking before anything is counted",
    ),
    _choice(
        "negative",
        "What a document with a grade below 0 is",
        pooled="worth nothing, in the pool and not judged",
        zero="judged and not relevant, as with grade 0",
        removed="without a judgment: the line is taken out",
    ),
    _choice(
        "rbp",
        "What a relevant document is worth in RBP",
        binary="1",
        graded="its grade",
    ),
    Choice("level", "The grade from which a document is relevant", MappingProxyType({}), 1),
    _choice(
        "trec_eval",
        "Whose rule turns a recall point into a rank",
        _9="trec_eval 9: recall * |Rel| + 0.9, cut to a whole number",
        _10="trec_eval 10: recall * |Rel|, rounded",
    ),
)

CHOICES: Mapping[str, Choice] = MappingProxyType({choice.name: choice for choice in _ALL})
"""Name of a choice → the choice."""

SHORT = MappingProxyType({"exp": "exponential", "lin": "linear", "bin": "binary"})
"""What people type for a value → the value."""


def checked(name: str, value: object) -> str | float:
    """Return the value of a choice as it is stored, or refuse it.

    >>> checked("gain", "exp"), checked("trec_eval", 10), checked("level", "2")
    ('exponential', '10', 2)

    Raises:
        UsageError: no such choice, or no such value of it.
    """
    if name not in CHOICES:
        raise UsageError(f"{quoted(name)} is no choice of a dialect: expected one of {', '.join(CHOICES)}")
    choice = CHOICES[name]
    if name == "level":
        return _level(value)
    text = f"{value:g}" if isinstance(value, int | float) and not isinstance(value, bool) else value
    if isinstance(text, str):
        text = SHORT.get(text, text)
        if text in choice.values:
            return text
    raise UsageError(f"{name}={shown(value)}: expected {', '.join(choice.values)}")


def _level(value: object) -> float:
    """Return a relevance level, a whole one as int."""
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever is no number raises
    except (TypeError, ValueError):
        number = 0.0
    if isinstance(value, bool) or not 0 < number < LARGEST_LEVEL:
        raise UsageError(
            f"level={shown(value)}: expected a grade above 0; a document of grade 0 is judged non-relevant"
        )
    return int(number) if number.is_integer() else number
