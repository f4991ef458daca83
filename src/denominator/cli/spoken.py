"""The options of ``score`` that say which tool's choices to score with, and change single ones."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from denominator.dialects import Dialect
    from denominator.errors import DenominatorError

__all__ = ["CHOICE_OPTIONS", "asked", "lacking", "options", "spelled"]

CHOICE_OPTIONS = {
    "order": ("--order", "score64|score32|rank|file", "What ranks the documents."),
    "ties": (
        "--break-ties",
        "id-descending|id-ascending|file|averaged|together|middle|unstable",
        "What becomes of ties.",
    ),
    "no_relevant": ("--no-relevant", "0|1|dropped|unfound|error", "A query without relevant documents."),
    "recall": ("--recall", "rel|capped|k|hit|retrieved|micro", "What recall is divided by."),
    "precision": ("--precision", "k|returned", "What precision is divided by."),
    "ap": ("--ap", "rel|capped|retrieved", "What average precision is divided by."),
    "gain": ("--gain", "linear|exponential|binary", "What a grade gains in nDCG; exp will do."),
    "ideal": ("--ideal", "judged|retrieved|top|returned|full", "What the ideal ranking of nDCG is made of."),
    "duplicates": ("--duplicates", "refuse|first|last|best|positional", "A document that stands twice."),
    "negative": ("--negative", "pooled|zero|removed", "A grade below 0."),
    "rbp": ("--rbp", "binary|graded", "What a relevant document is worth in RBP."),
}
"""Choice → its option, its values and what it is about. Not read from the dialects: --help would import them."""

_OPTIONS = (
    click.option("--dialect", metavar="NAME", help="Score as this tool would; `denominator dialects` lists them."),
    *(
        click.option(option, f"choice_{name}", metavar=values, help=about)
        for name, (option, values, about) in CHOICE_OPTIONS.items()
    ),
)


def options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def asked(given: dict[str, Any]) -> Dialect | None:
    """Return the dialect behind the options, or None where none of them was given.

    Raises:
        UsageError: no such dialect, or no such value of a choice.
    """
    choices = {name: given[f"choice_{name}"] for name in CHOICE_OPTIONS if given[f"choice_{name}"] is not None}
    if given["dialect"] is None and not choices and given["queries"] != "run":
        return None
    from denominator.dialects import DEFAULT, dialect

    if given["queries"] is not None:
        choices["queries"] = given["queries"]
    return dialect(DEFAULT if given["dialect"] is None else given["dialect"]).using(**choices)


def spelled(error: DenominatorError) -> DenominatorError:
    """Return an error that speaks of choices as options: ``no_relevant=dropped`` as ``--no-relevant dropped``."""

    def as_option(found: re.Match[str]) -> str:
        option = CHOICE_OPTIONS[found[2]][0] if found[2] in CHOICE_OPTIONS else f"--{found[2]}"
        return f"{found[1]}{option} {found[3] or found[4]}"

    names = "|".join([*CHOICE_OPTIONS, "queries"])
    error.args = tuple(
        re.sub(rf"(^|use |or )({names})=(?:'([\w.-]+)'|([\w-]+|'[^']*'|\"[^\"]*\"))", as_option, part)
        if isinstance(part, str)
        else part
        for part in error.args
    )
    return error


def lacking(name: str | None, measures: Sequence[str]) -> tuple[list[str], str]:
    """Return those of the default measures that a dialect has, and what is said of the others.

    All of them, and nothing, where it has every one or none.

    Raises:
        UsageError: no such dialect.
    """
    if name is None:
        return list(measures), ""
    from denominator.dialects import dialect
    from denominator.errors import UsageError
    from denominator.measures import parse_measures

    spoken, kept, without = dialect(name), [], []
    for text in measures:
        try:
            spoken.check(parse_measures(text))
            kept.append(text)
        except UsageError:
            without.append(text)
    if not kept or not without:
        return list(measures), ""
    return kept, f"The dialect {name} has no {', '.join(without)}; shown is {', '.join(kept)}."
