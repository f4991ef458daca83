"""Opening inputs: what is a file, how it is packed, and what is said when it cannot be used."""

import bz2
import gzip
import io
import lzma
import os
import sys
import tarfile
import threading

import lz4.frame
import pytest
import zstandard

from denominator.errors import FormatError, InputError, TooLargeError, UsageError
from denominator.formats import read_qrels, read_run, sources
from denominator.formats.sources import Head, open_content

RUN = b"q1 Q0 d1 1 2.0 s\nq1 Q0 d2 2 1.0 s\n"
PACKED = {
    "gz": gzip.compress(RUN),
    "bz2": bz2.compress(RUN),
    "xz": lzma.compress(RUN),
    "zst": zstandard.compress(RUN),
    "lz4": lz4.frame.compress(RUN),
}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED)
def test_compression_is_recognised_whatever_the_name_says(file, packed: bytes) -> None:
    """The first bytes decide, not the suffix; a plain file named .gz is read as well."""
    assert read_run(file(packed)).doc_id.to_pylist() == ["d1", "d2"]
    assert read_run(file(RUN, "plain.gz")).doc_id.to_pylist() == ["d1", "d2"]


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED)
def test_two_packed_pieces_end_to_end_are_both_read(file, packed: bytes) -> None:
    """`cat a.gz b.gz` is a valid file in each of these formats."""
    assert len(read_run(file(packed + packed), lenient="duplicates=first")) == 2
    with open_content(file(packed + packed)) as content:
        assert content.read() == RUN + RUN


