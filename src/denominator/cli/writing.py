"""Where a verb writes and in which format: ``-o`` and ``-f``, which all verbs understand alike."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypeVar

from denominator.errors import UsageError
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["as_shown", "form_of", "is_shown", "may_colour", "refuse_nameless", "width_of"]


Written = TypeVar("Written")


def form_of(asked: str | None, output: str | None, suffixes: Mapping[str, str]) -> str:
    """Return the format: the one asked for, or else the one that the file's name ends in.

    `suffixes` says what a name's ending stands for; behind it a further .gz, .bz2, .xz, .zst or .lz4 compresses.

    Raises:
        UsageError: the name is empty, or its ending stands for no format.
    """
    refuse_nameless(output)
    if asked is not None:
        return asked
    suffix = ""
    if not is_shown(output):
        from denominator.formats.placing import split_suffix

        suffix, _ = split_suffix(output or "")
    if suffix in suffixes:
        return suffixes[suffix]
    known = ", ".join(filter(None, suffixes))
    raise UsageError(f"-o {short(output or '')}: {suffix} names no format; expected {known}, or say with -f which one")


def refuse_nameless(output: str | None, option: str = "-o ") -> None:
    """Refuse an empty name for what is written, as a variable of the shell that is not set makes it.

    Raises:
        UsageError: the name is empty.
    """
    if output == "":
        raise UsageError(f"{option}'': expected the name of a file, or - for standard output")


def is_shown(output: str | None) -> bool:
    """Return whether what is written goes to standard output."""
    return output in (None, "-")


def as_shown(write: Callable[[str], Written]) -> Written:
    """Have `write` write to standard output, whose name it is given: as it is, or for a terminal without control codes.

    A terminal gets them spelled out, for an id could steer it; what goes to a file or another program stays as it is.
    """
    if not sys.stdout.isatty():
        return write("-")
    import tempfile

    from denominator.quoting import plain_table

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shown")
        written = write(path)
        with open(path, encoding="utf-8", errors="backslashreplace", newline="") as file:
            sys.stdout.write(plain_table(file.read()))
    return written


def width_of(output: str | None) -> int:
    """Return how wide a page may be: as wide as the terminal, or as COLUMNS says; 80 in a file or a pipe."""
    if not is_shown(output) or (not sys.stdout.isatty() and "COLUMNS" not in os.environ):
        return 80
    import shutil

    return shutil.get_terminal_size((80, 24)).columns


def may_colour(output: str | None) -> bool:
    """Return whether what is written goes to a terminal that may show colours (https://no-color.org)."""
    shows = is_shown(output) and sys.stdout.isatty()
    return shows and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
