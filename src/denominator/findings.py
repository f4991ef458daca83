"""Findings: what an audit has to say, each with its code, its place, its numbers and its fix."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from denominator.errors import AuditError
from denominator.frames import TABLES, form_of
from denominator.model import Severity
from denominator.quoting import plain, short
from denominator.tables import arrow_table, to_pandas, to_polars

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from denominator.errors import DenominatorError
    from denominator.model import I64, Qrels, Run, Source

__all__ = ["SEVERITIES", "Finding", "Findings", "Group", "Place", "Places", "QueryLine", "QueryTable", "Unread"]

LINES = 40
"""How many findings are shown where Python shows a value."""

WIDTH = 120
"""How many characters of a message are shown there."""

SEVERITIES = (Severity.ERROR, Severity.WARNING, Severity.INFO)
"""Most severe first."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place a finding points at; what does not apply is None."""

    line: int | None = None
    query_id: str | None = None
    doc_id: str | None = None
    values: Mapping[str, float | int | str] = field(default_factory=dict)
    """What was measured here, such as ``{"rel": 8, "ceiling": 0.625}``."""


@dataclass(frozen=True, eq=False)
class Places:
    """The places of a finding, worst first, as columns: a million of them cost a few arrays and no objects.

    Build with :meth:`of_rows`, :meth:`of_queries`, :meth:`of_lines` or :meth:`nowhere`.
    """

    count: int
    at: Callable[[int], Place]
    """The place with a given number, from 0."""

    def __len__(self) -> int:
        """Return how many places there are."""
        return self.count

    def __repr__(self) -> str:
        """Return ``<Places: 3>``: they are many, and made when they are looked at."""
        return f"<Places: {self.count:,}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled with every place made."""
        return Places, (self.count, tuple(self).__getitem__)

    def __iter__(self) -> Iterator[Place]:
        """Yield every place, worst first."""
        return (self.at(number) for number in range(self.count))

    def first(self, most: int) -> list[Place]:
        """Return at most `most` places, the worst."""
        return [self.at(number) for number in range(min(most, self.count))]

    @classmethod
    def nowhere(cls) -> Places:
        """Return no place: the finding is about a whole file."""
        return cls(0, lambda number: Place())

    @classmethod
    def of_lines(cls, lines: tuple[int, ...] | list[int]) -> Places:
        """Return lines of a file, from 1."""
        return cls(len(lines), lambda number: Place(line=lines[number]))

    @classmethod
    def of_rows(cls, table: Run | Qrels, rows: I64, **values: Any) -> Places:
        """Return rows of a table: line, query and document; `values` are columns of the same length as `rows`."""

        def at(number: int) -> Place:
            row = int(rows[number])
            return Place(table.line_of(row), table.query_of(row), table.doc_of(row), _row(values, number))

        return cls(len(rows), at)

    @classmethod
    def of_queries(cls, queries: tuple[str, ...] | list[str], **values: Any) -> Places:
        """Return queries; `values` are columns of the same length as `queries`."""
        return cls(len(queries), lambda number: Place(query_id=queries[number], values=_row(values, number)))


def _row(values: Mapping[str, Any], number: int) -> Mapping[str, float | int | str]:
    """Return one row of some columns as plain Python values."""
    row = {name: column[number] for name, column in values.items()}
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in row.items()}


@dataclass(frozen=True, eq=False)
class Finding:
    """One check's verdict on one file: what is so, how often, where, what it changes, and what to do."""

    code: str
    slug: str
    severity: Severity
    message: str
    fix: str
    source: str
    """The file it is about, as the user named it."""
    places: Places
    numbers: Mapping[str, float | int | None]
    """Every number the message states, computed, under a name: ``{"R@5": 0.625, "RCap@5": 0.7}``."""

    @property
    def count(self) -> int:
        """How many places it stands for; a finding about a whole file counts 1."""
        return max(len(self.places), 1)

    def __str__(self) -> str:
        """Return ``D112 warning test.qrels: 1 of 50 judged queries has no relevant document …``, the whole message."""
        return f"{self._place} {plain(self.message)}"

    def __repr__(self) -> str:
        """Return the same in brackets, a long message cut."""
        return f"<{self.line()}>"

    def line(self) -> str:
        """Return the finding as a short line: a long message is cut."""
        return f"{self._place} {_cut(self.message)}"

    @property
    def _place(self) -> str:
        """What begins a line."""
        return f"{self.code} {self.severity.value} {short(self.source)}:"


