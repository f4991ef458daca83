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
    """Return a line for each dialect, and how to read on."""
    wide = max(map(len, DIALECTS))
    lines = [f"{name:<{wide}}  {_marks(one)}" for name, one in DIALECTS.items()]
    more = f"The default is {DEFAULT}. denominator dialects NAME explains one of them; denominator dialects CHOICE too."
    return "\n".join([*lines, "", more])


def _marks(one: Dialect) -> str:
    """Return what is unlike the default, in short."""
    parts = [f"{name}={value}" for name, value in _other(one)]
    parts += [f"{key}: {' '.join(f'{n}={v}' for n, v in some.items())}" for key, some in one.overrides.items()]
    shown = ", ".join(parts) or "the default"
    return textwrap.shorten(shown, WIDTH - 24, placeholder=" …")


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
