"""Golden sets in YAML: text as it stands, keys that occur once, nothing constructed."""

import pytest

from denominator.errors import FormatError
from denominator.formats import read_qrels

LIST = """\
- query: q_milk
  grades: {d1: 3, d2: 2}
- query: q_store
  grades:
    s1: 3
"""


@pytest.mark.parametrize(
    "text",
    [
        LIST,
        "q_milk: {grades: {d1: 3, d2: 2}}\nq_store:\n  grades:\n    s1: 3\n",
        "q_milk:\n  d1: 3\n  d2: 2\nq_store:\n  s1: 3\n",
        "# by hand\n---\n" + LIST,
        LIST.replace("query:", "query_id:"),
    ],
)
def test_a_list_and_a_mapping_hold_the_same_golden_set(file, as_tuples, text):
    """Entries with query and grades, or queries as keys; the line of each grade is known."""
    qrels = read_qrels(file(text))
    assert as_tuples(qrels) == [("q_milk", "d1", 3), ("q_milk", "d2", 2), ("q_store", "s1", 3)]
    assert qrels.source.format == "yaml"
    assert text.splitlines()[qrels.line_of(2) - 1].strip().endswith(("s1: 3", "s1: 3}"))


def test_one_entry_alone_is_a_golden_set(file, as_tuples):
    """A file that holds one query and its grades."""
    assert as_tuples(read_qrels(file("query: q1\ngrades: {a: 1}\n"))) == [("q1", "a", 1)]


def test_an_id_beside_the_question_is_the_id(file, as_tuples):
    """Where there is an id, `query` is the question's text."""
    text = "- id: q1\n  query: what do cows eat?\n  grades: {a: 1}\n"
    assert as_tuples(read_qrels(file(text))) == [("q1", "a", 1)]
    assert as_tuples(read_qrels(file(text.replace("id: q1\n  ", "")))) == [("what do cows eat?", "a", 1)]


def test_ids_are_the_text_that_stands_there(file, as_tuples):
    """YAML's own rules would make these 7, true, false, null, a date, 100000.0 and a merge."""
    ids = ["007", "yes", "no", "null", "2024-01-01", "1e5", "0x10", "<<", "1_000"]
    text = "- query: 0012\n  grades:\n" + "".join(f"    {one}: 1\n" for one in ids)
    assert as_tuples(read_qrels(file(text))) == [("0012", one, 1) for one in ids]


def test_a_key_that_occurs_twice_is_a_fault_with_both_lines(file):
    """YAML forbids it and most readers keep the last."""
    with pytest.raises(FormatError, match=r':4: the grades of query "q": d1 is a key twice \(first in line 3\)'):
        read_qrels(file("- query: q\n  grades:\n    d1: 3\n    d1: 3\n"))
    with pytest.raises(FormatError, match=r":3: the file: q1 is a key twice"):
        read_qrels(file("q1:\n  d1: 1\nq1:\n  d2: 1\n"), format="yaml")


def test_every_odd_entry_is_named(file):
    """What is no entry, lacks an id or grades, or holds a grade that is none."""
    text = "- query: q\n  grades: {d1: high, d2: [1], d3: 1.5, d4: }\n- text\n- query: q2\n- grades: {d: 1}\n"
    with pytest.raises(FormatError) as raised:
        read_qrels(file(text))
    found = [(fault.line, fault.kind) for fault in raised.value.faults]
    assert sorted(found) == [
        (2, "grade-fraction"),
        (2, "grade-number"),
        (2, "grade-number"),
        (2, "grade-number"),
        (3, "yaml-shape"),
        (4, "yaml-shape"),
        (5, "yaml-shape"),
    ]


def test_tags_construct_nothing(file, tmp_path):
    """A tag that would call a function in an unsafe loader is only a text here."""
    made = tmp_path / "made"
    text = f"- query: q\n  grades: {{d: !!python/object/apply:os.mkdir ['{made}']}}\n"
    with pytest.raises(FormatError, match="a list"):
        read_qrels(file(text))
    assert not made.exists()


def test_broken_yaml_is_refused_with_its_line(file):
    """The line is where the text stops being YAML."""
    with pytest.raises(FormatError, match=r":3: not YAML"):
        read_qrels(file("- query: q\n  grades: {d: 1\n- query: r\n"))
    with pytest.raises(FormatError, match="not YAML"):
        read_qrels(file("- query: q\n  grades: {d: 1}\n---\n- query: q\n  grades: {d: 1}\n"))


def test_trec_qrels_with_a_colon_are_not_yaml(file):
    """Ids may hold colons; four columns stay TREC."""
    assert read_qrels(file("q:1 0 d:1 1\nq:1 0 grades: 0\n")).source.format == "trec"


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "&a {grades: *a, query: q}"])
def test_deep_and_circular_nesting_end_in_a_sentence(file, text):
    """Texts made to exhaust a reader are refused like any other that is no golden set."""
    with pytest.raises(FormatError):
        read_qrels(file(text), format="yaml")
