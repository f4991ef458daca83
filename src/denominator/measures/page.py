"""The pages of `denominator measures`: the list of all measures, and the explanation of one."""

from __future__ import annotations

import itertools
import textwrap
from typing import TYPE_CHECKING, Any

from denominator.measures.registry import REGISTRY
from denominator.measures.trec import trec_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from denominator.measures.measure import Measure
    from denominator.measures.spec import Spec, Trec

__all__ = ["explanation", "listed", "listing", "markdown_listing", "markdown_page", "page"]

WIDTH = 80
_LABELS = {
    "formula": "formula",
    "denominator": "divided by",
    "ceiling": "ceiling",
    "undefined": "undefined",
    "unanswered": "unanswered",
    "aggregate": "over queries",
    "distrust": "trust it?",
    "by_hand": "by hand",
    "parameters": "parameters",
    "engines": "engines",
    "trec_eval": "trec_eval",
    "source": "source",
}
"""What is said of a measure → the words in front of it."""

_AGGREGATES = {
    "mean": "the mean of the query set",
    "sum": "the sum over the query set",
    "geometric": "exp of the mean, the geometric mean of the query set",
}


def typed(spec: Spec) -> str:
    """Return how a measure is typed, with the place of its cutoff: ``nDCG[@k]``."""
    sign = {"cutoff": "k", "recall": "x", "multiple": "x"}[spec.cutoff_word]
    return spec.name + {"none": "", "optional": f"[@{sign}]", "required": f"@{sign}"}[spec.cutoff]


def listed() -> list[dict[str, Any]]:
    """Return one entry per measure of the registry, in its order."""
    return [
        {
            "name": spec.name,
            "typed": typed(spec),
            "title": spec.title,
            "family": spec.family,
            "parameters": list(spec.params),
            "aliases": list(spec.aliases),
            "trec_eval": [trec.name for trec in spec.trec],
            "engines": sorted(spec.engines),
        }
        for spec in REGISTRY.values()
    ]


def listing() -> str:
    """Return the list as text of at most 80 columns: how it is typed, trec_eval's names, what it is."""
    lines = [f"{'measure':<23}{'trec_eval':<23}what it is"]
    for entry in listed():
        names = textwrap.wrap(", ".join(entry["trec_eval"]) or "-", 22, break_long_words=False)
        titles = textwrap.wrap(entry["title"], WIDTH - 46)
        for name, trec, title in itertools.zip_longest([entry["typed"]], names, titles, fillvalue=""):
            lines.append(f"{name:<23}{trec:<23}{title}".rstrip())
    lines += ["", "k is a cutoff, x a recall or a multiple of |Rel|. `denominator measures nDCG@10`", "explains one."]
    return "\n".join(lines)


def explanation(measure: Measure, without: dict[str, str] | None = None) -> dict[str, Any]:
    """Return all that is said of one measure, in the order of the page.

    `without` holds engines that have the measure, but not with these parameters, and the reason.
    """
    spec = measure.spec
    left_out = without or {}
    engines = spec.engines - set(left_out)
    return {
        "measure": str(measure),
        "title": spec.title,
        "formula": spec.formula,
        "denominator": spec.denominator,
        "ceiling": spec.ceiling,
        "undefined": spec.undefined,
        "unanswered": _unanswered(spec),
        "aggregate": "a text is not averaged" if spec.text_valued else _AGGREGATES[spec.aggregate],
        "distrust": spec.distrust,
        "by_hand": _by_hand(spec),
        "parameters": [f"{param.name} ({_default(param.default)}): {param.text}" for param in spec.params.values()],
        "engines": [name for name in ("pytrec_eval", "columnar", "reference") if name in engines],
        "without": left_out,
        "trec_eval": _trec_eval(measure),
        "source": spec.source,
    }


def _default(value: object) -> str:
    """Say what a parameter is where it is not given."""
    if value is None:
        return "no default"
    return "default " + (f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else repr(value))


def _unanswered(spec: Spec) -> str:
    """Say what a judged query that the run lacks is worth."""
    if spec.name == "NumRel":
        return "a judged query that the run lacks counts its |Rel|, which does not depend on the run"
    if spec.unanswered is None:
        return "a judged query that the run lacks has no value, and is in no mean"
    return f"a judged query that the run lacks counts {spec.unanswered:g}"


