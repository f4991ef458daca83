"""``denominator score``: runs against judgments, every number beside what it was divided by."""

from __future__ import annotations

import re
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from denominator.cli import bounds, spoken
from denominator.cli.failures import BAD_INPUT, Verb, complain, keep_inputs
from denominator.cli.writing import form_of, is_shown, may_colour, width_of
from denominator.errors import DenominatorError, UsageError
from denominator.quoting import listed, plain_table, short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.evaluation import Request
    from denominator.outputs import Options
    from denominator.scores import Scores

__all__ = ["command"]

DEFAULT_MEASURES = ("P", "R", "RR", "nDCG")
DEFAULT_CUTOFFS = ("10",)
_FORMATS = ("text", "trec", "json", "jsonl", "csv", "tsv", "parquet", "markdown", "latex")
_SUFFIXES = {
    "": "text",
    ".txt": "text",
    ".trec": "trec",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".md": "markdown",
    ".tex": "latex",
}
"""What ``-o`` stands for where ``-f`` does not say; a further .gz, .bz2, .xz, .zst or .lz4 compresses."""

_TABLES = ("trec", "csv", "tsv")
"""The formats that hold ids as they are; a terminal gets them with their control characters spelled out."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_CUTOFF = re.compile(r"0*[1-9][0-9]{0,17}")

_EXAMPLES = """\b
Examples:
  denominator score qrels/agri.qrels runs/agri.run -k 5
  denominator score qrels/agri.qrels runs/agri.run -m "nDCG@5 R@5" -q
  denominator score qrels/agri.qrels runs/agri.run -k 5 --dialect trectools --gain exp
  denominator score qrels/agri.qrels runs/agri.run -k 5 --ties --unjudged bounds --floor
  denominator score qrels/harvest.qrels runs/harvest-bm25.run --by qrels/harvest.groups -o means.csv
