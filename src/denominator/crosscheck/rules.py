"""The findings of a cross-check, X101 and on, in the form of the audit's: a code, a severity, a fix, and a page.

They are no checks of `denominator audit`: what they look at is what several implementations said, not a file.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from denominator.audit.check import Check, Found
from denominator.crosscheck.causes import UNSTABLE
from denominator.findings import SEVERITIES, Finding, Findings, Places
from denominator.model import Severity
from denominator.quoting import listed, short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from denominator.crosscheck.result import Crosscheck, Line

    Rule = Callable[[Crosscheck], Iterator[Found]]

__all__ = ["CHECKS", "found"]


def _check(code: str, slug: str, severity: Severity, *, fix: str) -> Callable[[Rule], Check]:
    """Make a check of a generator that looks at a cross-check, where the audit's look at evidence."""
    return lambda rule: Check(code, slug, severity, fix, cast(Any, rule))


@_check(
    "X101",
    "engines-of-ours-differ",
    Severity.ERROR,
    fix="report it with the two files; until then trust pytrec_eval (--engine pytrec_eval)",
)
def our_engines_differ(result: Crosscheck) -> Iterator[Found]:
    """Two of this package's own engines give two values for one query.

    `columnar` and `pytrec_eval` promise the same doubles to the last bit (to 4 units in the last place where a compiler
    may join a multiplication and an addition), and `reference`, the textbook, is held to them within 1e-12. Whatever
    breaks the promise is a mistake in this package, or in a library under it.

    **Why it matters.** There is no telling which of the two numbers is right, here or in any other run. On a ranking
    with one relevant document at rank 2, RR is 0.5; an engine that says 1.0 has another order or another document.

    **Fix.** Report it with the two files. Until it is mended score with `--engine pytrec_eval`, which is trec_eval's
    own code.

    **When to ignore it.** Never.
    """
    for lines in _by_tool(result, lambda line: line.own and bool(line.apart)):
        yield _apart(result, lines, None, "differs from our first engine")


@_check(
    "X102",
    "tool-chooses-otherwise",
    Severity.INFO,
    fix="name the choice beside the number, or score with the dialect of the tool you compare with",
)
def chooses_otherwise(result: Crosscheck) -> Iterator[Found]:
    """Another tool prints another number, and a choice of it that is known gives that number on every query.

    Tools differ in which queries are in a mean, how scores are compared, how ties are broken, what recall is divided
    by, what a grade gains. Each cause that is named was tested: with this choice switched in our dialect, and only with
    it, our values are the tool's.

    **Why it matters.** Both numbers are right, of different questions. A run that answers 49 of 50 judged queries with
    a sum of nDCG of 13.62 has 0.278 where unanswered queries are left out, and 0.272 where they count 0; a table that
    holds one of each compares nothing.

    **Fix.** Say the choice beside the number, and compare only numbers that share it: `denominator score --dialect`
    computes in the dialect of another tool.

    **When to ignore it.** When no number of that tool is compared with one of ours.
    """
    for lines in _by_tool(result, lambda line: not line.own and line.by_choice > 0):
        causes = dict.fromkeys(
            f"{one.choice}={one.theirs}" for line in lines for one in line.causes if one.theirs != UNSTABLE
        )
        yield _apart(result, lines, "choices", f"differs from us by choice ({', '.join(causes)})")


@_check(
    "X103",
    "difference-stays-unexplained",
    Severity.WARNING,
    fix="look at the queries named, and at what the tool's documentation says of the measure",
)
def unexplained(result: Crosscheck) -> Iterator[Found]:
    """Another tool prints another number, and none of the known choices gives it.

    Every choice of every dialect was tried, alone and together with others, and some queries still differ.

    **Why it matters.** Either the tool computes something else under the same name, or it has a mistake, or we do. A
    bpref that divides by the judged non-relevant documents, where trec_eval divides by the smaller of both counts, is
    0.250 where ours is 0.500, and no choice about ties or queries leads from one to the other.

    **Fix.** Look at the query with the largest difference by hand: it has few judged documents in the first ranks. If
    ours is wrong, report it.

    **When to ignore it.** When the tool's measure is known to be another one.
    """
    for lines in _by_tool(result, lambda line: not line.own and line.unexplained > 0):
        yield _apart(result, lines, "", "differs from us, and no known choice explains it")


@_check(
    "X104",
    "tool-orders-ties-by-chance",
    Severity.WARNING,
    fix="break ties before the tool sees the run, or print the interval: denominator score --ties",
)
def ties_by_chance(result: Crosscheck) -> Iterator[Found]:
    """Another tool has no order of its own for documents with equal scores, and its numbers are one draw of many.

    Its value lies between the lowest and the highest value over all orders of the tied documents, and that is all that
    can be said of it.

    **Why it matters.** The number cannot be reproduced: of three documents with one score one is relevant, and RR is
    1.0, 0.5 or 0.333 as the sort happens to leave them. Called again, the tool may print another one.

    **Fix.** Give every document of a query a score of its own, by the rule you mean, or print the interval beside the
    number: `denominator score --ties`.

    **When to ignore it.** When the interval is narrower than the differences you draw conclusions from.
    """
    for lines in _by_tool(result, lambda line: line.by_ties > 0):
        yield _apart(result, lines, "ties", "differs from us within the interval of all orders of tied documents")


