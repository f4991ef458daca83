"""trec_eval's own way to ask for measures: ``-m official -m P.5,10 -m ndcg.1=3,2=9``, and the names it prints.

Names, defaults and printed forms: trec_eval's measures.c, meas_init.c and the `m_*.c` files.
"""

from __future__ import annotations

import itertools
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from denominator.errors import MeasureError
from denominator.measures.measure import Measure
from denominator.measures.params import numeral
from denominator.measures.registry import TREC, nearest
from denominator.quoting import short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from denominator.measures.spec import Trec

    Version = Literal["9", "10"]

__all__ = ["NICKNAMES", "ORDER", "TrecMeasure", "expand", "nickname", "parse_trec", "trec_options"]

_PRINTED = (
    "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P "
    "relstring recall infAP gm_bpref Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut map_cut "
    "relative_P success set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret rbp rbp_resid unj"
)
ORDER = tuple(_PRINTED.split())
"""The order in which trec_eval prints, whatever the order in which measures are asked for (measures.c)."""

_SET = "runid num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F"
NICKNAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "official": ORDER[: ORDER.index("P") + 1],
        "set": tuple(_SET.split()),
        "all_trec": ORDER,
    }
)
"""trec_eval's nicknames; `all_trec` holds rbp, rbp_resid and unj in version 10 only."""

MESSAGE = 400
"""How many characters of a message about a text that is no measure are shown."""

_ELSEWHERE = {
    "prefs": "preference judgments (the prefs formats)",
    "all_prefs": "preference judgments (the prefs formats)",
    "qrels_jg": "judgments by several judges (the qrels_jg format)",
    "map_avgjg": "judgments by several judges (the qrels_jg format)",
    "P_avgjg": "judgments by several judges (the qrels_jg format)",
    "Rprec_mult_avgjg": "judgments by several judges (the qrels_jg format)",
    "yaap": "a formula that all_trec does not print either",
    "num_nonjudged_ret": "a count that all_trec does not print either",
}

_INTEGER = re.compile(r"\s*[+-]?[0-9]+")
_REAL = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_GRADE = re.compile(r"[0-9]{1,18}")


class TrecMeasure(NamedTuple):
    """One of trec_eval's measures as it was asked for: its values and the names they are printed under."""

    family: str
    """trec_eval's name without parameters, such as ``ndcg_cut``."""
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    """The printed name of each measure: cutoffs in ascending order, other parameters as they were typed."""


def nickname(name: str, trec_eval: Version) -> tuple[str, ...]:
    """Return the trec_eval names a nickname stands for in one version."""
    return tuple(family for family in NICKNAMES[name] if trec_eval == "10" or TREC[family][1].since == "9")


def parse_trec(asked: str | Iterable[str], trec_eval: Version = "9") -> tuple[TrecMeasure, ...]:
    """Read the arguments of trec_eval's ``-m`` as that program reads them.

    The result is in the order in which trec_eval prints. As in the C program a name without parameters has its default
    cutoffs; a cutoff ends at its first character that is not a digit (``23.4`` is 23); and where one name is given
    parameters twice, the first ones count.

    >>> [name for one in parse_trec(["ndcg_cut.20,10", "P.5"]) for name in one.names]
    ['P_5', 'ndcg_cut_10', 'ndcg_cut_20']

    Raises:
        MeasureError: a name is unknown in that version, or a cutoff is below 1 or given twice.
    """
    try:
        return _parsed([asked] if isinstance(asked, str) else asked, trec_eval)
    except MeasureError as error:
        raise MeasureError(short(str(error), MESSAGE)) from None


def _parsed(asked: Iterable[str], trec_eval: Version) -> tuple[TrecMeasure, ...]:
    """Read the arguments; an error is as long as they are."""
    given: dict[str, str | None] = {}
    for argument in asked:
        name, dot, raw = argument.strip().partition(".")
        if dot and not raw:
            raise MeasureError(f"-m {argument}: parameters are expected after the point, as in P.5,10")
        if name in NICKNAMES:
            if raw:
                raise MeasureError(f"-m {argument}: {name} stands for many measures and takes no parameters")
            for family in nickname(name, trec_eval):
                given.setdefault(family, None)
            continue
        _known(name, argument, trec_eval)
        if given.get(name) is None:
            given[name] = raw or None
    return tuple(_as_typed(family, given[family]) for family in ORDER if family in given)


def _known(name: str, argument: str, trec_eval: Version) -> None:
    """Raise if a version of trec_eval has no measure of this name, or we have not."""
    if name in _ELSEWHERE or name.startswith("prefs_"):
        needs = _ELSEWHERE.get(name, _ELSEWHERE["prefs"])
        raise MeasureError(f"-m {argument}: denominator does not compute {name}; it needs {needs}")
    if name not in TREC:
        raise MeasureError(f"-m {argument}: trec_eval has no measure {name!r}{nearest(name)}")
    if trec_eval == "9" and TREC[name][1].since == "10":
        raise MeasureError(f"-m {argument}: trec_eval 9 has no {name}, version 10 has")


