"""``denominator trec_eval``: the C program's command line, its lines and its exit status."""

from __future__ import annotations

import getopt
import re
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NoReturn

import click

from denominator.cli.failures import Verb, complain
from denominator.errors import DenominatorError, FormatError, InputError, NoCommonQueriesError, UsageError
from denominator.quoting import plain, plain_table, short

if TYPE_CHECKING:
    from denominator.model import Qrels, Run
    from denominator.trec_eval import Options

__all__ = ["command"]

STATUS = {"usage": 1, "input": 2, "calculation": 4, "nothing in common": 7}
"""The C program's exit status for each way to fail (trec_eval.c)."""

_SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
_LONG = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Output_old_results_format=": "-o",
    "Zscore=": "-Z",
    "compat=": "--compat",
    **dict.fromkeys(("c", "co", "com", "comp"), "-c"),
}
"""The C program's long options, and ours; what is short for its own option stays so."""

_WHOLE = re.compile(r"\s*[+-]?[0-9]{1,18}\s*")


@dataclass(frozen=True, slots=True)
class _Call:
    """A command line, read."""

    files: tuple[str, ...]
    given: tuple[tuple[str, str], ...]
    """Each option by its letter, with its value, in order."""

    def has(self, option: str) -> bool:
        """Return whether an option is given."""
        return any(name == option for name, _ in self.given)

    def all(self, option: str) -> list[str]:
        """Return the values of an option."""
        return [value for name, value in self.given if name == option]

    def last(self, option: str, default: str) -> str:
        """Return the last value of an option."""
        return [default, *self.all(option)][-1]

    def whole(self, option: str, default: int, least: int) -> int:
        """Return the whole number an option sets."""
        text = self.last(option, str(default))
        if not _WHOLE.fullmatch(text) or int(text) < least:
            raise UsageError(f"{option} {short(text)}: expected a whole number, {least} or more, in at most 18 digits")
        return int(text)


class _Verb(Verb):
    """A verb that hands its arguments on as they are: the C program's getopt reads them, not click's parser."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments."""
        ctx.params["arguments"] = tuple(args)
        return []


@click.command(
    "trec_eval",
    cls=_Verb,
    add_help_option=False,
    options_metavar="[-q] [-c] [-n] [-l N] [-m MEASURE]... [-M N] [-J] [-N N] [--compat 9|10] QRELS RUN",
)
@click.pass_context
def command(ctx: click.Context, arguments: tuple[str, ...]) -> None:
    """Print what the C program trec_eval prints for QRELS and RUN.

    \b
    Example:
      denominator trec_eval -q -m map -m P.5,10 qrels/agri.qrels runs/agri.run

    \b
      -q            print every query, then the summary
      -c            average over all judged queries, also those the run lacks
      -n            print no summary
      -m MEASURE    a measure, its parameters behind a point (P.5,10 or
                    iprec_at_recall..10,.20), or official (default), set,
                    all_trec; may be repeated
      -l N          documents graded N or more are relevant (default 1)
      -M N          look only at the first N documents of each query
      -J            take unjudged documents out first
      -N N          number of documents in the collection (for utility)
      --compat 9    print what trec_eval 9.0.8 prints (default), or 10
      -h, --help    show this text, and explain the measures given with -m
      -v            print the version

    The long options of the C program are accepted too. Where trec_eval's own value is wrong it is printed all the same,
    and a note on standard error says so; docs/differences.md lists where the two differ. `denominator score` prints the
    right values. Exit status: 0, or the C program's own: 1 usage, 2 input, 4 cannot calculate, 7 no query in common.
    """
    call = _call(arguments)
    try:
        if call.has("-v"):
            _print_version(call)
        elif call.has("-h"):
            click.echo(ctx.get_help())
            _explain(call)
        else:
            _run(call)
    except BrokenPipeError:
        raise
    except (DenominatorError, OSError) as error:
        _fail(error)


def _call(arguments: tuple[str, ...]) -> _Call:
    """Read the arguments as getopt_long does: options anywhere, letters joined, values attached, names shortened."""
    try:
        found, files = getopt.gnu_getopt(list(arguments), _SHORT, list(_LONG))
    except getopt.GetoptError as error:
        _fail(UsageError(f"{' '.join(map(short, error.msg.split()))} (see denominator trec_eval --help)"))
    letters = {f"--{name.rstrip('=')}": letter for name, letter in _LONG.items()}
    return _Call(tuple(files), tuple((letters.get(option, option), value) for option, value in found))