def _by_hand(spec: Spec) -> str | None:
    """Return the worked number as a sentence."""
    worked = spec.worked
    if worked is None:
        return None
    ranking = f"grades by rank {worked.ranking} (- is unjudged)"
    missed = f"; not retrieved: {worked.others}" if worked.others else ""
    return f"{ranking}{missed}: {worked.measure} = {worked.by_hand} = {worked.value:.4g}"


def _trec_eval(measure: Measure) -> str | None:
    """Return how trec_eval is asked for this measure, and the name it prints."""
    spec = measure.spec
    if not measure.complete:
        return "; ".join(f"-m {trec.name}{_sample(trec)}" for trec in spec.trec) or None
    name = spec.trec_name(measure)
    if name is None:
        names = ", ".join(trec.name for trec in spec.trec)
        return f"not with these parameters; its names for others: {names}" if names else None
    families = [trec for trec in spec.trec if name == trec.name or name.startswith(f"{trec.name}_")]
    family = max(families, key=lambda trec: len(trec.name))
    options = "".join(f"{option} " for option in trec_options(measure))
    asked = family.name if name == family.name else f"{family.name}.{name.removeprefix(f'{family.name}_')}"
    since = " (version 10 only)" if family.since == "10" else ""
    return f"{options}-m {asked}, printed as {name}{since}"


def _sample(trec: Trec) -> str:
    """Return cutoffs as they are typed behind a name of trec_eval."""
    return "".join(f"{'.' if number == 0 else ','}{cutoff:g}" for number, cutoff in enumerate(trec.defaults[:2]))


def _said(entry: dict[str, Any]) -> list[tuple[str, str, list[str]]]:
    """Return (key, label, paragraphs) for what there is to say."""
    said = []
    for key, label in _LABELS.items():
        value = entry[key]
        if key == "engines":
            value = ", ".join(value) or "none: only `denominator trec_eval` prints it"
            value += "".join(f"; not {name}: {why}" for name, why in entry["without"].items())
        if key == "trec_eval" and value is None:
            value = "has no such measure"
        if value:
            said.append((key, label, value if isinstance(value, list) else [value]))
    return said


def page(entry: dict[str, Any]) -> str:
    """Return the explanation of one measure as text of at most 80 columns."""
    lines = textwrap.wrap(f"{entry['measure']}: {entry['title']}", WIDTH)
    for _, label, paragraphs in _said(entry):
        for number, paragraph in enumerate(paragraphs):
            lead = label if number == 0 else ""
            wrapped = textwrap.wrap(paragraph, WIDTH - 14, break_on_hyphens=False, break_long_words=False)
            lines += [f"{lead if row == 0 else '':<14}{text}".rstrip() for row, text in enumerate(wrapped)]
    return "\n".join(lines)


def markdown_listing() -> str:
    """Return the list as a Markdown table."""
    rows = ["| measure | trec_eval | engines | what it is |", "|---|---|---|---|"]
    for entry in listed():
        names = ", ".join(f"`{name}`" for name in entry["trec_eval"])
        title = entry["title"].replace("|", "\\|")
        rows.append(f"| `{entry['typed']}` | {names} | {', '.join(entry['engines'])} | {title} |")
    return "\n".join(rows)


def markdown_page(entry: dict[str, Any]) -> str:
    """Return the explanation of one measure as a Markdown section."""
    lines = [f"## {entry['measure']}", "", f"{entry['title']}.", ""]
    for _, label, paragraphs in _said(entry):
        lines += [f"- **{label}** {_escaped(paragraph)}" for paragraph in paragraphs]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Escape what Markdown would take for emphasis or a table."""
    for sign in "*_|<":
        text = text.replace(sign, f"\\{sign}")
    return text


def everything(entries: Sequence[dict[str, Any]]) -> str:
    """Return the Markdown document of all measures: the table, then a section each."""
    head = (
        "# Measures\n\nWritten by `denominator measures --all -f markdown`; a test holds this file to the registry.\n\n"
        "Each is typed as in the first column, with `k` a cutoff and `x` a recall or a multiple of |Rel|; trec_eval's "
        "names are read too."
    )
    return "\n\n".join([head, markdown_listing(), *(markdown_page(entry) for entry in entries)])
