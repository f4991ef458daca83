"""`denominator measures`: the list, the explanations, and the generated page in docs."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.cli import main
from denominator.measures import REGISTRY

ROOT = Path(__file__).resolve().parents[3]


def shown(*arguments, status=0):
    """Run `denominator measures` and return what it prints."""
    done = CliRunner().invoke(main, ["measures", *arguments])
    assert done.exit_code == status, done.output
    return done.output


def test_the_list_names_every_measure_within_80_columns():
    """Each row of the registry has its line, and no line is wider than a terminal."""
    text = shown()
    first = [line.split()[0].split("@")[0].removesuffix("[") for line in text.splitlines() if line and line[0] != " "]
    assert set(REGISTRY) <= set(first)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_measure_has_its_page_within_80_columns(name):
    """Formula, denominator, ceiling, undefined cases, when not to trust it, and source are on the page."""
    text = shown(name)
    assert max(map(len, text.splitlines())) <= 80
    for label in ("formula", "divided by", "ceiling", "undefined", "trust it?", "engines", "trec_eval", "source"):
        assert f"\n{label} " in text


def test_a_page_is_of_the_measure_as_typed():
    """Either spelling gives the same page, which says how trec_eval is asked and who computes it."""
    text = shown("nDCG@10")
    assert text == shown("ndcg_cut_10")
    assert text.startswith("nDCG@10: Normalised discounted cumulative gain\n")
    assert "-m ndcg_cut.10, printed as ndcg_cut_10" in text
    assert "pytrec_eval, columnar, reference" in text


def test_a_page_says_which_engine_cannot_take_the_parameters():
    """nDCG with exponential gains is beyond pytrec_eval, and trec_eval has no name for it."""
    text = shown("nDCG(dcg='exp-log2')@10")
    assert "columnar, reference; not pytrec_eval: pytrec_eval has no such" in text
    assert "not with these parameters" in text


def test_options_of_trec_eval_are_on_the_page():
    """rel=2 is trec_eval's -l2, and a measure without its cutoff shows how it is given."""
    assert "-l2 -m P.5, printed as P_5" in shown("P(rel=2)@5")
    assert "-m P.5,10" in shown("P")
    assert "(version 10 only)" in shown("unj@5")


def test_json_holds_the_list_and_the_pages():
    """-f json is for programs: one entry per measure, with engines as a list."""
    listed = json.loads(shown("-f", "json"))
    assert [entry["name"] for entry in listed] == list(REGISTRY)
    (entry,) = json.loads(shown("-f", "json", "P@5"))
    assert entry["measure"] == "P@5"
    assert entry["engines"] == ["pytrec_eval", "columnar", "reference"]
    assert len(json.loads(shown("--all", "-f", "json"))) == len(REGISTRY)


def test_markdown_holds_the_list_and_the_pages():
    """-f markdown gives a table, and a section for what is named."""
    assert shown("-f", "markdown").startswith("| measure |")
    section = shown("-f", "markdown", "RCap@5")
    assert section.startswith("## RCap@5\n")
    assert "\\|Rel\\|" in section


def test_what_is_unknown_is_said_in_one_line():
    """A misspelled measure ends with status 2 and the nearest name."""
    assert "did you mean ndcg_cut" in shown("ndgc_cut_10", status=2)
    assert "Traceback" not in shown("P@0", status=2)


def test_the_example_of_the_help_runs():
    """--help ends with a command that works."""
    (line,) = [line for line in shown("--help").splitlines() if "Example:" in line]
    program, verb, *arguments = shlex.split(line.partition("Example:")[2])
    assert (program, verb) == ("denominator", "measures")
    assert "nDCG@10" in shown(*arguments)


def test_the_docs_are_what_the_registry_says():
    """docs/measures.md is the output of `denominator measures --all -f markdown`."""
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == shown("--all", "-f", "markdown")
