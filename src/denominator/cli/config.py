"""``denominator config``: which settings are in force, and where each is from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from denominator.cli.audit import setting_options, settings_given
from denominator.cli.failures import Verb

__all__ = ["command"]


@click.command(
    cls=Verb,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: denominator config -k 5",
)
@setting_options
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(form: str, **given: Any) -> None:
    """Show the settings that `denominator audit` would have here, with the same options, and where each one is from.

    They are looked for in denominator.toml, and in pyproject.toml under tool.denominator, from here upwards.
    """
    import json

    from denominator.config import find, in_force
    from denominator.quoting import plain

    config = find(Path.cwd())
    settings = in_force(config, settings_given(given))
    if form == "json":
        values = {one.key: {"value": _plain(one.value), "from": one.origin} for one in settings}
        click.echo(json.dumps({"file": config.path and str(config.path), "settings": values}, indent=2))
        return
    cells = [(one.key, plain(json.dumps(_plain(one.value), ensure_ascii=False)), plain(one.origin)) for one in settings]
    widths = [max(len(row[column]) for row in cells) for column in range(2)]
    click.echo(f"file: {plain(str(config.path)) if config.path else 'none found'}")
    for key, value, origin in cells:
        click.echo(f"{key:<{widths[0]}}  {value:<{min(widths[1], 30)}}  {origin}")


def _plain(value: Any) -> Any:
    """Return a setting's value as JSON has it."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return getattr(value, "value", value)
