"""``denominator datasets``: the ids of data sets, what they have, what is on this machine, and how to get the rest."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from denominator.cli.failures import Verb, may_ask
from denominator.errors import UsageError
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.datasets.holdings import Holding

__all__ = ["command"]

NOTHING_FOUND = 1

_EXAMPLES = """\b
Examples:
  denominator datasets ciral test
  denominator datasets ciral/sw/test-a
  denominator datasets ciral/sw/test-a --download
  denominator datasets beir/nfcorpus -f json
"""


@click.command(cls=Verb, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EXAMPLES)
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option("--download", is_flag=True, help="Fetch what the data sets named lack: queries, qrels, scored documents.")
@click.option("--docs", is_flag=True, help="With --download: their documents too, which can be large.")
@click.option(
    "--ciral-dir", metavar="DIR", help="The folder with local copies of CIRAL, as DENOMINATOR_CIRAL names it."
)
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(words: tuple[str, ...], download: bool, docs: bool, ciral_dir: str | None, form: str) -> None:
    """Search the ids of data sets, those of ir_datasets and CIRAL; show one; fetch its files.

    A WORD is a part of an id; all must be in it. Without any, all ids are listed. Where each is a whole id, those data
    sets are shown with every file: where it is, whether it
    is the published one, or where it comes from, with its size and terms. Nothing is fetched without --download, or
    yes to a question on a terminal.

    Exit status: 0 found; 1 no id has these words; 2 bad usage, or a file that could not be fetched.
    """
    if ciral_dir is not None:
        if ciral_dir and not os.path.isdir(ciral_dir):
            raise UsageError(f"--ciral-dir {short(ciral_dir)}: no such folder")
        os.environ["DENOMINATOR_CIRAL"] = ciral_dir  # for this process: the readers that ir_datasets calls look there
    as_json = form == "json"
    if docs and not download:
        raise UsageError("--docs says what --download fetches; give both")
    import denominator.datasets  # noqa: F401  (it registers what ir_datasets lacks)
    from denominator.datasets.holdings import holding, holdings

    if download or (words and all(map(_whole, words))):
        names = list(dict.fromkeys(words))
        if not names:
            raise UsageError(
                "--download: name the data sets to fetch, as in `denominator datasets cranfield --download`"
            )
        found = [holding(name) for name in names]  # an unknown one is told before anything is fetched
        if _bring(found, names, download, docs, as_json):
            found = [holding(name) for name in names]
        _show_each(found, as_json)
    else:
        _show_list(list(holdings(words)), words, as_json)


def _whole(word: str) -> bool:
    """Return whether a word is an id."""
    from denominator.datasets.holdings import known_id

    try:
        return bool(known_id(word))
    except UsageError:
        return False


def _bring(found: list[Holding], names: list[str], download: bool, docs: bool, as_json: bool) -> bool:
    """Fetch what is wanted, or ask whether to; return whether anything may have come."""
    from denominator.cli.asking import bring

    parts = ["queries", "qrels", "scoreddocs", *(["docs"] if docs else [])]
    if not download and (as_json or not may_ask()):
        return False
    return bring(names, parts, agreed=download)


def _show_each(found: list[Holding], as_json: bool) -> None:
    """Print everything about some data sets."""
    from denominator.datasets.holdings import holdings
    from denominator.datasets.pages import page, record

    if as_json:
        click.echo(json.dumps([record(one, checked=True) for one in found], indent=2, ensure_ascii=False))
        return
    click.echo("\n\n\n".join(map(page, found)))
    for one in found:
        below = sum(other.id.startswith(f"{one.id}/") for other in holdings([f"{one.id}/"]))
        if below:
            click.echo(f"\n{below} more below it: denominator datasets {one.id}/")


def _show_list(found: list[Holding], words: tuple[str, ...], as_json: bool) -> None:
    """Print a line for each data set."""
    from denominator.datasets.pages import listing, record

    if as_json:
        click.echo(json.dumps([record(one, checked=False) for one in found], indent=2, ensure_ascii=False))
    elif found:
        click.echo(listing(found))
        if not words:
            click.echo("With words, only the ids that have them all are listed: `denominator datasets beir test`.")
    if not found:
        from denominator.datasets.holdings import nearest

        near = nearest(words)
        hint = f"; did you mean {', '.join(near)}?" if near else "; `denominator datasets` lists all"
        click.echo(f"denominator: no id has {short(' and '.join(words))} in it{hint}", err=True)
        raise SystemExit(NOTHING_FOUND)
