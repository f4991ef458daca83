"""The command line: one thin file per verb, each imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

import click

from denominator.cli.failures import noticing_pipes

__all__ = ["main"]

VERBS = {
    "audit": "Find what in qrels and runs can make a number mislead.",
    "benchmark": "Score runs beside what others published for the same judgments.",
    "ciral": "Score runs on CIRAL, beside the published baselines.",
    "config": "Show the audit's settings in force, and where each is from.",
    "convert": "Write qrels or a run in another format.",
    "crosscheck": "Ask every implementation for the same numbers, and say why they part.",
    "datasets": "Search the ids of data sets, and fetch their files.",
    "dialects": "List whose choices a number can be made by, or explain them.",
    "explain": "Say what a reported number is, or why it cannot be.",
    "fix": "Write a copy of a run or qrels without faults that can be mended.",
    "measures": "List the measures, or explain one.",
    "rules": "List what the audit looks for, or explain it.",
    "score": "Score runs against qrels, every number beside its denominator.",
    "trec_eval": "Print what the C program trec_eval prints, with the same options.",
}
"""Verb → the line `--help` shows for it. A verb's module has its name and holds a click command called `command`."""


class _Verbs(click.Group):
    """A group that imports a verb's module only to run it or to show its help."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the arguments; help and version are printed meanwhile."""
        with noticing_pipes():
            return super().make_context(*args, **kwargs)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"denominator.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="denominator", prog_name="denominator")
def main() -> None:
    """Score TREC runs and see what every number was divided by."""
