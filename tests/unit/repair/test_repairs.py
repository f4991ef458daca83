"""Each repair mends what its check finds, changes nothing else, and counts what it does."""

import shutil
from pathlib import Path
from types import MappingProxyType

import pytest

from denominator.audit.registry import CHECKS
from denominator.errors import FormatError, InputError, UsageError
from denominator.formats.sources import open_content
from denominator.repair.changes import changes
from denominator.repair.repairing import repaired, wanted
from denominator.repair.table import REPAIRS
from denominator.repair.text import Lines
from golden.folders import HERE, audited
from inputs import judged

every_repair = pytest.mark.parametrize("code", REPAIRS)

KEPT = {"F111": "its golden lines hold an id with a blank: their first fields are no row, and are left"}
"""Repairs that leave what their golden files show, and why."""


def lines(text, kind="run", name="some.run", **more):
    """Return the lines of a text."""
    data = text.encode() if isinstance(text, str) else text
    return Lines.of(name, kind, data, **{"lenient": MappingProxyType({}), **more})


def mended(text, *codes, kind="run", keep=None, sort=False, **more):
    """Return a text after some repairs."""
    return repaired(lines(text, kind, **more), codes, keep=keep, sort=sort).after.data().decode()


def of_file(path, kind):
    """Return the lines of a file."""
    with open_content(path) as content:
        return Lines.of(path.name, kind, content.read(), bom=content.bom, lenient=MappingProxyType({}))


def fix_file(path, code):
    """Rewrite a file as one repair does, and return what was done."""
    outcome = repaired(of_file(path, "run" if path.name.startswith("run") else "qrels"), [code], keep="first")
    path.write_bytes(outcome.after.data())
    return outcome


@every_repair
def test_a_repair_is_of_a_check(code):
    """Its code is that of a check, and a check whose fix names the command has a repair."""
    assert code in CHECKS


def test_a_fix_that_names_the_command_has_a_repair():
    """What a page promises is kept."""
    promised = {one.code for one in CHECKS.values() if "denominator fix --select" in one.fix}
    assert promised
    assert promised <= set(REPAIRS)


@every_repair
def test_after_the_repair_the_check_finds_nothing(code, tmp_path):
    """The golden files of the check are mended by the repair of its code."""
    folder = Path(shutil.copytree(HERE / code, tmp_path / code))
    found = audited(folder).of(code)
    assert found
    outcomes = [fix_file(folder / name, code) for name in {one.source for one in found}]
    if code in KEPT:
        assert all(outcome.mended for outcome in outcomes)
        return
    assert all(mended.count for outcome in outcomes for _, mended in outcome.mended)
    assert audited(folder).of(code) == ()