def _as_typed(family: str, raw: str | None) -> TrecMeasure:
    """Return one measure of trec_eval with the names it prints for these parameters."""
    canonical, trec = TREC[family]
    if raw is None or trec.takes == "nothing":
        measures = expand(family)
        names = tuple(str(measure.spec.trec_name(measure)) for measure in measures)
        return TrecMeasure(family, measures, names)
    if trec.takes == "cutoffs":
        cutoffs = sorted(_whole(_leading(_INTEGER, part)) for part in raw.split(","))
        _refuse_repeats(family, raw, cutoffs)
        return TrecMeasure(
            family,
            tuple(Measure(canonical, cutoff, **trec.fixed) for cutoff in cutoffs),
            tuple(f"{family}_{cutoff}" for cutoff in cutoffs),
        )
    if trec.takes == "reals":
        points = sorted(float(_leading(_REAL, part)) for part in raw.split(","))
        _refuse_repeats(family, raw, points)
        return TrecMeasure(
            family,
            tuple(Measure(canonical, point, **trec.fixed) for point in points),
            tuple(f"{family}_{point:3.2f}" for point in points),
        )
    if trec.takes == "length":
        length = _whole(_leading(_REAL, raw))
        return TrecMeasure(family, (Measure(canonical, length),), (f"{family}_{raw}",))
    return TrecMeasure(family, with_parameters(family, raw), (f"{family}_{raw}",))


def _leading(pattern: re.Pattern[str], text: str) -> str:
    """Return the number at the beginning of a text as C's atol and atof find it, 0 where there is none."""
    found = pattern.match(text)
    return found.group() if found else "0"


def _whole(text: str) -> int:
    """Return the whole part of a number; one with more digits than are shown as what no cutoff can be."""
    value = float(text)
    return int(text) if text.lstrip(" +-").isdecimal() and len(text) < MESSAGE else int(max(min(value, 1e19), -1e19))


def _refuse_repeats(family: str, raw: str, cutoffs: list[int] | list[float]) -> None:
    """Raise if a cutoff is given twice; trec_eval stops there too."""
    for before, after in itertools.pairwise(cutoffs):
        if before == after:
            raise MeasureError(f"{family}.{raw}: the cutoff {after:g} is given twice")


def expand(family: str) -> tuple[Measure, ...]:
    """Return the measures one name of trec_eval stands for without parameters."""
    canonical, trec = TREC[family]
    if trec.takes in ("cutoffs", "reals"):
        return tuple(Measure(canonical, cutoff, **trec.fixed) for cutoff in trec.defaults)
    return (Measure(canonical, **trec.fixed),)


def with_parameters(family: str, raw: str) -> tuple[Measure, ...]:
    """Return the measures of a trec_eval name with parameters, every number checked to its last character.

    Raises:
        MeasureError: the name takes no parameters, or these are not what it takes.
    """
    canonical, trec = TREC[family]
    parts = raw.split(",")
    if trec.takes == "nothing":
        raise MeasureError(_no_parameters(family, raw))
    if trec.takes == "gains":
        return (Measure(canonical, **_pairs(family, raw, trec)),)
    values = [_number(family, raw, part) for part in parts]
    if trec.takes == "numbers":
        if len(trec.fills) == 1 and len(trec.defaults) > 1:
            return (Measure(canonical, **{trec.fills[0]: values}),)
        if len(values) != len(trec.fills):
            raise MeasureError(f"{family}.{raw}: {len(values)} numbers, expected {len(trec.fills)}: {trec.fills}")
        return (Measure(canonical, **dict(zip(trec.fills, values, strict=True))),)
    _refuse_repeats(family, raw, sorted(values))
    return tuple(Measure(canonical, value, **trec.fixed) for value in values)


def _no_parameters(family: str, raw: str) -> str:
    """Say that a measure takes no parameters, and which one takes a cutoff."""
    canonical, _ = TREC[family]
    spec = Measure(canonical).spec
    cut = canonical if spec.cutoff == "optional" else spec.at_cutoff
    hint = f"; did you mean {cut}@{raw}?" if cut and raw.isdecimal() else ""
    return f"{family}.{raw}: {family} takes no cutoff or other parameter (trec_eval ignores it in silence){hint}"


def _number(family: str, raw: str, part: str) -> int | float:
    """Return one number, a whole one as int."""
    found = numeral(part.strip())
    if found is None:
        raise MeasureError(f"{family}.{raw}: {part!r} is not a number")
    return found


def _pairs(family: str, raw: str, trec: Trec) -> dict[str, object]:
    """Return parameters from pairs such as ``1=3,2=9`` (grade=gain) and ``p=0.8``."""
    found: dict[str, object] = {}
    gains: dict[int, float] = {}
    for part in raw.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            canonical, _ = TREC[family]
            hint = f"; for a cutoff write {canonical}@{raw}" if Measure(canonical).spec.cutoff != "none" else ""
            raise MeasureError(f"{family}.{raw}: {part!r} is not a pair such as 1=3{hint}")
        if key in trec.fills and key != "gains":
            found[key] = _number(family, raw, value)
        elif "gains" in trec.fills and _GRADE.fullmatch(key):
            if int(key) in gains:
                raise MeasureError(f"{family}.{raw}: the gain of grade {int(key)} is given twice")
            gains[int(key)] = _number(family, raw, value)
        else:
            expected = " or ".join("grade=gain" if name == "gains" else f"{name}=…" for name in trec.fills)
            raise MeasureError(f"{family}.{raw}: {part!r} is unknown, expected {expected}")
    if gains:
        found["gains"] = gains
    return found


def trec_options(measure: Measure) -> tuple[str, ...]:
    """Return the trec_eval options behind a measure's own ``rel=``, ``judged_only=`` and ``docs=``.

    trec_eval's printed name cannot show them.

    >>> from denominator.measures import P
    >>> trec_options(P(rel=2, judged_only=True) @ 5)
    ('-l2', '-J')
    """
    own = dict(measure.params)
    return tuple(
        option
        for name, option in (("rel", f"-l{own.get('rel')}"), ("judged_only", "-J"), ("docs", f"-N{own.get('docs')}"))
        if name in own
    )
