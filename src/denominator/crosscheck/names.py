"""What each implementation calls our measures, and how it is asked for them at a relevance level.

A function a tool: it returns the measure in the tool's own words, or None where the tool has no such measure, or not at
such a level. Where the tool takes a name as text and we refuse what was typed (``P_0``), it gets the text as it is:
what it makes of it is a result.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from denominator.measures import Measure

__all__ = ["Asked", "ir_measures", "our", "pytrec_eval", "ranx", "scikit_learn", "trec_eval", "trectools"]

_LAST_PARAMETER = re.compile(r"(.+?)_([0-9][0-9.,]*|[0-9]+=.*)")


def _level(measure: Measure, level: float) -> float:
    """Return the level that a measure is asked at: 1, as if there were none, where a level has no say (nDCG, ERR)."""
    return measure.level(level) if "rel" in measure.spec.params else 1


class Asked(NamedTuple):
    """A measure in a tool's own words."""

    name: str
    options: dict[str, Any]
    call: str
    """How the tool's users write it, for people to read."""


def our(engine: str) -> Callable[[Measure, float], Asked | None]:
    """Return how one of our engines is asked."""

    def asked(measure: Measure, level: float) -> Asked | None:
        if engine not in measure.spec.engines or measure.spec.text_valued:
            return None
        options = {} if level == 1 else {"level": level}
        return Asked(str(measure), options, f'evaluate(qrels, run, "{measure}", engine="{engine}")')

    return asked


def pytrec_eval(measure: Measure, level: float) -> Asked | None:
    """Return trec_eval's name, with the level and judged_only as arguments of the evaluator."""
    name = measure.spec.trec_name(measure)
    own = _level(measure, level)
    if name is None or own != int(own) or measure.spec.text_valued or "docs" in dict(measure.params):
        return None
    options: dict[str, Any] = {} if own == 1 else {"relevance_level": int(own)}
    if dict(measure.params).get("judged_only"):
        options["judged_docs_only_flag"] = True
    more = "".join(f", {key}={value}" for key, value in options.items())
    return Asked(name, options, f'RelevanceEvaluator(qrels, {{"{name}"}}{more}).evaluate(run)')


def trec_eval(measure: Measure, level: float) -> Asked | None:
    """Return trec_eval's name with its parameter after a point, and its options -l and -J."""
    name = measure.spec.trec_name(measure)
    own = _level(measure, level)
    if name is None or own != int(own) or measure.spec.text_valued or "docs" in dict(measure.params):
        return None
    parts = _LAST_PARAMETER.fullmatch(name)
    typed = f"{parts[1]}.{parts[2]}" if parts else name
    arguments = [f"-l{int(own)}"] if own != 1 else []
    if dict(measure.params).get("judged_only"):
        arguments.append("-J")
    return Asked(typed, {"arguments": arguments}, " ".join(["trec_eval -q -c", *arguments, "-m", typed, "QRELS RUN"]))


_THEIRS_TOO = frozenset(
    {"P", "R", "AP", "RR", "nDCG", "Success", "Rprec", "Bpref", "infAP", "IPrec", "SetP", "SetR", "SetF", "SetAP"}
    | {"RBP", "ERR", "Judged", "NumQ", "NumRet", "NumRel", "NumRelRet"}
)
"""Measures whose names and parameters are ir_measures' own."""


def ir_measures(measure: Measure, level: float) -> Asked | None:
    """Return the measure as it is typed, for the grammar is ir_measures' own; a level becomes its ``rel=``."""
    if measure.name not in _THEIRS_TOO:
        return None
    if level != 1 and "rel" in measure.spec.params and measure["rel"] is None:
        measure = measure(rel=level)
    own = _level(measure, level)
    if own != int(own):
        return None
    return Asked(str(measure), {}, f"ir_measures.calc([{measure}], qrels, run)")


_RANX = {
    "P": "precision",
    "R": "recall",
    "AP": "map",
    "RR": "mrr",
    "Success": "hit_rate",
    "Rprec": "r-precision",
    "Bpref": "bpref",
    "SetP": "precision",
    "SetR": "recall",
    "SetF": "f1",
    "NumRelRet": "hits",
}


def ranx(measure: Measure, level: float) -> Asked | None:
    """Return ``ndcg@10``, ``precision@5-l2``, ``rbp.80``."""
    given = {name: value for name, value in measure.params if name not in ("rel", "dcg", "p")}
    own = _level(measure, level)
    if given or own != int(own):
        return None
    if measure.name == "nDCG":
        name = "ndcg" if measure["dcg"] == "log2" else "ndcg_burges"
    elif measure.name == "RBP":
        digits = repr(float(measure["p"])).partition(".")[2]
        if measure.cutoff is not None:
            return None
        name = f"rbp.{digits}"
    elif measure.name in _RANX:
        name = _RANX[measure.name]
    else:
        return None
    if measure.cutoff is not None:
        name += f"@{measure.cutoff}"
    if own != 1:
        name += f"-l{int(own)}"
    return Asked(name, {}, f'evaluate(qrels, run, "{name}", make_comparable=True)')


_TRECTOOLS = {
    "P": "get_precision",
    "R": "get_recall",
    "AP": "get_map",
    "RR": "get_reciprocal_rank",
    "nDCG": "get_ndcg",
    "Rprec": "get_rprec",
    "Bpref": "get_bpref",
    "RBP": "get_rbp",
    "NumRet": "get_retrieved_documents",
    "NumRel": "get_relevant_documents",
    "NumRelRet": "get_relevant_retrieved_documents",
}


def trectools(measure: Measure, level: float) -> Asked | None:
    """Return the method and its arguments; what is relevant is a grade above 0, always."""
    if measure.name not in _TRECTOOLS or _level(measure, level) != 1:
        return None
    options: dict[str, Any] = {} if measure.cutoff is None else {"depth": measure.cutoff}
    own = dict(measure.params)
    if own.pop("judged_only", False):
        if measure.name in ("AP", "Bpref"):
            return None
        options["removeUnjudged"] = True
    if own.pop("dcg", None) is not None:
        options["trec_eval"] = False  # its other formula: 2**grade - 1
    own.pop("rel", None)
    if measure.name == "RBP":
        own.pop("p", None)
        options["p"] = float(measure["p"])
    if own:
        return None
    name = _TRECTOOLS[measure.name]
    shown = ", ".join(f"{key}={value}" for key, value in options.items())
    return Asked(name, options, f"TrecEval(run, qrels).{name}({shown})")


def scikit_learn(measure: Measure, level: float) -> Asked | None:
    """Return ndcg_score for nDCG, and average_precision_score for AP."""
    if measure.params or _level(measure, level) != 1:
        return None
    if measure.name == "nDCG":
        options = {} if measure.cutoff is None else {"k": measure.cutoff}
        more = "" if measure.cutoff is None else f", k={measure.cutoff}"
        return Asked("ndcg_score", options, f"ndcg_score([grades], [scores]{more})")
    if measure.name == "AP" and measure.cutoff is None:
        return Asked("average_precision_score", {}, "average_precision_score(grades > 0, scores)")
    return None
