"""``denominator audit``: what in judgments and runs can make a number mislead."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import BAD_INPUT, Verb, complain, keep_inputs
from denominator.cli.writing import form_of, may_colour, width_of
from denominator.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.audit.options import AuditOptions
    from denominator.findings import Findings

__all__ = ["command", "setting_options", "settings_given"]

FOUND = 1
"""The exit status when there is a finding that fails."""

_FORMATS = ("text", "json", "sarif", "junit", "github", "csv", "markdown")
_SUFFIXES = {
    "": "text",
    ".txt": "text",
    ".json": "json",
    ".sarif": "sarif",
    ".xml": "junit",
    ".csv": "csv",
    ".md": "markdown",
}
"""What ``-o`` stands for where ``-f`` does not say; a further .gz, .bz2, .xz, .zst or .lz4 compresses."""

_EXAMPLES = """\b
Examples:
  denominator audit qrels/agri.qrels runs/agri.run -k 5 --corpus-size 24
  denominator audit qrels/agri.qrels runs/agri.run --truth qrels/agri-true.qrels
  denominator audit qrels/harvest.qrels runs/harvest-*.run --fail-on warning -o audit.sarif
"""

_SETTINGS: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (
        ("-k", "--cutoffs", "k"),
        {"multiple": True, "metavar": "LIST", "help": "Look at these cutoffs, as in 5,10,20. [default: 10]"},
    ),
    (("-l", "--level"), {"metavar": "N", "help": "The grade from which a document is relevant. [default: 1]"}),
    (("--corpus-size",), {"metavar": "N", "help": "Documents in the collection, for label coverage."}),
    (("--grades",), {"metavar": "LOW-HIGH", "help": "The scale of the grades, as in 0-3; others are findings."}),
    (("--min-coverage",), {"metavar": "SHARE", "help": "Report queries of which less of the corpus is judged."}),
    (("--min-judged",), {"metavar": "SHARE", "help": "Report runs with less judged@k. [default: 0.8]"}),
    (("--min-queries",), {"metavar": "N", "help": "Report means over fewer queries. [default: 25]"}),
    (("--max-tied",), {"metavar": "SHARE", "help": "Report runs with more tied neighbours. [default: 0.5]"}),
    (("--collapse",), {"metavar": "SEP", "help": "Audit documents by their best chunk: cut ids before the last SEP."}),
    (
        ("--near-duplicates",),
        {"metavar": "SHARE", "help": "Compare texts of --corpus for nearly equal ones, as in 0.8."},
    ),
    (
        ("--select",),
        {
            "multiple": True,
            "metavar": "CODES",
            "help": "Run these checks only: codes, or their beginnings, as in D,R1.",
        },
    ),
    (("--ignore",), {"multiple": True, "metavar": "CODES", "help": "Leave these checks out."}),
)
"""The options that are settings too; each goes before what a configuration file says."""


def setting_options(command: Any) -> Any:
    """Give a command the options that are settings of the audit."""
    for names, how in reversed(_SETTINGS):
        command = click.option(*names, **how)(command)
    return command


@click.command(cls=Verb, epilog=_EXAMPLES)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@setting_options
@click.option("--truth", metavar="QRELS", help="More complete judgments, to compare recall with.")
@click.option("--other", "others", multiple=True, metavar="QRELS", help="Judgments audited together; repeatable.")
@click.option("--corpus", metavar="FILE", help="The documents: .jsonl, .tsv or ir_datasets:ID.")
@click.option("-f", "--format", "form", type=click.Choice(_FORMATS), help="[default: text, or what -o FILE ends in]")
@click.option("-o", "--output", metavar="FILE", help="Write here, and all at once, instead of to the terminal.")
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "info"]),
    default="error",
    help="The least severity for exit status 1. [default: error]",
)
@click.option(
    "--min-severity",
    "least",
    type=click.Choice(["error", "warning", "info"]),
    default="info",
    help="Show nothing that matters less. [default: info]",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every place of every finding, and every query.")
@click.option("--qrels-format", metavar="NAME", help="Read the judgments in this format, whatever they look like.")
@click.option("--run-format", metavar="NAME", help="Read the runs in this format, whatever they look like.")
@click.option(
    "--lenient",
    default="",
    metavar="LIST",
    help="Which lines are rows: header=skip, fields=skip|extra, tag=none, comments=rows.",
)
@click.option("--float-grades", is_flag=True, help="Accept grades that are not whole numbers.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="How the files' texts are encoded. [default: utf-8]")
def command(qrels: str, runs: tuple[str, ...], **given: Any) -> None:
    """Find what in judgments and runs can make a number mislead, show the number it changes, and say how to mend it.

    QRELS holds the judgments, each RUN a system's ranked documents, in any format that `denominator score` reads.
    Nothing is changed, and what `score` refuses is a finding here. `denominator rules` lists the checks.

    Settings may stand in denominator.toml or in pyproject.toml under tool.denominator; `denominator config` shows
    which are in force.

    Exit status: 0 nothing that makes a number wrong; 1 something (see --fail-on); 2 a file could not be read.
    """
    from denominator.config import find

    keep_inputs(given["output"], (qrels, *runs))
    given["form"] = form_of(given["form"], given["output"], _SUFFIXES)
    options = _options({**find(Path.cwd()).settings, **settings_given(given)})
    findings = _audited(qrels, runs, options, given)
    _write(findings.only(_severity(given["least"])), given)
    for failure in findings.failures:
        complain(failure.error)
    if findings.failures:
        raise SystemExit(BAD_INPUT)
    if findings.at_least(_severity(given["fail_on"])):
        raise SystemExit(FOUND)


def settings_given(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that a command line says, understood, by field of `AuditOptions`."""
    from denominator.audit.settings import SETTINGS, understood

    said: dict[str, Any] = {}
    for name in SETTINGS:
        value = given.get(name)
        if value:
            text = ",".join(value) if isinstance(value, tuple) else value
            option = "-k" if name == "k" else f"--{name.replace('_', '-')}"
            said[name] = understood(name, text, f"{option} {text[:100]}")
    return said


