"""``denominator ciral``: a run in a language of CIRAL, or a system in all of them, beside the published baselines."""

from __future__ import annotations

from typing import Any

import click

from denominator.ciral.files import LANGUAGES, SPLITS
from denominator.cli.beside import asked_form, reader, shared_options, write
from denominator.cli.failures import Verb, keep_inputs
from denominator.errors import UsageError
from denominator.quoting import short

__all__ = ["command"]

SLOT = "{lang}"
"""What stands for the language in the name of a run."""

_EXAMPLES = """\b
Examples:
  denominator ciral my.run --lang sw --split test-a
  denominator ciral my.run --lang sw --pools
  denominator ciral --all 'runs/{lang}.run' --split test-b -o standing.json
"""


@click.command(cls=Verb, epilog=_EXAMPLES)
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option("--lang", "languages", multiple=True, type=click.Choice(list(LANGUAGES)), help="The passages' language.")
@click.option("--split", type=click.Choice(SPLITS), default="test-a", help="[default: test-a]")
@click.option("--pools", is_flag=True, help="The deep pools of test-a: the same as --split test-a-pools.")
@click.option(
    "--all", "template", metavar="TEMPLATE", help="A run for each language, as 'runs/{lang}.run'; --lang names some."
)
@shared_options
def command(
    runs: tuple[str, ...], languages: tuple[str, ...], split: str, pools: bool, template: str | None, **given: Any
) -> None:
    """Score a run on CIRAL by the official measures, beside every published baseline.

    nDCG@20 and R@100 over all judged queries (trec_eval -c), and RR@10 on dev. With --all, each language is scored by
    its own judgments, and a macro mean counts each language once; query ids of one language are other queries in
    another, so languages are never pooled.

    Judgments are read from --ciral-dir, from $DENOMINATOR_CIRAL, or from where `denominator datasets` fetched them, and
    are checked by SHA-256.

    Exit status: 0 scored; 2 bad input or usage, of one run or all.
    """
    asked_form(given)
    if pools:
        if split not in ("test-a", "test-a-pools"):
            raise UsageError(f"--pools are those of test-a; there are none for --split {split}")
        split = "test-a-pools"
    if template is not None:
        if runs:
            raise UsageError(f"--all names the runs; leave {short(runs[0])} away")
        _across(template, languages or tuple(LANGUAGES), split, given)
        return
    if len(languages) != 1 or not runs:
        raise UsageError(
            f"expected RUN and one --lang of {', '.join(LANGUAGES)}; or --all 'runs/{SLOT}.run' for several languages"
        )
    from denominator.benchmark.benchmarking import benchmarked
    from denominator.benchmark.standing import Benchmark
    from denominator.benchmark.together import refuse_pooling

    dataset = f"ciral/{languages[0]}/{split}"
    refuse_pooling(dataset, runs)
    keep_inputs(given["output"], runs)
    part = benchmarked(dataset, [(run, reader(run, given)) for run in runs], given["measures"], given["ciral_dir"])
    write(Benchmark((part,), failures=part.scores.failures), given)


def _across(template: str, languages: tuple[str, ...], split: str, given: dict[str, Any]) -> None:
    """Score a run for each language."""
    from denominator.benchmark.languages import across_languages
    from denominator.benchmark.together import NO_POOLING

    languages = tuple(dict.fromkeys(languages))
    if SLOT not in template:
        raise UsageError(
            f"--all {short(template)}: expected {SLOT} where the language stands, as 'runs/{SLOT}.run'. One file is "
            f"never scored in several languages: {NO_POOLING}"
        )
    names = {language: template.replace(SLOT, language) for language in languages}
    keep_inputs(given["output"], names.values())
    runs = {language: (name, reader(name, given)) for language, name in names.items()}
    write(across_languages(runs, split, given["measures"], given["ciral_dir"], name=template), given)
