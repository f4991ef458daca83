"""The table of all measures, put together from one file per family."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from denominator.errors import MeasureError
from denominator.measures import (
    average_precision,
    bpref,
    counts,
    err,
    gain,
    inferred,
    interpolated,
    judged,
    ndcg,
    precision,
    rbp,
    recall,
    reciprocal_rank,
    rprec,
    sets,
    success,
    texts,
    utility,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denominator.measures.params import Value
    from denominator.measures.spec import Spec, Trec

__all__ = ["ALIASES", "REGISTRY", "TREC", "meant", "nearest", "resolve"]

_FAMILIES = (
    precision,
    recall,
    average_precision,
    reciprocal_rank,
    ndcg,
    success,
    rprec,
    bpref,
    inferred,
    interpolated,
    sets,
    rbp,
    err,
    judged,
    utility,
    gain,
    counts,
    texts,
)

REGISTRY: Mapping[str, Spec] = MappingProxyType({spec.name: spec for module in _FAMILIES for spec in module.SPECS})
"""Canonical name → what is known of the measure."""

ALIASES: Mapping[str, tuple[str, Mapping[str, Value]]] = MappingProxyType(
    {alias: (spec.name, implied) for spec in REGISTRY.values() for alias, implied in spec.aliases.items()}
)
"""Other names that ir_measures has → (canonical name, the parameters they imply)."""

TREC: Mapping[str, tuple[str, Trec]] = MappingProxyType(
    {trec.name: (spec.name, trec) for spec in REGISTRY.values() for trec in spec.trec}
)
"""trec_eval's name → (canonical name, what may follow the name)."""

_ELSEWHERE = {
    **dict.fromkeys(("hit", "hits", "hitrate", "acc", "accuracy", "topkaccuracy", "topkaccuracyscore"), "Success"),
    **dict.fromkeys(("f", "f1", "f1score"), "SetF"),
    "averageprecisionscore": "AP",
    "hole": "Unjudged",
    "ndcgscore": "nDCG",
    "prec": "P",
}
"""What ranx, BEIR, scikit-learn, llama-index and others call a measure of ours, as `_bare` writes it."""


def resolve(name: str) -> tuple[Spec, Mapping[str, Value]]:
    """Return the row of a name or alias, and the parameters the alias implies.

    Raises:
        MeasureError: the name is unknown; the message holds the nearest ones.
    """
    if name in REGISTRY:
        return REGISTRY[name], {}
    if name in ALIASES:
        canonical, implied = ALIASES[name]
        return REGISTRY[canonical], implied
    raise MeasureError(f"unknown measure {name!r}{nearest(name)}")


def meant(name: str) -> Spec | None:
    """Return the measure of somebody who writes its name in another case, or as trec_eval or another tool does."""
    known = {_bare(canonical): canonical for canonical in REGISTRY}
    known |= {_bare(other): canonical for table in (ALIASES, TREC) for other, (canonical, _) in table.items()}
    found = (known | _ELSEWHERE).get(_bare(name))
    return None if found is None else REGISTRY[found]


def _bare(name: str) -> str:
    """Return a name without what is written in more than one way."""
    return name.lower().replace("_", "")


def nearest(name: str, others: Iterable[str] = ()) -> str:
    """Return ``; did you mean …?`` with the names nearest to an unknown one, and where to find them all."""
    known = dict.fromkeys([*REGISTRY, *ALIASES, *TREC, *others])
    lowered: dict[str, list[str]] = {}
    for word in known:
        lowered.setdefault(word.lower(), []).append(word)
    import difflib  # only an error needs it

    close = difflib.get_close_matches(name.lower(), lowered, n=3, cutoff=0.6)
    found = [word for low in close for word in lowered[low] if word not in ALIASES or len(lowered[low]) == 1]
    ask = f"; did you mean {', '.join(found)}?" if found else "."
    return f"{ask} `denominator measures` lists them all"
