"""Leniencies: what a user may ask a reader to forgive, each by its name, each counted in what is printed.

::

    read_run("bm25.run", lenient="duplicates=best,nan=last")
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from denominator.errors import UsageError
from denominator.formats.faults import show

__all__ = ["LENIENCIES", "forgiving", "parse_lenient", "without_options"]

OPTION = re.compile(r"--[a-z-]+(?: \S+)? \(in Python ([^)]*)\)")
"""An option of the command line, with what it is called in Python."""

LENIENCIES: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "duplicates": {
            "first": "of a document that a run names again for a query, keep the first row",
            "last": "keep the last row",
            "best": "keep the row with the highest score (the first of them)",
        },
        "conflicts": {
            "first": "of a pair that qrels grade twice and differently, keep the first grade",
            "last": "keep the last grade",
            "max": "keep the highest grade (for diversity qrels: relevant to any subtopic)",
            "min": "keep the lowest grade",
        },
        "nan": {
            "last": "rank documents whose score is NaN last",
            "drop": "leave rows out whose score is NaN",
        },
        "numbers": {"drop": "leave rows out whose score or grade is no number"},
        "header": {"skip": "skip a first line that names the columns"},
        "fields": {
            "skip": "skip lines with a wrong number of fields",
            "extra": "leave fields out beyond the last column, as trec_eval does; skip nothing",
        },
        "tag": {"none": "read the lines of a run that have five fields, and no tag, as rows"},
        "comments": {"rows": "read lines that begin with # as rows: query ids may begin with #"},
    }
)
"""Name → choice → what it does."""


def forgiving(choices: str, does: str) -> str:
    """Return how a leniency is asked for and what it does, as a fault's remedy says it.

    >>> forgiving("header=skip", "skips it")
    '--lenient header=skip (in Python lenient="header=skip") skips it'
    """
    return f'--lenient {choices} (in Python lenient="{choices}") {does}'


def without_options(remedy: str) -> str:
    """Return a remedy as it is for what only a program can hand over: a frame is no argument of a command.

    >>> without_options('--lenient header=skip (in Python lenient="header=skip") skips it')
    'lenient="header=skip" skips it'
    """
    return OPTION.sub(r"\1", remedy)


def parse_lenient(text: str | Mapping[str, str]) -> Mapping[str, str]:
    """Return the leniencies in ``name=choice,name=choice`` as a mapping; an unknown one is refused with the nearest.

    >>> dict(parse_lenient("duplicates=best,nan=last"))
    {'duplicates': 'best', 'nan': 'last'}
    """
    pairs = text.items() if isinstance(text, Mapping) else [_pair(word) for word in text.split(",") if word.strip()]
    chosen: dict[str, str] = {}
    for name, choice in pairs:
        if name not in LENIENCIES:
            raise UsageError(f"lenient {show(name)}: not known{_nearest(name, list(LENIENCIES))}")
        if choice not in LENIENCIES[name]:
            raise UsageError(
                f"lenient {name}={show(choice)}: {name} has no such choice{_nearest(choice, list(LENIENCIES[name]))}"
            )
        if chosen.get(name, choice) != choice:
            raise UsageError(f"lenient {name}: {chosen[name]} and {choice} cannot both be; choose one")
        chosen[name] = choice
    return MappingProxyType(chosen)


def _pair(word: str) -> tuple[str, str]:
    name, _, choice = word.strip().partition("=")
    return name.strip(), choice.strip()


def _nearest(word: str, known: list[str]) -> str:
    import difflib  # only an error needs it

    near = difflib.get_close_matches(word, known, n=1)
    return f"; {f'did you mean {near[0]}? There are' if near else 'there are'}: {', '.join(known)}"