@pytest.mark.parametrize(
    ("code", "before", "after"),
    [
        ("F101", "q Q0 a\t1 2 t\nq Q0 b 2 1 t\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n"),
        ("F101", " q\tQ0\ta\t1\t2\tt \nq  Q0\tb\t2\t1\tt\n", " q\tQ0\ta\t1\t2\tt \nq\tQ0\tb\t2\t1\tt\n"),
        ("F101", "q  Q0 a 1 2 t\nq  Q0 b 2 1 t\n", "q  Q0 a 1 2 t\nq  Q0 b 2 1 t\n"),
        ("F102", "q Q0 a 1 2 t\r\nq Q0 b 2 1 t\r", "q Q0 a 1 2 t\nq Q0 b 2 1 t"),
        ("F104", "\tq Q0 a  1 2 t \r\n# x \n", "q Q0 a  1 2 t\r\n# x \n"),
        ("F105", "q Q0 a 1 2 \nq Q0 b 2 1 z\nq Q0 c 3 0.5\n", "q Q0 a 1 2 z \nq Q0 b 2 1 z\nq Q0 c 3 0.5 z\n"),
        ("F105", "q\tQ0\ta\t1\t2\r\n", "q\tQ0\ta\t1\t2\trun\r\n"),
        ("F106", "q Q0 a 1 3 s\nq Q0 b 2 2 t\nq Q0 c 3 1 t \n", "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t \n"),
        ("F107", "qid Q0 docno rank score tag\nq Q0 b 2 1 t\n", "q Q0 b 2 1 t\n"),
        ("F108", "# x\nq Q0 b 2 1 t\n#q Q0 b 2 1 t\n", "q Q0 b 2 1 t\n"),
        ("F109", "# x\nq Q0 b 2 1 t\n#q Q0 b 2 1 t\n", "# x\nq Q0 b 2 1 t\n"),
        ("F110", "q Q0 b 2 1 t", "q Q0 b 2 1 t\n"),
        ("F111", "q Q0 b 2 1 t u v \nq Q0 my b 2 1 t\n", "q Q0 b 2 1 t\nq Q0 my b 2 1 t\n"),
        ("F112", "q Q0 b 2 1 t\nq Q0 c\nq Q0 d 3 0.5\n", "q Q0 b 2 1 t\nq Q0 d 3 0.5\n"),
        ("F113", "q Q0 a 1 2 t\n# x\np Q0 a 1 2 t\nq Q0 b 2 1 t", "q Q0 a 1 2 t\n# x\nq Q0 b 2 1 t\np Q0 a 1 2 t\n"),
        ("F115", "q Q0 b 2 1 t\n \t\n\n", "q Q0 b 2 1 t\n"),
        ("F116", "q Q0 a 1 0,9 t\nq Q0 b 2 nan t\nq Q0 c 3 1e999 t\n", "q Q0 b 2 nan t\nq Q0 c 3 1e999 t\n"),
        ("F117", "q Q0 a 1 inf t\nq Q0 b 2 1e999 t\nq Q0 c 3 1 t\n", "q Q0 a 1 inf t\nq Q0 c 3 1 t\n"),
        ("T105", "q Q0 a 1 0,9 t\nq Q0 b 2 NaN t\nq Q0 c 3 1 t\n", "q Q0 a 1 0,9 t\nq Q0 c 3 1 t\n"),
        ("R101", "q Q0 a 1 1 t\nq Q0 a 2 3 t\nq Q0 b 3 2 t\n", "q Q0 a 2 3 t\nq Q0 b 3 2 t\n"),
        (
            "R110",
            "q Q0 a 1 0.10 t\nq Q0 b 2 -2 t\nq Q0 c 3 +3e0 t\n",
            "q Q0 a 1 -0.10 t\nq Q0 b 2 2 t\nq Q0 c 3 -3e0 t\n",
        ),
        ("R111", "q Q0 a 1 5 t\nq Q0 b 2 5 t\np Q0 c 1 5 t\n", "q Q0 a 1 -1 t\nq Q0 b 2 -2 t\np Q0 c 1 5 t\n"),
        (
            "T108",
            "q Q0 a 1 5 t\nq Q0 b 2 5 t\np Q0 d 1 5 t\np Q0 c 2 5 t\n",
            "q Q0 a 1 2 t\nq Q0 b 2 1 t\np Q0 d 1 5 t\np Q0 c 2 5 t\n",
        ),
        (
            "T108",  # one NaN does not tie with another: it stays in the order of the ids
            "q Q0 a 1 nan t\nq Q0 b 2 nan t\np Q0 a 1 5 t\np Q0 b 2 5 t\np Q0 c 3 nan t\np Q0 d 4 nan t\n",
            "q Q0 a 1 nan t\nq Q0 b 2 nan t\np Q0 a 1 4 t\np Q0 b 2 3 t\np Q0 c 3 1 t\np Q0 d 4 2 t\n",
        ),
        ("T103", "q Q0 a 1 16777217 t\nq Q0 b 2 16777216 t\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\n"),
        ("R102", "q Q0 a 1 2 t\nq Q0 b 2  3 t\np Q0 b 1 3 t\n", "q Q0 a 2 2 t\nq Q0 b 1  3 t\np Q0 b 1 3 t\n"),
        (
            "R103",
            "q Q0 a 0 3 t\nq Q0 b 1 2 t\np Q0 a 1 2 t\np Q0 b 3 1 t\n",
            "q Q0 a 1 3 t\nq Q0 b 2 2 t\np Q0 a 1 2 t\np Q0 b 3 1 t\n",
        ),
        (
            "R104",
            "q Q0 a 0 3 t\nq Q0 b 1 2 t\np Q0 a 1 2 t\np Q0 b 3 1 t\n",
            "q Q0 a 0 3 t\nq Q0 b 1 2 t\np Q0 a 1 2 t\np Q0 b 2 1 t\n",
        ),
        ("R105", "q Q0 a 0.5 2 t\nq Q0 b 0.4 3 t\n", "q Q0 a 2 2 t\nq Q0 b 1 3 t\n"),
        ("R106", "q Q0 a 0 2 t\nq Q0 b 0 3 t\n", "q Q0 a 2 2 t\nq Q0 b 1 3 t\n"),
        ("R107", "q Q0 a 0 3 t\nq Q0 b 1 2 t\nq Q0 c 0 1 t\n", "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n"),
        ("R108", "q Q0 a 1 3 t\nq Q0 b 1 2 t\nq Q0 c 2 1 t\n", "q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 c 3 1 t\n"),
        ("R109", "q Q0 a x 3 t\nq Q0 b 2 2 t\n", "q Q0 a 1 3 t\nq Q0 b 2 2 t\n"),
    ],
)
def test_a_run_is_rewritten_where_it_is_mended_and_nowhere_else(code, before, after):
    """Every byte that the repair is not about stays."""
    assert mended(before, code) == after


