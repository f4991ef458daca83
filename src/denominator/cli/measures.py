"""``denominator measures``: what can be computed, and when not to trust it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import Verb

if TYPE_CHECKING:
    from denominator.measures import Measure

__all__ = ["command"]

FORMS = ["text", "json", "markdown"]


@click.command(
    cls=Verb,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: denominator measures nDCG@10 ndcg_rel",
)
@click.argument("names", metavar="[MEASURE]...", nargs=-1)
@click.option("-f", "--format", "form", type=click.Choice(FORMS), default="text", help="How to print it.")
@click.option("--all", "every", is_flag=True, help="Explain every measure.")
def command(names: tuple[str, ...], form: str, every: bool) -> None:
    """List the measures, or explain those that are named: formula, denominator, ceiling, when not to trust it.

    Both spellings are understood: nDCG@10 and ndcg_cut_10.
    """
    from denominator.measures import page

    if not names and not every:
        listings = {"text": page.listing, "json": lambda: _json(page.listed()), "markdown": page.markdown_listing}
        click.echo(listings[form]())
        return
    entries = [_explained(measure) for measure in (_all() if every else _named(names))]
    if form == "json":
        click.echo(_json(entries))
    elif form == "markdown":
        click.echo(page.everything(entries) if every else "\n\n".join(map(page.markdown_page, entries)))
    else:
        click.echo("\n\n".join(map(page.page, entries)))


def _json(entries: list[dict[str, Any]]) -> str:
    import json

    return json.dumps(entries, indent=2, ensure_ascii=False)


def _all() -> list[Measure]:
    """Return every measure of the registry, with a cutoff where it needs one."""
    from denominator.measures import REGISTRY, parse_measure

    return [parse_measure(spec.example if spec.cutoff == "required" else spec.name) for spec in REGISTRY.values()]


def _named(names: tuple[str, ...]) -> list[Measure]:
    """Return the measures of the arguments; a name that lacks its cutoff is explained without one."""
    from denominator.measures import REGISTRY, Measure, parse_measures
    from denominator.measures.registry import ALIASES

    bare = {name: Measure(name) for name in names if name in REGISTRY or name in ALIASES}
    found: dict[Measure, None] = {}
    for name in names:
        found |= dict.fromkeys([bare[name]] if name in bare else parse_measures(name))
    return list(found)


def _explained(measure: Measure) -> dict[str, Any]:
    """Return what is said of a measure, without the engines that cannot compute it with these parameters."""
    from denominator.engines import Settings
    from denominator.engines.pytrec import unsupported
    from denominator.measures import page

    reason = None
    if "pytrec_eval" in measure.spec.engines and measure.complete:
        reason = unsupported(measure, Settings())
    return page.explanation(measure, {"pytrec_eval": reason} if reason else None)
