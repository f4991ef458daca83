"""From text to measures: ir_measures' grammar and trec_eval's names, to one and the same value.

``nDCG@10``, ``P(rel=2)@5`` and ``ndcg_cut_10``, ``ndcg_cut.10``, ``P.5,10`` are read alike, singly or in lists.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from denominator.errors import MeasureError
from denominator.measures.measure import Measure
from denominator.measures.params import numeral
from denominator.measures.registry import ALIASES, REGISTRY, TREC, meant, nearest, resolve
from denominator.measures.trec import MESSAGE, NICKNAMES, expand, nickname, with_parameters
from denominator.quoting import short, shown

if TYPE_CHECKING:
    from typing import Literal

__all__ = ["parse_measure", "parse_measures"]

WRONG_SHOWN = 20
"""How many such messages of one list are shown."""

_TYPED = re.compile(r"(?P<name>\w+)\s*(?:\((?P<params>.*)\))?\s*(?:@\s*(?P<cutoff>\S+))?", re.DOTALL)
_NOTHING_BETWEEN = re.compile(r",\s*,")
_PAIR = re.compile(r"\w+=[^,=]*")
_LONGEST_FIRST = sorted(TREC, key=len, reverse=True)

_THEIRS = (
    "Accuracy BPM Compat ERR_IA nERR_IA alpha_DCG α_DCG alpha_nDCG α_nDCG NRBP nNRBP AP_IA MAP_IA P_IA StRecall INST "
    "INSQ NERR8 NERR9 NERR10 NERR11 SDCG"
)
_IR_MEASURES_ONLY = frozenset(_THEIRS.split())
"""Measures of ir_measures that we do not compute: a message of their own, not a guess at a misspelling."""


def parse_measure(measure: str | Measure | Any) -> Measure:
    """Return the measure a text stands for; a Measure, ours or ir_measures', is accepted too.

    >>> parse_measure("ndcg_cut_10") == parse_measure("nDCG(dcg='log2')@10")
    True

    Raises:
        MeasureError: no measure is written so, it lacks its cutoff, or the text stands for several measures.
    """
    if isinstance(measure, Measure):
        return _complete(measure)
    try:
        found = _expand(_text_of(measure), "9")
    except MeasureError as error:
        raise MeasureError(_cut(error)) from None
    if len(found) > 1:
        names = ", ".join(str(one) for one in found[:3])
        raise MeasureError(f"{measure!r} stands for {len(found)} measures ({names} …) where one is expected")
    return found[0]


def parse_measures(
    measures: str | Measure | Iterable[str | Measure | Any], trec_eval: Literal["9", "10"] = "9"
) -> tuple[Measure, ...]:
    """Return the measures of a list, in its order: ``"nDCG@10 R@100, P.5,10"`` or an iterable of texts and Measures.

    A name of trec_eval that takes cutoffs and has none stands for its default ones (``recall`` for recall_5 to
    recall_1000); the nicknames ``official``, ``set`` and ``all_trec`` stand for what that version of trec_eval prints,
    without the two that are texts (runid, relstring). P alone is refused: it is also the name that needs a cutoff.

    Raises:
        MeasureError: texts that are no measures, or one that is asked for twice; every one has its line.
    """
    one = isinstance(measures, str | Measure) or _is_foreign(measures) or not isinstance(measures, Iterable)
    # no single measure, so a list of them
    listed: list[Any] = [measures] if one else list(measures)  # type: ignore[arg-type]
    found: dict[Measure, str | None] = {}
    wrong: dict[str, None] = {}
    for item in listed:
        try:
            texts = [item] if isinstance(item, Measure) else _split(_text_of(item))
        except MeasureError as error:
            wrong[_cut(error)] = None
            continue
        for text in texts:
            try:
                _add(found, text, trec_eval)
            except MeasureError as error:
                wrong[_cut(error)] = None
    if wrong:
        more = [f"and {len(wrong) - WRONG_SHOWN:,} more that are no measures"] if len(wrong) > WRONG_SHOWN else []
        raise MeasureError(*list(wrong)[:WRONG_SHOWN], *more)
    if not found:
        raise MeasureError("no measure is named; expected for instance nDCG@10, or nDCG@10 R@100")
    return tuple(found)


def _add(found: dict[Measure, str | None], text: str | Measure, trec_eval: Literal["9", "10"]) -> None:
    """Put what one item of a list stands for to the measures found so far, each with the text that asked for it."""
    several = (_complete(text),) if isinstance(text, Measure) else _expand(text, trec_eval)
    asked = str(text) if len(several) == 1 or "," in str(text) else None  # None: one of an expansion
    for measure in several:
        earlier = found.get(measure)
        if earlier is not None and asked is not None:
            raise MeasureError(f"{measure} is asked for twice: as {earlier!r} and as {asked!r}")
        found[measure] = earlier or asked


def _cut(error: MeasureError) -> str:
    """Return what is wrong in a line that can be read, however long the text was that is wrong."""
    return short(str(error), MESSAGE)


def _complete(measure: Measure) -> Measure:
    """Return a measure that can be computed, or say that its cutoff is missing."""
    if not measure.complete:
        raise MeasureError(_lacks_cutoff(measure))
    return measure


def _lacks_cutoff(measure: Measure) -> str:
    """Say which cutoff is missing, and how to write it in either grammar."""
    spec = measure.spec
    example = str(measure @ {"cutoff": 10, "recall": 0.1, "multiple": 0.5}[spec.cutoff_word])
    listed = [f"{trec.name}.5,10" for trec in spec.trec if trec.takes == "cutoffs"]
    return f"{measure} needs a {spec.cutoff_word}: write {' or '.join([example, *listed])}"


def _is_foreign(measure: object) -> bool:
    """Return whether this is a Measure of ir_measures, which is never imported here."""
    library = sys.modules.get("ir_measures")
    return library is not None and isinstance(measure, library.Measure)


def _text_of(measure: object) -> str:
    """Return the text of a measure that was typed, or of one of ir_measures'."""
    if isinstance(measure, str):
        return measure.strip()
    if _is_foreign(measure):
        return str(measure)
    raise MeasureError(
        f"{shown(measure)} is a {type(measure).__name__}, expected a measure such as nDCG@10, or its text"
    )