@pytest.mark.parametrize(
    ("code", "keep", "before", "after"),
    [
        ("Q101", None, "q 0 a 1\nq 0 a 1\nq 1 b 0\nq 2 b 0\n", "q 0 a 1\nq 1 b 0\nq 2 b 0\n"),
        ("Q102", "first", "q 0 a 1\nq 0 a 2\nq 0 a 0\nq 0 b 1\nq 0 b 1\n", "q 0 a 1\nq 0 b 1\nq 0 b 1\n"),
        ("Q102", "best", "q 0 a 1\nq 0 a 2\nq 0 a 0\n", "q 0 a 2\n"),
        ("Q102", "last", "q 0 a 1\nq 0 a 2\nq 0 a 0\n", "q 0 a 0\n"),
        ("Q103", None, "q 1 a 0\nq 2 a 1\nq 0 b 1\nq 0 b 2\n", "q 2 a 1\nq 0 b 1\nq 0 b 2\n"),
        ("Q103", "first", "q 1 a 0\nq 2 a 1\n", "q 1 a 0\n"),
        ("Q105", None, "q 0 a 0\nq 0 b -1\np 0 a 1\no 0 a -1\n", "p 0 a 1\no 0 a -1\n"),
        ("Q106", None, "q 0 a 0\nq 0 b -1\np 0 a 1\no 0 a -1\n", "q 0 a 0\nq 0 b -1\np 0 a 1\n"),
        ("Q107", None, "q 0 a\t-2 \nq 0 b 1\n", "q 0 a\t0 \nq 0 b 1\n"),
        ("F111", None, "q 0 a 1 note\nq 0 my a 1\n", "q 0 a 1\nq 0 my a 1\n"),
        ("F118", None, "q 0 a yes\nq 0 b 1\n", "q 0 b 1\n"),
        ("F119", None, "q 0 a 99999999999999999999\nq 0 b 1\n", "q 0 b 1\n"),
    ],
)
def test_qrels_are_rewritten_where_they_are_mended_and_nowhere_else(code, keep, before, after):
    """Every byte that the repair is not about stays; `keep` says which of several grades counts."""
    assert mended(before, code, kind="qrels", keep=keep) == after


@pytest.mark.parametrize(("keep", "score"), [("best", "3"), ("first", "1"), ("last", "2"), (None, "3")])
def test_the_copy_that_stays_is_the_one_that_was_asked_for(keep, score):
    """The best-scored row of a document, unless it shall be the first or the last."""
    text = "q Q0 a 1 1 t\nq Q0 a 2 3 t\nq Q0 a 3 2 t\n"
    assert mended(text, "R101", keep=keep).split()[4] == score


def test_contradictory_grades_are_not_settled_unasked():
    """Which grade counts must be said."""
    with pytest.raises(UsageError, match=r"Q102: 1 document has different grades for one query.*--keep first"):
        mended("q 0 a 1\nq 0 a 2\n", "Q102", kind="qrels")


def test_the_byte_order_mark_is_taken_away_only_where_that_is_asked_for():
    """Other repairs leave it."""
    text = "q Q0 a 1 2 t"
    assert mended(text, "F103", bom=True) == text
    assert mended(text, "F110", bom=True) == f"\ufeff{text}\n"


def test_rows_that_begin_with_a_hash_are_rows_where_that_is_said():
    """With comments=rows they are no comments, and are put in order as the others."""
    text = "#q Q0 a 3 2 t\n#q Q0 b 3 3 t\n"
    rows = MappingProxyType({"comments": "rows"})
    assert mended(text, "F108", "F109", lenient=rows) == text
    assert mended(text, "R106", lenient=rows) == "#q Q0 a 2 2 t\n#q Q0 b 1 3 t\n"


