"""The implementations that can be asked, one row each: how it is run, what it is called, and what its choices are."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from denominator.crosscheck import names
from denominator.errors import MissingExtraError, UsageError
from denominator.quoting import quoted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denominator.crosscheck.names import Asked
    from denominator.measures import Measure

__all__ = ["TOOLS", "Tool", "chosen"]


class Tool(NamedTuple):
    """One implementation."""

    name: str
    worker: str
    """The worker's module, in `denominator.crosscheck.workers`."""
    asked: Callable[[Measure, float], Asked | None]
    """Our measure and the level → the measure in the tool's words."""
    reads: str
    """How its users hand it the two files."""
    dialect: str
    """The dialect that holds its choices."""
    needs: str | None = None
    """The module that must be importable; None for ours, and for a program."""
    program: str | None = None
    """The program that must be on PATH."""
    arguments: tuple[str, ...] = ()
    """Of the worker."""
    own: bool = False
    """Whether it is ours: ours must agree with one another."""
    takes_text: bool = False
    """Whether it reads names of measures itself, so that a name we refuse can be put to it."""
    patience: float = 1.0
    """How many times the limit it may take: some compile for minutes before they answer."""
    digits: int | None = None
    """The decimals that it prints; None where every bit is seen."""


def _own(engine: str) -> Tool:
    """Return the row of one of our engines."""
    reads = "read_qrels(QRELS), read_run(RUN)"
    return Tool(engine, "ours", names.our(engine), reads, "trec_eval-c", arguments=(engine,), own=True)


_ALL = (
    _own("columnar"),
    _own("pytrec_eval"),
    _own("reference"),
    Tool(
        "pytrec_eval-raw",
        "pytrec_eval_raw",
        names.pytrec_eval,
        "parse_qrel(file), parse_run(file)",
        "pytrec_eval-raw",
        "pytrec_eval",
        takes_text=True,
    ),
    Tool(
        "ir_measures",
        "ir_measures",
        names.ir_measures,
        "read_trec_qrels(QRELS), read_trec_run(RUN)",
        "ir_measures",
        "ir_measures",
        takes_text=True,
    ),
    Tool(
        "ranx",
        "ranx",
        names.ranx,
        'Qrels.from_file(QRELS, kind="trec"), Run.from_file(RUN, kind="trec")',
        "ranx",
        "ranx",
        takes_text=True,
        patience=4.0,  # numba compiles anew for every length that the longest document id may have
    ),
    Tool("trectools", "trectools", names.trectools, "TrecQrel(QRELS), TrecRun(RUN)", "trectools", "trectools"),
    Tool(
        "scikit-learn",
        "scikit_learn",
        names.scikit_learn,
        "per query: the retrieved documents' grades (0 without a judgment) and scores",
        "scikit-learn",
        "sklearn",
    ),
    Tool(
        "trec_eval",
        "trec_eval",
        names.trec_eval,
        "trec_eval QRELS RUN",
        "trec_eval-c",
        program="trec_eval",
        takes_text=True,
        digits=4,
    ),
)

TOOLS: Mapping[str, Tool] = MappingProxyType({tool.name: tool for tool in _ALL})
"""Name → implementation, ours first. `pytrec_eval` is ours: the adapter that ranks first; `pytrec_eval-raw` is not."""


INSTALLED = "installed"
"""The name that stands for every implementation that is there."""


def chosen(asked: Sequence[str] | None) -> tuple[list[Tool], list[str]]:
    """Return the implementations to run, and the names of those that are not installed.

    Without a list all are run that are there, as with ``installed``. ``ours`` stands for all of ours.

    Raises:
        UsageError: an unknown name.
        MissingExtraError: one that was asked for by name is not installed.
    """
    names = [INSTALLED] if asked is None else [asked] if isinstance(asked, str) else asked
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise UsageError(f'tools={shown(asked)}: expected names, such as ["ours", "ranx"]')
    wanted: dict[str, Tool] = {}
    for name in names:
        if name == INSTALLED:
            wanted.update((tool.name, tool) for tool in TOOLS.values() if _is_there(tool))
        elif name == "ours":
            wanted.update((tool.name, tool) for tool in TOOLS.values() if tool.own)
        elif name not in TOOLS:
            raise UsageError(f"unknown implementation {quoted(name)}: expected {INSTALLED}, ours, {', '.join(TOOLS)}")
        else:
            wanted[name] = TOOLS[name]
    if not wanted:
        raise UsageError(f"no implementation to ask: expected some of ours, {', '.join(TOOLS)}")
    for tool in wanted.values():
        if not _is_there(tool):
            raise MissingExtraError(_missing(tool))
    missing = [name for name in TOOLS if name not in wanted] if INSTALLED in names else []
    return [tool for name, tool in TOOLS.items() if name in wanted], missing


def _is_there(tool: Tool) -> bool:
    """Return whether a library can be found, or a program; nothing is imported."""
    if tool.program is not None:
        import shutil

        return shutil.which(tool.program) is not None
    if tool.needs is None:
        return True
    from importlib.util import find_spec

    return find_spec(tool.needs) is not None


def _missing(tool: Tool) -> str:
    """Say how to get one that is not there."""
    if tool.program is not None:
        return f"{tool.name}: no program {tool.program} on PATH; build it, or leave it out of --with"
    return f"{tool.name} is not installed; install it with: pip install 'denominator[peers]'"