def _options(settings: dict[str, Any]) -> AuditOptions:
    """Return the options of the audit."""
    from denominator.audit.options import AuditOptions

    return AuditOptions(**settings)


def _severity(name: str) -> Any:
    from denominator.model import Severity

    return Severity(name)


def _audited(qrels: str, runs: Sequence[str], options: AuditOptions, given: dict[str, Any]) -> Findings:
    """Read and audit."""
    from denominator.audit.auditing import audited

    files = [qrels, *runs, *given["others"], *([given["truth"]] if given["truth"] else [])]
    if len([name for name in files if name in ("-", "/dev/stdin")]) > 1:
        raise UsageError("standard input can be read once; name a file for the others")
    shared = {"encoding": given["encoding"], "lenient": given["lenient"]}
    return audited(
        qrels,
        list(runs),
        options,
        truth=given["truth"],
        others=given["others"],
        corpus=given["corpus"],
        reading={
            "qrels": {**shared, "format": given["qrels_format"], "float_grades": given["float_grades"]},
            "run": {**shared, "format": given["run_format"]},
        },
    )


def _write(findings: Findings, given: dict[str, Any]) -> None:
    """Write the findings where they are wanted, piece by piece."""
    from denominator.formats.placing import placed
    from denominator.outputs.findings import Options, render

    form, output = given["form"], given["output"]
    stamp, host = _when_and_where() if form == "junit" else ("", "")
    options = Options(
        verbose=given["verbose"],
        width=width_of(output),
        colour=may_colour(output),
        fail_on=_severity(given["fail_on"]),
        stamp=stamp,
        host=host,
    )
    with placed(output or "-") as file:
        for piece in render(findings, form, options):
            file.write(piece.encode("utf-8"))


def _when_and_where() -> tuple[str, str]:
    """Return the time and the machine, as test reports have them."""
    import datetime
    import platform

    return datetime.datetime.now().astimezone().isoformat(timespec="seconds"), platform.node()
