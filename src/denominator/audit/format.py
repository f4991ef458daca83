"""F: how the lines of a file are written, where other tools read them otherwise or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import below_one, compared
from denominator.audit.counted import number
from denominator.audit.evidence import once
from denominator.audit.told import told
from denominator.findings import Place, Places
from denominator.formats.subset import subset
from denominator.hits import match
from denominator.model import Run, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence

__all__ = ["CHECKS"]


@check(
    "F101",
    "delimiters-are-mixed",
    Severity.INFO,
    fix="write one tab, or one blank, between all fields: `denominator fix --select F101`",
)
def mixed_delimiters(e: Evidence) -> Iterator[Found]:
    """Fields are parted in more than one way in one file: by single blanks, by single tabs, by longer gaps.

    trec_eval and this tool split at any run of blanks and tabs. A tool that splits at single blanks finds 7 fields in
    `q1 Q0 d1  4 6.0 t`, reads the rank 4 as the score, and says nothing.

    **Fix**: write one delimiter.

    **Ignore** when every tool that reads the file splits at runs of blanks and tabs.
    """
    for some in told(e, "delimiters"):
        rows = len(some.file.raw)
        yield Found(
            some.name,
            f"{some.count:,} of {number(rows, 'rows')} {'parts its' if some.count == 1 else 'part their'} fields "
            "otherwise than the rest; the first line of each other way is listed",
            some.places,
            {"lines": some.count, "rows": rows},
        )


@check(
    "F102",
    "lines-end-in-crlf",
    Severity.INFO,
    fix="end lines in LF alone: `denominator fix --select F102`, or dos2unix",
)
def crlf(e: Evidence) -> Iterator[Found]:
    """Lines end in CR LF, as Windows writes them; a tool that splits at LF keeps the CR in the last field.

    The last field of qrels is the grade and that of a run the tag: "1" becomes "1\\r", which some readers refuse and
    others compare with "1" and find different. 2 files of one system then have two tags.

    **Fix**: convert the line ends.

    **Ignore** when every tool that reads the file takes CR LF for a line end, as trec_eval and this tool do.
    """
    for some in told(e, "crlf"):
        yield Found(some.name, some.lines("ends in CR LF", "end in CR LF"), Places.nowhere(), {"lines": some.count})


@check(
    "F103",
    "file-begins-with-bom",
    Severity.WARNING,
    fix="save the file as UTF-8 without a byte order mark: `denominator fix --select F103`",
)
def byte_order_mark(e: Evidence) -> Iterator[Found]:
    """The file begins with a byte order mark, which other tools take for a part of the first query id.

    It is stripped here. trec_eval keeps it: the first row belongs to a query "\\ufeffq1" that nobody judged. If that
    row was the one relevant document of q1, its RR falls from 1.0 to 0.

    **Fix**: save the file without it.

    **Ignore** when every tool that reads the file strips it.
    """
    for some in told(e, "bom"):
        message = "the file begins with a byte order mark, which is stripped here"
        file = some.file
        if file.raw.line_of(0) != 1:
            yield Found(some.name, message, some.places)
        elif isinstance(file.raw, Run):
            yield _without_first_row(e, file, message)
        else:
            yield _without_first_judgment(e, file, message)


def _without_first_row(e: Evidence, run: RunEvidence, message: str) -> Found:
    rest = subset(run.raw, np.arange(len(run.raw)) > 0)
    both = compared(run, ["RR", "AP"], match(run.qrels.judged, once(rest, rest.score)))
    place = Places.of_rows(run.raw, np.zeros(1, dtype=np.int64))
    message += f"; a tool that keeps it loses the first row to a query of its own: {both.words(named=False)}"
    return Found(run.name, message, place, both.numbers("without the first row"))


def _without_first_judgment(e: Evidence, file: QrelsEvidence, message: str) -> Found:
    raw, grade = file.raw, file.raw.relevance[0].item()
    rel = int(file.relevant(e.options.level)[file.judged.queries.index(raw.query_of(0))])
    left = rel - int(grade >= e.options.level)
    queries = len(file.judged.queries)
    first = f"|Rel| of the first query is {left:,} instead of {rel:,}, and there" if left != rel else "there"
    return Found(
        file.name,
        f"{message}; a tool that keeps it takes the first judgment for that of another query: {first} are "
        f"{queries + 1:,} judged queries instead of {queries:,}",
        Places.of_rows(raw, np.zeros(1, dtype=np.int64), grade=[grade]),
        {"|Rel|": rel, "|Rel| without the first row": left, "queries": queries},
    )


@check(
    "F104",
    "lines-have-outer-blanks",
    Severity.INFO,
    fix="strip blanks and tabs at the ends of lines: `denominator fix --select F104`",
)
def outer_blanks(e: Evidence) -> Iterator[Found]:
    """Lines begin or end with blanks or tabs, which a tool that splits at single tabs takes for empty fields.

    `q1\\t0\\td1\\t1\\t\\t` has 4 fields here and in trec_eval, and 6 for a tool that splits at tabs: it refuses the
    line, or takes the file for a run.

    **Fix**: strip them.

    **Ignore** when every tool that reads the file splits at runs of blanks and tabs.
    """
    for some in told(e, "padded-lines"):
        words = some.lines("begins or ends with blanks or tabs", "begin or end with blanks or tabs")
        yield Found(some.name, words, some.places, {"lines": some.count})


@check(
    "F105",
    "lines-lack-tag",
    Severity.ERROR,
    fix="write six fields: query Q0 doc rank score tag; `denominator fix --select F105` adds a tag, "
    "--lenient tag=none does without",
)
def missing_tag(e: Evidence) -> Iterator[Found]:
    """Lines of a run have five fields: the tag, which names the run, is missing, and `score` refuses them.

    trec_eval stops at such a line. Of a file of 1,000 rows in which one line lacks its tag, tools that skip lines they
    cannot parse score 999, and say so or not. The audit reads these lines as rows.

    **Fix**: write the tag. `--lenient tag=none` scores the file as it is.

    **Ignore** never: six fields are what a run has.
    """
    for some in told(e, "missing-tag"):
        rows = len(some.file.raw)
        words = some.lines("has five fields and no tag", "have five fields and no tag")
        message = f"{words}, of {number(rows, 'rows')}; they are audited as rows"
        yield Found(some.name, message, some.places, {"lines": some.count, "rows": rows})


@check(
    "F107",
    "file-has-header",
    Severity.ERROR,
    fix="remove the first line: `denominator fix --select F107`; or skip it with --lenient header=skip",
)
def header(e: Evidence) -> Iterator[Found]:
    """The first line names the columns; TREC's format has no header, and a tool that takes it for a row errs.

    trec_eval reads the grade "rel" as 0 and has one more judged query, called "qid", that nothing can score: a mean
    over 1 query that is 1.0 is printed as 0.5. The audit leaves the line out.

    **Fix**: remove the line.

    **Ignore** never: `score` refuses the file, and others read it silently.
    """
    for some in told(e, "header"):
        message = "the first line names the columns and is no row"
        if isinstance(some.file.raw, Run):
            yield Found(some.name, f"{message}; it is left out", some.places)
            continue
        queries = len(some.file.judged.queries)
        share = queries / (queries + 1)
        yield Found(
            some.name,
            f"{message}; it is left out. As a row it would be a judged query that nothing can score: every mean over "
            f"{number(queries, 'queries')} would be multiplied by {below_one(share)}",
            some.places,
            {"queries": queries, "share": share},
        )


@check(
    "F108",
    "comments-are-skipped",
    Severity.INFO,
    fix="remove lines that begin with #: `denominator fix --select F108`; or read them with --lenient comments=rows",
)
def comments(e: Evidence) -> Iterator[Found]:
    """Lines begin with # and are skipped as comments, which is not in the format that most tools read.

    In qrels trec_eval 10 skips a comment, but not 2 in a row, and crashes when the last line is one. trec_eval 9
    refuses them, unless one has as many fields as a row: then it is a row, of a query called "#".

    **Fix**: remove them.

    **Ignore** when only this tool, or trec_eval 10, reads the file.
    """
    for some in told(e, "comments"):
        words = some.lines("begins with # and is skipped", "begin with # and are skipped")
        yield Found(some.name, words, some.places, {"lines": some.count})


@check(
    "F109",
    "comment-could-be-row",
    Severity.WARNING,
    fix="if query ids begin with #, read them with --lenient comments=rows; if these are comments, "
    "`denominator fix --select F109` leaves them out",
)
def comment_rows(e: Evidence) -> Iterator[Found]:
    """A line that begins with # was skipped as a comment and would be a perfect row for a query whose id begins so.

    trec_eval 9 reads it as a row and trec_eval 10 skips it. With judgments for q1 and #q2, the mean over 2 queries of
    a run that finds only q1's document is 0.5 there and 1.0 here.

    **Fix**: choose `--lenient comments=rows` if they are rows.

    **Ignore** when these are rows that somebody commented out.
    """
    for some in told(e, "comment-row"):
        words = some.lines("begins with # and would be a row", "begin with # and would be rows", "skipped lines")
        yield Found(some.name, words, some.places, {"lines": some.count})


@check(
    "F110",
    "last-line-lacks-newline",
    Severity.INFO,
    fix="end the last line with a newline: `denominator fix --select F110`",
)
def final_newline(e: Evidence) -> Iterator[Found]:
    """The last line has no newline, so that a file appended to this one begins on the same line.

    `cat a.qrels b.qrels` makes one line of 7 fields out of two, and both judgments are lost; `wc -l` counts 1 too few.
    It may also be the end of a file that was cut off.

    **Fix**: end the last line, after making sure that it is whole.

    **Ignore** when the file is only read, never appended to.
    """
    for some in told(e, "final-newline"):
        rows, last = some.file.raw, len(some.file.raw) - 1
        message = "the last line has no newline; is the file whole?"
        place = Place(rows.line_of(last), rows.query_of(last), rows.doc_of(last))
        yield Found(some.name, message, Places(1, [place].__getitem__), {"rows": len(rows)})


@check(
    "F115",
    "blank-lines-are-skipped",
    Severity.INFO,
    fix="remove the blank lines: `denominator fix --select F115`",
)
def blank_lines(e: Evidence) -> Iterator[Found]:
    """Blank lines were skipped; other tools stop there, or take a blank line for the end.

    trec_eval skips them in runs and stops at the first one in qrels; a reader that unpacks 6 fields from every line
    stops in both.

    **Fix**: remove them.

    **Ignore** when every tool that reads the file skips them.
    """
    for some in told(e, "blank-lines"):
        words = some.lines("is blank and skipped", "are blank and skipped")
        yield Found(some.name, words, some.places, {"lines": some.count})


CHECKS = (
    mixed_delimiters,
    crlf,
    byte_order_mark,
    outer_blanks,
    missing_tag,
    header,
    comments,
    comment_rows,
    final_newline,
    blank_lines,
)
