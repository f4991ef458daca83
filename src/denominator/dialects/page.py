"""Dialects and choices as pages to read: text for a terminal, markdown for docs/dialects.md, records for JSON."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from denominator.dialects.choices import CHOICES
from denominator.dialects.known import DEFAULT, DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.dialects.dialect import Dialect

__all__ = ["everything", "listing", "markdown_page", "page", "record"]

HELD = {
    "run": "held to the tool itself by tests, query by query",
    "source": "rule from source, not run",
}
"""How a dialect is known → in words."""
WIDTH = 80
BRIEF = {
    "trec_eval-c": "every judged query; the default",
    "trec_eval-9": "the queries that the run answers",
    "trec_eval-10": "the same; it stops where one is missing",
    "pytrec_eval-raw": "32-bit scores, answered queries",
    "ir_measures": "32-bit scores, every judged query",
    "ranx": "ties in no fixed order",
    "trectools": "every query of the run",
    "scikit-learn": "one label matrix; ties averaged",
    "beir": "pytrec_eval, and a few of its own",
    "msmarco": "MRR by the rank column",
    "sentence-transformers": "binary gain, AP by min(|Rel|, k)",
    "ragas": "by what was returned",
    "llama-index": "an ideal that is relevant throughout",
    "elasticsearch": "2**grade - 1, by what was returned",
    "dpr": "the hit rate as recall",
    "evidently": "only what the run holds; ties share",
    "retrieval-eval": "2**grade - 1, no empty queries",
    "rankkit": "2**grade - 1, answered queries",
    "rankflow": "only what was retrieved, by rank",
    "retrieval-eval-gate": "binary gain, by rank, no empty queries",
}
"""Dialect → what sets it apart, in a few words."""


def record(one: Dialect) -> dict[str, Any]:
    """Return a dialect as a row."""
    return {
        "name": one.name,
        "summary": one.summary,
        "choices": one.choices._asdict(),
        "overrides": {key: dict(some) for key, some in one.overrides.items()},
        "measures": None if one.measures is None else list(one.measures),
        "beyond": dict(one.beyond),
        "held": one.held,
        "source": one.source,
        "common": one.common,
    }


def listing() -> str:
    """Return a line for each dialect, how it is known and what sets it apart, and how to read on."""
    wide = max(map(len, DIALECTS))
    known = {"run": "held to the tool", "source": "from source"}
    least = max(map(len, known.values()))
    lines = [f"{name:<{wide}}  {known[one.held]:<{least}}  {BRIEF[name]}" for name, one in DIALECTS.items()]
    more = f"The default is {DEFAULT}. denominator dialects NAME explains one of them; denominator dialects CHOICE too."
    held = "Held to the tool: tests compare it with the tool, query by query. From source: its rule was read, not run."
    return "\n".join([*lines, "", *textwrap.wrap(held, WIDTH), *textwrap.wrap(more, WIDTH)])


def _other(one: Dialect) -> Iterator[tuple[str, str]]:
    """Yield the choices that are not the default."""
    for name, value in one.choices._asdict().items():
        if value != CHOICES[name].default:
            yield name, str(value)


def page(name: str) -> str:
    """Return what there is to say of a dialect, or of a choice, for a terminal."""
    if name in CHOICES:
        choice = CHOICES[name]
        rows = [(value, meaning) for value, meaning in choice.values.items()] or [("a number", choice.title)]
        return "\n".join([f"{name}: {choice.title}", "", *_table(rows)])
    one = DIALECTS[name]
    lines = [name, "", *textwrap.wrap(one.summary, WIDTH), ""]
    lines += _table([(f"{key}={value}", _meaning(key, value)) for key, value in one.choices._asdict().items()])
    for measure, some in one.overrides.items():
        lines += ["", f"{measure}:", *_table([(f"{key}={value}", _meaning(key, value)) for key, value in some.items()])]
    if one.measures is not None:
        lines += ["", *textwrap.wrap(f"Measures: {', '.join(m for m in one.measures if m not in one.beyond)}.", WIDTH)]
    for measure, reason in one.beyond.items():
        lines += textwrap.wrap(f"Not {measure}: {reason}.", WIDTH)
    lines += ["", *textwrap.wrap(f"How it is known: {HELD[one.held]}.", WIDTH)]
    lines += textwrap.wrap(f"Source: {one.source}", WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def _meaning(name: str, value: Any) -> str:
    """Return what a value of a choice means."""
    return CHOICES[name].values.get(str(value), CHOICES[name].title)


def _table(rows: list[tuple[str, str]]) -> list[str]:
    """Return two columns, the second one folded."""
    wide = max(len(left) for left, _ in rows) + 2
    out = []
    for left, right in rows:
        first, *rest = textwrap.wrap(right, WIDTH - wide - 2) or [""]
        out += [f"  {left:<{wide}}{first}", *(" " * (wide + 2) + line for line in rest)]
    return out


def markdown_page(name: str) -> str:
    """Return a dialect or a choice as a section."""
    if name in CHOICES:
        choice, bar = CHOICES[name], r"\|"
        rows = "\n".join(f"| {value} | {meaning.replace('|', bar)} |" for value, meaning in choice.values.items())
        return f"### {name}\n\n{choice.title}.\n\n" + (
            f"| value | meaning |\n| --- | --- |\n{rows}" if rows else "A number."
        )
    one = DIALECTS[name]
    said = [f"{key}={value}" for key, value in _other(one)]
    parts = [f"### {name}", one.summary, f"Unlike {DEFAULT}: {', '.join(f'`{text}`' for text in said) or 'nothing'}."]
    for measure, some in one.overrides.items():
        parts.append(f"For {measure}: {', '.join(f'`{key}={value}`' for key, value in some.items())}.")
    if one.measures is not None:
        parts.append(f"Measures: {', '.join(measure for measure in one.measures if measure not in one.beyond)}.")
    parts += [f"Not {measure}: {reason}." for measure, reason in one.beyond.items()]
    parts.append(f"*{HELD[one.held].capitalize()}.* Source: {one.source}")
    return "\n\n".join(parts)


def everything() -> str:
    """Return the page of all dialects and choices."""
    return "\n\n".join(
        [
            "# Dialects: whose choices a number is made by",
            "This page is written by `denominator dialects -f markdown`. Two tools print two numbers for one run "
            "because they order ties, count queries or divide differently. A dialect names the choices of one tool; "
            "`denominator score --dialect NAME` makes them, and options such as `--gain exp` change single ones.",
            "## Choices",
            *(markdown_page(name) for name in CHOICES),
            "## Dialects",
            *(markdown_page(name) for name in DIALECTS),
        ]
    )
