"""A run for other queries than the judged ones: refused, and told from a bad one by what is judged of it."""

import pytest

import denominator as dn
from denominator.benchmark import fit, judged
from denominator.errors import InputError

MADE = {"1": {"VOA#1#0": 3.0, "VOA#1#1": 2.0}, "2": {"VOA#2#0": 1.0}}
"""A run for the made CIRAL, sw test-a."""


def qrels_of(monkeypatch, path, lines):
    """Let made judgments stand for every split of CIRAL that is asked for."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    monkeypatch.setattr(judged, "qrels_path", lambda language, split, folder=None: path)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1 0 a 1", "3 0 b 1"], "none of the 2 documents that it has for 1 of the 2 judged queries of ciral/yo/dev"),
        (["4 0 a 1", "3 0 b 1"], "no query in common"),
    ],
)
def test_a_run_of_another_split_is_refused_with_the_split_it_is_of(ciral_folder, tmp_path, monkeypatch, lines, words):
    """Where the judgments that fit it are on this machine: whether some ids are shared by chance, or none."""
    qrels_of(monkeypatch, tmp_path / "q", lines)
    with pytest.raises(InputError) as caught:
        dn.benchmark("ciral/yo/dev", MADE)
    assert words in str(caught.value)
    assert "3 of its documents are judged in ciral/sw/test-a" in str(caught.value)
    assert str(caught.value).endswith("is this a run for sw/test-a?")


def test_a_run_of_which_nothing_is_judged_is_refused_whatever_the_data_set():
    """Every measure would be 0 for it, and its rank the last; the other runs stay."""
    qrels = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    stranger = {"q1": {"x1": 1.0}, "q2": {"x2": 1.0}}
    with pytest.raises(InputError, match=r"none of the 2 documents .* Is this a run for other queries"):
        dn.benchmark(qrels, stranger)
    (part,) = dn.benchmark(qrels, {"stranger": stranger, "poor": {"q1": {"d1": 1.0, "x": 2.0}}}).parts
    assert [run.name for run in part.scores.runs] == ["poor"]
    assert [failure.run for failure in part.scores.failures] == ["stranger"]


def test_a_run_of_which_next_to_nothing_is_judged_has_no_rank(ciral_folder, tmp_path, monkeypatch):
    """It is scored and said of it first; at one judged document for ten queries it has its place."""
    qrels_of(monkeypatch, tmp_path / "q", [f"{number} 0 d{number} 1" for number in range(11)])
    poor = {str(number): {f"d{number}" if number == 0 else "x": 1.0} for number in range(11)}
    (part,) = dn.benchmark("ciral/yo/dev", poor).parts
    assert part.notes[0].kind == "barely-judged"
    assert "only 1 of its 11 documents for 11 judged queries are judged" in part.notes[0].message
    assert all(one.rank is None for one in part.standings)
    (part,) = dn.benchmark("ciral/yo/dev", dict(list(poor.items())[:10])).parts
    assert part.standings[0].rank is not None
    assert part.notes[0].kind != "barely-judged"


def test_few_judged_documents_are_refused_where_other_judgments_fit_many_times_better(
    ciral_folder, tmp_path, monkeypatch
):
    """Ten times better is enough of a sign; as good a fit is none."""
    qrels_of(monkeypatch, tmp_path / "q", ["1 0 VOA#1#0 1", "2 0 b 1"])
    (part,) = dn.benchmark("ciral/yo/dev", MADE).parts  # 1 document is judged here, 3 there
    assert len(part.scores.runs) == 1
    monkeypatch.setattr(fit, "MANY_TIMES", 2)
    with pytest.raises(InputError, match=r"only 1 of the 3 documents .* is this a run for sw/test-a\?"):
        dn.benchmark("ciral/yo/dev", MADE)


def test_a_share_that_is_not_all_is_not_said_to_be():
    """999 of 1,000 judged documents are no 100 %."""
    qrels = {str(query): {f"d{doc}": 1 for doc in range(10)} for query in range(100)}
    run = {query: {doc: 1.0 - int(doc[1:]) / 100 for doc in docs} for query, docs in qrels.items()}
    run["7"] = {**run["7"], "x": 2.0}
    (part,) = dn.benchmark(qrels, run).parts
    (note,) = [note for note in part.notes if note.kind == "unjudged"]
    assert note.message.startswith("The run: 99.9% of the first 10 documents are judged; what nobody judged")
