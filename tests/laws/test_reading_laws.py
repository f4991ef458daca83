"""Laws of reading: the fast reader and the exact one give equal tables, whatever the file and wherever it is cut."""

import io
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.formats import trec, trec_fast
from denominator.formats.parts import Part
from denominator.formats.sources import open_content
from denominator.formats.table import Kind, Options, Table
from denominator.formats.trec_exact import exact_part
from denominator.formats.trec_fast import fast_part
from denominator.model import Labels

PLAIN = st.sampled_from(["q1", "q2", "007", "7", "d1", "D#1", "a,b", "x/y%20", "<é>", "日本"])
ODD = st.sampled_from(
    [
        "#q",
        "#",
        '"',
        "'a'",
        "\ufeffq",
        "NULL",
        "nan",
        "\x1b[2J",
        "\\",
        "\x85",
        "\u00a0x",
        "\u2028",
        "0x10",
        "\x00",
        "\x0b",
    ]
)
SCORES = st.sampled_from(["1", "0.5", "-2.25", "1e3", ".5", "5.", "+1", "0", "-0", "12345678.123456789"])
ODD_SCORES = st.sampled_from(
    ["nan", "NaN", "-inf", "Infinity", "nan(1)", "1e999", "1e-999", "0x1p3", "1_0", "abc", "--1", ".", "1e", "٣"]
)
RANKS = st.sampled_from(["0", "1", "2", "10", "007", "-1"])
ODD_RANKS = st.sampled_from(["0x10", "+1", "1.5", "rank", "99999999999999999999", "1_0", "-0"])
GRADES = st.sampled_from(["0", "1", "2", "-1", "007"])
ODD_GRADES = st.sampled_from(["0x1", "+1", "1.0", "0.5", "rel", "99999999999999999999", "", "1_0", "nan"])
ENDS = st.sampled_from(["\n"] * 12 + ["\r\n", " \n", "\t\r\n", "\r", "\n\n", "\r\r\n", "\n \n", ""])
GAPS = st.sampled_from([" "] * 20 + ["\t", "  ", " \t", "\x0c"])


@st.composite
def lines(draw: st.DrawFn, kind: Kind, oddness: int) -> bytes:
    """Draw a file: mostly clean, with `oddness` percent of its fields and gaps odd."""

    def one(plain: st.SearchStrategy[str], odd: st.SearchStrategy[str]) -> str:
        return draw(odd if draw(st.integers(0, 99)) < oddness else plain)

    delimiter = draw(st.sampled_from([" ", "\t"]))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    out = []
    for _ in range(draw(st.integers(1, 12))):
        fields = [one(PLAIN, ODD), one(st.sampled_from(["Q0", "0", "4.5"]), ODD), one(PLAIN, ODD)]
        if kind == "run":
            fields += [one(RANKS, ODD_RANKS), one(SCORES, ODD_SCORES), one(st.sampled_from(["a", "b"]), ODD)]
        else:
            fields.append(one(GRADES, ODD_GRADES))
        text = fields[0]
        for field in fields[1:]:
            text += one(st.just(delimiter), GAPS) + field
        out.append(text + one(st.just(end), ENDS))
    data = "".join(out).encode()
    if draw(st.integers(0, 99)) < oddness:
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.sampled_from([b"\xff", b"\xed\xa0\x80", b"\xc3", b"\xef\xbb\xbf"])) + data[at:]
    return data


def plain(values: Any) -> Any:
    """Return a column in a form that == compares; NaN equals NaN."""
    if isinstance(values, Labels):
        return [values.values[code] for code in values.code.tolist()]
    if isinstance(values, np.ndarray):
        return [str(values.dtype), *map(repr, values.tolist())]
    return values