"""


@click.command(cls=Verb, epilog=_EXAMPLES)
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option("-m", "--measures", multiple=True, metavar="LIST", help='Measures, such as "nDCG@10 R@100"; repeatable.')
@click.option(
    "-k", "--cutoffs", multiple=True, metavar="LIST", help="P, R, RR and nDCG at these cutoffs. [default: 10]"
)
@click.option("-q", "--per-query", is_flag=True, help="Show every judged query, with the counts of its fractions.")
@click.option(
    "--queries",
    type=click.Choice(["judged", "answered", "answerable", "run"]),
    help="What the means are over; a judged query without an answer scores 0. run: all that the run holds, judged or "
    "not. [default: judged]",
)
@click.option("-c", "complete", is_flag=True, help="As in trec_eval: --queries judged, which is the default.")
@click.option("--by", metavar="FILE", help="Lines of query id and group: a mean for each group, and their macro mean.")
@click.option(
    "-l", "--level", default="1", metavar="GRADE", help="The grade from which a document is relevant. [default: 1]"
)
@click.option("-M", "--depth", metavar="N", help="Look at the first N documents of a query only.")
@click.option("-J", "--judged-only", is_flag=True, help="Take unjudged documents out of the rankings first.")
@click.option(
    "--collapse", metavar="SEP", help="Score documents by their best chunk: cut ids before the last SEP, as #."
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "pytrec_eval", "columnar", "reference"]),
    default="auto",
    help="Who computes. auto: pytrec_eval, and for large runs columnar, checked by pytrec_eval.",
)
@click.option("--trec-eval", type=click.Choice(["9", "10"]), default="9", help="Whose rules, where the two differ.")
@spoken.options
@bounds.options
@click.option("-o", "--output", metavar="FILE", help="Write to this file, compressed if it ends in .gz; - prints.")
@click.option("-f", "--format", "form", type=click.Choice(_FORMATS), help="[default: text, or what -o FILE ends in]")
@click.option("--qrels-format", metavar="NAME", help="Read the judgments in this format, whatever they look like.")
@click.option("--run-format", metavar="NAME", help="Read the runs in this format, whatever they look like.")
@click.option(
    "--lenient",
    default="",
    metavar="LIST",
    help="Faults to put up with, as NAME=CHOICE,…: duplicates=first|last|best, conflicts=first|last|max|min, "
    "nan=last|drop, numbers=drop, header=skip, fields=skip|extra, tag=none, comments=rows.",
)
@click.option("--float-grades", is_flag=True, help="Accept grades that are not whole numbers.")
@click.option("--encoding", default="utf-8", metavar="NAME", help="How the files' texts are encoded. [default: utf-8]")
def command(qrels: str, runs: tuple[str, ...], **given: Any) -> None:
    """Score runs against judgments, and show what every number was divided by.

    QRELS holds the judgments, each RUN a system's ranked documents. Formats are recognised from the content: TREC,
    BEIR, JSON, JSON lines, Parquet and more, compressed or not; - is standard input.

    A mean is over all judged queries. Beside it stand the highest mean that any ranking could have, and how many
    queries were judged, answered, or have no defined value.

    Exit status: 0 scored; 2 bad input or usage, of one run or all.
    """
    keep_inputs(given["output"], (qrels, *runs, *filter(None, [given["by"]])))
    if given["complete"] and given["queries"] is None:
        given["queries"] = "judged"  # -c asks for it, whatever the dialect's own queries are
    try:
        request = _request(given)
        form = _form(given["form"], given["output"])
        if form == "trec":
            _check_trec(request, len(runs))
        scores = _scored(qrels, runs, request, given)
    except DenominatorError as error:
        raise spoken.spelled(error) from error.__cause__
    for failure in scores.failures:
        complain(spoken.spelled(failure.error))
    if scores.runs:
        _write(scores, form, given)
    if scores.failures:
        raise SystemExit(BAD_INPUT)


def _request(given: dict[str, Any]) -> Request:
    """Return the checked request behind the options, before any file is read."""
    from denominator.evaluation import Request

    if given["complete"] and given["queries"] not in (None, "judged"):
        raise UsageError(f"-c means --queries judged; it cannot go with --queries {given['queries']}")
    measures = _measures(given["measures"], given["cutoffs"])
    if not given["measures"]:
        measures, without = spoken.lacking(given["dialect"], measures)
        if without:
            click.echo(without, err=True)
    return Request.of(
        measures,
        queries="judged" if given["queries"] in (None, "run") else given["queries"],
        engine=given["engine"],
        trec_eval=given["trec_eval"],
        level=_level(given["level"]),
        depth=_depth(given["depth"]),
        judged_only=given["judged_only"],
        by=given["by"],
        collapse=given["collapse"],
        dialect=spoken.asked(given),
        **bounds.asked(given),
    )


def _check_trec(request: Request, runs: int) -> None:
    """Refuse what trec_eval's layout cannot hold before anything is read."""
    from denominator.outputs.trec import check

    check(request.measures, request.settings, request.bounds, runs)


def _level(text: str) -> float:
    """Return a relevance level, a whole one as int."""
    if _NUMBER.fullmatch(text) is None:
        raise UsageError(f"-l {short(text)}: expected a grade above 0")
    level = float(text)
    return int(text if text.isdecimal() else level) if level.is_integer() else level  # a float lost digits


def _depth(text: str | None) -> int | None:
    """Return how many documents of a query are looked at."""
    if text is not None and _CUTOFF.fullmatch(text) is None:
        raise UsageError(f"-M {short(text)}: expected a number of documents, 1 or more, in at most 18 digits")
    return None if text is None else int(text)


def _form(asked: str | None, output: str | None) -> str:
    """Return the format to write in; bytes go to a file."""
    form = form_of(asked, output, _SUFFIXES)
    if form == "parquet":
        from denominator.formats.placing import split_suffix

        compression = split_suffix(output or "")[1]
        if is_shown(output):
            raise UsageError("-f parquet writes bytes, not text; name a file with -o FILE")
        if compression:
            raise UsageError(
                f"-o {short(output or '')}: Parquet compresses its columns itself; leave {compression} away"
            )
    return form


