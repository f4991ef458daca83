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
    lines += ["", *_legend(result)]
    lines += ["", *(escaped(sentence) for sentence in words.summary(result))]
    return "\n".join(lines) + "\n"


def _legend(result: Crosscheck) -> Iterator[str]:
    """Yield a list of what the choices mean, who makes them, and what was said in words."""
    for cause, tools in words.reasons(result):
        yield f"- {escaped(cause)}"
        yield from (f"  - {escaped(tool)}" for tool in tools)
    yield from (f"- {escaped(remark)}" for remark in words.remarks(result))


def _row(line: Line) -> Iterator[str]:
    """Yield the cells of one line."""
    yield escaped(f"{line.tool} {short(line.version, 20)}".strip())
    if not line.answer.answered:
        yield from (words.said(line), "-", "-", "")
        return
    yield from (
        words.mean(line),
        "-" if line.n is None else f"{line.n:,}",
        words.differs(line),
        escaped(words.why(line)),
    )