@given(st.lists(st.sampled_from(range(1, 40)), min_size=1), st.integers(1, 6))
def test_a_block_has_a_long_field_exactly_when_one_of_its_fields_is_long(lengths: list[int], per_line: int) -> None:
    """Wherever a field begins and ends, one of more than 17 bytes is seen, and no shorter one is taken for one."""
    fields = ["x" * length for length in lengths]
    text = "\n".join(" ".join(fields[at : at + per_line]) for at in range(0, len(fields), per_line))
    found = [
        trec_fast._has_long_field(np.packbits(np.frombuffer(block.encode(), dtype=np.uint8) <= 32))
        for block in (text + "\n", text)
    ]
    assert found[0] == (max(lengths) > trec_fast.WIDEST)
    assert found[1] >= found[0]  # the last byte of bits may be filled up, which only makes the reader look closer


def columns(part: Part) -> list[Any]:
    """Return a part's columns as plain values."""
    octets = bytes(part.doc_bytes)
    bounds = part.doc_offsets.tolist()
    coded = [None if c is None else [c[0][code] for code in c[1].tolist()] for c in (part.query, part.second, part.tag)]
    docs = [octets[a:b].decode() for a, b in itertools.pairwise(bounds)]
    values = part.values
    wrong = (values.not_numbers, values.overflows, values.fractions)
    ranks = part.rank.astype(np.int64) if isinstance(part.rank, np.ndarray) else part.rank  # 32 bits, where they fit
    return [
        *(part.lines, *coded, docs, plain(values.array), *wrong, plain(ranks)),
        *(part.row_line, part.seen, part.faults),
    ]


def table_columns(table: Table) -> list[Any]:
    """Return a table's columns as plain values."""
    lines = range(1, len(table.query) + 1) if table.line is None else table.line.tolist()
    return [
        table.queries,
        *(plain(column) for column in (table.query, table.value, table.rank, table.tag, table.iteration)),
        table.doc_id.to_pylist(),
        list(lines),
        table.lost,
        plain(table.unusable),
        [(fault.kind, fault.line, fault.count, fault.message) for fault in table.faults],
    ]


def read(data: bytes, options: Options, block: int, small: int) -> Table:
    with open_content(io.BytesIO(data)) as content:
        return trec.read(content, options, block=block, small=small)


TRAPS = {
    "a byte order mark at the front": b"\xef\xbb\xbfq1 Q0 d1 1 1.0 t\n",
    "an empty field": b"q1 Q0  1 1.0 t\n",
    "an empty second field": b"q1  d1 1 1.0 t\n",
    "a leading blank": b" Q0 d1 1 1.0 t\n",
    "a trailing blank": b"q1 Q0 d1 1 1.0 \n",
    "a comment of six fields": b"#q Q0 d1 1 1.0 t\n",
    "NUL": b"q1 Q0 d\0 1 1.0 t\n",
    "a vertical tab": b"q1 Q0 d\v1 1 1.0 t\n",
    "a form feed": b"q1 Q0 d\f1 1 1.0 t\n",
    "a tab in a field between blanks": b"q1 Q0 d\t1 1 1.0 t\n",
    "a blank in a field between tabs": b"q1\tQ0\tmy doc\t1\t1.0\tt\n",
    "a blank beside a number between tabs": b"q1\tQ0\td1\t1\t 1.0\tt\n",
    "a carriage return for a line end": b"q1 Q0 d1 1 1.0 t\rq1 Q0 d2 2 0.5 t\n",
    "a carriage return at the end of the file": b"q1 Q0 d1 1 1.0 t\r",
    "two carriage returns": b"q1 Q0 d1 1 1.0 t\r\r\n",
    "a blank line": b"q1 Q0 d1 1 1.0 t\n\nq1 Q0 d2 2 0.5 t\n",
    "only a blank line": b"\n",
    "no UTF-8 in the column nobody keeps": b"q1 \xff d1 1 1.0 t\n",
    "half a surrogate pair": b"q1 Q0 \xed\xa0\x80 1 1.0 t\n",
    "a hexadecimal rank": b"q1 Q0 d1 0x10 1.0 t\n",
    "a capital hexadecimal rank": b"q1 Q0 d1 0X10 1.0 t\n",
    "a rank with a sign": b"q1 Q0 d1 +1 1.0 t\n",
    "a score beyond floats": b"q1 Q0 d1 1 1e999 t\n",
    "a NaN with a note": b"q1 Q0 d1 1 nan(1) t\n",
    "five fields": b"q1 Q0 d1 1 1.0\n",
    "seven fields": b"q1 Q0 my doc 1 1.0 t\n",
    "a quote": b'q1 Q0 "d1 1 1.0 t"\n',
    "a word that some readers take for nothing": b"NULL Q0 NaN 1 1.0 NA\n",
}
"""Lines on which pyarrow's CSV reader and TREC's format part ways, or might."""


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("after", [b"", b"q0 Q0 d0 1 2.5 t\n", b"q0\tQ0\td0\t1\t2.5\tt\n"])
def test_no_trap_makes_the_two_readers_differ(trap: str, after: bytes) -> None:
    """Where pyarrow would read something else than trec_eval's format says, the fast reader leaves the block alone."""
    for block in (after + TRAPS[trap], TRAPS[trap] + after):
        fast = fast_part(block, Options("run"))
        assert fast is None or columns(fast) == columns(exact_part(block, Options("run")))


