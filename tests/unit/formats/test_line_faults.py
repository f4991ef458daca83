"""What the reader of TREC lines says of lines that are nearly rows: which lines, and how many."""

import io

import pytest

from denominator.errors import FormatError
from denominator.formats import examine_run, read_run, trec, write_run
from denominator.formats.sources import open_content
from denominator.formats.table import Options
from denominator.model import Fault

TAGLESS = b"q1 Q0 d1 1 2.0\nq1 Q0 d2 2 1.0\n"


def told(data: bytes, kind: str, lenient: str = "") -> list[Fault]:
    """Return the faults of a kind that examining a run tells."""
    return [fault for fault in examine_run(io.BytesIO(data), lenient=lenient).faults if fault.kind == kind]


def test_a_line_that_lacks_only_its_tag_is_refused_as_such():
    """Five fields whose fourth and fifth are a rank and a score lack the tag; the message names the leniency."""
    with pytest.raises(
        FormatError, match=r"5 fields, .* has 6: .* tag seems to be missing; --lenient tag=none \(in Python"
    ):
        read_run(io.BytesIO(TAGLESS))


def test_tag_none_reads_rows_without_a_tag():
    """With tag=none the rows are there, their tags empty, and a note counts them."""
    run = read_run(io.BytesIO(TAGLESS), lenient="tag=none")
    assert run.score.tolist() == [2.0, 1.0]
    assert run.tag.text(0) == ""
    assert [(note.kind, note.count) for note in run.source.notes] == [("missing-tag", 2)]


def test_tag_none_reads_no_other_line_of_five_fields():
    """A line that lacks its rank, so that a word stands where the score belongs, stays refused."""
    with pytest.raises(FormatError, match="5 fields"):
        read_run(io.BytesIO(b"q1 Q0 d1 2.0 ours\n"), lenient="tag=none")
    with pytest.raises(FormatError, match="5 fields"):
        read_run(io.BytesIO(b"q1 Q0 d1 2.5 7\n"), lenient="tag=none")


def test_lines_without_a_tag_are_not_several_tags_and_are_written_with_one(tmp_path):
    """Rows with and without a tag have one tag; a written run has six fields again."""
    data = TAGLESS + b"q1 Q0 d3 3 0.5 ours\n"
    assert told(data, "several-tags", "tag=none") == []
    assert [(fault.lines, fault.count) for fault in told(data, "missing-tag", "tag=none")] == [((1, 2), 2)]
    path = tmp_path / "out.run"
    write_run(read_run(io.BytesIO(data), lenient="tag=none"), str(path))
    assert [len(line.split()) for line in path.read_text().splitlines()] == [6, 6, 6]


def test_skipping_lines_of_the_wrong_width_skips_those_without_a_tag_too():
    """fields=skip alone leaves them out, and its note names what was skipped."""
    run = read_run(io.BytesIO(TAGLESS + b"q1 Q0 my doc 3 0.5 t\nq1 Q0 d4 4 0.2 t\n"), lenient="fields=skip")
    assert run.doc_id.to_pylist() == ["d4"]
    assert [note.message for note in run.source.notes] == ["fields=skip: 3 lines skipped (missing-tag, extra-fields)"]


def test_both_leniencies_skip_only_what_is_no_row():
    """A line without a tag is a row under tag=none even where others are skipped, and is not counted as skipped."""
    run = read_run(io.BytesIO(TAGLESS + b"q1 Q0 my doc 3 0.5 t\n"), lenient="fields=skip,tag=none")
    assert run.doc_id.to_pylist() == ["d1", "d2"]
    assert {note.kind: note.count for note in run.source.notes} == {"missing-tag": 2, "lenient-fields": 1}


def test_too_many_fields_are_another_fault_than_too_few():
    """Seven fields and four fields are told apart by their kind."""
    data = b"q1 Q0 my doc 1 2.0 t\nq1 Q0 d2 2\nq1 Q0 d3 3 1.0 t\n"
    assert [fault.line for fault in told(data, "extra-fields", "fields=skip")] == [1]
    assert [fault.line for fault in told(data, "field-count", "fields=skip")] == [2]


def test_fields_left_out_are_not_taken_for_another_way_of_parting_fields():
    """A seventh field between single blanks leaves the file parted in one way."""
    data = b"q1 Q0 d1 1 2.0 t more\nq1 Q0 d2 2 1.0 t\n"
    assert told(data, "delimiters", "fields=extra") == []