@dataclass(frozen=True, eq=False)
class Group:
    """All that one check has to say about one file: a finding for each cutoff, or only one."""

    findings: tuple[Finding, ...]

    @property
    def first(self) -> Finding:
        """The finding that stands for the code, the slug, the severity, the fix and the file of all."""
        return self.findings[0]

    @property
    def count(self) -> int:
        """How many places there are in all."""
        return sum(one.count for one in self.findings)

    def __repr__(self) -> str:
        """Return the finding that stands for all, and how many there are."""
        more = len(self.findings) - 1
        return f"<{self.first.line()}" + (f"; and {more:,} more>" if more else ">")


@dataclass(frozen=True, slots=True)
class QueryLine:
    """What one query's recall and precision at one cutoff were divided by, and how high they could have been."""

    run: str
    query_id: str
    k: int
    rel: int
    """|Rel|: the relevant documents that are judged."""
    answered: bool
    coverage: float | None
    """|Rel| / documents in the corpus; None where the size of the corpus is not known."""
    recall: float | None
    """R@k as `score` prints it, duplicates counted once; None where |Rel| is 0 and recall has no value."""
    ceiling: float | None
    """The highest R@k any ranking has: min(1, k/|Rel|)."""
    precision_ceiling: float
    """The highest P@k any ranking has: min(1, |Rel|/k)."""
    duplicates: tuple[str, ...]
    """Documents that are more than once among the first k rows."""
    positional_hits: int
    """Relevant rows among the first k rows as they stand, each copy counted."""
    distinct_hits: int
    """Relevant documents among them, each counted once."""

    @property
    def share_of_ceiling(self) -> float | None:
        """R@k as a share of its ceiling."""
        return None if self.recall is None or not self.ceiling else self.recall / self.ceiling


@dataclass(frozen=True, eq=False)
class QueryTable:
    """The lines of one run's queries, worst first; made when they are looked at."""

    run: str
    count: int
    at: Callable[[int], QueryLine]
    """The line with a given number, from 0."""

    def __len__(self) -> int:
        """Return how many lines there are."""
        return self.count

    def __repr__(self) -> str:
        """Return ``<QueryTable bm25.run: 50 lines>``."""
        return f"<QueryTable {short(self.run)}: {self.count:,} {'line' if self.count == 1 else 'lines'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Be copied and pickled with every line made."""
        return QueryTable, (self.run, self.count, tuple(self).__getitem__)

    def __iter__(self) -> Iterator[QueryLine]:
        """Yield every line, the lowest share of its ceiling first."""
        return (self.at(number) for number in range(self.count))


@dataclass(frozen=True, eq=False)
class Unread:
    """A run that could not be read, and why."""

    run: str
    error: DenominatorError

    def __repr__(self) -> str:
        """Return the run and the first line of why."""
        return f"<{self.line()}>"

    def line(self) -> str:
        """Return the run and why it could not be read as a short line."""
        return f"not read: {short(self.run)}: {_cut(str(self.error))}"


