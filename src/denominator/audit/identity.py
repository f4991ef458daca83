"""I: ids of a run that are almost those of the judgments."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from denominator import ids
from denominator.audit.check import Found, check
from denominator.audit.chunks import separator_of
from denominator.audit.compared import Compared
from denominator.audit.counted import have, number
from denominator.audit.renamed import Documents, as_renamed, pairs_of, with_documents, with_queries
from denominator.findings import Places
from denominator.hints import CHANGES, COMPOSED, Hint, hint
from denominator.model import Severity
from denominator.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from denominator.audit.evidence import Evidence, RunEvidence
    from denominator.audit.renamed import Partners
    from denominator.hints import Keys
    from denominator.model import I64, Bool

__all__ = ["CHECKS", "change_of", "matched_in"]

QUERIES_SEARCHED = 20
ROWS_SEARCHED = 20_000
"""How much of a run is searched for the change that would make ids match; its number is then taken over all rows."""


def _measures(e: Evidence) -> list[str]:
    return ["AP", f"nDCG@{e.options.k[0]}"]


def _numbers(both: Compared | None) -> dict[str, float | int | None]:
    return both.numbers("after the change") if both else {}


@check(
    "I101",
    "query-ids-do-not-match",
    Severity.WARNING,
    fix="write the query ids alike in both files; where ids were read as numbers, read them as texts",
)
def query_ids(e: Evidence) -> Iterator[Found]:
    """Judged queries are missing from the run, and the run has queries under ids that are almost theirs.

    Ids are texts: `007` is not `7`, and `101` not `101.1`. With both judged queries missing for a suffix, AP is 0/2 =
    0.000; with the ids written alike it is 2/2 = 1.000. One of: leading zeros, a prefix or suffix, case, blanks, a
    final `.0`, URL escapes. It is an error where no id is common at all, with or without a reason: `score` refuses.

    **Fix**: write the ids alike. Zeros and `.0` come from reading ids as numbers: read them as texts (in pandas
    `dtype=str`).

    **Ignore** when the ids are those of different queries that only look alike.
    """
    for run in e.runs:
        judged, held = set(run.qrels.judged.queries), set(run.ranked.queries)
        missing, more = sorted(judged - held), sorted(held - judged)
        found = hint(missing, more) if missing and more else None
        if (found is not None and found.change == COMPOSED) or (found is None and len(missing) < len(judged)):
            continue
        names = {} if found is None else _partners(missing, more, found.keys)
        both = as_renamed(run, _measures(e), with_queries(run.ranked, names)) if names else None
        common = len(judged) - len(missing)
        message = f"{have(common, len(judged), 'judged queries', ('is', 'are'))} in the run"
        if found is None or both is None:
            message += f"; judged {quoted(missing[0])}, run {quoted(more[0])}" if more else ""
        else:
            message += (
                f"; {len(names):,} more would be after {found.change} (judged {quoted(found.judged)}, run "
                f"{quoted(found.run)}): {both.words(named=False)}"
            )
        yield Found(
            run.name,
            message,
            _queries(names),
            {
                "queries in common": common,
                "judged queries": len(judged),
                "would match": len(names),
                **_numbers(both),
            },
            None if common else Severity.ERROR,
        )


def _partners(missing: Sequence[str], more: Sequence[str], keys: Keys) -> dict[str, str]:
    """Return the judged id of each query of the run that would have one under a change."""
    left, right = keys
    wanted: dict[str, str] = {}
    for text in missing:
        wanted.setdefault(left(text), text)
    out = {}
    for text in more:
        partner = wanted.pop(right(text), None)
        if partner is not None:
            out[text] = partner
    return out


@check(
    "I102",
    "document-ids-do-not-match",
    Severity.WARNING,
    fix="write the document ids alike in both files; where ids were read as numbers, read them as texts",
)
def document_ids(e: Evidence) -> Iterator[Found]:
    """Judged documents are retrieved under ids that are almost, but not quite, those of the judgments.

    Ids are texts: `12` is not `0012`. A query whose only relevant document is retrieved first under the other id has
    RR 0 and would have 1; as one of three queries it holds the mean at 1/3 = 0.333 instead of 2/3 = 0.667. It is an
    error where not one judged document is retrieved as it is.

    **Fix**: write the ids alike. Zeros and `.0` come from reading ids as numbers: read them as texts (in pandas
    `dtype=str`).

    **Ignore** when both ids exist and are different documents.
    """
    for run in e.runs:
        if not run.hits.answered.any() or not run.hits.retrieved.any():
            continue
        found = change_of(run)
        if found is not None and found.change == COMPOSED:
            continue
        if found is not None and found.change not in CHANGES and separator_of(run) is not None:
            continue  # what differs are the numbers of chunks
        if found is not None:
            yield _almost(e, run, found)


def _almost(e: Evidence, run: RunEvidence, found: Hint) -> Found:
    """Return what there is to say of a run whose documents would match after a change."""
    queries = np.flatnonzero(run.hits.answered & (matched_in(run) < np.diff(run.hits.judged_offsets)))
    pairs = pairs_of(run, queries.tolist(), found.keys)
    both = as_renamed(run, _measures(e), with_documents(run.ranked, pairs.rows, pairs.judged))
    many = len(np.unique(pairs.query))
    return Found(
        run.name,
        f"{number(len(pairs.rows), 'judged documents')} of {number(many, 'queries')} would be found after "
        f"{found.change} (judged {quoted(found.judged)}, run {quoted(found.run)}): {both.words(named=False)}",
        _rows(run, pairs.rows, pairs.judged),
        {
            "would match": len(pairs.rows),
            "queries": many,
            "match": len(run.hits.query),
            **_numbers(both),
        },
        None if len(run.hits.query) else Severity.ERROR,
    )


def _rows(run: RunEvidence, rows: I64, judged: list[str]) -> Places:
    """Return rows of a run, best-ranked first, each with the judged id that it would have."""
    ranked = run.ranked
    place = np.empty(len(ranked), dtype=np.int64)
    place[ranked.ranking.in_order()] = np.arange(len(ranked))
    position = place[rows] - ranked.ranking.offsets[ranked.query[rows]]
    names = [ranked.queries[code] for code in ranked.query[rows].tolist()]
    sort = np.array(sorted(range(len(rows)), key=lambda at: (position[at], names[at], judged[at])), dtype=np.int64)
    return Places.of_rows(ranked, rows[sort], judged=[judged[at] for at in sort.tolist()], rank=position[sort] + 1)


def matched_in(run: RunEvidence) -> I64:
    """Return, per judged query, how many of its judged documents are retrieved."""
    return np.bincount(run.hits.query, minlength=len(run.hits.queries))


def change_of(run: RunEvidence) -> Hint | None:
    """Return the change after which most documents would match, sought in the queries where fewest do.

    Where other documents of the query match as they are, or few queries need it, an affix would be chance.
    """
    matched = matched_in(run)
    short = run.hits.answered & (matched < np.diff(run.hits.judged_offsets))
    documents, rows_left = Documents(run), ROWS_SEARCHED
    votes: Counter[str] = Counter()
    best: dict[str, Hint] = {}
    silent = affixed = 0
    for query in run.qrels.worst_first(short, matched)[:QUERIES_SEARCHED].tolist():
        retrieved = documents.retrieved(query, rows_left)
        rows_left -= len(retrieved)
        judged = documents.judged(query)
        known, there = set(judged), set(retrieved)
        silent += not matched[query]
        left, right = [one for one in judged if one not in there], [one for one in retrieved if one not in known]
        found = hint(left, right, affixes=not matched[query], share=0)
        if found is not None:
            votes[found.change] += found.matches
            best.setdefault(found.change, found)
            affixed += found.change not in CHANGES
    if not votes:
        return None
    change = max(votes, key=lambda one: (votes[one], one))
    if change not in CHANGES and 2 * affixed < silent:
        return None
    return best[change]


@check(
    "I104",
    "ids-differ-in-normal-form",
    Severity.WARNING,
    fix="write all ids in one Unicode normal form (NFC): in Python unicodedata.normalize('NFC', id)",
)
def normal_form(e: Evidence) -> Iterator[Found]:
    """Ids of the run and of the judgments look the same and are different texts: accents are composed in one of them.

    `é` is one character or `e` with an accent behind it; on the screen nobody sees which. A query whose one relevant
    document is retrieved first under the other form has AP 0, and 1 when both are written in one form. It is an error
    where not one query or document matches otherwise.

    **Fix**: bring the ids of both files, and of the corpus, into one form.

    **Ignore** never: there are no two documents whose ids differ in this alone on purpose.
    """
    for run in e.runs:
        names = _composed_queries(run)
        there = replace(run, raw=with_queries(run.raw, names)) if names else run
        pairs = _composed_documents(there)
        if not names and not len(pairs.rows):
            continue
        told = [number(len(names), "query ids")] if names else []
        told += [number(len(pairs.rows), "document ids")] if len(pairs.rows) else []
        both = as_renamed(run, _measures(e), with_documents(there.ranked, pairs.rows, pairs.judged))
        differ = "differs" if len(names) + len(pairs.rows) == 1 else "differ"
        yield Found(
            run.name,
            f"{' and '.join(told)} of the run {differ} from judged ones in nothing but the Unicode normal form: "
            f"{both.words(named=False)}",
            _together(_queries(names), _rows(there, pairs.rows, pairs.judged)),
            {"query ids": len(names), "document ids": len(pairs.rows), **_numbers(both)},
            None if len(run.hits.query) else Severity.ERROR,
        )


def _composed_queries(run: RunEvidence) -> dict[str, str]:
    """Return the judged id of each query of the run that has one in another normal form."""
    judged, held = set(run.qrels.judged.queries), set(run.ranked.queries)
    missing, more = ([one for one in sorted(some) if not one.isascii()] for some in (judged - held, held - judged))
    return _partners(missing, more, (CHANGES[COMPOSED], CHANGES[COMPOSED]))


def _composed_documents(run: RunEvidence) -> Partners:
    """Return the retrieved documents whose id is a judged one in another normal form."""
    odd: list[Bool] = []
    for table in (run.qrels.judged, run.ranked):
        beyond = ids.not_ascii(table.doc_id)
        names = {table.queries[code] for code in np.unique(table.query[beyond]).tolist()}
        odd.append(np.array([query in names for query in run.hits.queries], dtype=np.bool_))
    both = odd[0] & odd[1] & (matched_in(run) < np.diff(run.hits.judged_offsets))
    return pairs_of(run, np.flatnonzero(both).tolist(), (CHANGES[COMPOSED], CHANGES[COMPOSED]))


def _queries(names: Mapping[str, str]) -> Places:
    """Return judged queries, each with the run's id for it, from that to the judged one."""
    pairs = sorted((judged, run) for run, judged in names.items())
    return Places.of_queries([judged for judged, _ in pairs], run=[run for _, run in pairs])


def _together(first: Places, second: Places) -> Places:
    """Return places one after the other."""
    return Places(len(first) + len(second), lambda at: first.at(at) if at < len(first) else second.at(at - len(first)))


CHECKS = (query_ids, document_ids, normal_form)
