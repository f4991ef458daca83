"""Files whose every byte is known before they are fetched: what is there is checked, what comes is checked first.

A file is fetched beside its place as ``NAME.part`` and takes its place only when size and SHA-256 are right, so that
what lies in its place is whole, and what was cut off goes on where it stopped. How it is fetched is in
:mod:`denominator.fetching`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from denominator.errors import InputError
from denominator.fingerprints import KNOWN

if TYPE_CHECKING:
    from pathlib import Path

    from denominator.fingerprints import Known

__all__ = ["checked", "missing", "published_at", "refusal"]


def checked(known: Known, path: Path) -> bytes:
    """Return the bytes of a file that is there, once they were found to be the published ones.

    Raises:
        InputError: another file, which is named where it is known; or one that cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    words = refusal(known, data)
    if words:
        raise InputError(f"{path}: {words}; {published_at(known)}")
    return data


def refusal(known: Known, data: bytes) -> str:
    """Return why bytes are not the published ones: the empty text where they are."""
    digest = hashlib.sha256(data).hexdigest()
    if digest == known.sha256:
        return ""
    other = KNOWN.get(digest)
    if other is not None:
        odd = f" ({'; '.join(other.issues)})" if other.issues else ""
        return f"this is {other.name}, {other.revision}{odd}; expected {known.name}, {known.revision}"
    size = "as expected" if len(data) == known.size else f"expected {known.size:,}"
    return (
        f"not {known.name}, {known.revision}: {len(data):,} bytes, {size}, with SHA-256 {digest}, expected "
        f"{known.sha256}; it is damaged, edited or another revision"
    )


def missing(known: Known, root: Path) -> str:
    """Return the line that says of a file where it goes, where it is from, and how to know it."""
    return f"  {root / known.path}  from {known.url} ({known.size:,} bytes, SHA-256 {known.sha256})"


def published_at(known: Known) -> str:
    """Say where the published file is."""
    return f"the published file is {known.url}"
