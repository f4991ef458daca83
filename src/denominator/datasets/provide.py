"""Bringing the files of a data set to this machine, once that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from denominator.datasets.download import PinnedDownload
from denominator.errors import InputError
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.datasets.holdings import Holding, Needed
    from denominator.fetching import Progress

__all__ = ["lacking", "provide"]


def lacking(found: Sequence[Holding], parts: Sequence[str]) -> list[Needed]:
    """Return the files of some parts that are not on this machine and can be fetched, each once."""
    needed = {file.path: file for one in found for part in parts for file in one.parts.get(part, ())}
    return [file for file in needed.values() if file.fetchable]


def provide(file: Needed, progress: Progress | None = None) -> None:
    """Fetch one file to its place: ours by size and SHA-256, those of ir_datasets by itself, with its own bar.

    ir_datasets writes beside the place and renames at the end, so that a part is never used by it either.

    Raises:
        InputError: it could not be had.
    """
    try:
        if isinstance(file.source, PinnedDownload):
            file.source.provide(progress)
        else:
            file.source.path()
    except (OSError, RuntimeError) as error:  # what ir_datasets raises for files it cannot fetch or take apart
        raise InputError(f"{file.url}: ir_datasets could not fetch it ({short(str(error), 200)})") from None
