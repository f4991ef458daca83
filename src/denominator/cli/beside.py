"""What the verbs `benchmark` and `ciral` have in common: their options, how runs are read, and how both write."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import BAD_INPUT, complain
from denominator.cli.writing import form_of, is_shown, may_colour, width_of
from denominator.errors import UsageError
from denominator.quoting import plain_table, short

if TYPE_CHECKING:
    from collections.abc import Callable

    from denominator.benchmark.standing import Benchmark

__all__ = ["asked_form", "reader", "shared_options", "write"]

_FORMATS = ("text", "json", "csv", "markdown")
_SUFFIXES = {"": "text", ".txt": "text", ".json": "json", ".csv": "csv", ".md": "markdown"}
"""What ``-o`` stands for where ``-f`` does not say; a further .gz, .bz2, .xz, .zst or .lz4 compresses."""


def _existing(context: click.Context, option: click.Parameter, folder: str | None) -> str | None:
    """Return a folder that is there, or the empty text, which stands for the default; whatever is read, or not."""
    import os

    if folder and not os.path.isdir(folder):
        raise UsageError(f"--ciral-dir {short(folder)}: no such folder")
    return folder


_OPTIONS = (
    click.option("-m", "--measures", multiple=True, metavar="LIST", help='Further measures: "AP nDCG@10"; repeatable.'),
    click.option(
        "--ciral-dir",
        metavar="DIR",
        callback=_existing,
        help="The folder with local copies of CIRAL. [default: $DENOMINATOR_CIRAL]",
    ),
    click.option("-o", "--output", metavar="FILE", help="Write to this file, compressed if it ends in .gz; - prints."),
    click.option(
        "-f", "--format", "form", type=click.Choice(_FORMATS), help="[default: text, or what -o FILE ends in]"
    ),
    click.option("--run-format", metavar="NAME", help="Read the runs in this format, whatever they look like."),
    click.option(
        "--lenient", default="", metavar="LIST", help="Faults of runs to put up with, as duplicates=best; see score."
    ),
)


def shared_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a verb the options of both."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def reader(run: str, given: dict[str, Any]) -> Callable[[], Any]:
    """Return what reads a run when its turn comes."""
    from functools import partial

    from denominator.formats import read_run

    return partial(read_run, run, format=given["run_format"], lenient=given["lenient"])


def write(found: Benchmark, given: dict[str, Any]) -> None:
    """Write a benchmark where it is wanted, and notes that the format cannot hold to standard error.

    Ends with status 2 where a run could not be scored.
    """
    from denominator.formats.placing import placed
    from denominator.outputs import Options
    from denominator.outputs.benchmark import TELL_APART, render
    from denominator.outputs.benchmark.grids import notes

    form, output = asked_form(given), given["output"]
    options = Options(width=width_of(output), colour=may_colour(output))
    for failure in found.failures:
        complain(failure.error)
    written = render(found, form, options)
    if form == "csv" and is_shown(output) and sys.stdout.isatty():
        written = plain_table(written)
    with placed(output or "-") as file:
        file.write(written.encode("utf-8"))
    if form in TELL_APART:
        for line in notes(found):
            click.echo(line, err=True)
    if found.failures:
        raise SystemExit(BAD_INPUT)


def asked_form(given: dict[str, Any]) -> str:
    """Return the format in which a benchmark is written."""
    return form_of(given["form"], given["output"], _SUFFIXES)