def _split(text: str) -> list[str]:
    """Split a list at commas and blanks outside brackets, and keep trec_eval's numbers with their name: ``P.5,10``."""
    if _NOTHING_BETWEEN.search(text) and text.strip(", "):
        raise MeasureError(f"{text}: nothing stands between two commas")
    parts: list[str] = []
    depth, comma, fresh = 0, False, True
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0 and (sign == "," or sign.isspace()):
            comma, fresh = comma or sign == ",", True
            continue
        if fresh:
            parts.append("")
            if comma and len(parts) > 1:
                parts[-1] = ","
            comma, fresh = False, False
        parts[-1] += sign
    joined: list[str] = []
    for part in parts:
        bare = part.removeprefix(",")
        if part.startswith(",") and (numeral(bare) is not None or _PAIR.fullmatch(bare)):
            if "@" in joined[-1]:
                name = joined[-1].split("@")[0]
                raise MeasureError(f"{joined[-1]},{bare}: write {joined[-1]} {name}@{bare}, each measure in full")
            joined[-1] += part
        else:
            joined.append(bare)
    return joined


def _expand(text: str, trec_eval: Literal["9", "10"]) -> tuple[Measure, ...]:
    """Return the measures that one item of a list stands for."""
    if text in NICKNAMES:
        several = (measure for family in nickname(text, trec_eval) for measure in expand(family))
        return tuple(measure for measure in several if not measure.spec.text_valued)
    if text in TREC and text not in REGISTRY:
        return expand(text)
    typed = _TYPED.fullmatch(text)
    if typed is not None and (typed["name"] in REGISTRY or typed["name"] in ALIASES):
        measure = _typed(text, typed)
        if measure.complete:
            return (measure,)
        if text in TREC and text != "P":
            return expand(text)
        raise MeasureError(_lacks_cutoff(measure))
    for family in _LONGEST_FIRST:
        if text.startswith((f"{family}_", f"{family}.")):
            rest = text[len(family) + 1 :]
            if rest and (rest[0] in "+-." or rest[0].isdigit() or "=" in rest):
                return with_parameters(family, rest)
    raise MeasureError(_unknown(text, typed))