@_check(
    "X105",
    "tool-crashes",
    Severity.WARNING,
    fix="do not call the tool with such input in a process that matters; score with denominator",
)
def crashes(result: Crosscheck) -> Iterator[Found]:
    """A tool ended its process: a failed assertion in C, a segmentation fault, the memory.

    No exception can be caught there: the whole program that called the tool ends with it.

    **Why it matters.** A notebook loses its state, a batch of 100 runs its remaining 99. pytrec_eval aborts when it is
    asked for the cutoff 0 (`P_0`), for trec_eval asserts that cutoffs are positive.

    **Fix.** Leave that measure or that input away, or call the tool in a process of its own.

    **When to ignore it.** When you do not use the tool.
    """
    yield from _of_status(result, "crashed")


@_check(
    "X106",
    "tool-gives-no-answer-in-time",
    Severity.WARNING,
    fix="raise --limit if the tool is only slow; otherwise keep such input from it",
)
def hangs(result: Crosscheck) -> Iterator[Found]:
    """A tool did not answer within the limit: it loops for ever, or needs longer.

    **Why it matters.** An evaluation that never ends is found in the morning. pytrec_eval does not return from `ndcg`
    of a query whose judgments are all below 0; with grades of 100,000 one query takes it ten seconds.

    **Fix.** Give it more time with `--limit`. If that does not help, the finding's words and `denominator audit` say
    which of the queries are unusual.

    **When to ignore it.** When the machine was busy, and a longer limit gives an answer.
    """
    yield from _of_status(result, "hung")


@_check(
    "X107",
    "tool-refuses",
    Severity.INFO,
    fix="mend the file as the tool's words say (denominator fix), or leave the tool out",
)
def refuses(result: Crosscheck) -> Iterator[Found]:
    """A tool raised an error in place of a number, for the files as a whole or for some queries.

    **Why it matters.** Whoever uses the tool has to change the file or the call, and then has another number than the
    file stands for. A run with one document twice is refused by some tools, and scored by others with the first, the
    last, or both of its lines: 1 relevant document found twice is R@5 = 2/2 where lines are counted, and 1/2 where
    documents are.

    **Fix.** Mend the file with a rule you can state: `denominator fix` writes a copy.

    **When to ignore it.** When the tool has no such measure by its design: scikit-learn has no value for a query with
    one retrieved document.
    """
    yield from _of_status(result, "refused")
    for line in result.lines:
        if line.answer.refused:
            queries = tuple(line.answer.refused)
            words = short(next(iter(line.answer.refused.values())), 300)
            message = f"{line.tool} refuses {len(queries):,} queries of {line.question}: {words}"
            places = Places.of_queries(queries)
            yield Found(result.run.name, message, places, {"queries": len(queries)})


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        one.code: one
        for one in (
            our_engines_differ,
            chooses_otherwise,
            unexplained,
            ties_by_chance,
            crashes,
            hangs,
            refuses,
        )
    }
)
"""Code → check, in the order of the codes."""


def found(result: Crosscheck) -> Crosscheck:
    """Return a cross-check with its findings, the most severe first."""
    items = [
        Finding(one.code, one.slug, one.severity, told.message, one.fix, told.source, told.places, told.numbers)
        for one in CHECKS.values()
        for told in cast("Rule", one.rule)(result)
    ]
    items.sort(key=lambda one: SEVERITIES.index(one.severity))
    return replace(result, findings=Findings(tuple(items), tuple(CHECKS), (result.qrels, result.run)))


def _by_tool(result: Crosscheck, wanted: Callable[[Line], bool]) -> Iterator[list[Line]]:
    """Yield the lines that are wanted, gathered by implementation."""
    gathered: dict[str, list[Line]] = {}
    for line in result.lines:
        if wanted(line):
            gathered.setdefault(line.tool, []).append(line)
    yield from gathered.values()


def _apart(result: Crosscheck, lines: Sequence[Line], explained: str | None, words: str) -> Found:
    """Return a finding about the queries on which one implementation differs, or those with one explanation."""
    rows = [
        (one, str(line.question))
        for line in lines
        for one in line.apart
        if explained is None or one.explained == explained
    ]
    rows.sort(key=lambda row: -row[0].size)
    counts = Counter(measure for _, measure in rows)
    counted = listed([f"{measure} on {count:,}" for measure, count in counts.items()])
    message = f"{lines[0].tool} {words}: {counted} of {len(result.queries):,} queries"
    places = Places.of_queries(
        [one.query_id for one, _ in rows],
        measure=[measure for _, measure in rows],
        ours=["not in the mean" if one.ours is None else one.ours for one, _ in rows],
        theirs=["not in the mean" if one.theirs is None else one.theirs for one, _ in rows],
    )
    numbers = {"queries": len(result.queries), **{f"{name} apart": count for name, count in counts.items()}}
    return Found(result.run.name, message, places, numbers)


def _of_status(result: Crosscheck, status: str) -> Iterator[Found]:
    """Yield a finding for each tool that ended so, and for each of its words; for ours together where they say one."""
    by_words: dict[tuple[str, str], list[Line]] = {}
    for line in result.lines:
        if line.answer.status == status:
            by_words.setdefault(("" if line.own else line.tool, line.answer.brief), []).append(line)
    for (_, words), lines in by_words.items():
        tools = listed(list(dict.fromkeys(line.tool for line in lines)))
        measures = _measures(lines, result)
        message = f"{tools} {'gave no answer to' if status == 'hung' else status} {measures}: {short(words, 600)}"
        yield Found(result.run.name, message, Places.nowhere(), {"measures": len(lines)})


def _measures(lines: Sequence[Line], result: Crosscheck) -> str:
    """Return the measures of some lines."""
    tools = {line.tool for line in lines}
    asked = sum(line.tool in tools and line.answer.status != "lacking" for line in result.lines)
    if len(lines) == asked and asked > len(tools):
        return "every measure"
    return listed(list(dict.fromkeys(str(line.question) for line in lines)))
