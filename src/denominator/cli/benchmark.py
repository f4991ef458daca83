"""``denominator benchmark``: runs beside what others published for the same judgments."""

from __future__ import annotations

from typing import Any

import click

from denominator.cli.beside import asked_form, reader, shared_options, write
from denominator.cli.failures import Verb, keep_inputs
from denominator.errors import UsageError

__all__ = ["command"]

_EXAMPLES = """\b
Examples:
  denominator benchmark qrels/harvest.qrels runs/harvest-bm25.run runs/harvest-dense.run
  denominator benchmark qrels/agri.qrels runs/agri.run -m "AP nDCG@5" -f markdown
  denominator benchmark --list
"""


@click.command(cls=Verb, epilog=_EXAMPLES)
@click.argument("dataset", metavar="DATASET", required=False)
@click.argument("runs", metavar="RUN...", nargs=-1)
@click.option("--list", "listed", is_flag=True, help="List the data sets with published values.")
@shared_options
def command(dataset: str | None, runs: tuple[str, ...], listed: bool, **given: Any) -> None:
    """Score runs on a data set, beside every published value.

    DATASET is an id: ciral/sw/test-a, or any id of ir_datasets that has qrels; or a file of judgments, which is
    recognised by its bytes. Each RUN is a system's ranked documents. Means are over all judged queries (trec_eval -c).

    The runs stand among the published systems, with differences, ranks, ceilings and sources; under them stands what
    changes how the numbers are to be read. Nothing is downloaded unasked.

    Exit status: 0 scored; 2 bad input or usage, of one run or all.
    """
    form = asked_form(given)
    if listed:
        if dataset is not None or runs:
            raise UsageError("--list stands alone: leave DATASET and RUN away")
        _list(form, given["output"])
        return
    if dataset is None or not runs:
        raise UsageError("expected DATASET and RUN..., or --list to see what is published")
    from denominator.benchmark.benchmarking import benchmarked
    from denominator.benchmark.standing import Benchmark
    from denominator.benchmark.together import refuse_pooling

    refuse_pooling(dataset, runs)
    keep_inputs(given["output"], (dataset, *runs))
    named = [(run, reader(run, given)) for run in runs]
    part = benchmarked(dataset, named, given["measures"], given["ciral_dir"])
    write(Benchmark((part,), failures=part.scores.failures), given)


def _list(form: str, output: str | None) -> None:
    """Print what is published."""
    from denominator.benchmark.published import listing
    from denominator.formats.placing import placed
    from denominator.outputs.benchmark.listing import render

    with placed(output or "-") as file:
        file.write(render(listing(), form).encode("utf-8"))
