"""Public qrels files that are known by their content: name, revision, and what is known to be odd about them.

A table of facts. SHA-256 of the bytes of a file, as published; each row says where. Of our own samples too.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KNOWN", "LARGEST", "Known", "known_file"]

LARGEST = 50_000_000
"""Bytes of the largest file that is looked at."""


@dataclass(frozen=True, slots=True)
class Known:
    """One published file."""

    sha256: str
    name: str
    revision: str
    issues: tuple[str, ...]
    """What is known to be odd about it."""
    published: str
    """Where: repository, commit and path."""
    superseded: bool = False
    """Whether another file of the same name has taken its place."""


_CIRAL = "github.com/castorini/anserini-tools at 5b819c1a45c8, qrels/"
_CIRAL_2023 = "github.com/castorini/anserini-tools at 941921fd1d7b, topics-and-qrels/"
_OURS = "the samples of denominator, qrels/"

_FILES = (
    Known(
        "7a1aa4c0833fbcf5bfe181be8aa77681d8d6737d0d0f05950d1a18746d950395",
        "CIRAL v1.0 Hausa dev",
        "revision at 5b819c1a",
        (
            "the last line has no newline",
            "7 of its query ids are other queries in ha test-a",
        ),
        _CIRAL + "qrels.ciral-v1.0-ha-dev.tsv",
    ),
    Known(
        "8731e0a830adca51925cbed317f6786cd66052480d8a0dc31b3734f6eeea63e4",
        "CIRAL v1.0 Hausa test-a",
        "revision at 5b819c1a",
        (
            "98 pairs are graded otherwise in ha test-a-pools; the two must never be merged",
            "line 406 ends in two tabs",
            "7 of its query ids are other queries in ha dev",
        ),
        _CIRAL + "qrels.ciral-v1.0-ha-test-a.tsv",
    ),
    Known(
        "b45908d600b4472c768f54a0f7d985767dcd664369881f22de2af2a9e94c18ec",
        "CIRAL v1.0 Hausa test-a-pools",
        "revision at 5b819c1a",
        (
            "98 pairs are graded otherwise in ha test-a; the two must never be merged",
            "unchanged since November 2023",
        ),
        _CIRAL + "qrels.ciral-v1.0-ha-test-a-pools.tsv",
    ),
    Known(
        "00d628f42f6185c66663f5b20f5f42546f5947ad18b4e6f56155e5278edfcdf8",
        "CIRAL v1.0 Hausa test-b",
        "revision at 5b819c1a",
        (),
        _CIRAL + "qrels.ciral-v1.0-ha-test-b.tsv",
    ),
    Known(
        "e78a166f7e039cff1a893b9f06a1c0fffcc8a7e5301f5f5efa95cce96971ef88",
        "CIRAL v1.0 Somali dev",
        "revision at 5b819c1a",
        ("the last line has no newline",),
        _CIRAL + "qrels.ciral-v1.0-so-dev.tsv",
    ),
    Known(
        "3b603f23e52d94434155deb156580ce5023949b1990ec188c29dd26bd6b74b0d",
        "CIRAL v1.0 Somali test-a",
        "revision at 5b819c1a",
        (
            "214 pairs are graded otherwise in so test-a-pools; the two must never be merged",
            "lines 97, 245, 880, 970 and 1559 end in tabs",
        ),
        _CIRAL + "qrels.ciral-v1.0-so-test-a.tsv",
    ),
    Known(
        "821838a208c946a811d3bc41d999c63397e0eb3ddca5239fabb2b2dd5ad76153",
        "CIRAL v1.0 Somali test-a-pools",
        "revision at 5b819c1a",
        (
            "214 pairs are graded otherwise in so test-a; the two must never be merged",
            "the revision of November 2023, also called v1.0, grades 205 pairs otherwise",
        ),
        _CIRAL + "qrels.ciral-v1.0-so-test-a-pools.tsv",
    ),
    Known(
        "4c6cf6b334a8c9492f1980a93da7fd0d5559539a07fab7cefe279f7c113055d8",
        "CIRAL v1.0 Somali test-b",
        "revision at 5b819c1a",
        (),
        _CIRAL + "qrels.ciral-v1.0-so-test-b.tsv",
    ),
    Known(
        "a4216978d429df7ee904d6b5d67bb8893bf337a29815a0a0f4ac0134077288f9",
        "CIRAL v1.0 Swahili dev",
        "revision at 5b819c1a",
        ("the last line has no newline",),
        _CIRAL + "qrels.ciral-v1.0-sw-dev.tsv",
    ),
    Known(
        "b233f415f7822f6a3d7297af47be971f0d44be466898ecfdcb48a98144eb9750",
        "CIRAL v1.0 Swahili test-a",
        "revision at 5b819c1a",
        ("47 pairs are graded otherwise in sw test-a-pools; the two must never be merged",),
        _CIRAL + "qrels.ciral-v1.0-sw-test-a.tsv",
    ),
    Known(
        "4d3c82c8feda29088d8ea6ddd1bf74db6816888c8dd191ddeba294ca002d2305",
        "CIRAL v1.0 Swahili test-a-pools",
        "revision at 5b819c1a",
        (
            "47 pairs are graded otherwise in sw test-a; the two must never be merged",
            "the revision of November 2023, also called v1.0, grades 47 pairs otherwise",
        ),
        _CIRAL + "qrels.ciral-v1.0-sw-test-a-pools.tsv",
    ),
    Known(
        "a9a9102ee4fcb5182c93292c962d78465ef09e2d66c3066589e762214a0607fb",
        "CIRAL v1.0 Swahili test-b",
        "revision at 5b819c1a",
        (
            "query 23 has one judgment, of grade 0, and no topic: 114 queries are judged, 113 are described, and no "
            "mean over all can be above 113/114 = 0.9912",
        ),
        _CIRAL + "qrels.ciral-v1.0-sw-test-b.tsv",
    ),
    Known(
        "eca39623205feb32b20e99b2ff5172943eb63e2cd80b91e543aaf39a34464452",
        "CIRAL v1.0 Yoruba dev",
        "revision at 5b819c1a",
        ("the last line has no newline",),
        _CIRAL + "qrels.ciral-v1.0-yo-dev.tsv",
    ),
    Known(
        "ae824b55e0c4b89d554d000e682b4ea88e9b02fd91e1c903e621c838b2d1858d",
        "CIRAL v1.0 Yoruba test-a",
        "revision at 5b819c1a",
        ("114 pairs are graded otherwise in yo test-a-pools; the two must never be merged",),
        _CIRAL + "qrels.ciral-v1.0-yo-test-a.tsv",
    ),
    Known(
        "5d061b7892f4994730215405c4ebe0080eb276dcd275d74ae8c2176c821b38a2",
        "CIRAL v1.0 Yoruba test-a-pools",
        "revision at 5b819c1a",
        (
            "114 pairs are graded otherwise in yo test-a; the two must never be merged",
            "the revision of November 2023, also called v1.0, grades 93 pairs otherwise",
        ),
        _CIRAL + "qrels.ciral-v1.0-yo-test-a-pools.tsv",
    ),
    Known(
        "2cdb946d6fa1f49f84fc08399c5677fb62a346a65d98f9956a483b44eb7dd627",
        "CIRAL v1.0 Yoruba test-b",
        "revision at 5b819c1a",
        (),
        _CIRAL + "qrels.ciral-v1.0-yo-test-b.tsv",
    ),
    Known(
        "aab969dc86c503f05b44b3c37d44ded2d1309d9ea26ef6974ff8ecc800c01e43",
        "CIRAL v1.0 Somali test-a-pools",
        "revision of November 2023, superseded",
        ("205 pairs are graded otherwise in the present revision, also called v1.0",),
        _CIRAL_2023 + "qrels.ciral-v1.0-so-test.tsv",
        superseded=True,
    ),
    Known(
        "f15ca2fc749c09378aa1c8a0da117640ca7127ef2ca9caa9ee49f5496249b5c8",
        "CIRAL v1.0 Swahili test-a-pools",
        "revision of November 2023, superseded",
        ("47 pairs are graded otherwise in the present revision, also called v1.0",),
        _CIRAL_2023 + "qrels.ciral-v1.0-sw-test.tsv",
        superseded=True,
    ),
    Known(
        "ddb78117794e11cdc70b04f33c41bea8a181c5b3b9a317e03c29fe7ed8607017",
        "CIRAL v1.0 Yoruba test-a-pools",
        "revision of November 2023, superseded",
        ("93 pairs are graded otherwise in the present revision, also called v1.0",),
        _CIRAL_2023 + "qrels.ciral-v1.0-yo-test.tsv",
        superseded=True,
    ),
    Known(
        "96c89ccf3a38fb0199b4af109df6c7014f34e74cd9d98d2de71f4fc123d1ee87",
        "agri.qrels",
        "sample",
        ("of the 12 passages that are relevant to q_broad 8 are labelled; agri-true.qrels has all",),
        _OURS + "agri.qrels",
    ),
    Known(
        "664f6baa961a40ba943b35d303a0ef878e3198a9bb228989b5bf203429b65e1b",
        "agri-true.qrels",
        "sample",
        (),
        _OURS + "agri-true.qrels",
    ),
)

KNOWN: Mapping[str, Known] = MappingProxyType({one.sha256: one for one in _FILES})
"""SHA-256 in hexadecimal digits → file."""


def known_file(path: str) -> Known | None:
    """Return what is known of a file, or None: unknown, larger than :data:`LARGEST`, or no file that can be read."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
            return None
        with open(path, "rb") as file:
            return KNOWN.get(hashlib.file_digest(file, "sha256").hexdigest())
    except (OSError, ValueError):  # gone, not to be read, or no path at all: a name may be any text
        return None
