"""Tables for a page: one for each measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from denominator.outputs.crosscheck import words
from denominator.outputs.markdown import escaped
from denominator.quoting import short

if TYPE_CHECKING:
    from denominator.crosscheck.result import Crosscheck, Line
    from denominator.outputs.crosscheck import Options

__all__ = ["render"]


def render(result: Crosscheck, options: Options) -> str:
    """Return the tables, and the counts under them."""
    lines = [escaped(words.head(result))]
    for question, some in result.questions():
        lines += ["", f"**{escaped(str(question))}**", ""]
        lines += ["| implementation | mean | queries | differs on | why |", "| --- | ---: | ---: | ---: | --- |"]
        lines += [f"| {' | '.join(_row(line))} |" for line in some if line.answer.status != "lacking"]
    lines += ["", *(escaped(sentence) for sentence in words.summary(result))]
    return "\n".join(lines) + "\n"


def _row(line: Line) -> Iterator[str]:
    """Yield the cells of one line."""
    yield escaped(f"{line.tool} {short(line.version, 20)}".strip())
    if not line.answer.answered:
        yield from (words.said(line), "-", "-", escaped(short(line.answer.words, 200)))
        return
    yield from (words.mean(line), "-" if line.n is None else f"{line.n:,}", words.differs(line))
    why = [words.cause(one) for one in line.causes]
    if line.apart:
        why.append(f"largest {words.pair(line.apart[0])}")
    if line.unexplained and not line.own:
        why.append(words.verdict(line))
    yield escaped("; ".join(why))
