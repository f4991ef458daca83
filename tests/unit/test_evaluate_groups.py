"""Groups of queries: a mean for each with its own denominator, and the mean over groups named as such."""

import pytest

import denominator as dn
from inputs import judged, ranked

QRELS = judged("h1 a 1\nh2 a 1\nh3 a 1\ny1 a 1\nz1 a 1")
RUN = ranked("h1 a\nh2 x a\ny1 a\nz1 x")
GROUPS = {"h1": "Hausa", "h2": "Hausa", "h3": "Hausa", "y1": "Yoruba", "k1": "Kiswahili"}


def test_each_group_has_its_own_mean_and_counts():
    """Hausa is 1.5 over its three queries, one of them unanswered; Yoruba is 1 over one."""
    means = dn.evaluate(QRELS, RUN, "RR", by=GROUPS).group_means()
    assert [(mean.group, mean.value, mean.n, mean.judged, mean.answered) for mean in means] == [
        ("Hausa", 0.5, 3, 3, 2),
        ("Yoruba", 1.0, 1, 1, 1),
        ("(no group)", 0.0, 1, 1, 1),
    ]


def test_the_macro_mean_counts_each_named_group_once():
    """(0.5 + 1)/2 over two groups, while the mean over queries is 2.5/5; queries without a group are not in it."""
    scores = dn.evaluate(QRELS, RUN, "RR NumRet gm_map", by=GROUPS)
    (macro,) = scores.macro_means()
    assert (macro.value, macro.n, macro.over, macro.judged, macro.ceiling) == (0.75, 2, "groups", 4, 1.0)
    assert str(macro) == "RR 0.750 (macro mean over 2 groups), 75% of the ceiling 1.000"
    assert scores.means()[0].value == 0.5


def test_group_means_follow_the_query_set():
    """Over the answered queries Hausa is 1.5 over two."""
    (hausa, *_) = dn.evaluate(QRELS, RUN, "RR", by=GROUPS, queries="answered").group_means()
    assert (hausa.value, hausa.n, hausa.queries) == (0.75, 2, "answered")


def test_a_group_without_a_value_is_not_in_the_macro_mean():
    """No query of Yoruba is answered here, so over answered queries the macro mean has one group."""
    run = ranked("h1 a")
    (macro,) = dn.evaluate(QRELS, run, "RR", by=GROUPS, queries="answered").macro_means()
    assert (macro.value, macro.n) == (1.0, 1)


def test_without_groups_there_are_no_group_means():
    """Nothing is made up where nobody asked."""
    scores = dn.evaluate(QRELS, RUN, "RR")
    assert (scores.group_means(), scores.macro_means()) == ((), ())


def test_what_has_no_group_and_what_has_no_query_is_said():
    """A judged query without a group, and a group without a judged query, are both named."""
    notes = {note.kind: note.message for note in dn.evaluate(QRELS, RUN, "RR", by=GROUPS).notes}
    assert notes["queries-without-group"] == (
        "the groups: 1 judged query has no group (z1): own mean, not in the macro mean."
    )
    assert notes["groups-empty"] == "the groups: 1 group has no judged query: Kiswahili."


def test_groups_that_fit_no_query_are_an_error():
    """The wrong file would otherwise give one group of everything."""
    with pytest.raises(dn.UsageError, match=r'none of the 5 judged queries has a group; e\.g\. "1" there, "h1" in'):
        dn.evaluate(QRELS, RUN, "RR", by={"1": "A"})
    with pytest.raises(dn.UsageError, match=r"cannot be called \(no group\)"):
        dn.evaluate(QRELS, RUN, "RR", by={"h1": "(no group)"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.tsv", "h1\tSouth Asia\ny1\tX\n"),
        ("g.csv", 'h1,South Asia\ny1,"X"\n'),
        ("g.csv", "query_id,group\r\nh1, South Asia\r\ny1,X\r\n"),
        ("g.txt", "h1\tSouth Asia\n\ny1\tX"),
        ("g.txt", "h1,South Asia\ny1,X\n"),
        ("g.txt", "\ufeffh1,South Asia\ny1,X,\n"),
    ],
)
def test_a_group_file_has_two_columns(tmp_path, name, text):
    """Tabs and commas may stand between them, group names may hold blanks, a heading is skipped."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    assert dn.read_groups(path) == {"h1": "South Asia", "y1": "X"}


def test_blanks_may_stand_between_the_columns(tmp_path):
    """Runs of blanks too; a comma inside an id is part of the id."""
    path = tmp_path / "groups"
    path.write_text("qid group\nh,1   Hausa\ny1 Yoruba\n", encoding="utf-8")
    assert dn.read_groups(path) == {"h,1": "Hausa", "y1": "Yoruba"}
    qrels = judged("h,1 a 1\ny1 a 1")
    (first, _) = dn.evaluate(qrels, ranked("y1 a"), "RR", by=str(path)).group_means()
    assert (first.group, first.n, first.value) == ("Hausa", 1, 0.0)


def test_every_bad_line_of_a_group_file_is_named(tmp_path):
    """Too many columns, an empty name, and a query in two groups, each with its line."""
    path = tmp_path / "g.tsv"
    path.write_text("h1\tA\nh2\nh3\t\nh1\tB\nh1\tA\n", encoding="utf-8")
    with pytest.raises(dn.FormatError) as raised:
        dn.read_groups(path)
    assert str(raised.value).splitlines() == [
        f"{path}:2: 1 column, a group file has 2: query id and group",
        f"{path}:3: an empty query id or group; expected both",
        f'{path}:4: query "h1" is in group "B" here and in "A" on line 1',
    ]


def test_a_group_file_that_cannot_be_read_is_an_input_error(tmp_path):
    """Not there, not UTF-8, or empty: one sentence each."""
    with pytest.raises(dn.InputError, match="there is no such file"):
        dn.read_groups(tmp_path / "absent")
    (tmp_path / "latin").write_bytes(b"h1 A\nh2 \xe9\n")
    with pytest.raises(dn.InputError, match=r"latin:2: not UTF-8 at byte 8"):
        dn.read_groups(tmp_path / "latin")
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(dn.InputError, match="no query in it"):
        dn.read_groups(tmp_path / "empty")
