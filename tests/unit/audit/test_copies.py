"""The same text under two ids: counted twice, left unjudged, or graded twice."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import denominator as dn
from denominator.audit.near import near_groups, shingles, similarity
from denominator.findings import Findings

DOCUMENTS = ("a", "b", "c", "d", "e")
WORDS = "the first rain of the season fell on the dry fields of the village late in the month of"

grades = st.dictionaries(
    st.sampled_from("qr"), st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 2), min_size=1), min_size=1
)
runs = st.dictionaries(
    st.sampled_from("qr"), st.lists(st.sampled_from(DOCUMENTS), unique=True, min_size=1), min_size=1
).map(lambda run: {query: {doc: float(-at) for at, doc in enumerate(docs)} for query, docs in run.items()})
collections = st.fixed_dictionaries({doc: st.sampled_from(["rain", " rain ", "hail", "snow", ""]) for doc in DOCUMENTS})


def precision(qrels: object, run: object) -> float:
    (mean,) = dn.evaluate(qrels, run, "P@3").means()
    return mean.value


@given(grades, runs, collections)
def test_a_text_that_counts_once_is_what_score_prints_with_copies_judged_0(qrels, run, corpus):
    """Judging the named copies 0 gives the precision that is stated."""
    if not set(qrels) & set(run):
        return
    for found in dn.audit(qrels, run, corpus=corpus, k=3, select="R201"):
        changed = {q: dict(docs) for q, docs in qrels.items()}
        for place in found.places:
            assert corpus[place.doc_id].strip() == corpus[place.values["copy_of"]].strip() != ""
            changed[place.query_id][place.doc_id] = 0
        assert found.numbers["P@3"] == precision(qrels, run)
        assert found.numbers["P@3 if a text counts once"] == precision(changed, run)
        return
    for query in set(qrels) & set(run):
        top = sorted(run[query], key=run[query].get, reverse=True)[:3]
        texts = [corpus[doc].strip() for doc in top if qrels[query].get(doc, 0) > 0 and corpus[doc].strip()]
        assert len(set(texts)) == len(texts)


@given(grades, runs, collections)
def test_copies_that_count_are_what_score_prints_once_they_are_judged(qrels, run, corpus):
    """Giving the named copies their twin's grade gives the precision that is stated."""
    if not set(qrels) & set(run):
        return
    expected = {
        (q, doc)
        for q in set(qrels) & set(run)
        for doc in sorted(run[q], key=run[q].get, reverse=True)[:3]
        if qrels[q].get(doc, -1) < 0
        and corpus[doc].strip() in {corpus[one].strip() for one, grade in qrels[q].items() if grade > 0} - {""}
    }
    found = dn.audit(qrels, run, corpus=corpus, k=3, select="R202")
    assert {(at.query_id, at.doc_id) for one in found for at in one.places} == expected
    for one in found:
        changed = {q: dict(docs) for q, docs in qrels.items()}
        for at in one.places:
            changed[at.query_id][at.doc_id] = qrels[at.query_id][at.values["copy_of"]]
        assert one.numbers["P@3 if copies counted"] == precision(changed, run)


@given(grades, collections)
def test_texts_with_two_grades_are_counted_with_both(qrels, corpus):
    """|Rel| with the highest and with the lowest grade of each text is that of qrels graded so."""
    for found in dn.audit(qrels, corpus=corpus, select="R203"):
        for name, choose in (("highest", max), ("lowest", min)):
            total, unequal = 0, 0
            for docs in qrels.values():
                by_text: dict[str, list[int]] = {}
                for doc, grade in docs.items():
                    if grade >= 0:
                        by_text.setdefault(corpus[doc].strip() or doc, []).append(grade)
                unequal += sum(len(set(some)) > 1 for some in by_text.values())
                total += sum(len(some) for some in by_text.values() if choose(some) >= 1)
            assert found.numbers[f"|Rel| {name}"] == total
            assert found.numbers["texts"] == found.count == unequal


def test_without_a_corpus_nothing_is_said_of_texts():
    """The checks need texts."""
    assert not dn.audit({"q": {"a": 1, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, select="R2")


def _near(threshold: float | None) -> Findings:
    corpus = {"a": f"{WORDS} May", "b": f"{WORDS} April", "c": "hail broke the windows", "d": f"{WORDS} June"}
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
    return dn.audit(qrels, run, corpus=corpus, k=5, select="R205,R206", near_duplicates=threshold)


def test_near_copies_are_found_from_a_threshold_on():
    """Texts that share all but their last words are near at 0.8 and not at 1; unasked nothing is compared."""
    counted, unjudged = _near(0.8)
    assert (counted.numbers["P@5"], counted.numbers["P@5 if a text counts once"]) == (0.4, 0.2)
    assert (unjudged.numbers["P@5"], unjudged.numbers["P@5 if copies counted"]) == (0.4, pytest.approx(0.6))
    assert not _near(1.0)
    assert not _near(None)


def test_what_the_sketches_propose_is_measured():
    """Texts that share 15 of 21 runs of three words are proposed and not near at 0.72; they are at 0.7."""
    texts = {"a": f"{WORDS} May", "b": " ".join([*WORDS.split()[:-2], "some", "other", "time"])}
    assert similarity(*map(shingles, texts.values())) == 15 / 21
    assert near_groups(texts, 0.7) == {"a": 0, "b": 0}
    assert near_groups(texts, 0.72) == {}


def test_near_copies_need_an_extra(monkeypatch):
    """Without datasketch the error holds the pip line."""
    monkeypatch.setitem(sys.modules, "datasketch", None)
    with pytest.raises(dn.MissingExtraError, match=r"pip install 'denominator\[dedup\]'"):
        _near(0.8)


@pytest.mark.parametrize("threshold", [0.0, 1.5, "x"])
def test_a_threshold_is_a_share(threshold):
    """Nothing, and more than everything, cannot be shared."""
    with pytest.raises(dn.UsageError, match="above 0, at most 1"):
        dn.audit({"q": {"a": 1}}, near_duplicates=threshold)


@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("xyzuvw"), max_size=8).map(" ".join)))
def test_what_is_near_shares_its_words(texts):
    """Every document of a group is as similar as was asked to another one of it; equal texts are always found."""
    groups = near_groups(texts, 0.7)
    for key, group in groups.items():
        others = [texts[one] for one, its in groups.items() if its == group and one != key]
        assert max(similarity(shingles(texts[key]), shingles(other)) for other in others) >= 0.7
    for key, text in texts.items():
        if text and list(texts.values()).count(text) > 1:
            assert key in groups
