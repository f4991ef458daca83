"""CIRAL's files: which there are, where they are looked for, and that no other bytes are used."""

import gzip
import hashlib
import re

import pytest

from denominator import ciral, fetching
from denominator.ciral import local_file, qrels_path
from denominator.ciral.files import path_of, pinned_file, superseded_file
from denominator.ciral.places import corpus_file, corpus_fingerprint, folder_in_use
from denominator.errors import AbsentError, InputError, UsageError
from denominator.fingerprints import KNOWN
from small_ciral import NATIVE, OLD_QRELS, QRELS, made


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """No folder of the user's, an empty cache, and no permission to download."""
    for name in ("DENOMINATOR_CIRAL", "DENOMINATOR_DOWNLOAD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a made CIRAL."""
    return made(tmp_path / "mine", monkeypatch)


def test_the_table_pins_every_file_but_the_english_queries_of_dev():
    """16 qrels and 20 files of topics, each by size and SHA-256 at one commit."""
    pinned = {
        (language, split, part): pinned_file(language, split, part)
        for language in ciral.LANGUAGES
        for split in ciral.SPLITS
        for part in ("qrels", "topics", "native")
    }
    lacking = {key for key, known in pinned.items() if known is None}
    assert lacking == {(language, "dev", "topics") for language in ciral.LANGUAGES}
    known = {row.sha256: row for row in pinned.values() if row is not None}
    assert len(known) == 16 + 20
    assert len({row.commit for row in known.values()}) == 1


def test_every_row_of_the_table_is_whole():
    """Digests, sizes and addresses are what they say."""
    for digest, row in KNOWN.items():
        assert re.fullmatch("[0-9a-f]{64}", digest)
        assert row.size > 0
        assert row.commit == "" or re.fullmatch("[0-9a-f]{40}", row.commit)
        assert row.url in ("", f"https://{row.repository}/raw/{row.commit}/{row.path}")
        assert all(issue.strip() == issue != "" for issue in row.issues)


def test_the_revision_of_2023_is_known_where_it_was_replaced():
    """Three languages have another file under the same label; Hausa's is the same bytes."""
    assert {language for language in ciral.LANGUAGES if superseded_file(language)} == {"so", "sw", "yo"}
    for language in ("so", "sw", "yo"):
        assert superseded_file(language).superseded


@pytest.mark.parametrize(
    "dataset", ["ciral", "ciral/sw", "cirl/sw/dev", "ciral/sw/dev/natif", "ciral/en/dev", "ciral/sw/test"]
)
def test_an_id_that_is_none_is_refused_with_what_there_is(dataset):
    """The languages and the splits are listed."""
    with pytest.raises(UsageError, match=r"expected ciral/LANGUAGE/SPLIT|CIRAL has (ha, so, sw, yo|dev, test-a)"):
        ciral.split_id(dataset)


def test_a_local_copy_is_read_and_checked(folder, monkeypatch):
    """By an argument or by the environment; the argument has the last word."""
    assert local_file("sw", "test-a", "qrels", folder=folder).data == QRELS
    monkeypatch.setenv("DENOMINATOR_CIRAL", str(folder))
    assert qrels_path("sw", "test-a") == folder / "qrels/qrels.ciral-v1.0-sw-test-a.tsv"
    assert local_file("sw", "test-a-pools", "native").data == NATIVE  # the pools judge the same queries
    with pytest.raises(InputError, match="no such file"):
        qrels_path("sw", "test-a", folder=folder / "elsewhere")


def test_the_folder_of_downloads_is_that_of_ir_datasets(folder, tmp_path):
    """Without a folder of one's own; what lies there already is used, and checked."""
    assert folder_in_use() == (tmp_path / "home" / "ciral", False)
    (tmp_path / "home").mkdir()
    folder.rename(tmp_path / "home" / "ciral")
    assert local_file("sw", "test-a", "qrels").data == QRELS


def test_what_is_not_there_is_an_error_that_says_which_files_go_where(folder, tmp_path):
    """Every file of the split with its place, address, size and digest; and how to have it fetched."""
    with pytest.raises(AbsentError) as caught:
        qrels_path("sw", "test-a")
    assert (caught.value.dataset, caught.value.part) == ("ciral/sw/test-a", "qrels")
    text = str(caught.value)
    assert "nothing is downloaded unasked" in text
    assert "denominator datasets ciral/sw/test-a --download" in text
    for part in ("qrels", "topics", "native"):
        known = pinned_file("sw", "test-a", part)
        assert f"{tmp_path / 'home' / 'ciral' / known.path}  from {known.url}" in text
        assert known.sha256 in text


def test_the_folder_of_ones_own_is_never_written_to(folder, monkeypatch):
    """What it lacks is listed, what it has is not, and nothing is fetched into it even where downloads are allowed."""
    monkeypatch.setattr(fetching, "fetch", lambda *_: pytest.fail("fetched"))
    (folder / path_of("sw", "test-a", "topics")).unlink()
    with pytest.raises(InputError, match="put there, byte for byte") as caught:
        local_file("sw", "test-a", "topics", folder=folder, download=True)
    assert not isinstance(caught.value, AbsentError)
    assert "test-a.tsv  from" in str(caught.value)
    assert "native" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: bytes([data[0] ^ 1]) + data[1:], "47 bytes, as expected, with SHA-256"),
        (lambda data: data[:-5], "42 bytes, expected 47, with SHA-256"),
        (
            lambda data: OLD_QRELS,
            r"this is CIRAL sw test-a-pools, revision of November 2023, superseded \(2 of 3 pairs",
        ),
    ],
    ids=["a flipped bit", "cut off", "the superseded revision"],
)
def test_other_bytes_are_refused_and_the_file_is_named(folder, change, said):
    """Damaged, cut off, or another revision under the same name, which is called by its own."""
    path = folder / path_of("sw", "test-a", "qrels")
    path.write_bytes(change(QRELS))
    with pytest.raises(InputError, match=said) as caught:
        qrels_path("sw", "test-a", folder=folder)
    assert str(caught.value).startswith(f"{path}: ")
    assert "the published file is https://github.com/" in str(caught.value)