LONG = b"".join(b"q%d Q0 d%d %d %d.5 s\n" % (n // 100, n * 7919, n % 100, 100 - n % 100) for n in range(20_000))
LONG_PACKED = {
    "gz": gzip.compress(LONG),
    "bz2": bz2.compress(LONG),
    "xz": lzma.compress(LONG),
    "zst": zstandard.compress(LONG),
    "lz4": lz4.frame.compress(LONG),
}


@pytest.mark.parametrize("packed", PACKED.values(), ids=PACKED)
@pytest.mark.parametrize("behind", ["garbage", "half a piece", "a damaged piece", "one letter"])
def test_what_stands_behind_a_packed_piece_is_not_dropped(file, packed: bytes, behind: str) -> None:
    """The rest of a file that cannot be unpacked is an error in every format, not the end of the file."""
    rest = {
        "garbage": b"this is no packed piece, it is text\n",
        "half a piece": packed[: len(packed) // 2],
        "a damaged piece": packed[:6] + b"\xff" * 40,
        "one letter": b"x",
    }[behind]
    with pytest.raises(InputError, match="damaged or cut short"):
        read_run(file(packed + rest), lenient="duplicates=first")


def test_zeros_behind_a_packed_piece_are_padding_where_the_format_knows_it(file) -> None:
    """xz may be padded in multiples of four zeros, before a further stream or the end; bzip2 has no padding."""
    xz = PACKED["xz"]
    for zeros in (4, 8, 1 << 17):
        with open_content(file(xz + bytes(zeros) + xz + bytes(zeros))) as content:
            assert content.read() == RUN + RUN
    for packed in (xz + bytes(3), xz + bytes(5) + xz, PACKED["bz2"] + bytes(4)):
        with pytest.raises(InputError, match="damaged or cut short"):
            read_run(file(packed), lenient="duplicates=first")


@pytest.mark.parametrize("packed", [b"", b"\n", RUN], ids=["nothing", "a newline", "rows"])
@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress], ids=["bz2", "xz"])
def test_pieces_that_hold_nothing_are_passed_over(file, pack, packed: bytes) -> None:
    """An empty stream between two others ends nothing."""
    with open_content(file(pack(b"") + pack(packed) + pack(b"") + pack(RUN))) as content:
        assert content.read() == packed + RUN


def test_what_is_packed_twice_or_an_archive_inside_is_named(file) -> None:
    """A .tgz and a .gz.gz say what they are, not that they are binary."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        entry = tarfile.TarInfo("run")
        entry.size = len(RUN)
        tar.addfile(entry, io.BytesIO(RUN))
    for packed, said in (
        (gzip.compress(archive.getvalue()), "it is a tar archive; unpack it"),
        (gzip.compress(PACKED["gz"]), "packed twice"),
        (bz2.compress(PACKED["zst"]), "packed twice"),
        (lzma.compress(b"PK\x03\x04" + bytes(60)), "it is a zip archive"),
    ):
        with pytest.raises(InputError, match=f"input: inside its compression .*{said}"):
            read_run(file(packed))


def test_why_a_file_is_damaged_is_said_in_full(file) -> None:
    """Only text from files is shortened; the library's reason is whole."""
    with pytest.raises(InputError, match="ended before the end-of-stream marker was reached"):
        read_run(file(LONG_PACKED["gz"][:-2000]))


@pytest.mark.parametrize("packed", LONG_PACKED.values(), ids=LONG_PACKED)
@pytest.mark.parametrize("left", [0.3, 0.5, 0.99])
def test_a_packed_file_that_is_cut_short_is_an_error(file, packed: bytes, left: float) -> None:
    """Half a run is never scored as a run: a download that broke off is named, wherever it did."""
    with pytest.raises(InputError, match="damaged or cut short"):
        read_run(file(packed[: int(len(packed) * left)]))


@pytest.mark.parametrize("packed", LONG_PACKED.values(), ids=LONG_PACKED)
def test_a_packed_file_that_is_overwritten_is_an_error(file, packed: bytes) -> None:
    """No library's own error gets through."""
    with pytest.raises(InputError, match="damaged or cut short"):
        read_run(file(packed[: len(packed) // 2] + b"\xff" * 1000 + packed[len(packed) // 2 + 1000 :]))


@pytest.mark.parametrize("packed", LONG_PACKED.values(), ids=LONG_PACKED)
def test_a_long_packed_file_is_read_whole(file, packed: bytes) -> None:
    """Every row is there, with its line."""
    run = read_run(file(packed))
    assert (len(run), run.line_of(19_999)) == (20_000, 20_000)


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (b"PK\x03\x04", "zip archive"),
        (b"\x1f\x9d", "uncompress"),
        (b"7z\xbc\xaf\x27\x1c", "7z archive"),
        (b"\x80\x04\x95", "pickle, which is never loaded"),
        (b"\x93NUMPY", "numpy array"),
        (b"x" * 257 + b"ustar", "tar archive"),
        (b"SQLite format 3\x00", "SQLite"),
    ],
)
def test_files_that_are_known_and_no_text_are_named(file, start: bytes, said: str) -> None:
    """What the file is, and what to do about it, instead of thousands of faults."""
    with pytest.raises(InputError, match=said):
        read_run(file(start + b"\0" * 600))


def test_a_query_id_may_begin_like_bzip2(file) -> None:
    """BZh1 is an id as good as any."""
    assert read_run(file("BZh1 Q0 d1 1 1.0 s\n")).queries == ("BZh1",)


def test_a_url_is_refused_with_a_sentence() -> None:
    """Inputs are never fetched."""
    with pytest.raises(InputError, match=r"a URL; inputs are never fetched"):
        read_qrels("https://example.org/qrels.txt")


def test_a_missing_file_names_the_nearest(file, tmp_path) -> None:
    """A typo in a file's name is met with the name that is there."""
    file(RUN, "bm25.run")
    with pytest.raises(InputError, match=r"there is no such file; did you mean .*bm25\.run\?"):
        read_run(str(tmp_path / "bm52.run"))


def test_a_folder_is_refused_with_a_file_in_it(file, tmp_path) -> None:
    """The sentence shows what might have been meant."""
    file(RUN, "bm25.run")
    with pytest.raises(InputError, match=r"a folder; give a file in it, such as .*bm25\.run"):
        read_run(tmp_path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(file) -> None:
    """The sentence says that it is about permission."""
    path = file(RUN)
    os.chmod(path, 0)
    with pytest.raises(InputError, match="no permission"):
        read_run(path)


def test_a_nul_in_a_path_is_an_input_error() -> None:
    """A path no system can hold is told, not crashed on."""
    with pytest.raises(InputError, match="cannot be opened"):
        read_run("a\0b")


def test_a_disk_that_fails_is_an_input_error() -> None:
    """An error while reading names the input."""

    class Failing(io.RawIOBase):
        name = "failing.run"

        def read(self, size: int = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(InputError, match=r"failing\.run: cannot be read: Input/output error"):
        read_run(Failing())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_read_once_through(tmp_path) -> None:
    """What a shell's <(…) makes is read like a file, though it hands out a few bytes at a time."""
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def feed() -> None:
        with path.open("wb", buffering=0) as pipe:
            for octet in RUN:
                pipe.write(bytes([octet]))

    writer = threading.Thread(target=feed)
    writer.start()
    run = read_run(path)
    writer.join()
    assert run.doc_id.to_pylist() == ["d1", "d2"]


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_standard_input_is_read_and_stays_open(monkeypatch, name: str) -> None:
    """`-` and /dev/stdin are standard input; packed content is unpacked there too."""
    stdin = io.TextIOWrapper(io.BytesIO(PACKED["gz"]))
    monkeypatch.setattr(sys, "stdin", stdin)
    run = read_run(name)
    assert (run.doc_id.to_pylist(), run.source.name) == (["d1", "d2"], "-")
    assert not stdin.buffer.closed


def test_standard_input_for_two_inputs_is_an_error(monkeypatch) -> None:
    """The second reading finds it empty, and the sentence says why."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RUN)))
    read_run("-")
    with pytest.raises(FormatError, match="it can be read only once"):
        read_run("-")


def test_a_file_object_stays_the_callers() -> None:
    """A binary file object is read and not closed."""
    stream = io.BytesIO(RUN)
    assert len(read_run(stream)) == 2
    assert not stream.closed


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0), b"\n\n", b"# nothing\n"])
def test_an_empty_file_is_an_error(file, data: bytes) -> None:
    """Nothing in it, packed or not, or nothing but blank lines and comments: said, never scored as 0."""
    with pytest.raises(FormatError) as error:
        read_run(file(data))
    assert [fault.kind for fault in error.value.faults] == ["empty"]


def test_more_than_memory_holds_is_refused_before_it_is_read(file) -> None:
    """A plain file is refused at once by its size, a packed one as soon as it has grown too large."""
    with pytest.raises(TooLargeError, match=r"34 bytes|0 MB"):
        open_content(file(RUN), limit=10)
    large = gzip.compress(RUN * 10_000)
    with open_content(file(large), limit=200_000) as content, pytest.raises(TooLargeError, match="are available"):
        content.read()
    with open_content(file(large), limit=10_000_000) as content:
        assert len(content.read()) == len(RUN) * 10_000


def test_a_byte_order_mark_is_stripped_and_reported(file) -> None:
    """The first query is q1 and not U+FEFF q1, and a note says so."""
    run = read_run(file(b"\xef\xbb\xbf" + RUN))
    assert run.queries == ("q1",)
    assert [note.kind for note in run.source.notes] == ["bom"]


def test_utf_16_is_named_and_can_be_asked_for(file) -> None:
    """A file that some editor saved as UTF-16 is named as such; encoding="utf-16" reads it."""
    path = file(RUN.decode().encode("utf-16"))
    with pytest.raises(FormatError, match="UTF-16; convert it, or name it: --encoding utf-16"):
        read_run(path)
    assert read_run(path, encoding="utf-16").doc_id.to_pylist() == ["d1", "d2"]


def test_bytes_that_are_no_utf_8_are_named_with_line_and_offset(file) -> None:
    """The line, the byte and its place in the file; latin-1 reads it."""
    path = file(RUN + b"q1 Q0 caf\xe9 3 0.5 s\nq2 Q0 \xff 1 1.0 s\n")
    with pytest.raises(FormatError) as error:
        read_run(path)
    assert [(fault.kind, fault.line) for fault in error.value.faults] == [("encoding", 3), ("encoding", 4)]
    assert "byte 0xe9 at offset 43 is not UTF-8" in str(error.value)
    assert read_run(path, encoding="latin-1").doc_id.to_pylist() == ["d1", "d2", "café", "ÿ"]


def test_an_encoding_that_does_not_fit_is_named_with_its_line(file) -> None:
    """cp1252 has no 0x81."""
    with pytest.raises(FormatError, match=r":2: byte 0x81 is not cp1252"):
        read_run(file(b"q1 Q0 d1 1 1.0 s\nq1 Q0 \x81 2 0.5 s\n"), encoding="cp1252")


def test_an_unknown_encoding_is_a_usage_error(file) -> None:
    """Encodings are the ones Python knows."""
    with pytest.raises(UsageError, match="encoding utf-99: none that Python knows"):
        read_run(file(RUN), encoding="utf-99")


@pytest.mark.parametrize(
    "name", ["base64", "hex", "zip", "bz2", "rot13", "punycode", "idna", "undefined", "unicode_escape", "utf-8\0", ""]
)
def test_what_is_no_encoding_of_text_files_is_a_usage_error(file, name: str) -> None:
    """Python's other codecs are refused by name, before a byte is decoded."""
    with pytest.raises(UsageError, match="encoding"):
        read_run(file(RUN), encoding=name)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le", "utf-7", "ascii", "utf-8-sig"])
def test_content_in_another_encoding_than_the_one_named_is_an_input_error(file, encoding: str) -> None:
    """Whatever a decoder raises names the file; ASCII and UTF-8 are read as UTF-8."""
    path = file("q1 Q0 dé日+A 1 2.0 s\n")
    if encoding in ("ascii", "utf-8-sig"):
        assert read_run(path, encoding=encoding).doc_id.to_pylist() == ["dé日+A"]
    else:
        with pytest.raises(InputError, match="input"):
            read_run(path, encoding=encoding)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_wide_encodings_are_named_and_read_when_named(file, encoding: str, pack) -> None:
    """UTF-32 is not called UTF-16, though its byte order mark begins with the other's; packed or not."""
    path = file(pack(RUN.decode().encode(encoding)))
    with pytest.raises(FormatError, match=rf"the file is {encoding.upper()}; .*--encoding {encoding} \(in Python"):
        read_run(path)
    assert read_run(path, encoding=encoding).doc_id.to_pylist() == ["d1", "d2"]


@pytest.mark.parametrize("size", [1, 7, 17, 34, 1000])
@pytest.mark.parametrize("end", [b"", b"last line without newline", b"\n"])
def test_blocks_are_whole_lines_and_nothing_is_lost(size: int, end: bytes) -> None:
    """However a file is cut, the blocks put together are the file, and each but the last ends a line."""
    with open_content(io.BytesIO(RUN + end)) as content:
        blocks = list(content.blocks(size))
    assert b"".join(blocks) == RUN + end
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_a_line_without_an_end_is_refused_before_it_fills_the_memory(monkeypatch) -> None:
    """A packed file of a few kilobytes may hold one of gigabytes; a line that ends in time is read."""
    monkeypatch.setattr(sources, "LONGEST", 1 << 20)
    with pytest.raises(TooLargeError, match="a line of more than 1 MB"):
        list(open_content(io.BytesIO(zstandard.compress(b"0" * (5 << 20)))).blocks(1 << 18))
    line = b"q Q0 " + b"d" * (1 << 19) + b" 1 1.0 t\n"
    assert list(open_content(io.BytesIO(line * 4)).blocks(1 << 18)) == [line] * 4


def test_a_head_shows_whole_lines_only() -> None:
    """The line that the look cuts through is not taken for a short one; comments and blank lines are not shown."""
    head = Head(b"# c\n\na b c\nd e f\r\ng", whole=False)
    assert head.lines == ("a b c", "d e f")
    assert (head.fields[1], head.width) == (("d", "e", "f"), 3)
    assert Head(b"a b\nc", whole=True).lines == ("a b", "c")