@dataclass(frozen=True, eq=False)
class Findings:
    """What :func:`denominator.audit` returns: the findings, most severe first, and what was audited."""

    items: tuple[Finding, ...]
    checked: tuple[str, ...] = ()
    """The codes of the checks that were run."""
    sources: tuple[Source, ...] = ()
    """What was audited: the judgments first, then the runs, the truth and other judgments."""
    tables: tuple[QueryTable, ...] = ()
    """For each run, what its recall and precision were divided by, query by query; where a check of D was run."""
    failures: tuple[Unread, ...] = ()
    """The runs that could not be read at all; no check has seen them."""
    least: Severity = Severity.INFO
    """The severity below which findings were left out."""

    def __repr__(self) -> str:
        """Return how many findings there are by severity, then the first of them, one a line."""
        counts = {level.value: sum(one.severity is level for one in self.items) for level in SEVERITIES}
        held = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        number = f"{len(self.items):,} {'finding' if len(self.items) == 1 else 'findings'}"
        lines = [f"{number} ({held})" if held else "no findings"]
        lines += [unread.line() for unread in self.failures[:LINES]]
        lines += [one.line() for one in self.items[:LINES]]
        left = max(len(self.failures) - LINES, 0) + max(len(self.items) - LINES, 0)
        return "\n".join([*lines, f"and {left:,} more"] if left else lines)

    def __iter__(self) -> Iterator[Finding]:
        """Yield the findings."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return how many findings there are."""
        return len(self.items)

    def of(self, code: str) -> tuple[Finding, ...]:
        """Return the findings with one code."""
        return tuple(finding for finding in self.items if finding.code == code)

    def at_least(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings that matter at least so much."""
        least = SEVERITIES.index(severity)
        return tuple(one for one in self.items if SEVERITIES.index(one.severity) <= least)

    def only(self, severity: Severity) -> Findings:
        """Return the findings that matter at least so much, without the per-query tables, which are information."""
        if severity is Severity.INFO:
            return self
        return replace(self, items=self.at_least(severity), tables=(), least=severity)

    def groups(self) -> tuple[Group, ...]:
        """Return the findings by check, severity and file, in the order in which the first of each stands."""
        gathered: dict[tuple[str, Severity, str], list[Finding]] = {}
        for one in self.items:
            gathered.setdefault((one.code, one.severity, one.source), []).append(one)
        return tuple(Group(tuple(group)) for group in gathered.values())

    def raise_for_errors(self) -> None:
        """Do nothing when no finding is of severity ERROR and every run could be read.

        Raises:
            AuditError: with the findings of severity ERROR.
            DenominatorError: the reader's, when a run could not be read.
        """
        if self.failures:
            raise self.failures[0].error
        wrong = self.at_least(Severity.ERROR)
        if wrong:
            raise AuditError(wrong)

    def to_arrow(self, form: Literal["long", "wide"] = "long") -> Any:
        """Return a pyarrow Table: long, a row for each place of each finding, one for a finding about a whole file.

        Wide has a row for each file, `source`, and a column for each code that says how many places were found there,
        0 where the check found none; a code without findings has no column. :data:`denominator.frames.TABLES` documents
        the columns of the long form; `numbers` and `values` are JSON, so that every table and file can hold them.

        Raises:
            UsageError: another form.
        """
        if form_of(form, ("long", "wide")) == "long":
            return arrow_table(self._long(), TABLES["findings"])
        sources, codes = _distinct(one.source for one in self), sorted({one.code for one in self})
        counts = {code: dict.fromkeys(sources, 0) for code in codes}
        for one in self:
            counts[one.code][one.source] += one.count
        columns: dict[str, list[Any]] = {"source": sources, **{code: list(counts[code].values()) for code in codes}}
        return arrow_table(columns, {"source": "text", **dict.fromkeys(codes, "count")})

    def to_pandas(self, form: Literal["long", "wide"] = "long") -> pd.DataFrame:
        """Return the findings as a DataFrame; in the wide form `source` is the index. See `to_arrow`."""
        frame: pd.DataFrame = to_pandas(self.to_arrow(form), ("source",) if form == "wide" else ())
        return frame

    def to_polars(self, form: Literal["long", "wide"] = "long") -> Any:
        """Return the findings as a polars DataFrame; see `to_arrow`."""
        return to_polars(self.to_arrow(form))

    def _long(self) -> dict[str, list[Any]]:
        """Return the columns of the long form."""
        rows = [
            (number, one, place)
            for number, one in enumerate(self.items)
            for place in (one.places if len(one.places) else [Place()])
        ]
        of_place = ("line", "query_id", "doc_id")
        own: dict[str, list[Any]] = {
            "finding": [number for number, _, _ in rows],
            "severity": [one.severity.value for _, one, _ in rows],
            **{name: [getattr(place, name) for _, _, place in rows] for name in of_place},
            "numbers": [_json(one.numbers) for _, one, _ in rows],
            "values": [_json(place.values) for _, _, place in rows],
        }
        return {
            name: own[name] if name in own else [getattr(one, name) for _, one, _ in rows]
            for name in TABLES["findings"]
        }


def _cut(text: str) -> str:
    """Return the beginning of a text on one line, whole words only."""
    from textwrap import shorten

    return shorten(plain(" ".join(text.split())), WIDTH, placeholder=" …")


def _json(numbers: Mapping[str, Any]) -> str:
    """Return numbers by name as a JSON object."""
    return json.dumps(dict(numbers), ensure_ascii=False)


def _distinct(texts: Iterable[str]) -> list[str]:
    """Return each text once, in order of first appearance."""
    return list(dict.fromkeys(texts))
