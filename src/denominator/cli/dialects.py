"""``denominator dialects``: whose choices a number is made by."""

from __future__ import annotations

import click

from denominator.cli.failures import Verb

__all__ = ["command"]

FORMS = ["text", "json", "markdown"]


@click.command(
    cls=Verb,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: denominator dialects beir recall",
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("-f", "--format", "form", type=click.Choice(FORMS), default="text", help="How to print it.")
def command(names: tuple[str, ...], form: str) -> None:
    """List the dialects, or explain those that are named: which choices a tool makes, and where that is published.

    A NAME is a dialect, such as beir, or a choice, such as recall. With `denominator score --dialect NAME` the numbers
    are that tool's; options such as --gain exp change a single choice.
    """
    import json

    from denominator.dialects import CHOICES, DIALECTS, dialect, page

    known = [name if name in CHOICES else dialect(name).name for name in names]
    if form == "json":
        rows = [_choice(name) if name in CHOICES else page.record(DIALECTS[name]) for name in known or DIALECTS]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    elif form == "markdown":
        click.echo("\n\n".join(map(page.markdown_page, known)) if known else page.everything())
    else:
        click.echo("\n\n\n".join(map(page.page, known)) if known else page.listing())


def _choice(name: str) -> dict[str, object]:
    """Return a choice as a row."""
    from denominator.dialects import CHOICES

    choice = CHOICES[name]
    return {"choice": name, "title": choice.title, "values": dict(choice.values), "default": choice.default}
