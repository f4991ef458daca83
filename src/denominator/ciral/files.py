"""Which files CIRAL is made of: names, pinned bytes, licence, and what holds for the collection as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from denominator.errors import UsageError
from denominator.fingerprints import Known, known_file_at
from denominator.quoting import short

__all__ = [
    "CIRAL_DIR",
    "CORPORA",
    "COUNTS",
    "DOWNLOAD",
    "ISSUES",
    "LANGUAGES",
    "LICENCE",
    "PASSAGES",
    "SPLITS",
    "Part",
    "needed",
    "path_of",
    "pinned_file",
    "split_id",
    "superseded_file",
]

Part = Literal["qrels", "topics", "native"]

CIRAL_DIR = "DENOMINATOR_CIRAL"
"""The environment variable that names the folder with local copies."""

DOWNLOAD = "DENOMINATOR_DOWNLOAD"
"""The environment variable that allows downloads, when it is 1."""

LANGUAGES: Mapping[str, str] = MappingProxyType({"ha": "Hausa", "so": "Somali", "sw": "Swahili", "yo": "Yoruba"})
SPLITS = ("dev", "test-a", "test-a-pools", "test-b")
"""test-a-pools are the queries of test-a with deep pools from the systems of the shared task."""

PASSAGES: Mapping[str, int] = MappingProxyType({"ha": 715_355, "so": 827_552, "sw": 949_013, "yo": 82_095})
"""Passages of each corpus, as published."""

COUNTS: Mapping[tuple[str, str], tuple[int, int, int]] = MappingProxyType(
    {
        ("ha", "dev"): (10, 165, 82),
        ("ha", "test-a"): (80, 1_447, 427),
        ("ha", "test-a-pools"): (80, 7_288, 1_918),
        ("ha", "test-b"): (312, 5_930, 1_729),
        ("so", "dev"): (10, 187, 58),
        ("so", "test-a"): (99, 1_798, 534),
        ("so", "test-a-pools"): (99, 9_094, 1_899),
        ("so", "test-b"): (239, 4_324, 1_442),
        ("sw", "dev"): (10, 196, 82),
        ("sw", "test-a"): (85, 1_656, 353),
        ("sw", "test-a-pools"): (85, 8_079, 2_425),
        ("sw", "test-b"): (114, 2_175, 513),
        ("yo", "dev"): (10, 185, 75),
        ("yo", "test-a"): (100, 1_921, 459),
        ("yo", "test-a-pools"): (100, 8_311, 1_490),
        ("yo", "test-b"): (554, 10_569, 2_291),
    }
)
"""Language and split → judged queries, judgments, relevant documents of the pinned qrels."""

CORPORA: Mapping[str, str] = MappingProxyType(
    {language: f"passages-v1.0/{name.lower()}_passages.jsonl" for language, name in LANGUAGES.items()}
)
"""Where a corpus is, in the folder and in the data set CIRAL/ciral-corpus of the Hugging Face hub."""

CORPUS_PLACE = "the data set CIRAL/ciral-corpus, from the Hugging Face hub"

LICENCE = (
    "CIRAL is published under the Apache License 2.0 (github.com/ciralproject/ciral); the repository that the files "
    "are fetched from states no licence of its own"
)

ISSUES = (
    "query ids are numbers that other languages use for other queries, and some document ids (VOA#7460#0) are those of "
    "passages in two languages: rows of two languages are never to be pooled on bare ids",
    "test-a and test-a-pools grade the same pairs differently (ha 98, so 214, sw 47, yo 114): never to be merged",
    "judged by pools of other systems, so the recall of a new system is a lower bound",
)
"""What is known of the collection as a whole; what is known of one file is in its fingerprint's row."""

_COMMIT = "5b819c1a45c8a0a3ec9426f476694f44a29dfaf3"
_COMMIT_2023 = "941921fd1d7b01ddf2040fe38a943ae4ff3579c0"


def split_id(dataset: str) -> tuple[str, str, bool]:
    """Return language, split and whether the queries are the native ones, of an id such as ``ciral/sw/test-a``.

    >>> split_id("ciral/yo/test-b/native")
    ('yo', 'test-b', True)
    """
    parts = dataset.split("/")
    native = len(parts) == 4 and parts[3] == "native"
    if len(parts) != 3 + native or parts[0] != "ciral":
        raise UsageError(f"{short(dataset)}: expected ciral/LANGUAGE/SPLIT, as ciral/sw/test-a")
    _check(parts[1], parts[2])
    return parts[1], parts[2], native


def path_of(language: str, split: str, part: Part) -> str:
    """Return the path of a file in the repository and in a local folder, with slashes.

    >>> path_of("sw", "test-a-pools", "topics")
    'topics/topics.ciral-v1.0-sw-test-a.tsv'
    """
    _check(language, split)
    if part == "qrels":
        return f"qrels/qrels.ciral-v1.0-{language}-{split}.tsv"
    asked = split.removesuffix("-pools")  # the pools judge the same queries
    return f"topics/topics.ciral-v1.0-{language}-{asked}{'-native' if part == 'native' else ''}.tsv"


def pinned_file(language: str, split: str, part: Part) -> Known | None:
    """Return the pinned file, or None: the English queries of dev are not in the pinned commit."""
    return known_file_at(_COMMIT, path_of(language, split, part))


def superseded_file(language: str) -> Known | None:
    """Return the qrels of November 2023 that test-a-pools replaced under the same label; None where they are equal."""
    return known_file_at(_COMMIT_2023, f"topics-and-qrels/qrels.ciral-v1.0-{language}-test.tsv")


def needed(language: str, split: str) -> tuple[Known, ...]:
    """Return the pinned files of a split: qrels, English queries where they are pinned, native queries."""
    parts: tuple[Part, ...] = ("qrels", "topics", "native")
    return tuple(file for part in parts if (file := pinned_file(language, split, part)) is not None)


def _check(language: str, split: str) -> None:
    """Refuse what is no language or no split of CIRAL."""
    if language not in LANGUAGES:
        raise UsageError(f"language {short(language)}: CIRAL has {', '.join(LANGUAGES)}")
    if split not in SPLITS:
        raise UsageError(f"split {short(split)}: CIRAL has {', '.join(SPLITS)}")
