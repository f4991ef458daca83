"""The table that people read."""

from pathlib import Path

import pytest

from denominator import evaluate
from denominator.outputs import Options, render

ONE = """\
 measure     mean  ceiling  of ceiling  n  judged  answered  undefined
 P@2        0.333    0.500         67%  3       3         2          0
 AP         0.444    0.667         67%  3       3         2          1
 Unjudged@2 0.500        –           –  2       3         2          1
 NumRelRet      3        3        100%  3       3         2          0
"""


def test_a_mean_stands_beside_its_ceiling_and_its_counts(one):
    """Value, ceiling, share, and the counts; a sum is whole, and where there is no ceiling stands a dash."""
    heading, rule, *rows = render(one, "text").split("\n\n")[0].splitlines()
    assert [line.split() for line in (heading, *rows)] == [line.split() for line in ONE.splitlines()]
    assert set(rule.strip()) == {"─"}


def test_the_notes_say_what_was_read_what_the_mean_is_over_and_who_computed(one):
    """Under the table: sources, query set, dialect, engines, missing queries by name."""
    text = " ".join(render(one, "text").split())
    assert "- runs/one.run read as: lines" in text
    assert "Means over every judged query; one that the run does not answer scores 0 (trec_eval -c)." in text
    assert "Dialect trec_eval-c; by pytrec_eval 0." in text
    assert "(missing: q3)" in text


def test_each_query_shows_the_counts_of_its_fractions(one):
    """With -q: 1/2, undefined values marked, no value a dash, and whether the query was answered."""
    table = render(one, "text", Options(per_query=True)).split("\n\n")[1]
    assert [line.split() for line in table.splitlines() if line.startswith(" q")] == [
        ["query", "P@2", "AP", "Unjudged@2", "NumRelRet", "answered"],
        ["q1", "0.500", "(1/2)", "0.833", "0.500", "(1/2)", "2", "yes"],
        ["q2", "0.500", "(1/2)", "0.500", "0.500", "(1/2)", "1", "yes"],
        ["q3", "0.000", "(0/2)", "0.000", "undef.", "–", "0", "no"],
    ]


def test_several_runs_stand_together_measure_by_measure(two):
    """Under each measure the runs, without the folder and ending they share; groups have sections too."""
    lines = render(two, "text").splitlines()
    start = lines.index(" AP")
    assert [line.split()[:2] for line in lines[start + 1 : start + 3]] == [["one", "0.500"], ["two", "0.000"]]
    assert " P@2 · A" in lines
    assert " P@2 · macro mean" in lines
    assert any(line.startswith("- runs/one.run, runs/two.run read as: lines") for line in lines)


def test_nothing_is_wider_than_the_page(one, two, evil):
    """80 columns, or what there is; ids and paths are never cut in a note."""
    for scores in (one, two, evil):
        for width in (60, 80):
            text = render(scores, "text", Options(per_query=True, width=width))
            assert max(map(len, text.splitlines())) <= width


def test_too_many_measures_are_shown_in_blocks(one):
    """Columns that do not fit stand in a second table with the query ids again."""
    text = render(one, "text", Options(per_query=True, width=60))
    assert text.count(" query ") == 2


def test_colour_only_where_asked_for(one):
    """No escape sequence in a plain rendering, some in a coloured one."""
    assert "\x1b" not in render(one, "text", Options(per_query=True))
    assert "\x1b[" in render(one, "text", Options(colour=True))


def test_ids_are_text_and_nothing_else(evil):
    """Brackets stay brackets, control characters are spelled out."""
    text = render(evil, "text", Options(per_query=True))
    assert "[bold]x[/bold]" in text
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "q\\x1b[2J" in text


def test_the_audit_is_named_where_something_was_noticed(one, two):
    """Notes of reading and ranking are counted under the table, with the command that looks for more."""
    lines = render(one, "text", Options(width=200)).splitlines()
    noticed = len(one.notes) + len(one.runs[0].notes)
    assert noticed
    assert lines[-1].endswith(f"{noticed} notes; to look for more: denominator audit test runs/one.run")
    both = render(two, "text", Options(width=200))
    assert "denominator audit test runs/one.run runs/two.run" in both


def test_the_audit_is_not_named_where_nothing_was_noticed():
    """A clean evaluation has no such line."""
    from denominator import evaluate
    from inputs import judged, ranked

    assert "denominator audit" not in render(evaluate(judged("q1 a 1"), ranked("q1 a"), "P@1"), "text")


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_what_was_seen_while_reading_is_said_of_its_file(form, tmp_path, monkeypatch):
    """Judgments and run both have comment lines, and each note says which file it is of; other notes need no name."""
    monkeypatch.chdir(tmp_path)
    Path("my.qrels").write_text("# a\nq1 0 a 1\n# b\nq2 0 b 1\n")
    Path("my.run").write_text("# a\nq1 Q0 a 1 2 t\n")
    lines = render(evaluate("my.qrels", "my.run", "RR"), form, Options(width=200)).splitlines()
    assert sum(line[2:].startswith("my.qrels: 2 comment lines") for line in lines) == 1
    assert sum(line[2:].startswith("my.run: 1 comment line") for line in lines) == 1
    assert any(line[2:].startswith("Run answers 1 of 2") for line in lines)
