"""``denominator convert``: qrels or a run in another format, every row kept."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import Verb, keep_inputs
from denominator.cli.writing import as_shown, refuse_nameless
from denominator.errors import UsageError
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.formats.table import Kind
    from denominator.model import Qrels, Run

__all__ = ["command", "kind_of"]

STANDARD_INPUT = ("-", "/dev/stdin")

WRITTEN = ("trec", "json", "jsonl", "parquet")

_EXAMPLES = """\b
Examples:
  denominator convert runs/agri.run agri.jsonl.gz
  denominator convert qrels/agri.qrels agri.json
  denominator convert --kind run --to trec runs/agri.run -
"""


@click.command(cls=Verb, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("source", metavar="IN")
@click.argument("destination", metavar="OUT")
@click.option(
    "--kind", type=click.Choice(["run", "qrels"]), help="What IN holds, where its name or columns do not say."
)
@click.option("--from", "from_format", metavar="FORMAT", help="Read IN in this format, whatever it looks like.")
@click.option("--to", "to_format", type=click.Choice(WRITTEN), help="[default: what OUT ends in; otherwise trec]")
@click.option(
    "--lenient",
    default="",
    metavar="LIST",
    help="Faults to put up with, as NAME=CHOICE,…: duplicates=first|last|best, conflicts=first|last|max|min, "
    "nan=last|drop, numbers=drop, header=skip, fields=skip|extra, tag=none, comments=rows.",
)
@click.option("--float-grades", is_flag=True, help="Accept grades that are not whole numbers.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="How the text of IN is encoded. [default: utf-8]")
def command(source: str, destination: str, **given: Any) -> None:
    """Write the judgments or the run in IN to OUT, in another format.

    IN is recognised from its content: TREC, BEIR, JSON, JSON lines, MS MARCO, Parquet, Arrow, YAML, compressed or not;
    or it is an id such as ir_datasets:cranfield. OUT is TREC, JSON, JSON lines or Parquet as its name ends, compressed
    where it ends in .gz, .bz2, .xz, .zst or .lz4. - is standard input or output.

    Rows keep their ids, and their order except in JSON, which holds those of a query together. Scores are 64-bit
    floats, as in trec_eval, written with all the digits that tell one from the next; scores that only longer numbers
    hold apart are named. TREC's rank column is computed from the scores. OUT appears whole or not at all. What was
    read, noticed and written is said on standard error.
    """
    from denominator.formats import write_qrels, write_run
    from denominator.model import Run

    refuse_nameless(destination, "OUT ")
    keep_inputs(destination, (source,), "")
    rows = _read(source, given)
    click.echo(f"read as: {plain(rows.source.read_as)}", err=True)
    for note in rows.source.notes:
        click.echo(f"note: {plain(note.message)}", err=True)
    form = given["to_format"]

    def write(to: str) -> str:
        return write_run(rows, to, format=form) if isinstance(rows, Run) else write_qrels(rows, to, format=form)

    told = as_shown(write) if destination == "-" and form != "parquet" else write(destination)
    click.echo(f"wrote: {plain(told)}", err=True)


def _read(source: str, given: dict[str, Any]) -> Run | Qrels:
    """Read what IN holds."""
    from denominator.formats import read_qrels, read_run

    options = {"format": given["from_format"], "encoding": given["encoding"], "lenient": given["lenient"]}
    kind, opened = given["kind"], source
    if not kind and source in STANDARD_INPUT:
        kind, opened = _kind_of_standard_input(given["encoding"])
    if (kind or kind_of(source, given["encoding"])) == "run":
        return read_run(opened, **options)
    return read_qrels(opened, float_grades=given["float_grades"], **options)


def _kind_of_standard_input(encoding: str) -> tuple[Kind, Any]:
    """Return what standard input holds, and what to read in its place."""
    from denominator.errors import InputError
    from denominator.formats.kinds import kind_of_head
    from denominator.formats.sources import open_content, standard_input_twice

    start, everything, whole = standard_input_twice()
    kind = None
    try:
        with open_content(start, encoding=encoding) as content:
            kind = kind_of_head(content.head)
    except InputError:
        if whole:
            raise
    if kind is None:
        raise _unknown_kind("-")
    return kind, everything


def kind_of(source: str, encoding: str) -> Kind:
    """Return whether a file is a run or qrels, by its name or else by its content."""
    words = set(PurePath(source).name.lower().replace("-", ".").replace("_", ".").split("."))
    if len(words & {"run", "qrels"}) == 1:
        return "run" if "run" in words else "qrels"
    if source not in STANDARD_INPUT and not source.startswith("ir_datasets:"):
        from denominator.formats.kinds import kind_of_head
        from denominator.formats.sources import open_content

        with open_content(source, encoding=encoding) as content:
            kind = kind_of_head(content.head)
        if kind is not None:
            return kind
    raise _unknown_kind(source)


def _unknown_kind(source: str) -> UsageError:
    return UsageError(
        f"{source}: a run or qrels? Neither its name nor its columns say; give --kind run or --kind qrels"
    )
