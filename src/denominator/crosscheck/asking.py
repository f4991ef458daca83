"""How a cross-check goes: files laid out, every implementation asked, answers compared, differences explained."""

from __future__ import annotations

import contextlib
import errno
import math
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from denominator import noticed
from denominator.crosscheck.answers import Answer, Question
from denominator.crosscheck.causes import explained
from denominator.crosscheck.files import Given, given
from denominator.crosscheck.names import Asked as InItsWords
from denominator.crosscheck.numbers import Numbers, same
from denominator.crosscheck.processes import Files, Said, Workers
from denominator.crosscheck.questions import asked
from denominator.crosscheck.result import NO_NUMBER, Apart, Asked, Crosscheck, Line
from denominator.crosscheck.tools import TOOLS, Tool, chosen
from denominator.dialects import dialect
from denominator.errors import InputError, NoCommonQueriesError, UsageError
from denominator.evaluation import check_level
from denominator.model import Source
from denominator.quoting import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from denominator.dialects import Dialect
    from denominator.measures import Measure
    from denominator.model import F64, Bool

__all__ = ["LIMIT", "crosschecked"]

LIMIT = 60.0
"""Seconds that an implementation may take to load, and for each measure."""
LOOSE = 1e-9
"""How far another implementation's value may be from ours and count as the same: sums in another order."""
TEXTBOOK = 1e-12
"""The same for our reference engine, which is written to be read."""
NEARLY = 1e-6
"""How far a sum over a mean may be from the whole number that it stands for."""
ROUNDED = 0.51
"""Of the last decimal that a program prints."""


def crosschecked(
    qrels: Any,
    run: Any,
    measures: Any,
    *,
    tools: Sequence[str] | None,
    limit: float,
    level: float,
    qrels_format: str | None = None,
    run_format: str | None = None,
    encoding: str = "utf-8",
    float_grades: bool = False,
    progress: Callable[[tuple[str, ...], int], None] | None = None,
) -> Crosscheck:
    """Ask every implementation, compare what they say, and explain where they part."""
    questions = asked(measures)
    if isinstance(limit, bool) or not isinstance(limit, int | float) or not 0 < limit < 1e6:
        raise UsageError(f"limit={shown(limit)}: expected a number of seconds, above 0 and below 1,000,000")
    check_level(level)
    there, missing = chosen(tools)
    with _room(), tempfile.TemporaryDirectory(prefix="crosscheck-") as folder:
        judged = given(qrels, "qrels", folder, form=qrels_format, encoding=encoding, float_grades=float_grades)
        ranked = given(run, "run", folder, form=run_format, encoding=encoding)
        _must_share_a_query(judged, ranked)
        files = Files(judged.path, ranked.path, ("float-grades",) if float_grades else ())
        said = _said(there, questions, level, limit, files, progress)
        said = [_named(one, {judged.path: judged.name, ranked.path: ranked.name}) for one in said]
    comparison = _Comparison(judged, ranked, questions, level)
    answers = {(answer.tool, answer.question): answer for one in said for answer in one.answers}
    versions = {tool.name: one.version for tool, one in zip(there, said, strict=True)}
    ours = {question: comparison.ours(question, answers) for question in questions}
    lines = tuple(
        comparison.line(tool, answers[tool.name, question], versions[tool.name], ours[question])
        for question in questions
        for tool in there
    )
    result = Crosscheck(
        _source(judged),
        _source(ranked),
        comparison.queries,
        comparison.answered,
        comparison.base.name,
        comparison.why_base,
        lines,
        Asked(tuple(tool.name for tool in there), tuple(missing), level, limit),
        {tool.name: one.seconds for tool, one in zip(there, said, strict=True)},
    )
    from denominator.crosscheck.rules import found

    return found(result)


