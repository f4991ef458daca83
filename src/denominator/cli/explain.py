"""``denominator explain``: what a reported number is, or why it cannot be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.failures import Verb
from denominator.errors import UsageError
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.explain import Explanation, Reported, Verdict

__all__ = ["command"]

NO = 1
"""The exit status when a number cannot be, or nothing but the far-fetched explains it."""
MOST_QUERIES = 10**6
_NUMBER = re.compile(r"[0-9]{1,9}")
_NREL = re.compile(r"([0-9]{1,9})(?:x([0-9]{1,18}))?")
"""3, or 3x40: forty queries with three relevant documents."""

_EXAMPLES = """\b
Examples:
  denominator explain --reported recall@5=0.70 qrels/agri.qrels runs/agri.run
  denominator explain --reported recall@5=0.70 --nrel 3,3,3,8
  denominator explain --reported "hit rate@5=70%" --reported MRR@10=0.84 --queries 10
"""


@click.command(cls=Verb, epilog=_EXAMPLES)
@click.argument("qrels", metavar="[QRELS", required=False)
@click.argument("run", metavar="RUN]", required=False)
@click.option(
    "--reported",
    "reported",
    multiple=True,
    required=True,
    metavar="M=VALUE",
    help="What was printed, digit by digit, as in recall@5=0.70 or P@10=43.1%; repeatable.",
)
@click.option("--nrel", metavar="LIST", help="Relevant documents of each query, as in 3,3,3,8; 3x40 stands for 40.")
@click.option("--queries", metavar="N", help="How many queries the mean is over, where --nrel is not known.")
@click.option("-k", "k", metavar="K", help="The cutoff of measures that are written without one.")
@click.option("--qrels-format", metavar="NAME", help="Read the judgments in this format, whatever they look like.")
@click.option("--run-format", metavar="NAME", help="Read the run in this format, whatever it looks like.")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(qrels: str | None, run: str | None, **given: Any) -> None:
    """Say what a reported number is, or why it cannot be.

    With judgments and a run: which choices make this number of them. Named dialects are tried first, then single
    changes (what is divided by, which queries count, gain, order, cutoff, another measure under the name), then pairs;
    the fewest changes and the most widespread tools come first. Far-fetched ones come last, and alone explain nothing:
    one query's value, another measure, digits cut off, or two changes where by chance as much would be found.

    Without a run, from the relevant documents of each query (--nrel, or QRELS), or from the number of queries: whether
    any ranking has such a mean, exactly. CANNOT TELL is an answer too.

    A number stands for every value that is printed so: rounded, half up or half to even, or cut off.

    Exit status: 0 it can be, or is explained; 1 one of them cannot be, or is not explained, or only far-fetched; 2 bad
    input or usage.
    """
    from denominator.explain import read_reported
    from denominator.outputs.explained import render

    k = None if given["k"] is None else _whole("-k", given["k"])
    reported = [read_reported(text, k) for text in given["reported"]]
    nrel = None if given["nrel"] is None else _numbers(given["nrel"])
    queries = None if given["queries"] is None else _whole("--queries", given["queries"])
    if qrels is not None and (nrel is not None or queries is not None):
        raise UsageError("--nrel and --queries are for numbers without files; QRELS says how many there are")
    if qrels is None and nrel is None and queries is None:
        raise UsageError("say what is known: QRELS and RUN, or --nrel 3,3,3,8, or --queries 10")
    explanation = None if qrels is None or run is None else _explained(reported, qrels, run, given)
    verdicts = [] if explanation is not None else _verdicts(reported, qrels, nrel, queries, given)
    click.echo(render(verdicts, explanation, given["form"]), nl=False)
    unexplained = explanation is not None and not all(answer.likely for answer in explanation.answers)
    if unexplained or any(verdict.answer == "impossible" for verdict in verdicts):
        raise SystemExit(NO)


def _explained(reported: list[Reported], qrels: str, run: str, given: dict[str, Any]) -> Explanation:
    """Read both files with every row that is in them, and search."""
    from denominator.explain.reading import explained

    if qrels == run == "-":
        raise UsageError("standard input can be read once; name a file for the other")
    return explained(reported, qrels, run, qrels_format=given["qrels_format"], run_format=given["run_format"])


def _verdicts(
    reported: list[Reported], qrels: str | None, nrel: list[int] | None, queries: int | None, given: dict[str, Any]
) -> list[Verdict]:
    """Return what can be said without a run."""
    from denominator.explain import possible

    if qrels is None:
        return [possible(one, nrel=nrel, queries=queries) for one in reported]
    import numpy as np

    from denominator.formats import read_qrels

    judged = read_qrels(qrels, format=given["qrels_format"])
    verdicts = []
    for one in reported:
        relevant = judged.query[judged.relevance >= one.measure.level(1)]
        verdicts.append(possible(one, nrel=np.bincount(relevant, minlength=len(judged.queries)).tolist()))
    return verdicts


def _whole(option: str, text: str) -> int:
    """Return a whole number above 0."""
    number = int(text) if _NUMBER.fullmatch(text) else 0
    if not number or (option == "--queries" and number > MOST_QUERIES):
        most = f" to {MOST_QUERIES:,}" if option == "--queries" else " or more, in at most 9 digits"
        raise UsageError(f"{option} {short(text)}: expected a whole number, 1{most}")
    return number


def _numbers(text: str) -> list[int]:
    """Return a list of numbers of relevant documents: ``3,3,3,8``, or ``3x40,8x10``."""
    numbers: list[int] = []
    for part in re.split(r"\s*,\s*|\s+", text.strip()):
        found = _NREL.fullmatch(part)
        if found is None:
            raise UsageError(
                f"--nrel {short(text)}: expected numbers of at most 9 digits between commas, as in 3,3,3,8 or 3x40,8x10"
            )
        times = int(found[2] or 1)
        if len(numbers) + times > MOST_QUERIES:
            raise UsageError(f"--nrel {short(text)}: expected at most {MOST_QUERIES:,} queries")
        numbers += [int(found[1])] * times
    return numbers
