"""Benchmarks of judgments that are none of the published ones, of any data set's id, and of languages."""

import pytest

import denominator as dn
from denominator.benchmark import benchmark_ciral, judged
from denominator.benchmark.languages import published_across
from denominator.benchmark.published import published

QRELS = {f"q{number}": {"d1": 1, "d2": 0, "d3": 1} for number in range(4)}
RUN = {f"q{number}": {"d1": 3.0, "d9": 2.0, "d2": 1.0} for number in range(4)}


def kinds(part):
    """Return the kinds of a part's notes."""
    return [note.kind for note in part.notes]


@pytest.fixture
def made_ciral(monkeypatch, tmp_path):
    """Let made judgments stand for every split of CIRAL: the real ones are known by their bytes."""
    path = tmp_path / "made.qrels"
    path.write_text("".join(f"{q} 0 {d} {grade}\n" for q, docs in QRELS.items() for d, grade in docs.items()))
    asked = []

    def qrels_path(language, split, folder=None):
        asked.append((language, split, folder))
        return path

    monkeypatch.setattr(judged, "qrels_path", qrels_path)
    return asked


def test_judgments_of_no_known_data_set_have_official_stand_ins():
    """nDCG@10 and R@100, ours, and those asked for, each once and with a ceiling; nothing is set beside them."""
    (part,) = dn.benchmark(QRELS, RUN, "P@1 R@100").parts
    assert [str(one.mean.measure) for one in part.standings] == ["nDCG@10", "R@100", "R@10", "Judged@10", "P@1"]
    assert part.official == ("nDCG@10", "R@100")
    assert all(one.rank is None for one in part.standings)
    assert part.standings[1].mean.value == 0.5
    assert {"unknown-judgments", "few-queries", "unjudged", "short-run"} <= set(kinds(part))


def test_an_id_of_ir_datasets_works_without_published_values(tmp_path, monkeypatch):
    """Its own official measures are used; without any, ours stand in and that is said."""
    import ir_datasets
    from ir_datasets.datasets.base import Dataset
    from ir_datasets.formats import TrecQrels
    from ir_datasets.util import LocalDownload

    path = tmp_path / "q"
    path.write_text("q1 0 d1 1\nq2 0 d1 0\n")
    for name, official in (("made-a", ["P@5", "unheard-of@3"]), ("made-b", [])):

        class Documentation:
            measures = official

            def documentation(self):
                return {"official_measures": self.measures}

        qrels = TrecQrels(LocalDownload(path), {0: "no", 1: "yes"})
        monkeypatch.setitem(ir_datasets.registry._registered, name, Dataset(qrels, Documentation()))
    (part,) = dn.benchmark("made-a", {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}).parts
    assert (part.dataset, part.official) == ("made-a", ("P@5",))
    assert "no-official" not in kinds(part)
    (part,) = dn.benchmark("ir_datasets:made-b", {"q1": {"d1": 1.0}}).parts
    assert (part.dataset, part.official) == ("made-b", ("nDCG@10", "R@100"))
    assert "no-official" in kinds(part)
    (note,) = [note for note in part.notes if note.kind == "ceiling"]
    assert (
        "no ranking can have more than 1/2 = 0.5000, because 1 of 2 judged queries (q2) has no relevant" in note.message
    )


def test_a_file_named_like_a_published_one_is_not_taken_for_it(tmp_path):
    """Its bytes decide: it is named as unknown, and nothing published is set beside the run."""
    path = tmp_path / "qrels.ciral-v1.0-sw-dev.tsv"
    path.write_text("q0 0 d1 1\n")
    (part,) = dn.benchmark(path, RUN).parts
    assert (part.dataset, part.known) == ("", None)
    assert part.official == ("nDCG@20", "R@100", "RR@10")
    assert all(one.rank is None for one in part.standings)
    (note,) = [note for note in part.notes if note.kind == "unknown-revision"]
    assert "is named like CIRAL v1.0 Swahili dev, but its bytes are those of no known revision" in note.message


def test_a_run_stands_beside_what_is_published_for_the_split(made_ciral, tmp_path):
    """The official measures have every published value with its difference; RR@10 on dev only."""
    (part,) = dn.benchmark("ciral/yo/dev", RUN, ciral_dir=tmp_path).parts
    assert made_ciral == [("yo", "dev", tmp_path)]
    assert part.official == ("nDCG@20", "R@100", "RR@10")
    for one in part.standings[:3]:
        rows = [row for row in published("ciral/yo/dev") if row.measure == str(one.mean.measure)]
        assert {beside.row for beside in one.beside} == set(rows)
        assert one.rank.of == len({row.counted_as for row in rows}) + 1
    (part,) = dn.benchmark("ir_datasets:ciral/yo/test-b/native", RUN).parts
    assert part.dataset == "ciral/yo/test-b"
    assert part.official == ("nDCG@20", "R@100")


def test_shallow_and_pooled_judgments_are_told_apart(made_ciral):
    """Test-a says what the pools have, the pools what test-a has."""
    (part,) = dn.benchmark("ciral/sw/test-a", RUN).parts
    (note,) = [note for note in part.notes if note.kind == "shallow"]
    assert "|Rel| 4.2; the pools of the same queries (ciral/sw/test-a-pools) judge 95.0, |Rel| 28.5" in note.message
    (part,) = dn.benchmark("ciral/sw/test-a-pools", RUN).parts
    (note,) = [note for note in part.notes if note.kind == "pooled"]
    assert "|Rel| 28.5 a query" in note.message
    assert "(ciral/sw/test-a) have 4.2" in note.message