@contextlib.contextmanager
def _room() -> Iterator[None]:
    """Say where a file could not be laid out for the others to read, and what to do."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        place = error.filename or tempfile.gettempdir()
        words = "both files are laid out there for the others; make room, or name another folder in TMPDIR"
        raise InputError(f"{place}: {error.strerror}; {words}") from error


def _must_share_a_query(judged: Given, ranked: Given) -> None:
    """Refuse two files that no implementation can say anything about, before any is asked.

    Raises:
        NoCommonQueriesError: none of the judged queries is in the run.
    """
    qrels, run = judged.rows, ranked.rows
    readable = qrels is not None and run is not None and len(qrels) and len(run)
    if readable and set(qrels.queries).isdisjoint(run.queries):
        raise NoCommonQueriesError(noticed.no_common_queries(qrels, run))


def _said(
    tools: Sequence[Tool],
    questions: Sequence[Question],
    level: float,
    limit: float,
    files: Files,
    progress: Callable[[tuple[str, ...], int], None] | None,
) -> list[Said]:
    """Ask every tool what it has words for; what it has none for is answered here."""
    jobs: list[tuple[Tool, list[tuple[Question, InItsWords]]]] = []
    silent: list[list[Answer]] = []
    for tool in tools:
        put: list[tuple[Question, InItsWords]] = []
        spared: list[Answer] = []
        for question in questions:
            words = _in_its_words(tool, question, level)
            if words is not None:
                put.append((question, words))
            elif question.measure is None and tool.own:
                spared.append(Answer(tool.name, question, "refused", words=question.refusal))
            else:
                spared.append(Answer(tool.name, question, "lacking", words=_lacks(tool, question, level)))
        jobs.append((tool, put))
        silent.append(spared)
    with Workers(limit) as workers:
        said = workers.all(jobs, files, progress)
    return [Said(one.version, (*one.answers, *spared), one.seconds) for one, spared in zip(said, silent, strict=True)]


def _lacks(tool: Tool, question: Question, level: float) -> str:
    """Return what a tool lacks that has no words for a question: the measure, or only its relevance level."""
    measure = question.measure
    at_one = measure if measure is None or "rel" not in measure.spec.params else measure(rel=None)
    known = at_one is not None and tool.asked(at_one, 1) is not None
    return "no such relevance level" if known else "no such measure"


def _in_its_words(tool: Tool, question: Question, level: float) -> InItsWords | None:
    """Return how a tool is asked a question; None where it has no such measure, or level."""
    if question.measure is not None:
        return tool.asked(question.measure, level)
    if not tool.takes_text:
        return None
    return InItsWords(question.text, {}, f"{tool.name}: {question.text}, as it was typed")


def _named(said: Said, names: Mapping[str, str]) -> Said:
    """Return what a tool said with the files called by the names that the user gave them."""

    def by_name(text: str) -> str:
        for path, name in names.items():
            text = text.replace(path, name)
        return text

    from dataclasses import replace

    return said._replace(answers=tuple(replace(one, words=by_name(one.words)) for one in said.answers))


def _source(one: Given) -> Source:
    """Return where an input came from."""
    if one.rows is not None:
        source: Source = one.rows.source
        return source
    return Source(one.name, "trec", "a TREC file with lines that cannot be rows")


class _Comparison:
    """Our numbers, and every other one beside them."""

    def __init__(self, judged: Given, ranked: Given, questions: Sequence[Question], level: float) -> None:
        """Take the rows as they stand; where one of the files has none, nothing can be compared."""
        self.level = level
        self.qrels, self.run = judged.rows, ranked.rows
        measures = [question.measure for question in questions if question.measure is not None]
        self.base, self.why_base = self._dialect(level)
        self.numbers: Numbers | None = None
        if self.qrels is not None and self.run is not None and len(self.qrels) and len(self.run):
            self.numbers = Numbers(self.qrels, self.run, measures, self.base)
        self.queries: tuple[str, ...] = () if self.qrels is None else self.qrels.queries
        self.answered = 0 if self.run is None else len(set(self.queries) & set(self.run.queries))

    def _dialect(self, level: float) -> tuple[Dialect, str]:
        """Return the dialect that our numbers are in: the default, or one that takes what the default refuses."""
        plain = dialect("trec_eval-c").using(level=level)
        twice = [rows for rows in (self.qrels, self.run) if rows is not None and len(rows.repeated_rows)]
        if not twice:
            return plain, ""
        names = " and ".join(rows.source.name for rows in twice)
        return plain.using(duplicates="first"), f"{names} holds documents twice, which we refuse: the first row counts"

    def ours(self, question: Question, answers: Mapping[tuple[str, Question], Answer]) -> F64 | None:
        """Return our values, NaN where a query is not in our mean: an engine's, or else the dialect's."""
        if question.measure is None or self.numbers is None:
            return None
        for tool in TOOLS.values():
            answer = answers.get((tool.name, question))
            if tool.own and answer is not None and answer.answered:
                return self._column(answer.values)
        return self.numbers.of(question.measure, {})

    def _column(self, values: Mapping[str, float]) -> F64:
        """Return values as a column aligned with the judged queries."""
        return np.array([values.get(query, np.nan) for query in self.queries], dtype=np.float64)

    def line(self, tool: Tool, answer: Answer, version: str, ours: F64 | None) -> Line:
        """Return one answer beside ours."""
        judged = set(self.queries)
        unjudged = sum(query not in judged for query in answer.values) if self.queries else 0
        n = _divisor(answer) if answer.answered else None
        if not answer.answered or ours is None or self.numbers is None:
            return Line(answer.question, answer, version, tool.own, n, unjudged)
        theirs = self._column(answer.values)
        tolerance = _tolerance(tool)
        none = np.array([_no_number(answer, query) for query in self.queries], dtype=np.bool_)
        differs = ~_equal(tool, ours, theirs, tolerance)
        left_out: list[str] = []
        if not tool.own and n == len(ours) and (np.isnan(theirs) & ~none & (ours == 0))[differs].all():
            left_out = [self.queries[at] for at in np.flatnonzero(differs).tolist()]
            differs[:] = False
        apart: list[Apart] = []
        causes: tuple[Any, ...] = ()
        measure = answer.question.measure
        if differs.any() and measure is not None:
            names, causes = self._why(tool, measure, theirs, ours, none, tolerance)
            for at in np.flatnonzero(differs).tolist():
                apart.append(Apart(self.queries[at], _known(ours[at]), _known(theirs[at]), names[at]))
        apart.sort(key=lambda one: -one.size)
        return Line(
            answer.question,
            answer,
            version,
            tool.own,
            n,
            unjudged,
            len(self.queries),
            tuple(apart),
            tuple(left_out),
            causes,
            tolerance,
        )

    def _why(
        self, tool: Tool, measure: Measure, theirs: F64, ours: F64, none: Bool, tolerance: float
    ) -> tuple[list[str], tuple[Any, ...]]:
        """Return what explains each query's difference, and the causes; nothing excuses our own engines."""
        if tool.own or self.numbers is None:
            return [""] * len(ours), ()
        why = explained(self.numbers, measure, theirs, ours, none, tool.dialect, max(tolerance, LOOSE))
        names = np.select([none, why.choices, why.ties], [NO_NUMBER, "choices", "ties"], "")
        return names.tolist(), why.causes