@pytest.mark.parametrize("allowed_by", ["argument", "environment"])
def test_a_download_is_made_where_it_is_allowed(folder, tmp_path, monkeypatch, allowed_by):
    """Into the folder of downloads, with the progress passed on."""
    asked = []

    def fetch(known, path, progress):
        asked.append((known.path, path, progress))
        path.parent.mkdir(parents=True)
        path.write_bytes(QRELS)

    monkeypatch.setattr(fetching, "fetch", fetch)
    if allowed_by == "environment":
        monkeypatch.setenv("DENOMINATOR_DOWNLOAD", "1")
    given = {"download": True, "progress": print} if allowed_by == "argument" else {}
    assert local_file("sw", "test-a", "qrels", **given).data == QRELS
    path = path_of("sw", "test-a", "qrels")
    assert asked == [(path, tmp_path / "home" / "ciral" / path, given.get("progress"))]


def test_the_argument_forbids_what_the_environment_allows(folder, monkeypatch):
    """A caller that only looks is not made to download."""
    monkeypatch.setenv("DENOMINATOR_DOWNLOAD", "1")
    monkeypatch.setattr(fetching, "fetch", lambda *_: pytest.fail("fetched"))
    with pytest.raises(AbsentError):
        local_file("sw", "test-a", "qrels", download=False)


def test_what_has_no_pinned_bytes_is_used_with_its_fingerprint(folder):
    """The English queries of dev: read where they are, never fetched, told where to get where not."""
    with pytest.raises(InputError, match=r"ciral/sw/dev/native") as caught:
        local_file("sw", "dev", "topics", folder=folder, download=True)
    assert not isinstance(caught.value, AbsentError)
    path = folder / path_of("sw", "dev", "topics")
    path.write_bytes(b"1\tWhat?\n")
    found = local_file("sw", "dev", "topics", folder=folder)
    assert found.known is None
    assert found.sha256 == hashlib.sha256(b"1\tWhat?\n").hexdigest()
    assert ciral.topics("sw", "dev", folder=folder) == (ciral.Topic("1", "What?"),)


def test_a_corpus_is_found_compressed_or_not_and_known_by_its_fingerprint_only(tmp_path):
    """Nowhere: where it goes. There: its SHA-256, anew when the file changes."""
    with pytest.raises(InputError, match=re.escape("passages-v1.0/hausa_passages.jsonl")):
        corpus_file("ha", folder=tmp_path)
    path = tmp_path / "passages-v1.0" / "hausa_passages.jsonl.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(b'{"docid": "a"}\n'))
    assert corpus_file("ha", folder=tmp_path) == path
    first = corpus_fingerprint(path)
    path.write_bytes(gzip.compress(b'{"docid": "bb"}\n'))
    assert corpus_fingerprint(path) != first
    path.with_suffix("").write_bytes(b'{"docid": "a"}\n')
    assert corpus_file("ha", folder=tmp_path) == path.with_suffix("")
