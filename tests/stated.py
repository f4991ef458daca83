"""What the numbers of findings are by `score`: the table of how to get each, and why some cannot be got from it.

A number is found by the code and its name. `STATED` says how `score` prints it: on the files as they are, with an
option, on what `denominator fix` writes, or on rows changed as the finding says. `NOT_PRINTED` names the others.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

import denominator as dn
from denominator.audit.options import AuditOptions
from denominator.errors import DenominatorError, InputError, NoCommonQueriesError
from denominator.findings import Finding
from denominator.formats import examine_run
from denominator.formats.sources import open_content
from denominator.repair.repairing import repaired
from denominator.repair.text import Lines

LENIENT = {
    "qrels": {"conflicts": "first", "header": "skip", "fields": "skip", "numbers": "drop"},
    "run": {"duplicates": "best", "nan": "last", "header": "skip", "fields": "skip", "tag": "none"},
}
"""What an audit takes the files for, as leniencies of `score`."""

Row = dict[str, Any]


def read(path: Path, kind: str, **lenient: str) -> Any:
    """Return what is in a file, read as an audit reads it."""
    chosen = {**LENIENT[kind], **lenient}
    if kind == "run":
        return dn.read_run(path, lenient=chosen)
    return dn.read_qrels(path, lenient=chosen, float_grades=True)


def rows_of(table: Any) -> list[Row]:
    """Return rows as dicts, the value as `value`, and the place among all rows as `row`."""
    values = table.score if hasattr(table, "score") else table.relevance
    rank, tag = getattr(table, "rank", None), getattr(table, "tag", None)
    return [
        {
            "query": table.query_of(row),
            "doc": table.doc_of(row),
            "value": values[row].item(),
            "rank": None if rank is None else float(rank[row]) if str(rank[row]).replace(".", "").isdigit() else None,
            "tag": None if tag is None else tag.text(row),
            "row": row,
        }
        for row in range(len(table))
    ]


def nested(rows: list[Row]) -> dict[str, dict[str, Any]]:
    """Return rows as the mapping that `evaluate` takes; of rows of one pair the first counts."""
    out: dict[str, dict[str, Any]] = {}
    for row in rows:
        value = (
            -math.inf if row["value"] != row["value"] else row["value"]
        )  # NaN ranks last, and has no place in a dict
        out.setdefault(row["query"], {}).setdefault(row["doc"], value)
    return out


@dataclass(frozen=True)
class Case:
    """A finding, and the files that it is about."""

    folder: Path
    runs: tuple[str, ...]
    finding: Finding
    options: AuditOptions

    @property
    def run_name(self) -> str:
        """The run whose numbers these are: the finding's own, the only one, or the one that the message names."""
        if self.finding.source in self.runs:
            return self.finding.source
        named = re.search(r" for (\S+?)(?:;|$|\.(?: |$))", self.finding.message)
        return named.group(1) if named and named.group(1) in self.runs else self.runs[0]

    @property
    def qrels_path(self) -> Path:
        """The judgments."""
        return next(path for path in sorted(self.folder.iterdir()) if path.name.split(".")[0] == "qrels")

    @cached_property
    def qrels(self) -> Any:
        """The judgments, of contradictory ones the first."""
        return read(self.qrels_path, "qrels")

    def run(self, **lenient: str) -> Any:
        """Return the run, the best copy of each document."""
        return read(self.folder / self.run_name, "run", **lenient)

    def places(self) -> list[str]:
        """Return the queries that the finding lists."""
        return [place.query_id for place in self.finding.places if place.query_id is not None]

    def score(self, measure: str, *, qrels: Any = None, run: Any = None, **settings: Any) -> float:
        """Return the mean that `score` prints; 0 where it refuses because no query is in common."""
        how = {"level": self.options.level, "engine": "columnar", **settings}
        qrels = self.qrels if qrels is None else qrels
        run = self.run() if run is None else run
        try:
            scores = dn.evaluate(qrels, run, [measure], **how) if run else None
        except NoCommonQueriesError:
            return 0.0
        return float(scores.means()[0].value or 0.0) if scores else 0.0

    def bound(self, measure: str, part: str, end: str) -> float:
        """Return the mean bound that `score --ties` or `score --unjudged bounds` prints; 0 as above."""
        asked: Any = {"ties": True}
        if part != "ties":  # where nothing is relevant the audit asks how it would be if nothing could be
            asked = {"unjudged": "bounds"} | ({} if (self.qrels.relevance > 0).any() else {"gmax": 0})
        try:
            scores = dn.evaluate(self.qrels, self.run(), [measure], level=self.options.level, **asked)
        except NoCommonQueriesError:
            return 0.0
        return float(getattr(getattr(scores.means()[0], part), end) or 0.0)

    def per_query(self, measure: str) -> dict[str, float]:
        """Return the values that `score -q` prints."""
        try:
            scores = dn.evaluate(self.qrels, self.run(), [measure], level=self.options.level, engine="columnar")
        except NoCommonQueriesError:
            return dict.fromkeys(self.qrels.queries, 0.0)
        return {row.query_id: row.value or 0.0 for row in scores.rows()}

    def fixed(self, kind: str, code: str, keep: Any = None) -> Path:
        """Return a copy of the run or the judgments as `denominator fix --select CODE` writes it."""
        path = self.folder / self.run_name if kind == "run" else self.qrels_path
        with open_content(path) as content:
            # the kind is one of the two words
            file = Lines.of(path.name, kind, content.read(), lenient=MappingProxyType({}))  # type: ignore[arg-type]
        out = self.folder / f"fixed.{kind}"
        out.write_bytes(repaired(file, [code], keep=keep).after.data())
        return out

    def mended(self, measure: str, kind: str, code: str, keep: Any = None) -> float:
        """Return what `score` prints after a repair; 0 where it would leave no row."""
        try:
            self.fixed(kind, code, keep)
        except InputError:
            return 0.0
        return self.score(measure, **{kind: read(self.fixed(kind, code, keep), kind)})


