"""``denominator rules``: what the audit looks for, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from denominator.cli.failures import Verb

if TYPE_CHECKING:
    from denominator.audit.check import Check

__all__ = ["command"]

FORMS = ["text", "json", "markdown"]


@click.command(
    cls=Verb,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: denominator rules D101",
)
@click.argument("codes", metavar="[CODE]...", nargs=-1)
@click.option("-f", "--format", "form", type=click.Choice(FORMS), default="text", help="How to print it.")
def command(codes: tuple[str, ...], form: str) -> None:
    """List the checks of the audit, or explain those that are named: why it matters, how to mend it, when to ignore it.

    A CODE is one of the list, such as D101, or the beginning of some, such as D.
    """
    import json

    from denominator.audit import pages

    checks = _chosen(codes)
    if form == "json":
        click.echo(json.dumps([pages.record(one) for one in checks], indent=2, ensure_ascii=False))
    elif form == "markdown":
        click.echo("\n\n".join(map(pages.markdown_page, checks)) if codes else pages.everything(checks))
    else:
        click.echo("\n\n\n".join(map(pages.page, checks)) if codes else pages.listing(checks))


def _chosen(codes: tuple[str, ...]) -> list[Check]:
    """Return the checks whose codes begin with one of some texts, or all; those of a cross-check are the last."""
    from denominator.audit.registry import CHECKS
    from denominator.audit.settings import codes as known_codes
    from denominator.crosscheck.rules import CHECKS as OF_CROSSCHECK

    asked = [code.upper() for code in codes]
    ours = [code for code in asked if code and any(one.startswith(code) for one in OF_CROSSCHECK)]
    wanted = (*ours, *known_codes([code for code in asked if code not in ours])) or ("",)
    return [one for code, one in {**CHECKS, **OF_CROSSCHECK}.items() if code.startswith(wanted)]
