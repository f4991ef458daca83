"""Fetching files of data sets: only when it was asked for, after a notice of what, how large and on whose terms."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from denominator.cli.failures import may_ask
from denominator.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress, TaskID

    from denominator.datasets.holdings import Needed

__all__ = ["bring"]


def bring(datasets: Sequence[str], parts: Sequence[str], *, agreed: bool = False) -> bool:
    """Fetch what some data sets lack of some parts, and return whether all that can be fetched is here.

    `agreed` is for ``--download``; otherwise a person at a terminal is asked, and without one nothing is fetched.

    Raises:
        InputError: a file could not be had.
        UsageError: no such data set.
    """
    import denominator.datasets  # noqa: F401  (it registers what ir_datasets lacks)
    from denominator.datasets.holdings import holding
    from denominator.datasets.provide import lacking

    files = lacking([holding(name) for name in datasets], parts)
    if not files:
        return True
    if not agreed and not may_ask():
        return False
    click.echo(_notice(files), err=True)
    if not agreed and not click.confirm("Fetch?", err=True):
        return False
    _fetch(files)
    return True


def _notice(files: Sequence[Needed]) -> str:
    """Return what would be fetched, how large it is, and on whose terms."""
    from denominator.datasets.pages import size_in_words

    count = f"{len(files)} {'file' if len(files) == 1 else 'files'}"
    lines = [f"{count} to fetch, {size_in_words(files)}:"]
    lines.extend(f"  {file.url} to {file.path}" for file in files)
    lines.extend(dict.fromkeys(f"Terms: {file.terms}" for file in files if file.terms))
    if not any(file.terms for file in files):
        lines.append("Terms: none are recorded here; see where it is from.")
    return "\n".join(map(plain, lines))


def _fetch(files: Sequence[Needed]) -> None:
    """Fetch files one after the other, with a bar on a terminal."""
    from rich import progress
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

    from denominator.datasets.download import PinnedDownload
    from denominator.datasets.provide import provide

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    for file in files:
        if not isinstance(file.source, PinnedDownload):
            provide(file)  # ir_datasets draws a bar of its own
            continue
        with progress.Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            name = plain(file.path.name if file.path else "")
            task = bar.add_task(name, total=file.size)
            provide(file, partial(_draw, bar, task))
    click.echo(f"{len(files)} {'file' if len(files) == 1 else 'files'} fetched.", err=True)


def _draw(bar: Progress, task: TaskID, done: int, total: int) -> None:
    """Show how far a file is."""
    bar.update(task, completed=done, total=total)
