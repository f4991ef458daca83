"""``denominator crosscheck``: every implementation at hand on the same question, and why they part."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import Verb, keep_inputs
from denominator.cli.waiting import Waiting
from denominator.cli.writing import form_of, width_of
from denominator.errors import UsageError
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck

__all__ = ["command"]

DIFFERENT = 1
"""The exit status when our own engines differ, or one of them gave no answer."""

_FORMATS = ("text", "json", "csv", "markdown")
_SUFFIXES = {"": "text", ".txt": "text", ".json": "json", ".csv": "csv", ".md": "markdown"}
"""What ``-o`` stands for where ``-f`` does not say; a further .gz, .bz2, .xz, .zst or .lz4 compresses."""

_SECONDS = re.compile(r"([0-9]{1,5}\.?[0-9]{0,3}|\.[0-9]{1,3})")

_EXAMPLES = """\b
Examples:
  denominator crosscheck qrels/agri.qrels runs/agri.run --with ours,pytrec_eval-raw
  denominator crosscheck qrels/agri.qrels runs/agri.run -m "nDCG@5 R@5" --with ours -f json
  denominator crosscheck qrels/harvest.qrels runs/harvest-bm25.run --with ours -o check.md
"""


@click.command(cls=Verb, epilog=_EXAMPLES)
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option(
    "-m",
    "--measures",
    multiple=True,
    metavar="LIST",
    help='Measures, such as "nDCG@10 R@100"; repeatable. [default: P@10 R@10 RR AP nDCG@10]',
)
@click.option(
    "--with",
    "tools",
    multiple=True,
    metavar="LIST",
    help="Whom to ask: ours (columnar, pytrec_eval, reference), pytrec_eval-raw, ir_measures, ranx, trectools, "
    "scikit-learn, trec_eval (the program on PATH), installed (all that are). [default: installed]",
)
@click.option(
    "--limit",
    default="60",
    metavar="SECONDS",
    help="How long each may take to load, and for a measure; ranx, which compiles, 4 times as long. [default: 60]",
)
@click.option(
    "-l", "--level", default="1", metavar="GRADE", help="The grade from which a document is relevant. [default: 1]"
)
@click.option("-f", "--format", "form", type=click.Choice(_FORMATS), help="[default: text, or what -o FILE ends in]")
@click.option("-o", "--output", metavar="FILE", help="Write here, and all at once, instead of to the terminal.")
@click.option("-v", "--verbose", is_flag=True, help="Show every query that differs, and how each was asked.")
@click.option("--qrels-format", metavar="NAME", help="Read the judgments in this format, whatever they look like.")
@click.option("--run-format", metavar="NAME", help="Read the run in this format, whatever it looks like.")
@click.option("--float-grades", is_flag=True, help="Accept grades that are not whole numbers.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="How the files' texts are encoded. [default: utf-8]")
def command(qrels: str, run: str, **given: Any) -> None:
    """Ask every implementation at hand for the same numbers, and say why they part.

    QRELS holds the judgments, RUN a system's ranked documents. Each implementation runs in a process of its own, in the
    way its users call it, on the same two TREC files; one that crashes, hangs or refuses is shown as such, and the rest
    of the table is complete.

    It takes 15 seconds to two minutes, most of them for ranx, which compiles first, and for libraries to load; `--with
    ours,pytrec_eval-raw` takes a few. Standard error says who is still being asked.

    Where another tool's numbers differ from ours, its choices are switched in our dialect one by one, then together,
    until ours are its numbers on every query. What no choice explains is counted as unexplained.

    Exit status: 0 our engines agree, whatever others say; 1 our own engines differ, or one of them gave no answer (it
    refused the file, crashed, or took too long); 2 bad input or usage, such as files without a query in common.
    """
    given["form"] = form_of(given["form"], given["output"], _SUFFIXES)
    result = _crosschecked(qrels, run, given)
    _write(result, given)
    if result.agree is False or result.silent:
        raise SystemExit(DIFFERENT)


def _crosschecked(qrels: str, run: str, given: dict[str, Any]) -> Crosscheck:
    """Read the options and ask."""
    from denominator.cli.score import _level
    from denominator.crosscheck.asking import crosschecked
    from denominator.crosscheck.questions import DEFAULT

    keep_inputs(given["output"], (qrels, run))
    if len([name for name in (qrels, run) if name in ("-", "/dev/stdin")]) > 1:
        raise UsageError("standard input can be read once; name a file for the other")
    if _SECONDS.fullmatch(given["limit"]) is None:
        raise UsageError(
            f"--limit {short(given['limit'])}: expected a number of seconds above 0 and below 100,000, as in --limit 30"
        )
    tools = [name for text in given["tools"] for name in re.split(r"[,\s]+", text) if name]
    if given["tools"] and not tools:
        raise UsageError("--with: expected a list of names, as in --with ours,ranx")
    with Waiting(shutil.get_terminal_size((80, 24)).columns) as waiting:
        return crosschecked(
            qrels,
            run,
            given["measures"] or DEFAULT,
            tools=tools or None,
            limit=float(given["limit"]),
            level=_level(given["level"]),
            qrels_format=given["qrels_format"],
            run_format=given["run_format"],
            encoding=given["encoding"],
            float_grades=given["float_grades"],
            progress=waiting,
        )


def _write(result: Crosscheck, given: dict[str, Any]) -> None:
    """Write the result where it is wanted."""
    from denominator.formats.placing import placed
    from denominator.outputs.crosscheck import Options, render

    options = Options(given["verbose"], width_of(given["output"]))
    with placed(given["output"] or "-") as file:
        file.write(render(result, given["form"], options).encode("utf-8"))