def test_a_byte_order_mark_is_told():
    """It is stripped, and said."""
    assert [fault.line for fault in told(b"\xef\xbb\xbfq1 Q0 d1 1 2.0 t\n", "bom")] == [1]
    assert told(b"q1 Q0 d1 1 2.0 t\n", "bom") == []


JOINED = {
    "trec": (b"q1 Q0 d1 1 2.0 t\n", b"q2 Q0 d1 1 2.0 t\n"),
    "msmarco": (b"q1\td1\t1\n", b"q2\td1\t1\n"),
    "jsonl": (b'{"query_id": "q1", "doc_id": "d", "score": 1}\n', b'{"query_id": "q2", "doc_id": "d", "score": 1}\n'),
    "beir": (b"query-id\tcorpus-id\tscore\nq1\td1\t1\n", b"q2\td1\t1\n"),
}


@pytest.mark.parametrize("name", JOINED)
@pytest.mark.parametrize("front", [b"", b"\xef\xbb\xbf"], ids=["inside", "front and inside"])
def test_a_byte_order_mark_inside_a_file_is_refused_with_its_line(name: str, front: bytes):
    """Two files joined: the mark of the second would be a part of its first query id."""
    first, second = JOINED[name]
    line = first.count(b"\n") + 1
    with pytest.raises(FormatError, match="two files joined") as error:
        read_run(io.BytesIO(front + first + b"\xef\xbb\xbf" + second))
    assert [(fault.kind, fault.line) for fault in error.value.faults] == [("bom-inside", line)]


def test_the_fast_reader_leaves_a_byte_order_mark_inside_to_the_exact_one():
    """A large file is refused as a small one is; within an id the character stays what it is."""
    rows = b"".join(b"q%d Q0 d%d 1 2.0 t\n" % (n, n) for n in range(4000))
    with pytest.raises(FormatError, match="two files joined") as error:
        read_run(io.BytesIO(rows + b"\xef\xbb\xbfq Q0 d 1 2.0 t\n" + rows.replace(b"q", b"p")))
    assert [fault.line for fault in error.value.faults] == [4001]
    assert len(read_run(io.BytesIO(rows + b"q Q0 \xef\xbb\xbfd 1 2.0 t\n"))) == 4001


def test_three_fields_that_end_in_a_number_get_the_hint_once():
    """`query doc score` may be `query doc rank`, which is read when asked for; whether it is a rank is not guessed."""
    with pytest.raises(FormatError) as error:
        read_run(io.BytesIO(b"q d1 7.5\nq d2 6.5\n"))
    assert [bool(fault.remedy) for fault in error.value.faults] == [True, False]
    assert "3 fields, a TREC run has 6" in str(error.value)
    assert "--run-format msmarco" in str(error.value)
    with pytest.raises(FormatError) as error:
        read_run(io.BytesIO(b"q Q0 d1\nq Q0 d2\n"))
    assert "msmarco" not in str(error.value)


def test_one_field_is_one_field():
    """The words agree with the number."""
    with pytest.raises(FormatError, match="1 field, a TREC run has 6"):
        read_run(io.BytesIO(b"q1\n"))


@pytest.mark.parametrize("block", [16, 1 << 20])
def test_the_lines_of_what_is_odd_are_right_across_blocks(block):
    """Padded lines, comments, lines without a tag and the first lines parted otherwise keep their numbers."""
    data = (
        b"q1 Q0 d1 1 9.0 t\n# a comment\nq1\tQ0\td2\t2\t8.0\tt\nq1 Q0 d3 3 7.0 t\t\nq1 Q0 d4  4 6.0 t\n"
        b"q1 Q0 d5 5 5.0\nq1 Q0 d6 6 4.0 t \n"
    )
    with open_content(io.BytesIO(data)) as content:
        table = trec.read(content, Options("run", lenient={"tag": "none"}), block=block, small=0)
    lines = {fault.kind: (fault.lines, fault.count) for fault in table.faults}
    assert lines == {
        "comments": ((2,), 1),
        "padded-lines": ((4, 7), 2),
        "missing-tag": ((6,), 1),
        "delimiters": ((3, 5), 2),
    }


def test_queries_that_hold_nothing_are_named():
    """The fault of empty queries has their ids."""
    faults = examine_run({"q1": {"d1": 1.0}, "q2": {}, "q3": {}}).faults
    assert [(fault.query_ids, fault.count) for fault in faults] == [(("q2", "q3"), 2)]
