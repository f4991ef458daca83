"""The collection of an audit: its size, its ids, its texts."""

import io
import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import denominator as dn
from denominator import ids
from denominator.audit.corpus import Corpus, normal_text
from denominator.cli import main
from denominator.formats import documents
from denominator.model import Severity

texts = st.text(alphabet="a\ufb01 \u00a0", max_size=3)


@given(st.lists(st.tuples(st.sampled_from(["d1", "d2", "d3", "dé"]), texts), min_size=1))
def test_a_corpus_is_what_a_dictionary_of_it_would_be(rows):
    """Ids, repeats, texts and copies are those of plain Python."""
    lines = "".join(json.dumps({"id": key, "text": text}) + "\n" for key, text in rows)
    corpus = _of(lines, {"d1", "d2"})
    first = {}
    for key, text in rows:
        first.setdefault(key, " ".join(text.replace("\ufb01", "fi").split()))
    assert len(corpus) == len(first)
    assert len(corpus.again) == len(rows) - len(first)
    assert corpus.texts == {key: text for key, text in first.items() if key in ("d1", "d2")}
    assert corpus.holds(ids.column_of(["d1", "dé", "d", ""])).tolist() == ["d1" in first, "dé" in first, False, False]
    same = {text for text in first.values() if text and list(first.values()).count(text) > 1}
    rows_of, starts = corpus.copies
    names = ids.strings_at(corpus.doc_id, rows_of)
    assert sorted(names) == sorted(key for key, text in first.items() if text in same)
    groups = [names[low:high] for low, high in itertools.pairwise([*starts, len(names)])]
    assert all(len(group) > 1 and len({first[key] for key in group}) == 1 for group in groups)
    assert len(groups) == len(same)


def _of(lines: str, wanted: set[str]) -> Corpus:
    return Corpus.of(io.BytesIO(lines.encode()), frozenset(wanted))


@given(st.text())
def test_normal_texts_stay_as_they_are(text):
    """Normalising twice is normalising once, and blanks at the ends have no say."""
    once = normal_text(text)
    assert normal_text(once) == once == normal_text(f" {text}\n")


def test_only_wanted_texts_are_kept():
    """A text that nobody asked about is hashed and forgotten."""
    corpus = _of('{"id": "a", "text": "rain"}\n{"id": "b", "text": "hail"}\n', {"b"})
    assert corpus.texts == {"b": "hail"}
    assert corpus.content.shape == (2, 2)
    assert corpus.content.dtype == np.dtype("<u8")


def test_a_corpus_without_documents_is_refused():
    """Blank lines alone are no collection."""
    with pytest.raises(dn.InputError, match="no documents"):
        _of(" \n\n", set())


def test_the_corpus_gives_its_size():
    """Coverage is divided by the documents that the corpus holds, unless a size was given."""
    qrels, corpus = {"q": {"d1": 1}}, {f"d{number}": "rain" for number in range(8)}
    coverage = dn.audit(qrels, corpus=corpus, select="D113").items[0].numbers
    assert (coverage["corpus size"], coverage["judged / corpus"]) == (8, 1 / 8)
    assert dn.audit(qrels, corpus=corpus, corpus_size=4, select="D113").items[0].numbers["corpus size"] == 4


def test_the_ceiling_without_missing_documents_is_what_score_prints():
    """A run of all relevant documents that the corpus holds has the recall that is stated as the best."""
    qrels = {"q1": {"a": 1, "b": 2, "c": 0}, "q2": {"d": 1, "e": 1, "f": 1}, "q3": {"g": 0}}
    corpus = {"a": "", "c": "", "d": "", "e": "", "g": ""}
    (found,) = dn.audit(qrels, corpus=corpus, select="I103")
    best = {q: {doc: 1.0 for doc in docs if doc in corpus} for q, docs in qrels.items()}
    (mean,) = dn.evaluate(qrels, best, "R@100").means()
    assert found.numbers["best recall"] == mean.value
    assert found.severity is Severity.WARNING
    assert [place.doc_id for place in found.places] == ["b", "f"]
    assert dn.audit(qrels, corpus={"x": ""}, select="I103").items[0].severity is Severity.ERROR


@pytest.mark.parametrize("name", ["corpus.jsonl", "corpus.tsv"])
def test_the_command_reads_a_corpus(tmp_path, name):
    """--corpus takes a file; what is missing from it is told, and a broken file fails with its line."""
    (tmp_path / "qrels").write_text("q 0 d1 1\nq 0 d2 1\n")
    corpus = tmp_path / name
    corpus.write_text('{"id": "d1", "text": "rain"}\n' if name.endswith("l") else "d1\train\n")
    told = CliRunner().invoke(main, ["audit", str(tmp_path / "qrels"), "--corpus", str(corpus), "--select", "I103"])
    assert "1 of 2 judgments is of documents" in " ".join(told.output.split())
    corpus.write_text(corpus.read_text() + "rain\n")
    told = CliRunner().invoke(main, ["audit", str(tmp_path / "qrels"), "--corpus", str(corpus)])
    assert told.exit_code == 2
    assert f"{name}:2:" in told.output


def test_a_corpus_is_read_in_blocks(tmp_path, monkeypatch):
    """However large the file, no more of it than a block is held, and no memory is asked for in advance."""
    seen = {}
    whole = documents.open_content

    def opened(source: object, **how: object) -> object:
        seen.update(how)
        return whole(source, **how)

    monkeypatch.setattr(documents, "open_content", opened)
    (tmp_path / "c.tsv").write_text("d1\train\n")
    assert len(Corpus.of(str(tmp_path / "c.tsv"), frozenset())) == 1
    assert seen["limit"] > 1 << 60