How = Callable[[Case, str], float]
"""(case, measure) → the number."""

M = r"(?P<m>[A-Za-z]+(?:\([^)]*\))?(?:@\d+)?)"
"""A measure as it is typed."""


def option(**settings: Any) -> How:
    """`score` with an option."""
    return lambda case, measure: case.score(measure, **settings)


def bound(part: str, end: str) -> How:
    """`score` with bounds."""
    return lambda case, measure: case.bound(measure, part, end)


def after(kind: str, code: str, keep: Any = None) -> How:
    """`score` after a repair."""
    return lambda case, measure: case.mended(measure, kind, code, keep)


def rescored(value: Callable[[Row], float | None]) -> How:
    """`score` with other scores in the run, of each document the copy that has the highest of them."""
    return lambda case, m: case.score(m, run=_raw(case, lambda rows: [{**row, "value": value(row)} for row in rows]))


def among(pick: Callable[[Case], list[str]]) -> How:
    """`score --queries` with the queries named."""
    return lambda case, m: case.score(m, queries=pick(case))


def _others(case: Case) -> list[str]:
    return [query for query in case.qrels.queries if query not in set(case.places())]


def _other_run(case: Case) -> Any:
    (name,) = (name for name in case.runs if f" in {name}: less judged" in case.finding.message)
    return read(case.folder / name, "run")


def _extra_judged(case: Case, measure: str) -> float:
    """Judge the queries of the run that nobody judged: something is relevant that nothing finds."""
    rows = rows_of(case.qrels)
    rows += [{"query": query, "doc": "what-nothing-finds", "value": case.options.level} for query in case.places()]
    return case.score(measure, qrels=nested(rows))


def _all_relevant(depth: int | None) -> How:
    """Judge relevant what is unjudged in the first `depth` places (in the first k where that is 0)."""

    def number(case: Case, measure: str) -> float:
        run, grades = case.run(), nested(rows_of(case.qrels))
        k = depth or int(measure.split("@")[1]) if depth is not None else len(run)
        for at, query in enumerate(run.queries):
            for row in run.ranking.rows_of(at)[:k].tolist() if query in grades else []:
                if grades[query].get(run.doc_of(row), -1) < 0:
                    grades[query][run.doc_of(row)] = case.options.level
        return case.score(measure, qrels=grades, queries="answered" if depth is None else "judged")

    return number


def _by_min(case: Case, measure: str) -> float:
    """AP@k of each query times |Rel| over min(k, |Rel|)."""
    k, rel = int(measure.split("@")[1]), _relevant(case)
    each = case.per_query(measure)
    values = [value * rel[query] / max(min(k, rel[query]), 1) for query, value in each.items()]
    return math.fsum(values) / len(values)


