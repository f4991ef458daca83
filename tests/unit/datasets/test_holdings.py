"""What data sets are made of, found without opening a file; and bringing what is lacking."""

from pathlib import Path

import ir_datasets
import pytest
from ir_datasets.util import Cache, Download, TarExtract
from ir_datasets.util.download import LocalDownload, RequestsDownload

from denominator import fetching
from denominator.datasets.holdings import PARTS, Needed, holding, holdings, nearest
from denominator.datasets.holdings import _files as files_of
from denominator.datasets.pages import listing, page, record, size_in_words
from denominator.datasets.provide import lacking, provide
from denominator.errors import InputError, UsageError
from small_ciral import QRELS


def test_a_search_finds_the_ids_that_hold_every_word():
    """In any case and any order; nothing found is nothing."""
    found = [one.id for one in holdings(["test-a", "SW"]) if one.id.startswith("ciral/")]
    assert found == sorted(f"ciral/sw/{split}{own}" for split in ("test-a", "test-a-pools") for own in ("", "/native"))
    assert list(holdings(["no such words"])) == []


def test_hardly_any_data_set_of_ir_datasets_hides_its_files():
    """Of the parts that data sets have nearly all can be told; a new release that hides them shows here."""
    states = [state for one in holdings() for part in PARTS if (state := one.state(part)) is not None]
    assert len(states) > 2000
    assert states.count("unknown") < len(states) / 50


def test_what_is_on_the_machine_is_told_from_the_files(tmp_path, monkeypatch):
    """Away, or here, as the files of cranfield come; what is made of a file stands for it."""
    dataset = ir_datasets.load("cranfield")
    path = tmp_path / "qrels.txt"
    for part in ("docs", "queries", "qrels"):
        cache = getattr(getattr(dataset, f"{part}_handler")(), f"{'_' * (part == 'qrels')}{part}_dlc")
        monkeypatch.setattr(cache, "_path", tmp_path / f"{part}.txt")
        monkeypatch.setattr(cache._streamer._streamer, "_cache_path", str(tmp_path / "cran.tar.gz"))
    assert {holding("cranfield").state(part) for part in ("docs", "queries", "qrels")} == {"away"}
    path.write_text("1 184 2\n", encoding="utf-8")
    cranfield = holding("cranfield")
    assert [cranfield.state(part) for part in PARTS] == ["away", "away", "here", None]
    assert [needed.path for needed in cranfield.parts["qrels"]] == [path]
    (archive,) = lacking([cranfield], PARTS)
    assert (archive.path, archive.size) == (tmp_path / "cran.tar.gz", 506_960)
    archive.path.write_bytes(b"")
    assert lacking([holding("cranfield")], PARTS) == []


def test_a_file_is_what_is_kept_or_what_it_is_made_from(tmp_path):
    """The nearest that is kept counts; what is streamed is fetched by what keeps the result of it."""
    kept, made = tmp_path / "kept.tar.gz", tmp_path / "made.txt"
    download = Download([RequestsDownload("http://x/kept")], cache_path=str(kept), size_hint=7, dua=" agree\n to it ")
    made_of_it = Cache(TarExtract(download, "made.txt"), made)
    assert list(files_of(made_of_it, set())) == [
        Needed(kept, False, 7, "http://x/kept", "agree to it", source=download)
    ]
    kept.write_bytes(b"")
    assert list(files_of(made_of_it, set())) == [Needed(kept, True, None, "", "")]
    made.write_bytes(b"")
    assert list(files_of(made_of_it, set())) == [Needed(made, True, None, "", "")]
    made.unlink()
    streamed = Cache(TarExtract(Download([RequestsDownload("http://x/s")], stream=True), "made.txt"), made)
    (only,) = files_of(streamed, set())
    assert (only.path, only.source, only.fetchable) == (made, streamed, True)
    by_hand = Download([LocalDownload(tmp_path / "own.txt", "ask the publisher")], cache_path=str(tmp_path / "own.txt"))
    (only,) = files_of(by_hand, set())
    assert not only.fetchable


def test_the_nearest_names_are_ids_or_parts_of_them():
    """A slip in an id, or in one word of many ids; nothing is near to nonsense."""
    assert "cranfield" in nearest(["cranfeild"])
    assert nearest(["nfcorpsu"])[0] == "nfcorpus"
    assert nearest(["ciral", "sw", "test-c"])[0].startswith("ciral/sw/test-")
    assert nearest(["0123456789"]) == []


