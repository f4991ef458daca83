"""CIRAL in ir_datasets: every id, and what is read through it."""

import gzip
import json

import ir_datasets
import pytest

import denominator as dn
from denominator.ciral import COUNTS, LANGUAGES, SPLITS
from denominator.datasets import register
from denominator.datasets.ciral import CiralDoc
from denominator.errors import AbsentError, InputError
from denominator.formats import irds
from small_ciral import made

IDS = {f"ciral/{language}/{split}{own}" for language in LANGUAGES for split in SPLITS for own in ("", "/native")}


def test_every_split_is_an_id_of_ir_datasets():
    """16 splits in English and native, and a collection for each language; a second registration changes nothing."""
    before = list(ir_datasets.registry)
    assert {one for one in before if one.startswith("ciral/")} == IDS | {f"ciral/{language}" for language in LANGUAGES}
    register()
    assert list(ir_datasets.registry) == before


def test_judgments_and_queries_are_read(ciral_folder):
    """As ir_datasets' own types, or with their names; the same queries for test-a and its pools."""
    dataset = ir_datasets.load("ciral/sw/test-a")
    assert [tuple(row)[:3] for row in dataset.qrels_iter()] == [
        ("1", "VOA#1#0", 1),
        ("1", "VOA#1#1", 0),
        ("2", "VOA#2#0", 1),
    ]
    assert [tuple(query) for query in dataset.queries] == [("1", "What is ugali?"), ("2", 'Who wrote "it"?')]
    native = ir_datasets.load("ciral/sw/test-a-pools/native")
    assert [query.default_text() for query in native.queries] == ["Ugali ni nini?", "Nani?"]
    assert len(list(native.qrels)) == 4
    assert (dataset.queries.lang, native.queries.lang, dataset.docs.lang) == ("en", "sw", "sw")
    assert set(dataset.qrels.defs) == {0, 1}
    assert str(dataset.qrels_path()) == str(ciral_folder / "qrels/qrels.ciral-v1.0-sw-test-a.tsv")
    assert str(dataset.queries_path()) == str(ciral_folder / "topics/topics.ciral-v1.0-sw-test-a.tsv")


def test_the_folder_is_looked_up_when_something_is_read(ciral_folder, tmp_path, monkeypatch):
    """Another folder may be set after the import; damaged bytes are refused there too."""
    dataset = ir_datasets.load("ciral/sw/test-a")
    assert len(list(dataset.qrels_iter())) == 3
    other = made(tmp_path / "other", monkeypatch)
    monkeypatch.setenv("DENOMINATOR_CIRAL", str(other))
    path = other / "qrels/qrels.ciral-v1.0-sw-test-a.tsv"
    path.write_bytes(path.read_bytes().replace(b"\t1\n", b"\t0\n", 1))
    with pytest.raises(InputError, match=r"other.*sw-test-a\.tsv: not CIRAL"):
        list(dataset.qrels_iter())


def test_documentation_and_counts_are_ours():
    """ir_datasets reads its own from inside its package; ours says licence, measures and known oddities."""
    for name in IDS:
        dataset = ir_datasets.load(name)
        _, language, split, *_ = name.split("/")
        told = dataset.documentation()
        assert told["pretty_name"].startswith(f"CIRAL: {LANGUAGES[language]} {split}")
        assert told["official_measures"] == ["nDCG@20", "R@100"]
        assert "Apache License 2.0" in told["data_access"]
        assert any("never to be merged" in issue for issue in told["known_issues"])
        assert dataset.metadata()["qrels"]["count"] == COUNTS[language, split][1]
    native = ir_datasets.load("ciral/yo/test-b/native").documentation()
    assert "queries in Yoruba" in native["pretty_name"]
    assert any("U+FEFF inside a word" in issue for issue in native["known_issues"])
    assert ir_datasets.load("ciral/sw/test-b").metadata()["queries"]["count"] == 113
    assert "from a local copy" in ir_datasets.load("ciral/sw").documentation()["desc"]


def test_passages_come_from_the_local_copy_only(ciral_folder):
    """JSON lines, compressed or not; looked up by id; a line that is no passage is named."""
    dataset = ir_datasets.load("ciral/sw/test-a")
    with pytest.raises(InputError, match="never downloaded"):
        dataset.docs_iter()
    path = ciral_folder / "passages-v1.0/swahili_passages.jsonl.gz"
    path.parent.mkdir()
    rows = [{"docid": f"VOA#1#{n}", "title": "Habari", "text": f"maneno {n}", "url": None} for n in range(3)]
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode() + b"\n"))
    assert list(dataset.docs_iter())[1] == CiralDoc("VOA#1#1", "Habari", "maneno 1", "")
    assert next(irds.documents("ir_datasets:ciral/sw")) == ("VOA#1#0", "Habari maneno 0")
    assert dataset.docs_store().get("VOA#1#2").text == "maneno 2"
    assert str(dataset.docs_path()) == str(path)
    path.with_suffix("").write_bytes(b'{"docid": "VOA#1#0", "title": "", "text": "other", "url": ""}\n{"docid": "x"}\n')
    assert not dataset.docs_store().built()  # the store of the other copy does not answer for this one
    with pytest.raises(InputError, match=r"swahili_passages\.jsonl:2: KeyError\('title'\); expected a JSON object"):
        list(dataset.docs_iter())


def test_our_own_readers_know_the_ids(ciral_folder, ciral_cache, monkeypatch):
    """read_qrels and the readers of queries take them; offline the error says which files go where."""
    monkeypatch.setenv("DENOMINATOR_CIRAL", str(ciral_folder))
    qrels = dn.read_qrels("ir_datasets:ciral/sw/test-a")
    assert (len(qrels), qrels.queries) == (3, ("1", "2"))
    assert list(irds.queries("ir_datasets:ciral/sw/test-a/native")) == [("1", "Ugali ni nini?"), ("2", "Nani?")]
    monkeypatch.delenv("DENOMINATOR_CIRAL")
    with pytest.raises(AbsentError, match=r"(?s)sw-test-a\.tsv  from https://github\.com/") as caught:
        dn.read_qrels("ir_datasets:ciral/sw/test-a")
    assert (caught.value.dataset, caught.value.part) == ("ciral/sw/test-a", "qrels")