def test_rows_are_sorted_where_that_is_asked_for():
    """Queries as they first appear, highest score first, ties by document id descending; other lines stay."""
    text = "q Q0 a 1 1 t\n# x\np Q0 a 1 5 t\nq Q0 b 1 3 t\nq Q0 c 1 3 t"
    after = "q Q0 c 1 3 t\n# x\nq Q0 b 1 3 t\nq Q0 a 1 1 t\np Q0 a 1 5 t\n"
    assert mended(text, sort=True) == after
    assert repaired(lines(after), [], sort=True).mended == ()


def test_every_change_is_counted_under_its_code():
    """The lines of the summary, in the order of the repairs."""
    text = "q Q0 a 1 2 t\r\nq Q0 a 2 1 t\r\n\nq Q0 b 3 1 t"
    outcome = repaired(lines(text), ["R101", "F102", "F110", "F115", "R104", "R103"])
    assert outcome.told() == [
        "F102 lines-end-in-crlf: 2 lines made to end in LF",
        "F115 blank-lines-are-skipped: 1 blank line left out",
        "R101 ranking-repeats-document: 1 row left out (the best copy of each document stays)",
        "R104 ranks-have-gaps: 1 rank changed",
        "F110 last-line-lacks-newline: 1 line ended",
    ]
    assert outcome.queries == ["q"]


def test_what_would_change_scores_is_offered_and_not_done():
    """A file with duplicates and NaN is told which codes to select."""
    outcome = repaired(lines("q Q0 a 1 2 t\nq Q0 a 2 nan t\nq Q0 b 3 nan t\n"), wanted((), "run"))
    assert outcome.mended == ()
    assert outcome.told_offered() == [
        "not done, for it changes scores: 2 rows left out by --select T105",
        "not done, for it changes scores: 1 row left out by --select R101",
    ]


def test_a_repair_that_leaves_no_row_is_refused():
    """An empty file is no repair."""
    with pytest.raises(InputError, match="T105 would leave no row"):
        mended("q Q0 a 1 nan t\n", "T105")


def test_a_file_that_cannot_be_read_is_refused():
    """What no repair can mend is named as the reader names it."""
    with pytest.raises(FormatError, match="NUL"):
        mended(b"q Q0 a\0 1 2 t\n", "R101")


def test_without_a_choice_all_repairs_are_made_that_change_no_score():
    """By default, and by a beginning of codes, nothing that must be asked for; by its whole code, everything."""
    default = wanted((), "run")
    assert {"F102", "R104", "F105"} <= set(default)
    assert not [code for code in default if REPAIRS[code].asked or "run" not in REPAIRS[code].kinds]
    assert wanted(["F10"], "run") == [code for code in default if code.startswith("F10")]
    assert wanted(["R101", "F110"], "run") == ["R101", "F110"]
    assert wanted(["Q"], "qrels") == ["Q101"]


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("R1O1", "not the code of a repair; did you mean .*R101"),
        ("D101", "cutoff-caps-recall is not mended by rewriting a run: raise k"),
        ("Q101", "mends qrels, and this is a run"),
        ("T", "T105, T108, T103 must be selected by the whole code"),
        ("", "not the code of a repair"),
    ],
)
def test_a_word_that_selects_nothing_is_refused_with_the_nearest(word, words):
    """Unknown, without a repair, of the other kind of file, or only to be had by the whole code."""
    with pytest.raises(UsageError, match=words):
        wanted([word], "run")


def test_what_changes_is_named_for_each_query():
    """AP where there are judgments for the query, else from which rank on; of judgments, how many there are."""
    before = lines("q Q0 a 1 3 t\nq Q0 a 2 2 t\nq Q0 b 3 1 t\np Q0 a 1 2 t\np Q0 a 2 1 t\n")
    outcome = repaired(before, ["R101"])
    assert list(changes(before, outcome.after, outcome.queries, judged("q b 1"))) == [
        "p: 2 rows → 1, another ranking from rank 2 on",
        "q: AP 0.333 → 0.500",
    ]
    qrels = lines("q 0 a 2\nq 0 a 0\nq 0 b -1\n", "qrels")
    outcome = repaired(qrels, ["Q102", "Q107"], keep="last")
    assert list(changes(qrels, outcome.after, outcome.queries, None)) == ["q: |Rel| 1 → 0, judged documents 1 → 2"]


def test_the_fix_of_a_check_names_its_repair():
    """Whoever reads a finding, in any format, is told the command that mends it; and no command that there is not."""
    for code, one in CHECKS.items():
        assert (f"`denominator fix --select {code}" in one.fix) == (code in REPAIRS), code
