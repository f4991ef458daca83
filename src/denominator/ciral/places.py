"""Where CIRAL's files are on this machine, and whether they are the published ones: nothing is used unchecked."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from denominator.ciral.files import CIRAL_DIR, CORPORA, CORPUS_PLACE, DOWNLOAD, LANGUAGES, needed, path_of, pinned_file
from denominator.errors import AbsentError, InputError
from denominator.pinned import checked, missing
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.ciral.files import Part
    from denominator.fetching import Progress
    from denominator.fingerprints import Known

__all__ = [
    "Local",
    "any_file",
    "corpus_file",
    "corpus_fingerprint",
    "folder_in_use",
    "local_file",
    "path_in_use",
    "qrels_path",
]


TOPICS_OF_DEV = "castorini/anserini-tools had them in topics-and-qrels/"
"""Where the English queries of dev are from: no revision of them is pinned."""


@dataclass(frozen=True, slots=True)
class Local:
    """A file of CIRAL on this machine, as it was read and checked."""

    path: Path
    data: bytes
    sha256: str
    known: Known | None
    """The pinned file that it is; None where none is pinned, so that the fingerprint is all there is to tell."""


def folder_in_use(folder: str | os.PathLike[str] | None = None) -> tuple[Path, bool]:
    """Return the folder with CIRAL's files, and whether it is the user's own: asked for, or in the environment.

    Otherwise, and for an empty `folder`, it is the folder that downloads go to: ``ciral`` in the home of ir_datasets
    (``IR_DATASETS_HOME``, by default ``~/.ir_datasets``).
    """
    chosen = os.environ.get(CIRAL_DIR) if folder is None else folder
    if chosen:
        return Path(chosen), True
    home = os.environ.get("IR_DATASETS_HOME")
    return (Path(home) if home else Path.home() / ".ir_datasets") / "ciral", False


def path_in_use(language: str, split: str, part: Part, *, folder: str | os.PathLike[str] | None = None) -> Path:
    """Return where a file is expected, whether it is there or not."""
    return folder_in_use(folder)[0] / path_of(language, split, part)


def qrels_path(language: str, split: str, *, folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of a split's judgments, once its bytes were found to be the published ones.

    Raises:
        InputError: the file is not there, or is another one; see :func:`local_file`.
    """
    return local_file(language, split, "qrels", folder=folder).path


def local_file(
    language: str,
    split: str,
    part: Part,
    *,
    folder: str | os.PathLike[str] | None = None,
    download: bool | None = None,
    progress: Progress | None = None,
) -> Local:
    """Return a file of CIRAL, read and checked.

    Args:
        language: ha, so, sw or yo.
        split: dev, test-a, test-a-pools or test-b.
        part: qrels, topics (English) or native.
        folder: with local copies; by default the one that ``DENOMINATOR_CIRAL`` names. Nothing is fetched into it.
        download: fetch the file where there is no such folder and it was not fetched before; by default whether
            ``DENOMINATOR_DOWNLOAD`` is 1.
        progress: told the bytes that have come and their total.

    Raises:
        AbsentError: the file is not there and may not be fetched: which files go where.
        InputError: it is not in the user's own folder: which files go where; or it is another one, which is named where
            it is known.
    """
    root, own = folder_in_use(folder)
    known = pinned_file(language, split, part)
    path = root / path_of(language, split, part)
    if known is None:
        return _unpinned(path, language)
    allowed = os.environ.get(DOWNLOAD) == "1" if download is None else download
    if not own and allowed:
        from denominator.fetching import fetch  # its libraries are for the network only

        fetch(known, path, progress)
    elif not path.is_file():
        raise _absent(known, language, split, part, root, own)
    return Local(path, checked(known, path), known.sha256, known)


def _absent(known: Known, language: str, split: str, part: Part, root: Path, own: bool) -> InputError:
    """Return the error that says which files go where."""
    dataset = f"ciral/{language}/{split}"
    files = [missing(file, root) for file in needed(language, split) if not (root / file.path).is_file()]
    if own:
        return InputError(f"{dataset}: {root / known.path}: no such file; put there, byte for byte:", *files)
    message = (
        f"{dataset}: {known.path} is not on this machine, and nothing is downloaded unasked. Run "
        f"`denominator datasets {dataset} --download`, set {DOWNLOAD}=1, or put these files there, byte for byte (or "
        f"into the same folders below one that --ciral-dir or {CIRAL_DIR} names):"
    )
    return AbsentError(
        "\n".join([message, *files]),
        f"{dataset}/native" if part == "native" else dataset,
        "qrels" if part == "qrels" else "queries",
    )


def _unpinned(path: Path, language: str) -> Local:
    """Return the English queries of dev, of which no revision is pinned."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(
            f"ciral/{language}/dev: {path}: no such file. The English queries of dev are not in the pinned commit, so "
            f"they are never downloaded: put them there ({TOPICS_OF_DEV}), or "
            f"use the native ones, ciral/{language}/dev/native"
        ) from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return Local(path, data, hashlib.sha256(data).hexdigest(), None)


def any_file(path: str | os.PathLike[str]) -> Local:
    """Return a file of any name, which is held to no checksum.

    Raises:
        InputError: it cannot be read.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: {error.strerror or error}") from None
    return Local(Path(path), data, hashlib.sha256(data).hexdigest(), None)


def corpus_file(language: str, *, folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of a corpus, JSON lines that may be compressed; it is never downloaded, and no bytes are pinned.

    Raises:
        InputError: there is none; the message says where it goes.
    """
    root, _ = folder_in_use(folder)
    for suffix in ("", ".gz"):
        path = root / f"{CORPORA[language]}{suffix}"
        if path.is_file():
            return path
    raise InputError(
        f"ciral/{short(language)}: {root / CORPORA[language]}: no such file (nor with .gz). The passages in "
        f"{LANGUAGES[language]} are never downloaded here: get {CORPORA[language]} of {CORPUS_PLACE}, "
        f"put it there, or below the folder that --ciral-dir or {CIRAL_DIR} names"
    )


def corpus_fingerprint(path: Path) -> str:
    """Return the SHA-256 of a corpus, computed once for a file as it stands; there is no pinned one to hold it to."""
    status = path.stat()
    return _digest(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=8)
def _digest(path: Path, size: int, changed: int) -> str:
    """Return the SHA-256 of a file that has not changed meanwhile."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
