"""A made CIRAL of one split, with a table of fingerprints that knows it: for tests without the real files."""

import hashlib
from pathlib import Path

from denominator import fingerprints, pinned
from denominator.ciral.files import _COMMIT, _COMMIT_2023, path_of
from denominator.fingerprints import Known

QRELS = b"1\tQ0\tVOA#1#0\t1\n1\tQ0\tVOA#1#1\t0\n2\tQ0\tVOA#2#0\t1\t\t\n"
OLD_QRELS = b"1\tQ0\tVOA#1#0\t0\n1\tQ0\tVOA#1#1\t0\n2\tQ0\tVOA#2#0\t1\n"
TOPICS = b'1\tWhat is ugali? \n2\t"Who wrote ""it""?"\n'
NATIVE = b"1\tUgali ni nini?\n2\tNani?"


def known(data: bytes, path: str, commit: str = _COMMIT, *, name: str = "a file of CIRAL", superseded: bool = False):
    """Return the row that knows some bytes."""
    digest = hashlib.sha256(data).hexdigest()
    odd = ("2 of 3 pairs are graded otherwise now",) if superseded else ()
    label = "revision of November 2023, superseded" if superseded else "revision at 5b819c1a"
    repository = "github.com/castorini/anserini-tools"
    return Known(digest, len(data), name, label, repository, commit, path, superseded, odd)


def made(folder: Path, monkeypatch) -> Path:
    """Lay out sw test-a and test-a-pools in a folder, and let the table know these bytes and no others."""
    files = {
        path_of("sw", "test-a", "qrels"): QRELS,
        path_of("sw", "test-a-pools", "qrels"): QRELS + b"2\tQ0\tVOA#3#0\t0\n",
        path_of("sw", "test-a", "topics"): TOPICS,
        path_of("sw", "test-a", "native"): NATIVE,
    }
    rows = [known(data, path, name=f"CIRAL {path}") for path, data in files.items()]
    old = "topics-and-qrels/qrels.ciral-v1.0-sw-test.tsv"
    rows.append(known(OLD_QRELS, old, _COMMIT_2023, name="CIRAL sw test-a-pools", superseded=True))
    table = {row.sha256: row for row in rows}
    monkeypatch.setattr(fingerprints, "KNOWN", table)
    monkeypatch.setattr(pinned, "KNOWN", table)
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return folder