def _run(call: _Call) -> None:
    """Evaluate and print."""
    from denominator.formats.placing import placed
    from denominator.outputs.trec_eval import printout
    from denominator.trec_eval import columns, ignored, tabulate

    options = _options(call)
    asked = columns(call.all("-m"), options.trec_eval)
    if len(call.files) != 2:
        raise UsageError(f"{len(call.files)} files given, expected 2: QRELS RUN (see denominator trec_eval --help)")
    qrels, run = _read(*call.files, options)
    table = tabulate(qrels, run, asked, options)
    _note(*ignored(call.all("-m")), *table.notes)
    text = printout(table, queries=call.has("-q"), summary=not call.has("-n"))
    if sys.stdout.isatty():
        text = plain_table(text)
    with placed("-") as out:
        out.write(text.encode("utf-8"))


def _compat(call: _Call) -> Literal["9", "10"]:
    """Return the version to follow."""
    compat = call.last("--compat", "9")
    if compat not in ("9", "10"):
        raise UsageError(f"--compat {short(compat)}: expected 9 (trec_eval 9.0.8) or 10")
    return "10" if compat == "10" else "9"


def _options(call: _Call) -> Options:
    """Return the options that change numbers; refuse what the C program has and this does not."""
    from denominator.trec_eval import Options

    if call.has("-Z"):
        raise InputError("-Z: Z-scores are not supported yet; leave -Z out to print the values themselves")
    for option, known, others in (("-R", "qrels", ("qrels_jg", "prefs", "qrels_prefs")), ("-T", "trec_results", ())):
        for value in call.all(option):
            if value != known:
                soon = "is not supported yet" if value in others else "is not a format of trec_eval's"
                shown = short(value)
                raise InputError(f"{option} {shown}: {shown} {soon}; {option} {known} is, and needs no {option}")
    if call.last("-D", "0") != "0":
        raise UsageError("-D: no debugging output is printed here; `denominator score -q` shows each query")
    return Options(
        complete=call.has("-c"),
        level=call.whole("-l", 1, 0),
        depth=call.whole("-M", 1, 1) if call.has("-M") else None,
        judged_only=call.has("-J"),
        collection=call.whole("-N", 0, 0),
        trec_eval=_compat(call),
    )


def _read(qrels_file: str, run_file: str, options: Options) -> tuple[Qrels, Run]:
    """Read the two files as the C program does, and say what was noticed in them.

    It takes the first fields of a run's lines and leaves what follows; only version 10 knows comments, in version 9 a
    line that begins with # is a line like any other.
    """
    from denominator.formats import read_qrels, read_run

    comments = {} if options.trec_eval == "10" else {"comments": "rows"}
    qrels = read_qrels(qrels_file, format="trec", lenient=comments)
    run = read_run(run_file, format="trec", lenient={"fields": "extra", **comments})
    for source in (qrels.source, run.source):
        _note(*(f"{plain(source.name)}: {note.message.partition('; --')[0]}" for note in source.notes))
    return qrels, run


def _note(*messages: str) -> None:
    """Write notes to standard error, each once."""
    for message in dict.fromkeys(messages):
        click.echo(f"denominator: note: {plain(message)}", err=True)


def _fail(error: Exception) -> NoReturn:
    """Say what is wrong, and leave with the C program's status."""
    from denominator.trec_eval import MissingQueryError

    if isinstance(error, FormatError):  # remedies are options of the other verbs; the C program has none of them
        error = FormatError(error.source, [replace(fault, remedy="") for fault in error.faults])
    complain(error)
    if isinstance(error, NoCommonQueriesError):
        raise SystemExit(STATUS["nothing in common"])
    if isinstance(error, MissingQueryError):
        raise SystemExit(STATUS["calculation"])
    if isinstance(error, FormatError) and {fault.kind for fault in error.faults} <= {"duplicate", "conflict"}:
        raise SystemExit(STATUS["calculation"])
    raise SystemExit(STATUS["usage" if isinstance(error, UsageError) else "input"])


def _print_version(call: _Call) -> None:
    """Print the version where the C program does, on standard error."""
    from importlib.metadata import version

    copied = "10.0" if _compat(call) == "10" else "9.0.8"
    click.echo(f"trec_eval of denominator {version('denominator')}, prints what trec_eval {copied} prints", err=True)


def _explain(call: _Call) -> None:
    """Explain the measures given with ``-m``."""
    from denominator.trec_eval import columns

    asked = call.all("-m")
    for family, measure in {one.family: one.measure for one in columns(asked, _compat(call)) if asked}.items():
        spec = measure.spec
        click.echo(f"\n{family}: {spec.title}")
        for text in (spec.formula, spec.distrust, spec.source):
            if text:
                click.echo(f"  {text}")