def _divisor(answer: Answer) -> int:
    """Return over how many queries a mean is: those with a value, or more where some count 0 without one."""
    total = math.fsum(answer.values.values())
    if not answer.mean or not math.isfinite(total) or not math.isfinite(answer.mean):
        return len(answer.values)
    over = total / answer.mean
    whole = round(over)
    return whole if whole > len(answer.values) and abs(over - whole) < NEARLY else len(answer.values)


def _no_number(answer: Answer, query: str) -> bool:
    """Return whether a tool raised an error for a query, or said NaN; a query that it leaves out is another thing."""
    return query in answer.refused or math.isnan(answer.values.get(query, 0.0))


def _known(value: float) -> float | None:
    """Return a value as Python has it, None for NaN."""
    return None if np.isnan(value) else float(value)


def _tolerance(tool: Tool) -> float:
    """Return how far a tool's value may be from ours and count as the same."""
    if tool.digits is not None:
        return ROUNDED * 10.0**-tool.digits
    if not tool.own:
        return LOOSE
    return TEXTBOOK if tool.name == "reference" else 0.0


def _equal(tool: Tool, ours: F64, theirs: F64, tolerance: float) -> Any:
    """Return where two columns agree; ours to the last bit, or to the last few where a compiler may round otherwise."""
    if tool.own and not tolerance:
        from denominator.engine_choice import ULPS_ELSEWHERE, is_exact

        spacing = np.spacing(np.maximum(np.abs(ours), np.abs(theirs)))
        near = np.abs(ours - theirs) <= (0 if is_exact() else ULPS_ELSEWHERE) * spacing
        return near | (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
    return same(ours, theirs, tolerance)
