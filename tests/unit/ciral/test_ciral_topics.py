"""CIRAL's queries: what belongs to the file's format is undone, the language is left alone."""

import hashlib
import unicodedata
from pathlib import Path

import pytest

from denominator.ciral import Local, Topic, read_topics, topics
from denominator.ciral.topics import CORRECTIONS
from denominator.errors import InputError


def read(data: bytes, digest: str | None = None):
    return read_topics(Local(Path("t.tsv"), data, digest or hashlib.sha256(data).hexdigest(), None))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('1\t"the ""annobar"" disease ?"', 'the "annobar" disease ?'),
        ('1\t"""Wazobia"" ni?"', '"Wazobia" ni?'),
        ('1\tthe "annobar" disease', 'the "annobar" disease'),
        ('1\t"in quotes for nothing "', "in quotes for nothing"),
        ("1\t Rais wa sasa ni nani? ", "Rais wa sasa ni nani?"),
        ("1\tÀ\ufeffsìkò wo", "Àsìkò wo"),
        ("1\ttext\r", "text"),
    ],
)
def test_what_belongs_to_the_format_is_undone(line, text):
    """CSV quotes, blanks at the edges, a byte order mark inside a word, carriage returns."""
    assert read(line.encode()) == (Topic("1", text),)


def test_the_language_is_left_as_it_was_written():
    """A text that is not in form NFC stays so: which form matches is between the system and its corpus."""
    text = unicodedata.normalize("NFD", "Orúkọ wo ni wọ́n ń pè é?")
    assert unicodedata.normalize("NFC", text) != text
    assert read(f"1\t{text}\n".encode())[0].text == text


def test_a_query_id_that_is_known_to_be_a_slip_is_set_right_in_that_file_only():
    """The correction goes by the file's bytes; the same lines elsewhere are an error."""
    (digest,) = CORRECTIONS
    data = b"".join(b"%d\ttext\n" % n for n in range(1, 70)) + b"69\tanother text\n"
    assert read(data, digest)[-1] == Topic("238", "another text")
    with pytest.raises(InputError, match=r"^t\.tsv:70: query 69 again; expected .* each id once$"):
        read(data)


def test_lines_that_are_no_queries_are_all_named():
    """No tab, two tabs, no id, no UTF-8; blank lines and a mark at the front are nothing."""
    data = b"\xef\xbb\xbf1\tfirst\n\nno tab\n2\ta\tb\n\ttext\n3\t\xff\n4\tlast"
    with pytest.raises(InputError) as caught:
        read(data)
    assert [line.split(": ")[0] for line in str(caught.value).splitlines()] == [f"t.tsv:{n}" for n in (3, 4, 5, 6)]
    good = b"\xef\xbb\xbf1\tfirst\n\n4\tlast"
    assert read(good) == (Topic("1", "first"), Topic("4", "last"))
    assert read(good)[0].default_text() == "first"


def test_topics_are_those_of_the_language_asked_for(tmp_path, monkeypatch):
    """English, or native."""
    from small_ciral import made

    folder = made(tmp_path, monkeypatch)
    assert topics("sw", "test-a", folder=folder)[0] == Topic("1", "What is ugali?")
    assert topics("sw", "test-a", native=True, folder=folder)[0] == Topic("1", "Ugali ni nini?")


def test_a_path_is_read_as_it_is(tmp_path):
    """Whatever its name and bytes; one that is not there is an error that names it."""
    path = tmp_path / "queries.tsv"
    path.write_bytes(b"7\tWhat is ugali?\n")
    assert read_topics(path) == read_topics(str(path)) == (Topic("7", "What is ugali?"),)
    with pytest.raises(InputError, match="absent"):
        read_topics(tmp_path / "absent.tsv")
