"""CIRAL's files as ir_datasets asks for them: a path, or a stream, of bytes that were checked.

ir_datasets 0.6.3 checks MD5 only, and only while it downloads; these are checked by SHA-256 whenever they are read.
"""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from denominator.ciral import local_file
from denominator.ciral.places import path_in_use
from denominator.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from denominator.ciral.files import Part
    from denominator.ciral.places import Local
    from denominator.fetching import Progress

__all__ = ["PinnedDownload"]


@dataclass(frozen=True, slots=True)
class PinnedDownload:
    """A file of CIRAL, in the folder that is in use when it is asked for; see :func:`denominator.ciral.local_file`."""

    language: str
    split: str
    part: Part

    def file(self) -> Local:
        """Return the file, read and checked; it is fetched only if ``DENOMINATOR_DOWNLOAD`` is 1."""
        return local_file(self.language, self.split, self.part)

    def path(self, force: bool = True) -> Path:
        """Return its path; `force` has it there, and checked, before."""
        return self.file().path if force else path_in_use(self.language, self.split, self.part)

    @contextlib.contextmanager
    def stream(self) -> Iterator[io.BytesIO]:
        """Open the bytes that were checked."""
        yield io.BytesIO(self.file().data)

    def verdict(self) -> tuple[bool, str]:
        """Return whether the file that is there may be used, and what is known of it."""
        try:
            file = local_file(self.language, self.split, self.part, download=False)
        except InputError as error:
            return False, str(error)
        return True, "as published" if file.known is not None else f"SHA-256 {file.sha256}; no revision is pinned"

    def provide(self, progress: Progress | None = None) -> None:
        """Fetch the file, as was asked for."""
        local_file(self.language, self.split, self.part, download=True, progress=progress)
