"""``denominator fix``: a copy of a run or of qrels without the faults that rewriting can mend."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import Verb
from denominator.cli.writing import as_shown, refuse_nameless
from denominator.errors import FormatError, UsageError
from denominator.quoting import plain

if TYPE_CHECKING:
    from denominator.formats.table import Kind
    from denominator.repair.repairing import Outcome
    from denominator.repair.text import Lines

__all__ = ["command"]

SHOWN = 20
"""How many queries are named; the rest are counted, unless all are asked for."""

STDIN = ("-", "/dev/stdin")

_EXAMPLES = """\b
Examples:
  denominator fix runs/agri-dupe.run --select R101 --qrels qrels/agri-dupe.qrels -o -
  denominator fix runs/agri-reordered.run -o mended.run.gz
  denominator fix --kind qrels --select F1 qrels/agri.qrels
"""


@click.command(cls=Verb, epilog=_EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("source", metavar="FILE")
@click.option(
    "--select",
    multiple=True,
    metavar="CODES",
    help="Make these repairs: codes, or their beginnings, as in R101,F1. [default: all that change no score]",
)
@click.option(
    "--keep",
    type=click.Choice(["best", "first", "last"]),
    help="Which row of a document that stands twice stays. [default: best, except where grades contradict]",
)
@click.option("--sort", is_flag=True, help="Put the rows of a run in ranked order as well.")
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help="Write here; - is standard output. [default: NAME.fixed.EXT in the current folder]",
)
@click.option("--in-place", is_flag=True, help="Replace FILE itself.")
@click.option("--qrels", metavar="QRELS", help="Say what AP becomes, for each query whose ranking changes.")
@click.option(
    "--kind", type=click.Choice(["run", "qrels"]), help="What FILE holds, where neither name nor columns say."
)
@click.option("--lenient", default="", metavar="LIST", help="comments=rows: lines that begin with # are rows.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="How the text of FILE is encoded. [default: utf-8]")
@click.option("-v", "--verbose", is_flag=True, help="Name every query that changes.")
def command(source: str, **given: Any) -> None:
    """Write a copy of a run or of qrels in TREC's format that mends what `denominator audit` finds fault with.

    Without --select all repairs are made that change no score. A repair that changes scores, or loses what may have
    been meant, is made only where its whole code is selected, and every query that it changes is named. Lines that no
    repair is about stay as they are, to the byte; every change is counted under its code.

    Without -o the copy goes to the current folder, wherever FILE is, and never over a file that is there. OUT appears
    whole or not at all, compressed where it ends in .gz, .bz2, .xz, .zst or .lz4. Where there is nothing
    to mend nothing is written. Exit status: 0 mended, or nothing to mend; 2 bad input or usage.
    """
    from denominator.formats.placing import placed
    from denominator.repair.repairing import repaired, wanted

    file, recoded = _lines(source, given)
    words = [word.strip() for text in given["select"] for word in text.split(",")]
    if given["sort"] and file.kind != "run":
        raise UsageError("--sort: qrels have no ranking; it is for runs")
    codes = wanted(words, file.kind)
    destination = _destination(source, given["output"], given["in_place"])
    outcome = repaired(file, codes, keep=given["keep"], sort=given["sort"])
    told = [*recoded, *outcome.told()]
    after = outcome.after
    if told:
        told += [*_changed(outcome, given), f"wrote: {destination}"]
        after = replace(after, name=destination)

        def write(to: str) -> None:
            with placed(to) as out:
                out.write(after.data())

        if destination == "-":
            as_shown(write)
        else:
            write(destination)
    else:
        told = [f"{source}: nothing to mend; nothing was written"]
    for line in [*told, *outcome.told_offered(), *_left(after)]:
        click.echo(plain(line), err=destination == "-")


def _destination(source: str, output: str | None, in_place: bool) -> str:
    """Return where to write; never over FILE unless that was asked for, nor over what nobody named."""
    refuse_nameless(output)
    if in_place:
        if output is not None:
            raise UsageError("--in-place and -o cannot both be; choose one")
        if source in STDIN or not Path(source).is_file():
            raise UsageError(f"--in-place: {source} is no regular file")
        return source
    if output is None:
        output = "-" if source in STDIN else _here(source)
        if output != "-" and os.path.lexists(output):
            raise UsageError(f"{output}: is there already; name the copy with -o, or remove it")
    elif source not in STDIN and os.path.exists(output) and os.path.exists(source) and os.path.samefile(source, output):
        raise UsageError(f"{output}: is FILE itself; use --in-place to replace it")
    return output


def _here(source: str) -> str:
    """Return the name of the copy, in the current folder: that of FILE may be somebody else's, or not to be written.

    >>> _here("runs/bm25.run.gz"), _here("bm25")
    ('bm25.fixed.run.gz', 'bm25.fixed')
    """
    from denominator.formats.placing import COMPRESSIONS

    path = PurePath(source)
    packed = path.suffix if path.suffix.lower() in COMPRESSIONS else ""
    name = path.name.removesuffix(packed)
    stem = PurePath(name).stem
    return f"{stem}.fixed{name.removeprefix(stem)}{packed}"


def _lines(source: str, given: dict[str, Any]) -> tuple[Lines, list[str]]:
    """Return the lines of FILE, and what is to be said of its encoding, for the copy is UTF-8."""
    from denominator.cli.convert import kind_of
    from denominator.formats import parse_lenient
    from denominator.formats.sniff import recognise
    from denominator.formats.sources import open_content
    from denominator.repair.text import Lines

    lenient = parse_lenient(given["lenient"])
    if set(lenient) - {"comments"}:
        raise UsageError(f"--lenient {', '.join(set(lenient) - {'comments'})}: not here; a repair has its code")
    kind: Kind = given["kind"] or kind_of(source, given["encoding"])
    with open_content(source, encoding=given["encoding"]) as content:
        form = recognise(content.head, kind)
        if form != "trec":
            raise UsageError(f"{source}: {form}; only files in TREC's format are mended: see `denominator convert`")
        data = content.read()
        recoded = (
            [] if given["encoding"].lower() in ("utf-8", "utf8") else [f"written as UTF-8, not {given['encoding']}"]
        )
        return Lines.of(content.name, kind, data, bom=content.bom, lenient=lenient), recoded


def _changed(outcome: Outcome, given: dict[str, Any]) -> list[str]:
    """Return a line for each query that is not what it was, the first ones unless all are wanted."""
    from denominator.audit.counted import number
    from denominator.formats import read_qrels
    from denominator.repair.changes import changes

    if given["qrels"] and outcome.before.kind == "qrels":
        raise UsageError("--qrels: FILE holds judgments itself; leave it away")
    qrels = read_qrels(given["qrels"]) if given["qrels"] else None
    queries = outcome.queries
    if not queries:
        return []
    what = "ranking is not what it was" if outcome.before.kind == "run" else "judgments are not what they were"
    shown = len(queries) if given["verbose"] else SHOWN
    lines = [f"  {line}" for line in itertools.islice(changes(outcome.before, outcome.after, queries, qrels), shown)]
    if len(queries) > shown:
        lines.append(f"  and {len(queries) - shown:,} more queries (all with -v)")
    return [f"{number(len(queries), 'queries')} of which the {what}:", *lines]


def _left(file: Lines) -> list[str]:
    """Return what `score` refuses in a file, the first faults and the number of the others."""
    from denominator.model import Severity

    try:
        faults = file.reading.faults
    except FormatError as error:
        faults = error.faults
    wrong = [fault for fault in faults if fault.severity is Severity.ERROR]
    lines = [f"still refused by score: {fault}" for fault in wrong[:SHOWN]]
    return [*lines, f"still refused by score: {len(wrong) - SHOWN:,} faults more"] if len(wrong) > SHOWN else lines
