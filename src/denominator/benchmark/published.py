"""Published results: which system had which value on which data set, and where that is written.

One table, ``published.csv`` beside this file, a row a value; another collection is more rows. Columns:

=============  ==================================================================================================
dataset        the data set without its split: ``ciral/sw``; ``ciral`` alone for an average over its languages
split          ``dev``, ``test-a`` …; with the data set it is an id of ir_datasets: ``ciral/sw/test-a``
system         as its source calls it
measure        as it is typed here: ``RR@10`` for what a source calls MRR@10
value          with the decimals of the source
source         where the value stands, at a commit
secondary      ``yes`` where the value is not in a page of the collection or of the system's makers
same_as        what another source calls the same system, whose values are the same; empty for most
note           what else a reader should know of the row
=============  ==================================================================================================

The values are facts that others published. They say nothing about how sure a difference is.
"""

from __future__ import annotations

import csv
import functools
import io
import re
from importlib.resources import files
from typing import NamedTuple

__all__ = ["Listed", "Published", "listing", "published", "table"]

_TABLE = "published.csv"
_AT_COMMIT = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/(?:blob|tree)/([0-9a-f]+)/?(.*)")


class Published(NamedTuple):
    """One published value."""

    dataset: str
    split: str
    system: str
    measure: str
    """As it is typed: ``nDCG@20``."""
    value: float
    decimals: int
    """How many the source gives: what can be compared."""
    source: str
    """Where it stands: an address with its commit."""
    secondary: bool
    """Whether the source is neither the collection's nor that of the system's makers."""
    same_as: str = ""
    """What another source calls this system; the two count as one where systems are counted."""
    note: str = ""

    @property
    def id(self) -> str:
        """The data set with its split, as ir_datasets would name it."""
        return f"{self.dataset}/{self.split}" if self.split else self.dataset

    @property
    def counted_as(self) -> str:
        """The name under which the system counts once, however many sources report it."""
        return self.same_as or self.system

    @property
    def origin(self) -> str:
        """The source in short: ``castorini/pyserini@0a0be2960d pyserini/2cr/ciral.yaml``.

        >>> address = "https://github.com/castorini/pyserini/blob/0a0be2960d/pyserini/2cr/ciral.yaml"
        >>> Published("ciral/sw", "dev", "a", "AP", 0.5, 4, address, False).origin
        'castorini/pyserini@0a0be2960d pyserini/2cr/ciral.yaml'
        """
        found = _AT_COMMIT.fullmatch(self.source)
        return self.source if found is None else f"{found[1]}@{found[2]} {found[3]}".rstrip()


class Listed(NamedTuple):
    """What is published for one data set."""

    id: str
    systems: int
    """How many; one that two sources report counts once."""
    values: int
    measures: tuple[str, ...]
    sources: tuple[str, ...]
    """Addresses, each once."""
    secondary: int
    """How many of the values are reported by somebody else."""


@functools.cache
def table() -> tuple[Published, ...]:
    """Return every row, in the order of the file."""
    text = files(__package__).joinpath(_TABLE).read_text(encoding="utf-8")
    return tuple(map(_row, csv.DictReader(io.StringIO(text, newline=""))))


def published(dataset: str) -> tuple[Published, ...]:
    """Return what is published for a data set with its split, such as ``ciral/sw/test-a``; nothing is no error.

    >>> rows = published("ciral/sw/test-a")
    >>> [(row.system, row.value) for row in rows if row.measure == "nDCG@20"][:2]
    [('bm25-qt', 0.172), ('bm25-dt', 0.2033)]
    """
    return tuple(row for row in table() if row.id == dataset)


def listing() -> tuple[Listed, ...]:
    """Return what is published for every data set, in the order of their ids."""
    of: dict[str, list[Published]] = {}
    for row in table():
        of.setdefault(row.id, []).append(row)
    return tuple(
        Listed(
            name,
            len({row.counted_as for row in some}),
            len(some),
            tuple(dict.fromkeys(row.measure for row in some)),
            tuple(dict.fromkeys(row.source for row in some)),
            sum(row.secondary for row in some),
        )
        for name, some in sorted(of.items())
    )


def _row(given: dict[str, str]) -> Published:
    """Return a row of the file."""
    return Published(
        given["dataset"],
        given["split"],
        given["system"],
        given["measure"],
        float(given["value"]),
        len(given["value"].partition(".")[2]),
        given["source"],
        given["secondary"] == "yes",
        given["same_as"],
        given["note"],
    )
