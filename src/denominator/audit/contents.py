"""F: what stands in the fields of a file, where `score` refuses it or two files, or two systems, are one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from denominator.audit.check import Found, check
from denominator.audit.compared import compared
from denominator.audit.counted import number
from denominator.audit.evidence import once
from denominator.audit.sameness import fingerprint
from denominator.audit.told import every_file, told
from denominator.findings import Places
from denominator.formats.subset import subset
from denominator.hits import match
from denominator.model import Run, Severity
from denominator.quoting import listed, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from denominator.audit.evidence import Evidence, QrelsEvidence, RunEvidence
    from denominator.model import I32, I64, Bool, Qrels

__all__ = ["CHECKS"]


@check(
    "F106",
    "run-has-several-tags",
    Severity.WARNING,
    fix="put each system's rows into a file of its own; if it is one system, `denominator fix --select F106` "
    "writes one tag",
)
def several_tags(e: Evidence) -> Iterator[Found]:
    """The rows of a run have more than one tag, as if the rows of several systems were in one file.

    The tag names the system; trec_eval keeps that of the last line and says nothing. Two runs of 1,000 rows pasted
    together are scored as one ranking, in which a document that both found stands twice.

    **Fix**: split the file by tag; or, if one system wrote all rows, write one tag.

    **Ignore** when the tag is known to say something else, such as the stage that found a document.
    """
    for run in e.runs:
        tag = run.raw.tag
        names = [name for name in tag.values if name] if tag is not None else []
        if tag is None or len(names) < 2:
            continue
        rows = np.bincount(tag.code, minlength=len(tag.values))
        order = sorted(range(len(tag.values)), key=lambda code: (-rows[code], tag.values[code]))
        order = [code for code in order if tag.values[code]]
        _, first = np.unique(tag.code, return_index=True)
        most = subset(run.raw, tag.code == order[0])
        both = compared(run, ["RR", "AP"], match(run.qrels.judged, once(most, most.score)))
        yield Found(
            run.name,
            f"{len(names):,} tags in one file: {listed([tag.values[code] for code in order], 3)}; the "
            f"{number(int(rows[order[0]]), 'rows')} of the first alone give {both.words(named=False)}",
            Places.of_rows(run.raw, first[order], count=rows[order], tag=[short(tag.values[code]) for code in order]),
            {"tags": len(names), "rows": int(rows[order[0]]), **both.numbers("of one tag")},
        )


@check(
    "F111",
    "lines-have-extra-fields",
    Severity.ERROR,
    fix="write ids and tags without blanks; once you know what the fields are, `denominator fix --select "
    "F111` cuts the lines, --lenient fields=skip passes over them",
)
def extra_fields(e: Evidence) -> Iterator[Found]:
    """Lines have more fields than the format: a blank inside an id moves every field after it, and `score` refuses.

    `q1 Q0 my doc 2 0.8 ours` has 7 fields; trec_eval reads the document "my" with the score 2, which outranks d1 with
    0.9, and prints RR 0.5 for 1.0. The audit leaves such lines out, or reads their first fields where
    `--lenient fields=extra` says so.

    **Fix**: find out which field holds a blank, and write ids and tags without.

    **Ignore** when the fields beyond the tag are known to be notes.
    """
    for some in told(e, "extra-fields"):
        read = all(fault.severity is not Severity.ERROR for fault in some.faults)
        columns = 6 if isinstance(some.file.raw, Run) else 4
        words = some.lines("has more fields", "have more fields") + f" than the {columns} of the format"
        if some.file.raw.source.format != "trec":
            words = some.lines("has more fields than the format", "have more fields than the format")
        how = "the fields beyond are left out" if read else "left out of the audit, which sees"
        rest = "" if read else f" {number(len(some.file.raw), 'rows')}"
        yield Found(some.name, f"{words}; {how}{rest}", some.places, {"lines": some.count, "rows": len(some.file.raw)})


@check(
    "F112",
    "lines-lack-fields",
    Severity.ERROR,
    fix="write all fields of every line; `denominator fix --select F112` or --lenient fields=skip leaves "
    "such lines out",
)
def lacking_fields(e: Evidence) -> Iterator[Found]:
    """Lines have fewer fields than the format, so that nobody knows which one is missing, and `score` refuses them.

    trec_eval stops. A tool that fills up what is missing reads `q1 Q0 d1 0.8 ours` with rank 0.8 and no score: of 1,000
    rows it ranks this one by nothing. The audit leaves such lines out.

    **Fix**: write all fields.

    **Ignore** never: which field is missing cannot be guessed.
    """
    for some in told(e, "field-count"):
        rows = len(some.file.raw)
        words = some.lines("has fewer fields than the format", "have fewer fields than the format")
        message = f"{words}; left out of the audit, which sees {number(rows, 'rows')}"
        yield Found(some.name, message, some.places, {"lines": some.count, "rows": rows})


@check(
    "F113",
    "query-rows-are-scattered",
    Severity.WARNING,
    fix="group the lines by query: `denominator fix --select F113`, or sort -s -k1,1",
)
def scattered(e: Evidence) -> Iterator[Found]:
    """The rows of a query do not stand together, and a tool that reads query by query keeps the last block alone.

    trec_eval sorts, and so does this tool. A reader that collects rows until the query changes has, of 3 rows for q1
    before and 1 after those of q2, only the last. This check is about the order of the rows.

    **Fix**: group the lines by query.

    **Ignore** when every tool that reads the file collects the rows of a query wherever they stand.
    """
    for file in every_file(e):
        code = file.raw.query
        back = np.flatnonzero(code[1:] < code[:-1]) + 1  # codes count first appearances
        if not len(back):
            continue
        starts = np.concatenate([[0], np.flatnonzero(code[1:] != code[:-1]) + 1])
        seen: Bool = np.ones(len(starts), dtype=np.bool_)
        seen[np.unique(code[starts], return_index=True)[1]] = False  # the first block of each query
        again = starts[seen]
        last = _in_last_block(code, starts)
        queries = len(np.unique(code[again]))
        message = f"{number(queries, 'queries')} {'comes' if queries == 1 else 'come'} back after other queries"
        yield _scattered(e, file, message, again, last, queries)


def _in_last_block(code: I32, starts: I64) -> Bool:
    """Return which rows stand in the last block of their query. (n,)."""
    block = np.zeros(len(code), dtype=np.int64)
    block[starts[1:]] = 1
    block = np.cumsum(block)
    last = np.zeros(int(code.max()) + 1, dtype=np.int64)
    np.maximum.at(last, code[starts], np.arange(len(starts)))
    within: Bool = block == last[code]
    return within


def _scattered(
    e: Evidence, file: QrelsEvidence | RunEvidence, message: str, again: I64, last: Bool, queries: int
) -> Found:
    """Return what there is to say of a file whose rows in `last` are all that a reader of blocks keeps."""
    kept = int(last.sum())
    message += f"; a tool that keeps the last block of a query has {kept:,} of {number(len(last), 'rows')}"
    numbers: dict[str, float | int | None] = {"queries": queries, "rows": len(last), "rows in last blocks": kept}
    places = Places.of_rows(file.raw, again)
    if isinstance(file.raw, Run):
        part: Run = subset(file.raw, last)
        both = compared(file, ["RR", "AP"], match(e.qrels.judged, once(part, part.score)))
        return Found(file.name, f"{message}: {both.words(named=False)}", places, numbers | both.numbers("last block"))
    rest: Qrels = subset(file.raw, last)
    level = e.options.level
    judged = once(rest, np.zeros(len(rest)))
    all_rel, rel = int(file.relevant(level).sum()), int((judged.relevance >= level).sum())
    if rel != all_rel:
        message += f", and {rel:,} relevant documents instead of {all_rel:,}"
    return Found(file.name, message, places, {**numbers, "|Rel|": all_rel, "|Rel| last block": rel})


@check(
    "F114",
    "runs-are-identical",
    Severity.WARNING,
    fix="make sure that each name stands for the run that was meant; leave the copy out",
)
def identical(e: Evidence) -> Iterator[Found]:
    """Two runs under different names hold the same documents with the same scores: one system counted twice.

    A copied file, or an output that a failed experiment did not overwrite: the difference of 0.000 that is then printed
    says nothing about two systems. The order of the lines, ranks and tags may differ.

    **Fix**: find the run that was meant.

    **Ignore** when the two systems are known to give the same output.
    """
    by_print: dict[object, RunEvidence] = {}
    sizes = [len(run.raw) for run in e.runs]
    for run in e.runs:
        if sizes.count(len(run.raw)) < 2:
            continue
        first = by_print.setdefault(fingerprint(run.raw), run)
        if first is not run:
            same = number(len(run.raw), "rows")
            yield Found(
                run.name,
                f"the same {same} as {short(first.name)}: each document of each query has the same score in both",
                numbers={"rows": len(run.raw)},
            )


@check(
    "F116",
    "score-is-no-number",
    Severity.ERROR,
    fix="write a number for every score; `denominator fix --select F116` or --lenient numbers=drop leaves "
    "these rows out",
)
def no_scores(e: Evidence) -> Iterator[Found]:
    """A score is not a number, and `score` refuses the file; trec_eval reads as many digits as there are, or 0.

    "0,9" becomes 0 for trec_eval and ranks below 0.1; "1.2.3" becomes 1.2. A document with rank 1 that is moved to the
    end takes RR from 1.0 to 1/n. The audit ranks such rows last.

    **Fix**: find out what was meant, and write it.

    **Ignore** never: a ranking needs a number for each document.
    """
    for some in told(e, "score-number"):
        words = some.lines("has a score that is no number", "have scores that are no numbers", "rows")
        yield Found(some.name, f"{words}; audited as ranked last", some.places, {"rows": some.count})


@check(
    "F117",
    "score-overflows",
    Severity.ERROR,
    fix="write scores that a 64-bit float can hold; `denominator fix --select F117` or --lenient "
    "numbers=drop leaves these rows out",
)
def overflowing_scores(e: Evidence) -> Iterator[Found]:
    """A score is beyond the largest 64-bit float, and `score` refuses the file; other tools make it infinite.

    1e999 and 1e1000 both become infinity: 2 documents that the system told apart are tied. The audit ranks such rows
    as infinities.

    **Fix**: scale the scores, for instance by writing their logarithms.

    **Ignore** never: the order of these documents is not in the file.
    """
    for some in told(e, "score-overflow"):
        words = some.lines("has a score beyond 1.8e308", "have scores beyond 1.8e308", "rows")
        yield Found(some.name, words, some.places, {"rows": some.count})


@check(
    "F118",
    "grade-is-no-number",
    Severity.ERROR,
    fix="write a whole number for every grade; `denominator fix --select F118` or --lenient numbers=drop "
    "leaves these judgments out",
)
def no_grades(e: Evidence) -> Iterator[Found]:
    """A grade is not a number, and `score` refuses the file; trec_eval reads it as 0, not relevant.

    "yes", "rel" and "N/A" all become 0: with one of 2 relevant documents graded "yes", |Rel| is 1 and a run that finds
    only this one scores 0 instead of 0.5. The audit leaves such judgments out.

    **Fix**: write the grade that was meant.

    **Ignore** never: a grade that nobody can read is no judgment.
    """
    for some in told(e, "grade-number"):
        words = some.lines("has a grade that is no number", "have grades that are no numbers", "judgments")
        yield Found(some.name, f"{words}; left out of the audit", some.places, {"judgments": some.count})


@check(
    "F119",
    "grade-overflows",
    Severity.ERROR,
    fix="write grades of a declared scale; `denominator fix --select F119` or --lenient numbers=drop leaves "
    "these judgments out",
)
def overflowing_grades(e: Evidence) -> Iterator[Found]:
    """A grade is beyond a 64-bit whole number, and `score` refuses the file: it may be an id, or a time.

    99999999999999999999 has 20 digits; trec_eval makes it the largest number it can hold, and no gain of nDCG means
    anything after that.

    **Fix**: look at which column the grade stands in.

    **Ignore** never: no scale of grades is so long.
    """
    for some in told(e, "grade-overflow"):
        words = some.lines("has a grade beyond 64 bits", "have grades beyond 64 bits", "judgments")
        yield Found(some.name, words, some.places, {"judgments": some.count})


@check(
    "F120",
    "key-occurs-twice",
    Severity.ERROR,
    fix="merge the entries, or keep one of them",
)
def repeated_keys(e: Evidence) -> Iterator[Found]:
    """A key occurs twice in one object of a JSON or YAML file; other readers keep the last and drop the first.

    `{"q1": {"d1": 1}, "q1": {"d2": 1}}` has 2 judgments here and 1 after `json.load`, which drops d1 in silence. A run
    that finds d1 and not d2 has a recall of 0.5 or 0.

    **Fix**: merge the two.

    **Ignore** never: what is read depends on the reader.
    """
    for some in told(e, "repeated-key"):
        words = some.lines("occurs again in its object", "occur again in their objects", "keys")
        yield Found(some.name, words, some.places, {"keys": some.count})


@check(
    "F121",
    "scores-come-from-ranks",
    Severity.INFO,
    fix="write the scores, where the system has some",
)
def made_scores(e: Evidence) -> Iterator[Found]:
    """The run has no scores, so that minus the rank, or minus the place in a list, stands for them.

    The order is the file's, ties cannot be seen, and nothing can be said of scores: rank 1 has the score -1. Two
    documents with the same rank are tied, and document ids decide.

    **Fix**: write the scores, in a run of six columns.

    **Ignore** when the format has none, as MS MARCO's three columns.
    """
    for some in told(e, "scores-from-ranks", "scores-from-positions"):
        where = "rank" if some.faults[0].kind == "scores-from-ranks" else "place in its list"
        rows = len(some.file.raw)
        message = f"{number(rows, 'rows')} without scores; the score of each is minus its {where}"
        yield Found(some.name, message, numbers={"rows": rows})


@check(
    "F122",
    "ids-came-as-numbers",
    Severity.INFO,
    fix="write ids as text: in pandas read them with dtype=str, in JSON put them in quotes",
)
def numeric_ids(e: Evidence) -> Iterator[Found]:
    """Ids came as whole numbers and were taken as decimal text: zeros in front, if there were any, are lost.

    007 read as a number is 7, and matches no judgment of "007": all its measures are 0.

    **Fix**: keep ids as text from the first reader on.

    **Ignore** when the ids never had zeros in front.
    """
    for some in told(e, "integer-ids"):
        words = some.lines("came as a number", "came as numbers", "ids")
        yield Found(some.name, words, numbers={"ids": some.count})


CHECKS = (
    several_tags,
    extra_fields,
    lacking_fields,
    scattered,
    identical,
    no_scores,
    overflowing_scores,
    no_grades,
    overflowing_grades,
    repeated_keys,
    made_scores,
    numeric_ids,
)