def test_a_run_with_unjudged_documents_is_warned_of(made_ciral):
    """With the share of its first documents that anybody judged; a run of judged documents is not."""
    (part,) = dn.benchmark("ciral/sw/dev", RUN).parts
    (note,) = [note for note in part.notes if note.kind == "unjudged"]
    assert note.message.startswith(
        "The run: 67% of the first 20 documents are judged; they are what other systems found"
    )
    judged_only = {query: {"d1": 2.0, "d2": 1.0} for query in QRELS}
    (part,) = dn.benchmark("ciral/sw/dev", {"mine": judged_only, "other": RUN}).parts
    assert [note.message[:9] for note in part.notes if note.kind == "unjudged"] == ["other: 67"]


def test_languages_have_a_macro_mean_that_counts_each_once(made_ciral):
    """Its n is the number of languages, and what is published is averaged over the same ones."""
    half = {query: RUN[query] for query in ("q0", "q1")}
    found = benchmark_ciral({"ha": RUN, "so": half}, "dev")
    (recall,) = [one for one in found.macro if str(one.mean.measure) == "R@100"]
    assert (recall.mean.value, recall.mean.n, recall.mean.judged, recall.mean.answered) == (0.375, 2, 8, 6)
    (bm25,) = [one.row for one in recall.beside if one.row.system == "bm25-dt"]
    assert (bm25.value, bm25.decimals) == (pytest.approx((0.3892 + 0.4728) / 2), 4)
    assert bm25.note.startswith("mean, taken here, of its 2 published values")
    assert found.macro_dataset == "ciral/dev over ha, so"
    assert "R@100 0.375 (macro mean over 2 groups)" in repr(found)
    assert "rank" in repr(found)


def test_a_language_that_fails_is_not_in_the_mean(made_ciral, tmp_path):
    """One language that is left has no mean of its own beside it; nothing is left when all fail."""
    found = benchmark_ciral({"ha": RUN, "so": tmp_path / "none.run"}, "dev")
    assert [failure.run for failure in found.failures] == [str(tmp_path / "none.run")]
    assert (len(found.parts), list(found.macro)) == (1, [])
    with pytest.raises(dn.InputError, match=r"none\.run"):
        benchmark_ciral({"so": tmp_path / "none.run"}, "dev")


@pytest.mark.parametrize(
    ("runs", "split", "words"),
    [
        ({"fr": RUN}, "dev", "language fr: CIRAL has ha, so, sw, yo"),
        ({"ha": RUN}, "test", "split 'test': CIRAL has dev"),
        ({"ha": RUN, "sw": RUN}, "dev", "Hausa and Swahili are given the same run"),
        ({}, "dev", "expected a mapping from language"),
    ],
)
def test_what_makes_no_sense_for_languages_is_refused(made_ciral, runs, split, words):
    """No language or split that there is not, and one run is never two languages'."""
    with pytest.raises(dn.UsageError, match=words):
        benchmark_ciral(runs, split)


def test_one_file_under_two_names_is_one_run(made_ciral, tmp_path):
    """A link does not make another run of it."""
    (tmp_path / "ha.run").write_text("q0 Q0 d1 1 1.0 x\n")
    (tmp_path / "so.run").hardlink_to(tmp_path / "ha.run")
    with pytest.raises(dn.UsageError, match="the query ids of one language are those of other queries in another"):
        benchmark_ciral({"ha": tmp_path / "ha.run", "so": tmp_path / "so.run"}, "dev")


def test_the_records_are_tidy_and_a_frame_holds_them(made_ciral):
    """A row a mean and a row a published value; what is missing is missing."""
    found = dn.benchmark("ciral/so/test-a", RUN)
    frame = found.to_pandas()
    assert len(frame) == len(found.records()) == sum(1 + len(one.beside) for one in found.parts[0].standings)
    beside = frame[(frame["row"] == "published") & (frame["measure"] == "nDCG@20") & (frame["system"] == "bm25-dt")]
    (one,) = beside.to_dict("records")
    assert one["published"] == 0.159
    assert one["difference"] == pytest.approx(round(one["value"], 4) - 0.159)
    assert one["source"].startswith("https://github.com/castorini/pyserini/blob/")
    means = frame[frame["row"] == "run"]
    assert str(frame["rank"].dtype) == "Int64"
    assert means["system"].isna().all()
    assert means[means["measure"] == "Judged@20"]["rank"].isna().all()


def test_a_system_that_lacks_a_language_has_no_mean_over_them():
    """GPT-4's reranking is published for Hausa only; and an average that the page gives itself stands there once."""
    assert "RankGPT reranking-4" in {row.system for row in published("ciral/ha/dev")}
    over_two = published_across(["ha", "so"], "dev", "nDCG@20")
    assert "RankGPT reranking-4" not in {row.system for row in over_two}
    assert "bm25-dt" in {row.system for row in over_two}
    over_all = published_across(["ha", "so", "sw", "yo"], "test-b", "nDCG@20")
    (fused,) = [row for row in over_all if row.system == "bm25-dt-afriberta-dpr-fusion"]
    assert (fused.value, fused.note) == (0.3109, "the page's average of the four languages")
