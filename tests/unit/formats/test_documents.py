"""Collections, one document after the other, whatever they are written in."""

import gzip
import io
from types import SimpleNamespace

import ir_datasets
import pytest

import denominator as dn
from denominator.formats.documents import read_documents


def read(text: str) -> list[tuple[str, str]]:
    return list(read_documents(io.BytesIO(text.encode())))


@pytest.mark.parametrize("name", ["_id", "id", "docid", "doc_id"])
@pytest.mark.parametrize("body", ["text", "contents", "body"])
def test_json_lines_under_every_name(name, body):
    """Ids and texts are found under the names that collections use; a title stands before the text."""
    lines = f'{{"{name}": "d1", "title": "May", "{body}": "rain", "url": "x"}}\n\n{{"{name}": 7, "{body}": ""}}\n'
    assert read(lines) == [("d1", "May rain"), ("7", "")]


def test_tab_separated_lines():
    """Without a header the first field is the id and all others are text; carriage returns are no text."""
    assert read("d1\train\r\n\nd2\tMay\train in May") == [("d1", "rain"), ("d2", "May rain in May")]


def test_a_header_says_which_field_is_which():
    """With a header only title and text are text, in whatever order the columns stand."""
    assert read("url\tpid\ttext\nhttp://a\td1\train\n") == [("d1", "rain")]
    assert read("id\ttext\ttitle\nd1\train\tMay\n") == [("d1", "rain May")]


def test_compressed_files_and_marks(tmp_path):
    """A compressed file is read as any other, and so is one with a byte order mark."""
    path = tmp_path / "corpus.jsonl.gz"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"id": "d1", "text": "rain"}\n'))
    assert list(read_documents(path)) == [("d1", "rain")]


def test_a_mapping_is_a_collection():
    """From Python a dict from id to text will do."""
    assert list(read_documents({"d1": "rain"})) == [("d1", "rain")]


def test_all_faults_of_a_file_are_told_at_its_end():
    """Each line that is no document is named with its reason."""
    lines = ['{"id": "d1", "text": "rain"}', "[1]", "{", '{"text": "rain"}', '{"id": "d2"}', '{"id": "", "text": ""}']
    lines += ['{"id": true, "text": ""}', '{"id": "\\ud800", "text": ""}', '{"id": "a\\u0000", "text": ""}']
    with pytest.raises(dn.FormatError) as error:
        read("\n".join(lines))
    assert [fault.line for fault in error.value.faults] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert "expected one of _id, id" in str(error.value)
    assert "expected one of title, text" in str(error.value)


def test_lines_without_a_tab_or_an_id_are_refused():
    """A text file that is no table is not taken for a collection."""
    with pytest.raises(dn.FormatError, match="an id, a tab and a text") as error:
        read("rain in May\n\tx\nd1\train\n")
    assert [fault.line for fault in error.value.faults] == [1, 2]
    with pytest.raises(dn.FormatError, match="BytesIO:2: 2 fields, the header has 3"):
        read("text\turl\tid\nrain\thttp://a\n")


def test_bytes_that_are_not_utf8_are_told_with_their_line():
    """A line in another encoding is a fault."""
    with pytest.raises(dn.FormatError, match="0xff"):
        list(read_documents(io.BytesIO(b"d1\train\nd2\t\xff\n")))


def test_what_is_no_collection_is_refused():
    """A number is no collection; a file that is missing is said to be."""
    with pytest.raises(dn.InputError, match="expected a file"):
        list(read_documents(7))
    with pytest.raises(dn.InputError, match="no such file"):
        list(read_documents("nowhere.jsonl"))


def test_documents_of_ir_datasets(monkeypatch):
    """The documents of a data set come with what ir_datasets takes for their text."""
    document = SimpleNamespace(doc_id="d1", default_text=lambda: "May rain")
    tiny = SimpleNamespace(has=lambda part: part == "docs", docs_iter=lambda: iter([document]))
    monkeypatch.setattr(ir_datasets, "load", lambda name: tiny)
    assert list(read_documents("ir_datasets:tiny")) == [("d1", "May rain")]
    tiny.has = lambda part: False
    with pytest.raises(dn.InputError, match="has no docs"):
        list(read_documents("ir_datasets:tiny"))


def test_no_documents_are_downloaded_unasked():
    """A data set that is not on the machine is an error that says how to get it."""
    with pytest.raises(dn.InputError, match=r"nothing is downloaded unasked|could not provide"):
        list(read_documents("ir_datasets:vaswani"))


def test_a_byte_order_mark_inside_a_collection_is_told_with_its_line():
    """Two files joined: it would be a part of the id of the second one's first document."""
    with pytest.raises(dn.FormatError, match=r"2: a byte order mark .* two files joined"):
        list(read_documents(io.BytesIO(b"d1\train\n\xef\xbb\xbfd2\train\n")))