def _over_returned(case: Case, measure: str) -> float:
    """P@k of each query times k over the documents returned, where these are fewer."""
    k, run = int(measure.split("@")[1]), case.run()
    sizes = dict(zip(run.queries, np.diff(run.ranking.offsets).tolist(), strict=True))
    values = [value * k / max(min(k, sizes.get(query, 0)), 1) for query, value in case.per_query(measure).items()]
    return math.fsum(values) / len(values)


def _relevant(case: Case) -> dict[str, int]:
    grades = nested(rows_of(case.qrels))
    return {query: sum(grade >= case.options.level for grade in docs.values()) for query, docs in grades.items()}


def _perfect(case: Case, measure: str, sizes: Mapping[str, int] | None = None) -> float:
    """The measure of a run that finds all that is judged, the highest grades first, in lists of some lengths."""
    run = {}
    for query, docs in nested(rows_of(case.qrels)).items():
        best = sorted((doc for doc, grade in docs.items() if grade >= 0), key=lambda doc: -docs[doc])
        run[query] = {doc: -float(place) for place, doc in enumerate(best[: (sizes or {}).get(query)])}
    return case.score(measure, run={query: docs for query, docs in run.items() if docs})


def _perfect_in_lists(case: Case, measure: str) -> float:
    """The same with lists as long as the run's; of any length where it has none."""
    run = case.run()
    return _perfect(case, measure, dict(zip(run.queries, np.diff(run.ranking.offsets).tolist(), strict=True)))


def _ceiling(case: Case, measure: str) -> float:
    """The ceiling that `score` prints beside the mean; without a run, what a perfect one reads."""
    if not case.runs:
        return _perfect(case, measure)
    how = {"level": case.options.level, "engine": "columnar"}
    try:
        ceiling = dn.evaluate(case.qrels, case.run(), [measure], **how).means()[0].ceiling
    except NoCommonQueriesError:
        return _perfect(case, measure)
    assert ceiling is not None
    return ceiling


def _share(case: Case, measure: str) -> float:
    (name,) = (name for name in case.finding.numbers if name.startswith("ceiling ") and "full" not in name)
    measure = name.removeprefix("ceiling ")
    get, _ = how(case.finding.code, f"ceiling {measure}") or (None, "")
    assert get is not None
    return case.score(measure) / get(case, measure)


def _single(case: Case, measure: str) -> float:
    """Scores as a tool of 32 bits has them."""
    with np.errstate(over="ignore"):
        return rescored(lambda row: float(np.float32(row["value"])))(case, measure)


def _raw(case: Case, keep: Callable[[list[Row]], list[Row]]) -> Any:
    """Return the run without some of its rows as they stand in the file."""
    run = examine_run(case.folder / case.run_name, lenient={"header": "skip", "fields": "skip", "tag": "none"}).rows
    rows = keep(rows_of(run))
    return nested(sorted(rows, key=lambda row: math.inf if math.isnan(row["value"]) else -row["value"]))


def _without_first(rows: list[Row]) -> list[Row]:
    return rows[1:]


def _one_tag(rows: list[Row]) -> list[Row]:
    tags = [row["tag"] for row in rows if row["tag"]]
    most = max(sorted(set(tags)), key=tags.count)
    return [row for row in rows if row["tag"] == most]


def _last_block(rows: list[Row]) -> list[Row]:
    kept: dict[str, list[Row]] = {}
    before = None
    for row in rows:
        if row["query"] != before:
            kept[row["query"]] = []
        kept[row["query"]].append(row)
        before = row["query"]
    return [row for block in kept.values() for row in block]


def of_rows(keep: Callable[[list[Row]], list[Row]]) -> How:
    """`score` of the run without some of its rows."""
    return lambda case, measure: case.score(measure, run=_raw(case, keep))


def judged_otherwise(grade: Callable[[float], float]) -> How:
    """`score` with other grades."""
    return lambda case, measure: case.score(
        measure, qrels=nested([{**row, "value": grade(row["value"])} for row in rows_of(case.qrels)])
    )


def relevant(source: Callable[[Case], Any]) -> How:
    """|Rel|: NumRel, the sum over queries, of judgments."""

    def number(case: Case, measure: str) -> float:
        qrels = source(case)
        grades = qrels if isinstance(qrels, Mapping) else nested(rows_of(qrels))
        return sum(grade >= case.options.level for docs in grades.values() for grade in docs.values())

    return number


def _common(case: Case) -> tuple[Any, Any]:
    """Return the judgments and the truth of the queries that are in both."""
    truth = read(case.folder / "truth", "qrels")
    both = set(truth.queries) & set(case.qrels.queries)
    judged, true = (nested([row for row in rows_of(one) if row["query"] in both]) for one in (case.qrels, truth))
    return judged, true


