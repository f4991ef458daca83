"""The options of ``score`` that ask what a number could have been."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from denominator.errors import UsageError
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["asked", "options"]

_GRADE = re.compile(r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)")
_COUNT = re.compile(r"[0-9]{1,18}")

_OPTIONS = (
    click.option(
        "--ties",
        is_flag=True,
        help="Show what the values could be in other orders of equal scores; as --unjudged and --floor, under "
        "trec_eval's rules only, in no other dialect.",
    ),
    click.option(
        "--unjudged",
        type=click.Choice(["bounds"]),
        help="Show what the values could be if the unjudged documents in the ranking had labels, under trec_eval's "
        "rules only.",
    ),
    click.option(
        "--gmax", metavar="GRADE", help="The highest label there. [default: the highest grade in the judgments]"
    ),
    click.option(
        "--max-unjudged-relevant",
        metavar="N",
        help="How many documents outside the ranking could be relevant, unjudged. [default: 0]",
    ),
    click.option(
        "--floor",
        is_flag=True,
        help="Show what the same documents would score in random order, under trec_eval's rules only.",
    ),
    click.option("--corpus-size", metavar="N", help="Let the floor draw at random from N documents."),
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def asked(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `evaluate` behind the options.

    Raises:
        UsageError: a number that is none, or an option that goes with another one only.
    """
    for option, needed, goes_with in (
        ("gmax", "unjudged", "--unjudged bounds"),
        ("max_unjudged_relevant", "unjudged", "--unjudged bounds"),
        ("corpus_size", "floor", "--floor"),
    ):
        if given[option] is not None and not given[needed]:
            name = option.replace("_", "-")
            raise UsageError(f"--{name} {short(given[option])}: it goes with {goes_with}; give that too")
    return {
        "ties": given["ties"],
        "unjudged": given["unjudged"],
        "gmax": _grade(given["gmax"]),
        "max_unjudged_relevant": _count("--max-unjudged-relevant", given["max_unjudged_relevant"]),
        "floor": given["floor"],
        "corpus_size": _count("--corpus-size", given["corpus_size"]),
    }


def _grade(text: str | None) -> float | None:
    """Return a grade, a whole one as int."""
    if text is None:
        return None
    if _GRADE.fullmatch(text) is None:
        raise UsageError(f"--gmax {short(text)}: expected the highest grade a document can have, 0 or more")
    grade = float(text)
    return int(grade) if grade.is_integer() else grade


def _count(option: str, text: str | None) -> int | None:
    """Return a number of documents."""
    if text is None:
        return None
    if _COUNT.fullmatch(text) is None:
        raise UsageError(f"{option} {short(text)}: expected a number of documents, in at most 18 digits")
    return int(text)
