"""Engines: each is one function from (qrels, run, measures, settings) to per-query values.

An engine answers with one float64 array per measure, aligned with ``qrels.queries``. NaN says that this engine did not
compute that query: it is unanswered, withheld from the engine, or the measure is not the engine's. Engines never
average, and never say what an unanswered query is worth: ``evaluate`` does both.
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, cast

from denominator.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from denominator.measures import Measure
    from denominator.model import F64, Qrels, Run

__all__ = ["ENGINES", "Engine", "Settings", "engine"]

ENGINES: Mapping[str, str] = MappingProxyType(
    {
        "pytrec_eval": "denominator.engines.pytrec",
        "columnar": "denominator.engines.columnar",
        "reference": "denominator.engines.reference_engine",
    }
)
"""Engine name to the module that holds its `score`; a module is imported only when its engine is asked for."""


class Settings(NamedTuple):
    """The choices of one evaluation that hold for every measure, named after trec_eval's options."""

    level: int | float = 1
    """The grade from which a document counts as relevant (``-l``), where a measure names no ``rel=`` of its own."""
    depth: int | None = None
    """Only the first `depth` retrieved documents of each query are looked at (``-M``); None looks at all."""
    judged_only: bool = False
    """Whether unjudged documents are taken out of every ranking first (``-J``)."""
    trec_eval: Literal["9", "10"] = "9"
    """Whose rules hold where the two differ: 9.0.8 truncates recall cutoffs to ranks, 10.0 rounds them."""


class Engine(Protocol):
    """What an engine module offers."""

    def score(self, qrels: Qrels, run: Run, measures: Sequence[Measure], settings: Settings) -> dict[Measure, F64]:
        """Return the per-query values of each measure, aligned with ``qrels.queries``."""


def engine(name: str) -> Engine:
    """Return the engine of this name, imported on first use.

    Raises:
        EngineError: there is no engine of this name.
    """
    if name not in ENGINES:
        message = f"unknown engine {name!r}: expected one of {', '.join(ENGINES)}"
        raise EngineError(message)
    return cast("Engine", importlib.import_module(ENGINES[name]))