def _typed(text: str, typed: re.Match[str]) -> Measure:
    """Build a measure from the pieces of ``Name(parameter=value)@cutoff``."""
    spec, _ = resolve(typed["name"])
    params = _keywords(text, typed["params"]) if typed["params"] else {}
    cutoff: int | float | None = None
    if typed["cutoff"] is not None:
        cutoff = numeral(typed["cutoff"])
        if cutoff is None:
            raise MeasureError(f"{text}: {typed['cutoff']!r} after @ is not a number; expected {spec.example}")
    return Measure(typed["name"], cutoff, **params)


def _keywords(text: str, params: str) -> dict[str, Any]:
    """Read ``rel=2, gains={1: 3}`` into a dict; only literals are possible."""
    unreadable = f"{text}: cannot read ({params}); expected name=value, as in P(rel=2)@5 or nDCG(gains={{1:3,2:9}})@10"
    try:
        call = ast.parse(f"_({params})", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise MeasureError(unreadable) from error
    if re.search(r"\d_", params):
        raise MeasureError(f"{text}: write numbers without _")
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise MeasureError(unreadable)
    if call.args:
        raise MeasureError(f"{text}: every parameter needs its name, as in P(rel=2)@5")
    found: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg in found:
            twice = f"{keyword.arg}= is given twice" if keyword.arg else "** is not possible here"
            raise MeasureError(f"{text}: {twice}")
        try:
            found[keyword.arg] = ast.literal_eval(keyword.value)
            key = _key_twice(keyword.value)
        except (ValueError, TypeError, MemoryError, RecursionError) as error:
            raise MeasureError(unreadable) from error
        if key is not None:
            raise MeasureError(f"{text}: {keyword.arg}= names {key} twice; which of the two is meant?")
    return found


def _key_twice(value: ast.expr) -> str | None:
    """Return a key that a mapping holds twice, where Python would keep the last one and say nothing."""
    for node in ast.walk(value):
        if isinstance(node, ast.Dict):
            keys = [ast.literal_eval(key) for key in node.keys if key is not None]
            for number, key in enumerate(keys):
                if key in keys[:number]:
                    return repr(key)
    return None


def _unknown(text: str, typed: re.Match[str] | None) -> str:
    """Say that nobody writes a measure so, and name the nearest ones."""
    if typed is None:
        return f"{text!r} is not a measure; expected for instance nDCG@10, P(rel=2)@5 or ndcg_cut_10"
    name = typed["name"]
    if name in _IR_MEASURES_ONLY:
        return (
            f"{name} is a measure of ir_measures that denominator does not compute; `denominator measures` lists ours"
        )
    glued = re.fullmatch(r"(.*?)(?:_at)?_?([0-9]+)", name) if typed["cutoff"] is None else None
    written = _as_written(name, typed["cutoff"]) or (_as_written(glued[1], glued[2]) if glued else None)
    return f"unknown measure {text!r}" + (f"; did you mean {written}?" if written else nearest(name))


def _as_written(name: str, cutoff: str | None) -> str | None:
    """Return how the measure is written here that another tool calls so; None where no tool does.

    >>> _as_written("hit_rate", "5"), _as_written("rprec", "5"), _as_written("ndcgg", None)
    ('Success@5', 'P@5', None)
    """
    spec = meant(name)
    if spec is None:
        return None
    if spec.cutoff == "none" and spec.at_cutoff is not None and cutoff is not None:
        spec = REGISTRY[spec.at_cutoff]
    if spec.cutoff == "none":
        return f"{spec.name}, without a cutoff" if cutoff else spec.name
    if spec.cutoff == "optional" and cutoff is None:
        return spec.name
    return f"{spec.name}@{cutoff if cutoff is not None and cutoff.isdecimal() and int(cutoff) else 10}"
