r"""The queries of CIRAL, as they were meant: what belongs to the file's format is undone, the language is left alone.

====================================  ===========================================================================
in the files                          here
====================================  ===========================================================================
CSV quotes inside tab-separated text  undone: ``"the ""annobar"" disease"`` is ``the "annobar" disease``
blanks at the edges of a text         taken off
U+FEFF inside a word (yo test-b)      taken out: no one writes it, and it cuts the word in two
Yoruba that is not in form NFC        kept: which form matches is between the system and its corpus
sw test-b native, query 237 twice     the second, on line 70, is 238: so says the English file, line by line
sw test-b, query 23                   has judgments and no text, so it is no topic
====================================  ===========================================================================
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from denominator.ciral.places import Local, any_file, local_file
from denominator.errors import FAULTS_SHOWN, InputError
from denominator.quoting import short

if TYPE_CHECKING:
    import os

__all__ = ["CORRECTIONS", "Topic", "read_topics", "topics"]

BOM = b"\xef\xbb\xbf"


class Topic(NamedTuple):
    """A query: its id and its text."""

    query_id: str
    text: str

    def default_text(self) -> str:
        """Return the text, as queries of ir_datasets do."""
        return self.text


CORRECTIONS: Mapping[str, Mapping[int, str]] = MappingProxyType(
    {"1d739cfea7f448298eb3b4657f4dd96e239f0674828a6a3ab4bef4b1bb232f42": MappingProxyType({70: "238"})}
)
"""SHA-256 of a file → line → the query id that was meant there."""


def topics(
    language: str, split: str, *, native: bool = False, folder: str | os.PathLike[str] | None = None
) -> tuple[Topic, ...]:
    """Return the queries of a split in the order of the file: in English, or in the language of the passages.

    Raises:
        InputError: the file is not there, or is another one.
    """
    return read_topics(local_file(language, split, "native" if native else "topics", folder=folder))


def read_topics(file: Local | str | os.PathLike[str]) -> tuple[Topic, ...]:
    """Return the queries in the lines of a file: an id, a tab, a text. A path is read as it is, without a checksum.

    Raises:
        InputError: lines that are none, all of them; only a file without pinned bytes can have such.
    """
    if not isinstance(file, Local):
        file = any_file(file)
    corrections = CORRECTIONS.get(file.sha256, {})
    found: dict[str, Topic] = {}
    wrong = []
    for number, line in enumerate(file.data.removeprefix(BOM).split(b"\n"), 1):
        if not line.strip():
            continue
        topic = _topic(line, corrections.get(number))
        if topic is None or topic.query_id in found:
            why = "no query id, tab and text in UTF-8" if topic is None else f"query {short(topic.query_id)} again"
            wrong.append(f"{file.path}:{number}: {why}; expected an id, a tab and a text, each id once")
        else:
            found[topic.query_id] = topic
    if wrong:
        raise InputError(*wrong[:FAULTS_SHOWN])
    return tuple(found.values())


def _topic(line: bytes, meant: str | None) -> Topic | None:
    """Return the query in a line, under the id that was meant; None where there is none."""
    try:
        fields = next(csv.reader([line.decode("utf-8").rstrip("\r")], delimiter="\t"))
    except (UnicodeDecodeError, csv.Error):
        return None
    query_id = meant or fields[0].strip()
    return Topic(query_id, fields[1].replace("\ufeff", "").strip()) if len(fields) == 2 and query_id else None
