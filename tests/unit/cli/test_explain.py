"""The verb explain: what it prints, and how it ends."""

import importlib
import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator import parse_measure, read_qrels, read_run
from denominator.cli import explain, main
from denominator.dialects import apply, dialect

ROOT = Path(__file__).parents[3]
AGRI = (str(ROOT / "qrels" / "agri.qrels"), str(ROOT / "runs" / "agri.run"))
DUPE = (str(ROOT / "qrels" / "agri-dupe.qrels"), str(ROOT / "runs" / "agri-dupe.run"))


def run(*arguments):
    result = CliRunner().invoke(main, ["explain", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_capped_recall_of_the_article_is_named():
    """The number, what it is, who has it, and what recall is."""
    result = run("--reported", "recall@5=0.70", *AGRI)
    assert result.exit_code == 0
    assert result.output == (
        "recall@5 = 0.70: 0.700 = recall capped at k (beir recall_cap). R@5 is 0.625 over 4 queries, ceiling 0.906.\n"
        "  Searched in 58 ways: 14 other numbers from 0.198 to 1.000; spread evenly, 0.3 of them would fit by chance, "
        "rounded or cut.\n"
    )


def test_positional_counting_is_named():
    """A run that scoring refuses is read as it stands."""
    result = run("--reported", "recall@5=1.0", *DUPE)
    assert result.exit_code == 0
    assert result.output.startswith("recall@5 = 1.0: 1.000 = R@5 with positional counting")
    assert "R@5 is 0.667 over 1 query" in result.output
    assert "2 rows hold a document more than once" in result.output


def test_several_numbers_are_one_dialect_where_there_is_one():
    """One changed choice makes the first number and leaves the two others as they are."""
    result = run("--reported", "recall@5=0.700", "--reported", "nDCG@5=0.741", "--reported", "MRR=0.875", *AGRI)
    assert "nDCG@5 = 0.741: 0.741 = nDCG@5 as it is (trec_eval-c" in result.output
    assert result.output.endswith("One dialect prints them all: trec_eval-c, recall=capped.\n")


def test_two_changes_for_two_numbers_are_one_dialect_too():
    """Each number has its own cause; a dialect with both prints both."""
    qrels, scored = read_qrels(AGRI[0]), read_run(AGRI[1])
    mean = apply(qrels, scored, "nDCG@5", dialect("trec_eval-c").using(gain="exponential")).mean(
        parse_measure("nDCG@5")
    )
    result = run("--reported", "recall@5=0.700", "--reported", f"nDCG@5={mean:.4f}", *AGRI)
    assert result.output.endswith("One dialect prints them all: trec_eval-c, recall=capped, gain=exponential.\n")


def test_nothing_found_says_so_with_the_nearest():
    """Exit status 1: the number is not explained."""
    result = run("--reported", "nDCG@5=0.1234", *AGRI)
    assert result.exit_code == 1
    assert "nothing found that is printed so. nDCG@5 is" in result.output
    assert "\n  Searched in " in result.output
    assert "\n  nearest: " in result.output
    assert "nDCG@5 is 0.7405 over 4 queries" in result.output


def test_what_is_only_far_fetched_ends_with_1():
    """One query's value, or a number that is cut and not rounded, is shown and explains nothing."""
    result = run("--reported", "nDCG@5=0.61", *AGRI)
    assert "nDCG@5 = 0.61: only far-fetched: " in result.output
    assert "fit by chance, rounded or cut" in result.output
    assert result.exit_code == 1
    answer = json.loads(run("--reported", "nDCG@5=0.61", "-f", "json", *AGRI).output)["answers"][0]
    assert not answer["explained"]
    assert all(one["far_fetched"] for one in answer["candidates"])


def test_a_value_that_fits_only_if_cut_says_so():
    """Over the other query recall is 2/3: 0.66 only where digits are cut off."""
    result = run("--reported", "R@5=0.66", "--nrel", "0,3")
    assert "R@5 over 1 of the 2 queries, one with |Rel| = 0 left out: 0.667, which is cut to it" in result.output


def test_a_ceiling_stands_once():
    """In the line that says that no ranking can have the number, and there with the query that nothing can answer."""
    result = run("--reported", "recall@5=0.95", *AGRI)
    assert result.output.count("ceiling") == 1
    assert "cannot be: ceiling 0.500 (1/2)" in run("--reported", "nDCG@5=0.9", "--nrel", "0,3").output


def test_pairs_that_were_not_tried_are_said(monkeypatch):
    """On a large run, only single changes are tried."""
    monkeypatch.setattr(importlib.import_module("denominator.explain.searching"), "MOST_ROWS", 3)
    assert "Pairs of changes were not tried" in run("--reported", "nDCG@5=0.1234", *AGRI).output
    assert "Pairs" not in run("--reported", "recall@5=0.70", *AGRI).output


def test_what_no_ranking_has_is_said_before_the_search():
    """Files say what the ceiling is, whatever the run."""
    result = run("--reported", "recall@5=0.95", *AGRI)
    first = result.output.splitlines()[0]
    assert first == "recall@5 = 0.95 over 4 queries with |Rel| 3,3,3,8 cannot be: ceiling 0.906 (29/32)."


def test_the_issue_s_sentences():
    """Without files: a ceiling, a gap between two neighbours, and digits that stand for an interval."""
    assert run("--reported", "R@5=0.80", "--nrel", "8").output.startswith(
        "R@5 = 0.80 for |Rel| = 8 cannot be: ceiling 0.625"
    )
    assert run("--reported", "recall@5=0.700", "--nrel", "3,3,3,8").output.startswith(
        "0.700 over 4 queries with |Rel| 3,3,3,8 is not reachable by recall@5: nearest 0.698 and 0.708"
    )
    result = run("--reported", "recall=0.70", "-k", "5", "--nrel", "3,3,3,8")
    assert result.output == (
        "recall = 0.70 can be: 0.698 (67/96) over 4 queries with |Rel| 3,3,3,8 is rounded to it.\n"
    )
    assert result.exit_code == 0


def test_judgments_alone_say_how_many_are_relevant():
    """QRELS without a run stands for --nrel."""
    with_file = run("--reported", "recall@5=0.700", AGRI[0])
    assert with_file.output == run("--reported", "recall@5=0.700", "--nrel", "3x3,8").output
    assert with_file.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--reported", "P@5=0.66", "--nrel", "9"], "nearest 0.600 and 0.800"),
        (["--reported", "P@5=0.66", "--nrel", "3"], "cannot be: ceiling 0.600 (3/5)"),
        (["--reported", "P@1=0.63", "--queries", "8"], "is rounded to it where a half goes up"),
        (["--reported", "P@1=0.62", "--queries", "8"], "where a half goes to the even digit, as printf does, or cut"),
        (["--reported", "R@5=0.66", "--nrel", "3"], "0.667 (2/3) for |Rel| = 3 is cut to it, not rounded"),
        (["--reported", "nDCG@5=0.66", "--queries", "3"], "CANNOT TELL whether nDCG@5 = 0.66 can be"),
        (["--reported", "R@5=0.66", "--queries", "3"], "give them with --nrel"),
        (["--reported", "MRR=0.66", "--queries", "3"], "give one with -k"),
        (["--reported", "hit@5=70", "--queries", "10"], "hit@5 = 70 (read as a percentage) can be"),
        (["--reported", "hit@5=75%", "--queries", "10"], "nearest 0.700 and 0.800"),
    ],
)
def test_every_answer_has_its_words(arguments, words):
    """Possible in one rounding, impossible, or nobody can tell and what is missing."""
    assert words in run(*arguments).output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Missing option"),
        (["--reported", "recall@5=0.7"], "say what is known"),
        (["--reported", "recall@5", "--queries", "3"], "as in recall@5=0.70"),
        (["--reported", "F1@10=0.3", "--queries", "3"], "did you mean SetF, of all that is retrieved?"),
        (["--reported", "recall@5=0.7", "--queries", "none"], "expected a whole number"),
        (["--reported", "recall@5=0.7", "--queries", "9999999"], "expected a whole number, 1 to 1,000,000"),
        (["--reported", "recall@5=0.7", "-k", "0"], "expected a whole number"),
        (["--reported", "recall@5=0.7", "--nrel", "3;4"], "as in 3,3,3,8 or 3x40,8x10"),
        (["--reported", "recall@5=0.7", "--nrel", "3x9999999"], "at most 1,000,000 queries"),
        (["--reported", "recall@5=0.7", "--nrel", "3", AGRI[0]], "for numbers without files"),
        (["--reported", "recall@5=0.7", "-", "-"], "can be read once"),
        (["--reported", "recall@5=0.7", "nowhere.qrels", AGRI[1]], "nowhere.qrels"),
    ],
)
def test_bad_usage_ends_with_2(arguments, words):
    """In words, on standard error."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_what_is_wrong_in_a_file_but_duplicates_is_refused(tmp_path):
    """A score that is no number has no place in an order; a document twice has one."""
    bad = tmp_path / "bad.run"
    bad.write_text("q_faw Q0 m1 1 nan x\nq_faw Q0 m2 2 0.5 x\n")
    result = run("--reported", "recall@5=0.7", AGRI[0], str(bad))
    assert result.exit_code == 2
    assert "bad.run:1" in result.stderr


def test_json_holds_everything():
    """One document, with exact fractions beside their values."""
    found = json.loads(run("--reported", "recall@5=0.70", "-f", "json", *AGRI).output)
    answer = found["answers"][0]
    assert (answer["measure"], answer["explained"], round(answer["actual"], 3)) == ("R@5", True, 0.625)
    assert answer["candidates"][0]["words"] == "recall capped at k"
    assert answer["possible"]["answer"] == "possible"
    verdict = json.loads(run("--reported", "R@5=0.80", "--nrel", "8", "-f", "json").output)["verdicts"][0]
    assert verdict["ceiling"] == {"value": 0.625, "fraction": "5/8"}
    assert verdict["could_be"][0]["measure"] == "RCap@5"


def test_the_examples_of_the_help_run(monkeypatch):
    """Every line that --help shows as an example works as it stands."""
    monkeypatch.chdir(ROOT)
    examples = [line.split("explain ", 1)[1] for line in explain._EXAMPLES.splitlines() if "denominator" in line]
    assert len(examples) == 3
    for example in examples:
        assert run(*shlex.split(example)).exit_code in (0, 1), example


def test_a_grade_whose_power_is_no_float_is_passed_over_without_a_word(tmp_path, recwarn):
    """2**2000 is infinite, which no reported number is; numpy does not speak of it on standard error."""
    (tmp_path / "q").write_text("q1 0 d1 2000\nq1 0 d2 1\nq2 0 d3 3\n")
    (tmp_path / "r").write_text("q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq2 Q0 d3 1 1 t\n")
    result = run("--reported", "nDCG@5=0.7", str(tmp_path / "q"), str(tmp_path / "r"))
    assert "nothing found that is printed so" in result.output
    assert [str(one.message) for one in recwarn if issubclass(one.category, RuntimeWarning)] == []


@pytest.mark.parametrize(
    ("nrel", "words"),
    [
        ("3x40000000", "expected at most 1,000,000 queries"),
        ("9" * 20, "expected numbers of at most 9 digits between commas, as in 3,3,3,8 or 3x40,8x10"),
    ],
)
def test_a_number_beyond_a_limit_is_told_the_limit(nrel, words):
    """What is written as it should be is not told how to write it."""
    result = run("--reported", "R@5=0.5", "--nrel", nrel)
    assert (result.exit_code, result.stderr) == (2, f"denominator: --nrel {nrel}: {words}\n")