def _other(case: Case) -> Any:
    """Return the second file of judgments, which the finding is about."""
    return read(case.folder / case.finding.source, "qrels")


def _of_both(case: Case) -> list[str]:
    """Return the queries that both files judge."""
    return sorted(set(_other(case).queries) & set(case.qrels.queries))


def _separator(case: Case) -> str:
    found = re.search('at the last "(.)"', case.finding.message)
    assert found is not None
    return found.group(1)


def _cut(grade: float) -> float:
    return float(np.trunc(grade))


def _by_rank(row: Row) -> float:
    return -row["rank"]


def _own_rank(row: Row) -> float:
    return row["rank"]


def _qrels(code: str, keep: Any = None) -> How:
    return relevant(lambda case: read(case.fixed("qrels", code, keep), "qrels"))


STATED: list[tuple[str, str, How]] = [
    ("J101|J105", M, option(queries="answered")),
    ("J103", "(?P<m>Unjudged@\\d+)", option(queries="answered")),
    ("J103", "(?P<m>Unjudged@\\d+) of the other", lambda c, m: c.score(m, run=_other_run(c), queries="answered")),
    ("J103", f"{M} judged_only of the other", lambda c, m: c.score(m, run=_other_run(c), judged_only=True)),
    ("J103", f"{M} of the other", lambda c, m: c.score(m, run=_other_run(c))),
    ("J103|J104", f"{M} judged_only", option(judged_only=True)),
    ("J102", f"{M} if all were relevant", _all_relevant(0)),
    ("J102", f"{M} lowest", bound("unjudged", "low")),
    ("J102", f"{M} highest", bound("unjudged", "high")),
    ("T102|T107", f"{M} lowest", bound("ties", "low")),
    ("T102|T107", f"{M} expected", bound("ties", "expected")),
    ("T102|T107", f"{M} highest", bound("ties", "high")),
    ("J105", f"{M} if all were relevant", _all_relevant(None)),
    ("J106", f"true {M}", lambda c, m: c.score(m, qrels=_common(c)[1], queries=list(_common(c)[0]))),
    ("J106", M, lambda c, m: c.score(m, qrels=_common(c)[0])),
    ("J106", "true relevant", relevant(lambda case: _common(case)[1])),
    ("J106", "relevant", relevant(lambda case: _common(case)[0])),
    ("I108", f"{M} here", lambda c, m: c.score(m, qrels=_other(c), queries=_of_both(c))),
    ("I108", f"{M} there", lambda c, m: c.score(m, queries=_of_both(c))),
    ("Q111", M, among(Case.places)),
    ("D10[567]", f"ceiling {M}", _perfect_in_lists),
    ("D10[1-4]", f"ceiling {M}", _ceiling),
    ("D10[1-7]", "share of ceiling", _share),
    ("D105", "ceiling of full lists", lambda c, m: _perfect(c, next(n for n in c.finding.numbers if n[:3] == "AP@"))),
    ("D104", f"{M} by min\\(k, \\|Rel\\|\\)", _by_min),
    ("D102", f"{M} over answerable", option(queries="answerable")),
    ("D110", f"{M} over answered", option(queries="answered")),
    ("D111", f"{M} with them as 0", _extra_judged),
    ("D112", "best mean", lambda case, m: _perfect(case, "SetR")),
    ("D112", "best nDCG", lambda case, m: _perfect(case, "nDCG")),
    ("Q105", f"{M} over the others", after("qrels", "Q105")),
    ("Q106", f"{M} over the others", after("qrels", "Q106")),
    ("Q112", f"{M} over the others", among(_others)),
    ("Q107", f"{M} if judged", after("qrels", "Q107")),
    ("Q110", f"{M} cut", judged_otherwise(_cut)),
    ("Q102", f"{M} first", lambda case, m: case.score(m, qrels=read(case.qrels_path, "qrels"))),
    ("Q102", f"{M} last", lambda case, m: case.score(m, qrels=read(case.qrels_path, "qrels", conflicts="last"))),
    ("Q101", "\\|Rel\\|", _qrels("Q101")),
    ("Q10[23]", "\\|Rel\\| first", relevant(lambda case: read(case.qrels_path, "qrels"))),
    ("Q102", "\\|Rel\\| last", relevant(lambda case: read(case.qrels_path, "qrels", conflicts="last"))),
    ("Q103", "\\|Rel\\| highest", relevant(lambda case: read(case.qrels_path, "qrels", conflicts="max"))),
    ("Q11[23]", "\\|Rel\\|", relevant(lambda case: case.qrels)),
    ("F113", "\\|Rel\\|", relevant(lambda case: case.qrels)),
    ("R101", f"{M} last copy", after("run", "R101", "last")),
    ("R102", f"{M} by rank", rescored(_by_rank)),
    ("R105", f"{M} by the rank column", rescored(_own_rank)),
    ("R110", f"{M} negated", after("run", "R110")),
    ("R111", f"{M} by the (?:rank column|lines)", after("run", "R111")),
    ("R113", f"{M} over returned", _over_returned),
    ("I105", f"{M} collapsed", lambda c, m: c.score(m, collapse=_separator(c))),
    ("R11[45]", f"{M} answered", option(queries="answered")),
    ("T103", f"{M} in 32 bits", _single),
    ("T105", f"{M} nan=last", lambda case, m: case.score(m, run=case.run(nan="last"))),
    ("T105", f"{M} nan=drop", after("run", "T105")),
    ("T108", f"{M} in line order", after("run", "T108")),
    ("F103", f"{M} without the first row", of_rows(_without_first)),
    ("F106", f"{M} of one tag", of_rows(_one_tag)),
    ("F113", f"{M} last block", of_rows(_last_block)),
    (".*", M, option()),
]
"""Codes, the name of the number, and how `score` prints it; the first that fits counts."""