def test_what_a_person_puts_there_has_a_place_to_get_it_from(ciral_folder):
    """The passages, the English queries of dev, and whatever lacks in a folder of one's own."""
    text = page(holding("ciral/ha/dev"))
    assert "hausa_passages.jsonl of the data set CIRAL/ciral-corpus, from the Hugging Face hub" in text
    assert "put it there by hand; castorini/anserini-tools had them in topics-and-qrels/" in text
    files = record(holding("ciral/ha/dev"), checked=False)["parts"]["docs"]["files"]
    assert [file["by_hand"] for file in files] == [
        "passages-v1.0/hausa_passages.jsonl of the data set CIRAL/ciral-corpus, from the Hugging Face hub"
    ]


def test_an_unknown_id_is_answered_with_the_nearest():
    """A slip of the finger; and an id that only a list in the network could tell of is not looked up there."""
    with pytest.raises(UsageError, match="no such data set; did you mean cranfield"):
        holding("cranfeld")
    with pytest.raises(InputError, match="nothing is downloaded unasked"):
        holding("clirmatrix/en/bi139-full/de/test1")


def test_ciral_is_checked_and_not_only_there(ciral_cache):
    """A damaged file is not here, is said why, and may be fetched again; a right one is as published."""
    path = ciral_cache / "qrels/qrels.ciral-v1.0-sw-test-a.tsv"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"damaged")
    one = holding("ciral/sw/test-a")
    assert one.state("qrels") == "away"
    assert one.parts["qrels"][0].fetchable
    assert "not used: " in page(one)
    path.write_bytes(QRELS)
    one = holding("ciral/sw/test-a")
    assert one.state("qrels") == "here"
    assert one.parts["qrels"][0].verdict == "as published"
    assert [needed.path.name for needed in lacking([one], PARTS)] == ["topics.ciral-v1.0-sw-test-a.tsv"]


def test_nothing_of_ciral_is_fetched_beside_a_folder_of_ones_own(ciral_folder):
    """What the folder lacks is to be put there by hand; passages are, always."""
    (ciral_folder / "topics/topics.ciral-v1.0-sw-test-a.tsv").unlink()
    one = holding("ciral/sw/test-a")
    assert [one.state(part) for part in PARTS] == ["away", "away", "here", None]
    assert lacking([one], PARTS) == []
    assert page(one).count("put it there by hand") == 2
    path = ciral_folder / "passages-v1.0/swahili_passages.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"")
    digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert f"{path}: SHA-256 {digest}; no revision is pinned" in page(holding("ciral/sw"))
    (needed,) = record(holding("ciral/sw"), checked=True)["parts"]["docs"]["files"]
    assert digest in needed["verdict"]
    (needed,) = record(holding("ciral/sw"), checked=False)["parts"]["docs"]["files"]
    assert digest not in needed["verdict"]


def test_a_list_says_of_every_part_where_it_is(ciral_folder):
    """A column a part; what the words mean stands below."""
    lines = listing([holding("ciral/sw/test-a"), holding("ciral/sw")]).splitlines()
    assert lines[0].split() == ["id", *PARTS]
    assert lines[1].split() == ["ciral/sw/test-a", "away", "here", "here", "-"]
    assert lines[2].split() == ["ciral/sw", "away", "-", "-", "-"]
    assert lines[-1].startswith("2 data sets. here: on this machine")


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([999], "999 bytes"),
        ([39_551, 4_469], "44.0 kB"),
        ([1_057_717_952], "1.1 GB"),
        ([2 * 10**15], "2,000.0 TB"),
        ([10**6, None], "1.0 MB and more of unknown size"),
        ([None], "of unknown size"),
    ],
)
def test_sizes_are_said_as_far_as_they_are_known(sizes, said):
    """In decimal units."""
    assert size_in_words([Needed(None, False, size, "", "") for size in sizes]) == said


def test_bringing_a_file_is_fetching_or_letting_ir_datasets_do_it(ciral_cache, tmp_path, monkeypatch):
    """Ours by our wrapper with the progress; theirs by their object; a failure is told with the address."""
    asked = []
    monkeypatch.setattr(fetching, "fetch", lambda known, path, progress: asked.append((path, progress)))
    file = holding("ciral/sw/test-a").parts["qrels"][0]
    with pytest.raises(InputError):  # nothing came from the stand-in
        provide(file, print)
    assert asked == [(ciral_cache / "qrels/qrels.ciral-v1.0-sw-test-a.tsv", print)]

    class Theirs:
        def path(self):
            raise OSError("no network")

    with pytest.raises(InputError, match=r"^http://x: ir_datasets could not fetch it \(no network\)$"):
        provide(Needed(Path("x"), False, None, "http://x", "", source=Theirs()))
