"""The columns of trec_eval's printout: one line per query each, in its order and under its names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from denominator.measures import parse_trec
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from denominator.measures import Measure

__all__ = ["Column", "columns", "ignored"]

_ONLY_IN_SUMMARY = ("runid", "num_q", "gm_map", "gm_bpref")
_ONLY_IN_QUERIES = ("relstring",)


@dataclass(frozen=True, slots=True)
class Column:
    """One measure, with how trec_eval names it and prints it."""

    family: str
    """trec_eval's name without parameters: ``ndcg_cut``."""
    name: str
    """The printed name: ``ndcg_cut_10``, ``utility_2,-1,0,0``."""
    measure: Measure

    @property
    def in_queries(self) -> bool:
        """Whether it has a line for every query (``-q``)."""
        return self.family not in _ONLY_IN_SUMMARY

    @property
    def in_summary(self) -> bool:
        """Whether it has a line in the summary."""
        return self.family not in _ONLY_IN_QUERIES

    @property
    def template(self) -> str:
        """The line as a %-template, for a query id and a value; ``%d`` cuts a count to a whole number, as C does."""
        value = "%6.4f"
        if self.measure.spec.text_valued:
            value = "%s"
        elif self.measure.spec.aggregate == "sum":
            value = "%d"
        padding = " " * (22 - len(self.name))
        return f"{self.name.replace('%', '%%')}{padding}\t%s\t{value}\n"

    @property
    def pairs(self) -> tuple[tuple[str, float], ...]:
        """The parameters of the form ``1=0.2,2=0.5`` in the order in which they were typed; none without parameters."""
        _, _, typed = self.name.partition(f"{self.family}_")
        pieces = [piece.partition("=") for piece in typed.split(",")]
        return tuple((left, float(right)) for left, equals, right in pieces if equals)


def columns(asked: Sequence[str], trec_eval: Literal["9", "10"] = "9") -> tuple[Column, ...]:
    """Return the columns for the arguments of ``-m``; none means ``official``.

    >>> [column.name for column in columns(["P.10,5", "map"])]
    ['map', 'P_5', 'P_10']

    Raises:
        MeasureError: see :func:`denominator.measures.parse_trec`.
    """
    return tuple(
        Column(one.family, name, measure)
        for one in parse_trec(asked or ["official"], trec_eval)
        for name, measure in zip(one.names, one.measures, strict=True)
    )


def ignored(asked: Sequence[str]) -> Iterator[str]:
    """Say which parameters trec_eval drops in silence: those of a measure without any, those of its second ``-m``.

    >>> list(ignored(["P.5", "P.10", "recip_rank.10"]))  # doctest: +NORMALIZE_WHITESPACE
    ['-m P.10: trec_eval takes the parameters of the first -m P and ignores .10',
     '-m recip_rank.10: trec_eval ignores .10, recip_rank takes no parameters']
    """
    first: dict[str, str] = {}
    for argument in asked:
        family, point, typed = argument.partition(".")
        where, what = f"-m {short(argument)}", f"ignores .{short(typed)}"
        if point and all(column.name == family for column in columns([argument], "10")):
            yield f"{where}: trec_eval {what}, {family} takes no parameters"
        elif point and first.setdefault(family, typed) != typed:
            yield f"{where}: trec_eval takes the parameters of the first -m {family} and {what}"