COUNT = "a count of lines, rows, documents or queries, which no measure prints"
SETTING = "a setting, said back"
TEXTS = "needs the texts of documents, which score does not read"
IDS = "ids changed as the message says, for which there is no option and no repair"
INSIDE = "a share of rows or of the collection, which no measure prints"
NOT_PRINTED: list[tuple[str, str, str]] = [
    ("D108", "step", "1/|Rel| of one query, the smallest step of its recall"),
    ("D113", "(judged|relevant) / corpus", INSIDE),
    ("D114|J101", "min_coverage|min_judged", SETTING),
    ("D114", "lowest", INSIDE),
    ("D115", ".* ±", "half an interval; tests/unit/audit/test_denominators.py holds it to Student's t"),
    ("F103", "\\|Rel\\|.*", "|Rel| of the first query alone"),
    ("F107", "share", "what means would be multiplied by, where the header is a judged query"),
    ("F113", "\\|Rel\\| last block", COUNT),
    ("I108", "agreement|kappa", "of the judgments alone; tests/unit/audit/test_shared_ids.py works them out"),
    ("J105", "residual", "rbp_resid of trec_eval 10 leaves the tail out where all is judged; unit tests hold it"),
    ("Q101", "\\|Rel\\| by lines", "counts lines twice, as score never does"),
    ("Q107|Q109|Q116", "lowest|highest|share of gain", "grades themselves"),
    ("R101", ".* by rows", "counts rows twice, as score never does; `fix --qrels` prints it as before"),
    ("R1\\d\\d", "smallest|largest|lowest", "ranks and scores themselves"),
    ("T101|T106|Q113", "share", INSIDE),
    ("R2\\d\\d", ".*", TEXTS),
    ("I10[1-4]|I106", ".* after the change|.* without|best recall", IDS),
]
"""Codes, the name of the number, and why `score` does not print it."""


def how(code: str, name: str) -> tuple[How, str] | None:
    """Return how a number is got and the measure in its name; None where no row of the table is about it."""
    for codes, pattern, get in STATED:
        found = re.fullmatch(pattern, name) if re.fullmatch(codes, code) else None
        if found:
            measure = found.groupdict().get("m") or ""
            if not measure or _is_measure(measure):
                return get, measure
    return None


def row_of(code: str, name: str) -> tuple[str, str] | None:
    """Return the codes and the name of the row that is about a number."""
    got = how(code, name)
    return next((row[:2] for row in STATED if got and row[2] is got[0]), None)


def _is_measure(text: str) -> bool:
    try:
        dn.parse_measure(text)
    except DenominatorError:
        return False
    return True


def reason(code: str, name: str, value: Any) -> str | None:
    """Return why a number is not printed by `score`; None where nothing says why."""
    for codes, pattern, why in NOT_PRINTED:
        if re.fullmatch(codes, code) and re.fullmatch(pattern, name):
            return why
    return COUNT if isinstance(value, int) else None
