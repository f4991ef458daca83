"""Recognising formats, and naming what is none."""

import pytest

from denominator.errors import FormatError, InputError, UsageError
from denominator.formats import read_qrels, read_run

RUN = "q1 Q0 d1 1 2.0 s\nq1 Q0 d2 2 1.0 s\n"
QRELS = "q1 0 d1 1\nq1 0 d2 0\n"


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (RUN, "TREC run, 6 columns, 2 rows"),
        ("q1 Q0 d1 1 2.0 s\n" * 1, "TREC run, 6 columns, 1 row"),
        ("".join(f"q Q0 d{n} {n} {n} s\n" for n in range(1000)), "TREC run, 6 columns, 1,000 rows"),
    ],
)
def test_what_was_recognised_is_a_sentence(file, text: str, read_as: str) -> None:
    """Format, columns and rows, as `score` prints them."""
    source = read_run(file(text)).source
    assert (source.read_as, source.format) == (read_as, "trec")


def test_swapped_files_are_named(file) -> None:
    """Qrels for a run and a run for qrels are asked after, not found full of faults."""
    with pytest.raises(FormatError, match=r"look like TREC qrels .* a run is wanted .* swapped"):
        read_run(file(QRELS))
    with pytest.raises(FormatError, match=r"looks like a TREC run .* qrels are wanted .* swapped"):
        read_qrels(file(RUN))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 doc-a 0 0 1\n1 doc-b 1 0 0.5\n", "these are prels"),
        ("1.A F:R g d1 1\n1.A F:R g d2 0\n", "preference or judgment-group"),
        ("q1,0,d1,1\nq1,0,d2,0\n", "values between commas"),
        ("<!DOCTYPE html>\n<html>\n", "a web page"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git lfs pull"),
        (b"\x00\x01\x02\x03" * 100, "binary data"),
    ],
)
def test_files_that_are_something_else_are_named(file, text: str | bytes, said: str) -> None:
    """One sentence on what the file is."""
    with pytest.raises(FormatError, match=said):
        read_qrels(file(text))


def test_a_forced_format_that_does_not_fit_says_what_the_file_looks_like(file) -> None:
    """The faults come with the reason."""
    with pytest.raises(FormatError, match="read as trec, as asked; it looks like"):
        read_run(file('{"q1": {"d1": 2.0}}'), format="trec")


def test_an_unknown_format_names_the_nearest(file) -> None:
    """A typo is met with the format that was meant."""
    with pytest.raises(UsageError, match="did you mean trec"):
        read_run(file(RUN), format="terc")


def test_a_format_that_cannot_hold_such_rows_is_refused(file) -> None:
    """MS MARCO's three columns are a run."""
    with pytest.raises(UsageError, match="cannot hold qrels"):
        read_qrels(file(QRELS), format="msmarco")


def test_a_malformed_first_line_does_not_hide_the_format(file) -> None:
    """A run with one bad line is a run with one fault."""
    with pytest.raises(FormatError) as error:
        read_run(file("q1 Q0 my doc 1 2.0 s\n" + RUN))
    assert [(fault.kind, fault.line) for fault in error.value.faults] == [("extra-fields", 1)]


def test_what_is_binary_is_named_with_line_and_byte(file) -> None:
    """A few control characters are named by the reader, many make a file binary; both say where."""
    for byte in (b"\x00", b"\x1a", b"\x1c"):
        with pytest.raises(FormatError, match=rf"input:2: .*byte 3 of the line is 0x{byte[0]:02x}, the first of many"):
            read_run(file(b"q1 Q0 d1 1 2.0 s\nq1" + byte * 9))
    with pytest.raises(FormatError, match="input:2: a NUL at byte 8 of the line"):
        read_run(file(b"q1 Q0 d1 1 2.0 s\nq1 Q0 d\x002 2 1.0 s\n"))
    with pytest.raises(FormatError, match="input:3: 1 field, a TREC run has 6"):
        read_run(file(RUN.encode() + b"\x1a"))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_named(file, encoding: str) -> None:
    """Every second byte is 0."""
    path = file((RUN * 20).encode(encoding))
    with pytest.raises(FormatError, match=f"UTF-16 without a byte order mark.*--encoding {encoding}"):
        read_run(path)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("null", "in.json", "null is all there is"),
        ("5", "in.json", "5 is all there is"),
        ("// runs\n{}", "in.json.gz", "not JSON: .* at column 1"),
        ("oops\n", "in.jsonl", "not a JSON object"),
        ("[1,2]", "in", "1 is not an object"),
        ("{'q1': {'d1': 1}}", "in", "not JSON: Expecting property name"),
        ("{ // a comment\n}", "in", "not JSON"),
        ("[" * 200_000, "in", "not JSON that can be read"),
        ('{"a": ' * 200_000, "in", "not JSON"),
    ],
)
def test_json_that_is_none_gets_the_words_of_json(file, text: str, name: str, said: str) -> None:
    """By its first character or its name; never the number of its fields."""
    for read in (read_run, read_qrels) if "'" not in text else (read_run,):  # with quotes it is YAML, for qrels
        with pytest.raises(FormatError, match=said):
            read(file(text, name))


def test_ids_may_begin_with_brackets(file) -> None:
    """Lines of as many fields as TREC's are TREC's, whatever the ids and the name; one spoilt line changes nothing."""
    assert read_run(file("[1] Q0 d1 1 2.0 s\n{2} Q0 d2 2 1.0 s\n", "in.json")).queries == ("[1]", "{2}")
    with pytest.raises(FormatError, match="5 fields, a TREC run has 6"):
        read_run(file("[1] Q0 d1 1 2.0 s\n[1] Q0 d2 2 1.0\n[1] Q0 d3 3 0.5 s\n"))


def test_yaml_for_a_run_is_named(file) -> None:
    """Golden sets hold judgments."""
    with pytest.raises(FormatError, match=r"golden YAML .* qrels may be YAML, a run may not"):
        read_run(file("- query: q1\n  grades: {d1: 1}\n"))


def test_formats_that_are_only_refused_are_not_offered(file) -> None:
    """ranx's own files are known and never read."""
    with pytest.raises(UsageError, match="there are: parquet, arrow, json") as error:
        read_run(file(RUN), format="foo")
    assert "ranx" not in str(error.value)


def test_a_packed_file_that_was_damaged_is_not_only_called_binary(tmp_path):
    """bzip2 hands out text before it has checked it; whoever reads it is told of both possibilities."""
    import bz2

    text = b"".join(b"q%d Q0 d%d %d %f t\n" % (n // 100, n % 100, n % 100 + 1, 200 - n % 100) for n in range(20000))
    packed = bytearray(bz2.compress(text))
    packed[len(packed) // 2] ^= 255
    (tmp_path / "f.run.bz2").write_bytes(packed)
    with pytest.raises(InputError, match="damaged"):
        read_run(tmp_path / "f.run.bz2")


def test_one_line_is_named_once(tmp_path):
    """The note on infinite scores names their lines itself."""
    (tmp_path / "r").write_text("q1 Q0 d1 1 inf t\nq1 Q0 d2 2 1 t\n")
    (note,) = [one.message for one in read_run(tmp_path / "r").source.notes if one.kind == "infinite-score"]
    assert note == "1 infinite score kept (line 1)"