@pytest.mark.parametrize("grade", ["0x1", "+1", "1.0", "nan", "1_0", "99999999999999999999", "-9223372036854775808"])
def test_no_grade_makes_the_two_readers_differ(grade: str) -> None:
    """A grade means the same to both readers, or the fast one leaves it alone."""
    block = f"q1 0 d1 {grade}\n".encode()
    fast = fast_part(block, Options("qrels"))
    assert fast is None or columns(fast) == columns(exact_part(block, Options("qrels")))


@pytest.mark.parametrize("oddness", [3, 15])
@pytest.mark.parametrize("kind", ["run", "qrels"])
@settings(max_examples=60)
@given(data=st.data(), float_grades=st.booleans())
def test_what_the_fast_reader_takes_it_reads_as_the_exact_one(kind: Kind, oddness: int, data, float_grades) -> None:
    """The fast reader may decline a block; where it does not, every column, line and count is that of the exact one."""
    block = data.draw(lines(kind, oddness))
    options = Options(kind, float_grades=float_grades and kind == "qrels")
    fast = fast_part(block, options)
    if fast is not None:
        assert columns(fast) == columns(exact_part(block, options))


@pytest.mark.parametrize("kind", ["run", "qrels"])
@settings(max_examples=60)
@given(data=st.data())
def test_the_fast_reader_takes_every_clean_file(kind: Kind, data) -> None:
    """Files of one delimiter, six or four fields and plain numbers are never left to the slow reader."""
    assert fast_part(data.draw(lines(kind, 0)), Options(kind)) is not None


@pytest.mark.parametrize("kind", ["run", "qrels"])
@settings(max_examples=60)
@given(data=st.data(), block=st.integers(1, 200))
def test_blocks_do_not_show(kind: Kind, data, block: int) -> None:
    """Cutting a file into blocks anywhere, each read by either reader, changes neither rows nor faults nor lines."""
    text = data.draw(lines(kind, 5))
    options = Options(kind)
    assert table_columns(read(text, options, block, 0)) == table_columns(read(text, options, 1 << 20, 1 << 20))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_scores_keep_every_bit(scores: list[float]) -> None:
    """A score written with all its digits is read back as the same 64-bit float, by either reader."""
    text = "".join(f"q Q0 d{n} {n} {score!r} t\n" for n, score in enumerate(scores)).encode()
    for small in (0, 1 << 20):
        assert list(map(repr, read(text, Options("run"), 1 << 20, small).value.tolist())) == list(map(repr, scores))