def _measures(measures: Sequence[str], cutoffs: Sequence[str]) -> Sequence[str]:
    """Return the measures asked for, or the default ones at the cutoffs asked for."""
    if measures and cutoffs:
        raise UsageError("-k sets the cutoffs of the default measures; with -m write the cutoff in it, as in nDCG@5")
    if measures:
        return measures
    given = " ".join(cutoffs or DEFAULT_CUTOFFS)
    texts = [part for text in cutoffs or DEFAULT_CUTOFFS for part in re.split(r"\s*,\s*|\s+", text.strip())]
    if not all(_CUTOFF.fullmatch(text) for text in texts):
        raise UsageError(
            f"-k {short(given)}: expected numbers of documents, 1 or more, in at most 18 digits, as in -k 5,10"
        )
    numbers = [int(text) for text in texts]
    seen: set[int] = set()
    for number in numbers:
        if number in seen:
            raise UsageError(f"-k {short(given)}: the cutoff {number} is given twice")
        seen.add(number)
    return [f"{name}@{number}" for name in DEFAULT_MEASURES for number in numbers]


def _scored(qrels: str, runs: Sequence[str], request: Request, given: dict[str, Any]) -> Scores:
    """Read and score, with a bar on the terminal where it takes long."""
    from denominator.evaluation import score_all
    from denominator.formats import read_qrels, read_run

    from_pipe = [name for name in (qrels, *runs) if name in ("-", "/dev/stdin")]
    if len(from_pipe) > 1:
        raise UsageError("standard input can be read once; name a file for the others")
    shared = {"encoding": given["encoding"], "lenient": given["lenient"]}
    with _Bar(len(runs)) as bar:
        judged = read_qrels(qrels, format=given["qrels_format"], float_grades=given["float_grades"], **shared)
        read: Any = read_run
        if request.spoken is not None and request.spoken.duplicates != "refuse":
            from denominator.dialects.requesting import read_repeated

            read = partial(read_repeated, duplicates=request.spoken.duplicates)
        readers = [(name, partial(read, name, format=given["run_format"], **shared)) for name in runs]
        return score_all(judged, readers, request, bar.advance)


def _write(scores: Scores, form: str, given: dict[str, Any]) -> None:
    """Write the scores where they are wanted; notes that the format cannot hold go to standard error."""
    from denominator.formats.placing import placed
    from denominator.outputs import TELL_APART, Options, render

    output = given["output"]
    options = Options(per_query=given["per_query"], width=width_of(output), colour=may_colour(output))
    written = render(scores, form, options)
    if form in _TABLES and is_shown(output) and sys.stdout.isatty() and isinstance(written, str):
        written = plain_table(written)
    with placed(output or "-") as file:
        file.write(written.encode("utf-8") if isinstance(written, str) else written)
    if form in TELL_APART:
        from denominator.outputs.cells import said

        for line in said(scores):
            click.echo(line, err=True)
    if form in ("csv", "tsv"):
        _tell_guarded(scores, options)


def _tell_guarded(scores: Scores, options: Options) -> None:
    """Say which texts of the table have an apostrophe in front that is not theirs."""
    from denominator.outputs.csv import guarded

    found = list(guarded(scores, options))
    if found:
        click.echo(
            f"{len(found):,} {'text' if len(found) == 1 else 'texts'} that a spreadsheet could run ({listed(found)}) "
            "got an apostrophe in front; to have them back, take one from every cell that begins with one.",
            err=True,
        )


class _Bar:
    """A progress bar on standard error, for work of more than a second, on a terminal only."""

    PATIENCE = 1.0

    def __init__(self, total: int) -> None:
        """Expect `total` runs; nothing is shown yet."""
        self.total, self.done = total, 0
        self.progress: Any = None
        self.timer: Any = None

    def __enter__(self) -> _Bar:
        """Start waiting."""
        if sys.stderr.isatty():
            import threading

            self.timer = threading.Timer(self.PATIENCE, self._show)
            self.timer.daemon = True
            self.timer.start()
        return self

    def _show(self) -> None:
        """Draw the bar; it redraws itself from then on."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TextColumn("runs"), TimeElapsedColumn())
        self.progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.progress.add_task("", total=self.total, completed=self.done)
        self.progress.start()

    def advance(self, done: int, total: int) -> None:
        """Show how many runs are done."""
        self.done, self.total = done, total
        if self.progress is not None:
            self.progress.update(self.task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        """Take the bar away."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer.join()
        if self.progress is not None:
            self.progress.stop()
