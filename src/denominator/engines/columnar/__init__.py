"""The columnar engine: every numeric measure of the registry, over all queries at once.

It never looks at documents, only at :class:`denominator.hits.Hits`: the positions and grades of the judged documents
that were retrieved, and the counts. What pytrec_eval computes, it computes to the last bit (see `sums`).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from denominator.engines.columnar import cascade, counts, cuts, gained, pooled, precision, sets
from denominator.engines.columnar.view import View
from denominator.hits import match

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from denominator.engines import Settings
    from denominator.hits import Hits
    from denominator.measures import Measure
    from denominator.model import F64, Qrels, Run

__all__ = ["MEASURES", "score", "score_hits"]

MEASURES: Mapping[str, Callable[[View, Measure], F64]] = MappingProxyType(
    {
        "11pt_avg": precision.eleven_point,
        "AP": precision.AP,
        "Bpref": pooled.Bpref,
        "ERR": cascade.ERR,
        "G": gained.G,
        "IPrec": precision.IPrec,
        "Judged": counts.judged,
        "NumQ": counts.num_q,
        "NumRel": counts.num_rel,
        "NumRelRet": counts.num_rel_ret,
        "NumRet": counts.num_ret,
        "P": cuts.P,
        "R": cuts.R,
        "RBP": cascade.RBP,
        "RCap": cuts.RCap,
        "RR": precision.RR,
        "Rndcg": gained.Rndcg,
        "Rprec": cuts.Rprec,
        "Rprec_mult": cuts.Rprec_mult,
        "SetAP": sets.SetAP,
        "SetF": sets.SetF,
        "SetP": sets.SetP,
        "SetR": sets.SetR,
        "Success": cuts.Success,
        "Unjudged": counts.unjudged,
        "binG": precision.binG,
        "gm_bpref": pooled.gm_bpref,
        "gm_map": precision.gm_map,
        "infAP": pooled.infAP,
        "nDCG": gained.nDCG,
        "ndcg_rel": gained.ndcg_rel,
        "num_nonrel_judged_ret": counts.num_nonrel_judged_ret,
        "rbp": cascade.rbp,
        "rbp_resid": cascade.rbp_resid,
        "relative_P": cuts.relative_P,
        "unj": counts.unj,
        "utility": sets.utility,
    }
)
"""Canonical name → the function that computes it for every query."""


def score(qrels: Qrels, run: Run, measures: Sequence[Measure], settings: Settings) -> dict[Measure, F64]:
    """Return the per-query values of each measure, aligned with ``qrels.queries``; NaN where the run lacks the query.

    The values are what pytrec_eval gives; gm_map and gm_bpref are logarithms there and here, and their geometric mean
    is exp of the mean. A text (relstring, runid) is not this engine's: its values are all NaN.
    """
    return score_hits(match(qrels, run), measures, settings)


def score_hits(hits: Hits, measures: Sequence[Measure], settings: Settings) -> dict[Measure, F64]:
    """Return :func:`score` of judgments and a run that were matched before."""
    if settings.depth is not None:
        hits = hits.truncated(settings.depth)
    every = View(hits.condensed() if settings.judged_only else hits, settings)
    condensed: View | None = every if settings.judged_only else None
    out: dict[Measure, F64] = {}
    for measure in measures:
        if measure.name not in MEASURES:
            out[measure] = np.full(len(hits.queries), np.nan)
            continue
        view = every
        if _judged_only(measure):
            view = condensed = condensed or View(hits.condensed(), settings)
        values = MEASURES[measure.name](view, measure)
        values[~hits.answered] = np.nan
        out[measure] = values
    return out


def _judged_only(measure: Measure) -> bool:
    """Return whether the measure itself asks for the condensed list."""
    return bool(dict(measure.params).get("judged_only"))
