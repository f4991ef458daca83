"""CIRAL, a collection for retrieval across languages: its files, where they are on this machine, and its topics.

English queries; passages in Hausa (ha), Somali (so), Swahili (sw) and Yoruba (yo); published at SIGIR 2024. Nothing
here imports ir_datasets; :mod:`denominator.datasets` registers the collection there.

A folder given as ``--ciral-dir``, or by the environment variable ``DENOMINATOR_CIRAL``, holds the files under the
paths that they have in the repository, such as ``qrels/qrels.ciral-v1.0-sw-test-a.tsv``. Every file is read through
its checksum. ``python -c 'import denominator.ciral as c; print(c.needed("sw", "test-a"))'`` lists them.
"""

from __future__ import annotations

from denominator.ciral.files import (
    CIRAL_DIR,
    COUNTS,
    DOWNLOAD,
    ISSUES,
    LANGUAGES,
    LICENCE,
    PASSAGES,
    SPLITS,
    needed,
    pinned_file,
    split_id,
)
from denominator.ciral.places import Local, corpus_file, local_file, qrels_path
from denominator.ciral.topics import Topic, read_topics, topics

__all__ = [
    "CIRAL_DIR",
    "COUNTS",
    "DOWNLOAD",
    "ISSUES",
    "LANGUAGES",
    "LICENCE",
    "PASSAGES",
    "SPLITS",
    "Local",
    "Topic",
    "corpus_file",
    "local_file",
    "needed",
    "pinned_file",
    "qrels_path",
    "read_topics",
    "split_id",
    "topics",
]
