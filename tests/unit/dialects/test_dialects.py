"""Dialects by hand: what they are made of, what they refuse, and what an evaluation in one of them says."""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import denominator as dn
from denominator.cli import main
from denominator.cli.spoken import CHOICE_OPTIONS
from denominator.dialects import CHOICES, DIALECTS, Dialect, apply, dialect
from denominator.errors import InputError, UndefinedError, UsageError
from denominator.measures import AP, P, R, nDCG, parse_measures
from denominator.outputs import render
from inputs import judged, qrels_of, ranked, run_of

QRELS = judged("q1 a 2\nq1 b 1\nq1 c 1\nq1 d 0\nq2 a 1\nq3 a 0")
RUN = ranked("q1 x b a\nq2 y\nq9 a")
ROOT = Path(__file__).parents[3]


def run(*arguments: str):
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.parametrize(
    ("choices", "measure", "mean", "n"),
    [
        ({}, R @ 2, (1 / 3) / 3, 3),
        ({"queries": "answered"}, R @ 2, (1 / 3) / 2, 2),
        ({"queries": "answerable"}, R @ 2, (1 / 3) / 2, 2),
        ({"queries": "run"}, R @ 2, (1 / 3) / 3, 3),
        ({"recall": "capped"}, R @ 2, (1 / 2) / 3, 3),
        ({"recall": "k"}, R @ 5, (2 / 5) / 3, 3),
        ({"recall": "hit"}, R @ 2, 1 / 3, 3),
        ({"recall": "retrieved"}, R @ 2, (1 / 2) / 3, 3),
        ({"recall": "micro"}, R @ 5, 2 / 4, 3),
        ({"precision": "returned"}, P @ 5, (2 / 3) / 3, 3),
        ({"ap": "capped"}, AP @ 2, (1 / 2 / 2) / 3, 3),
        ({"ap": "retrieved"}, AP, ((1 / 2 + 2 / 3) / 2) / 3, 3),
        ({"no_relevant": "1"}, AP, ((1 / 2 + 2 / 3) / 3 + 0 + 1) / 3, 3),
        ({"no_relevant": "dropped"}, AP, ((1 / 2 + 2 / 3) / 3) / 2, 2),
        ({"no_relevant": "unfound"}, AP, (1 / 2 + 2 / 3) / 3, 1),
        ({"level": 2}, AP, (1 / 3) / 3, 3),
        ({"unjudged": "removed"}, AP, (1 + 1) / 3 / 3, 3),
        ({"gain": "binary", "ideal": "top"}, nDCG @ 2, (1 / np.log2(3)) / 3, 3),
    ],
)
def test_a_choice_changes_a_number_worked_by_hand(choices, measure, mean, n):
    """Two relevant documents found of three at ranks 2 and 3; one query found nothing, one has nothing to find."""
    applied = apply(QRELS, RUN, [measure], dialect("trec_eval-c").using(**choices))
    assert applied.mean(measure) == pytest.approx(mean)
    assert applied.n(measure) == n


def test_duplicates_count_as_often_as_the_dialect_says():
    """A relevant document that stands twice: refused, once, or twice."""
    qrels, twice = judged("q1 a 1\nq1 b 1"), ranked("q1 a a")
    base = dialect("trec_eval-c")
    with pytest.raises(
        InputError, match=r'holds document "a" more than once \(2 such rows\), which this dialect refuses'
    ):
        apply(qrels, twice, [R @ 5], base)
    for value, recall in (("first", 0.5), ("last", 0.5), ("best", 0.5), ("positional", 1.0)):
        assert apply(qrels, twice, [R @ 5], base.using(duplicates=value)).mean(R @ 5) == recall
    with pytest.raises(InputError, match="more than once"):
        apply(qrels_of([("q1", "a", 1), ("q1", "a", 0)]), ranked("q1 a"), [R @ 5], base)


def test_of_judgments_that_contradict_each_other_one_counts():
    """First, last, or the highest grade."""
    both = qrels_of([("q1", "a", 1), ("q1", "a", 3), ("q1", "a", 2)])
    gains = {"first": 1.0, "last": 2.0, "best": 3.0}
    for value, gain in gains.items():
        kept = apply(both, ranked("q1 a"), "NumRel(rel=3)", dialect("trec_eval-c").using(duplicates=value))
        assert kept.mean(parse_measures("NumRel(rel=3)")[0]) == float(gain == 3.0)


def test_a_name_shows_the_changes_and_a_change_holds_for_every_measure():
    """`beir, gain=exponential`; a choice that was changed is no measure's override any more."""
    changed = dialect("beir").using(gain="exp", ties="id-ascending")
    assert str(changed.name) == "beir, ties=id-ascending, gain=exponential"
    assert {changed.for_measure(one).ties for one in parse_measures("RR@10 nDCG@10 R@5")} == {"id-ascending"}
    assert changed.for_measure(parse_measures("RR@10")[0]).queries == "judged"
    assert changed.using(gain="linear").gain == "linear"


@pytest.mark.parametrize(
    ("name", "choices", "message"),
    [
        ("trec_eval", {}, 'unknown dialect "trec_eval": did you mean trec_eval-'),
        ("beir", {"gains": "linear"}, '"gains" is no choice of a dialect: expected one of order, ties'),
        ("beir", {"gain": "square"}, "gain='square': expected linear, exponential, binary"),
        ("beir", {"level": 0}, "level=0: expected a grade above 0"),
    ],
)
def test_an_unknown_name_is_answered_with_what_there_is(name, choices, message):
    """Of dialects, choices and values."""
    with pytest.raises(UsageError) as caught:
        dialect(name).using(**choices)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "choices", "measure", "message"),
    [
        ("msmarco", {}, "nDCG@10", "the dialect msmarco has no nDCG@10: its measures are RR"),
        ("trectools", {}, "Rprec", "the dialect trectools cannot say Rprec: with pandas 3"),
        ("trec_eval-c", {"ties": "averaged"}, "P@5", "ties=averaged is defined for nDCG, RBP only; P@5 has no value"),
        ("trec_eval-c", {"ties": "averaged", "unjudged": "removed"}, "nDCG", "nDCG is of one that is condensed"),
    ],
)
def test_what_a_dialect_cannot_say_it_refuses(name, choices, measure, message):
    """A measure it lacks, one that no choices lead to, one that its ties have no formula for."""
    with pytest.raises(UsageError) as caught:
        apply(QRELS, RUN, measure, dialect(name).using(**choices))
    assert message in str(caught.value)


def test_a_query_without_relevant_documents_stops_a_tool_that_stops():
    """With its name, and what to do."""
    with pytest.raises(UndefinedError, match=r"RCap@10: query q3 without a relevant document"):
        apply(QRELS, RUN, "RCap@10", "beir")
    with pytest.raises(InputError, match="no rank column; a dialect that orders by rank needs ranks"):
        apply(QRELS, RUN, "RR@10", "msmarco")


@pytest.mark.parametrize("name", ["trec_eval-c", "trec_eval-9", "trec_eval-10"])
def test_trec_eval_in_an_evaluation_is_the_evaluation_it_stands_for(name):
    """The same engines, notes, ledgers and ceilings as with the arguments themselves, and the dialect's name."""
    spoken = dn.evaluate(QRELS, RUN, "AP R@2", dialect=name)
    plain = dn.evaluate(
        QRELS,
        RUN,
        "AP R@2",
        queries="judged" if name == "trec_eval-c" else "answered",
        trec_eval="10" if name == "trec_eval-10" else "9",
    )
    assert spoken.dialect == name
    assert spoken.means() == plain.means()
    assert spoken.engines == plain.engines
    assert list(spoken.ledger()) == list(plain.ledger())
    assert spoken.notes == plain.notes


@pytest.mark.parametrize("name", [*DIALECTS, "trec_eval-c, recall=micro"])
def test_an_evaluation_says_what_apply_says(name):
    """The mean and the number of queries of every measure, in every dialect."""
    spoken = dialect("trec_eval-c").using(recall="micro") if "," in name else dialect(name)
    if spoken.order == "rank" or spoken.no_relevant == "error":
        spoken = spoken.using(order="score64", no_relevant="0")
    measures = [
        one for one in parse_measures("AP P@2 R@2 RR nDCG@2") if spoken.measures is None or one.name in spoken.measures
    ]
    scores = dn.evaluate(QRELS, RUN, measures, dialect=spoken)
    applied = apply(QRELS, RUN, measures, spoken)
    assert scores.dialect == spoken.name
    assert [(mean.value, mean.n) for mean in scores.means()] == [(applied.mean(m), applied.n(m)) for m in measures]


def test_the_queries_of_the_run_are_a_choice_like_any_other():
    """Changed alone, the rest being trec_eval's: q3 is not in the mean, q9 is with 0."""
    (mean,) = dn.evaluate(QRELS, RUN, "R@2", dialect=dialect("trec_eval-c").using(queries="run")).means()
    assert (mean.value, mean.n) == ((1 / 3) / 3, 3)
    assert str(mean) == "R@2 0.111 (3 of the run, 2 of them judged), 20% of the ceiling 0.556"


def test_a_query_of_the_run_that_is_not_judged_is_scored_with_nothing_relevant_to_it():
    """Not with 0 whatever the measure: 0 would be the best logarithm, no query at all, and all judged."""
    judged = {"q1": {"d1": 1}, "q2": {"d2": 1}}
    run = {"q1": {"d9": 2.0, "d1": 1.0}, "q3": {"d1": 1.0, "d5": 0.5}}
    expected = {
        "gm_map": (math.sqrt(0.5 * 1e-5), math.sqrt(1e-5)),
        "gm_bpref": (math.sqrt(1e-5), math.sqrt(1e-5)),
        "Unjudged@1": (1.0, None),
        "Judged@2": ((1 / 2 + 0) / 2, (1 / 2 + 0) / 2),
        "unj@5": ((1 / 5 + 2 / 5) / 2, None),
        "rbp_resid(p=0.9)": ((1 - 0.1 * 0.9 + 1) / 2, None),
        "NumQ": (2, None),
        "NumRet": (4, None),
        "NumRel": (1, None),
        "AP": (0.25, 0.5),
    }
    for mean in dn.evaluate(judged, run, list(expected), queries="run").means():
        value, ceiling = expected[str(mean.measure)]
        assert mean.value == pytest.approx(value, abs=1e-12), mean.measure
        assert mean.ceiling == (None if ceiling is None else pytest.approx(ceiling)), mean.measure
        assert mean.n == 2


def test_so_is_it_where_ties_share_what_their_places_are_worth():
    """Those of a query without judgments are worth nothing together."""
    spoken = dialect("trec_eval-c").using(queries="run", ties="averaged")
    found = dn.evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1.0}, "q3": {"d1": 1.0, "d5": 1.0}}, "nDCG@2", dialect=spoken)
    assert [(mean.value, mean.n) for mean in found.means()] == [(0.5, 2)]


def test_a_query_that_is_not_judged_is_not_said_to_be_ignored_where_it_counts():
    """Under queries=run it is in the means; where a dialect counts it for some measures, these are named."""
    (run,) = dn.evaluate(QRELS, RUN, "R@2 AP", queries="run").runs
    assert [note.message for note in run.notes if "no judgments" in note.message] == [
        "1 of 3 run queries has no judgments and was in the means: q9."
    ]
    (run,) = dn.evaluate(QRELS, RUN, "R@2 AP").runs
    assert any("q9" in note.message and "ignored" in note.message for note in run.notes)


@pytest.mark.parametrize(
    ("choices", "measure", "counts", "ceiling"),
    [
        ({"recall": "capped"}, R @ 2, [(1, 2, 2), (0, 1, 1), (0, 0, 0)], (1 + 1) / 3),
        ({"recall": "k"}, R @ 2, [(1, 2, 2), (0, 2, 1), (0, 2, 0)], (1 + 1 / 2) / 3),
        ({"recall": "hit"}, R @ 2, [(1, 1, 1), (0, 1, 1), (0, 1, 0)], (1 + 1) / 3),
        ({"recall": "retrieved"}, R @ 1, [(0, 2, 1), (0, 0, 0), (0, 0, 0)], (1 / 2) / 3),
        ({"recall": "micro"}, R @ 2, [(1, 3, 2), (0, 1, 1), (0, 0, 0)], (2 + 1) / 4),
        ({"precision": "returned"}, P @ 5, [(2, 3, 3), (0, 1, 1), (0, 0, 0)], (1 + 1) / 3),
        ({"no_relevant": "1"}, R @ 2, [(1, 3, 2), (0, 1, 1), (0, 0, 0)], (2 / 3 + 1 + 1) / 3),
        ({"ap": "capped"}, AP @ 2, None, (1 + 1) / 3),
        ({"ap": "retrieved"}, AP @ 2, None, (1 + 1) / 3),
        ({"gain": "exponential", "ideal": "top"}, nDCG @ 2, None, (1 + 1) / 3),
        ({"rbp": "graded"}, parse_measures("RBP(p=0.5)@2")[0], None, (0.5 * 2 + 0.25 + 0.5) / 3),
    ],
)
def test_a_changed_denominator_is_shown_with_its_ceiling(choices, measure, counts, ceiling):
    """Whatever a choice divides by stands beside the value, worked by hand, and so does what could be reached."""
    scores = dn.evaluate(QRELS, RUN, measure, dialect=dialect("trec_eval-c").using(**choices))
    assert scores.means()[0].ceiling == pytest.approx(ceiling)
    rows = [(row.numerator, row.denominator, row.best) for row in scores.ledger()]
    assert rows == (counts or [(None, None, None)] * 3)


def test_a_quotient_of_sums_shows_its_sums():
    """Micro recall: what was found over all queries, over all that is relevant, in the table and in JSON."""
    scores = dn.evaluate(QRELS, RUN, R @ 5, dialect=dialect("trec_eval-c").using(recall="micro"))
    assert "0.500 (2/4)" in render(scores, "text")
    (mean,) = json.loads(render(scores, "json"))["runs"][0]["means"]
    assert (mean["numerator"], mean["denominator"], mean["ceiling"]) == (2, 4, 1.0)


def test_where_no_ceiling_is_known_a_note_says_why():
    """Ties in the middle of their places and documents that count twice; what cannot be hurt by them keeps its own."""
    middle = dn.evaluate(QRELS, RUN, "R@2 RR", dialect=dialect("trec_eval-c").using(ties="middle"))
    assert [mean.ceiling for mean in middle.means()] == [None, pytest.approx(2 / 3)]
    (note,) = [note.message for note in middle.runs[0].notes if note.kind == "no-ceiling"]
    assert note.startswith("No ceiling for R@2: documents that tie share a place")
    twice = dialect("trec_eval-c").using(duplicates="positional")
    (note,) = dn.evaluate(QRELS, ranked("q1 a a"), "P@2", dialect=twice).runs[0].notes[-1:]
    assert note.message.startswith("No ceiling for P@2: a document that stands twice counts twice")
    assert dn.evaluate(QRELS, RUN, "P@2", dialect=twice).means()[0].ceiling == pytest.approx((1 + 1 / 2) / 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"engine": "reference"}, "the engine reference speaks trec_eval's dialects only, not beir"),
        ({"ties": True}, "ties, unjudged and floor are known under trec_eval's rules, not in the dialect beir"),
    ],
)
def test_what_makes_no_sense_in_a_dialect_is_refused(arguments, message):
    """An engine with other rules; bounds that were worked out for trec_eval's."""
    with pytest.raises(UsageError, match=message):
        dn.evaluate(QRELS, RUN, "nDCG@10", dialect="beir", **arguments)


def test_arguments_change_the_dialect():
    """A query set, a level, and -J are choices like any other."""
    scores = dn.evaluate(QRELS, RUN, "AP", dialect="rankkit", queries="answerable", level=2, judged_only=True)
    assert scores.dialect == "rankkit, queries=answerable, unjudged=removed, level=2"


def test_every_choice_has_an_option_with_its_values():
    """What `score --help` shows of a choice is what the dialects know; -l, -J, --queries and --trec-eval are older."""
    for name, (_, values, _) in CHOICE_OPTIONS.items():
        assert tuple(values.split("|")) == tuple(CHOICES[name].values), name
    assert set(CHOICES) - set(CHOICE_OPTIONS) == {"queries", "unjudged", "level", "trec_eval"}
    assert set(CHOICES) <= set(Dialect.__dataclass_fields__)


@pytest.mark.parametrize("form", ["json", "csv", "text", "markdown", "latex", "jsonl"])
def test_every_format_names_the_dialect(form):
    """`score --dialect` with a changed choice, in each format."""
    result = run(
        "score", "qrels/agri.qrels", "runs/agri.run", "-k", "5", "--dialect", "rankkit", "--gain", "linear", "-f", form
    )
    assert result.exit_code == 0, result.output
    assert "rankkit, gain=linear" in " ".join((result.stdout + result.stderr).split()).replace("\\", "")


def test_the_verb_lists_explains_and_refuses():
    """Text, JSON, an unknown name, and the example of its help."""
    assert run("dialects").stdout.count("\n") > len(DIALECTS)
    assert "rule from source, not run" in run("dialects", "beir").stdout
    assert [row["name"] for row in json.loads(run("dialects", "-f", "json").stdout)] == list(DIALECTS)
    assert json.loads(run("dialects", "recall", "-f", "json").stdout)[0]["default"] == "rel"
    assert run("dialects", "beir", "recall").exit_code == 0
    assert run("dialects", "nowhere").exit_code == 2


def test_the_page_of_dialects_is_what_the_verb_prints():
    """docs/dialects.md is the output of `denominator dialects -f markdown`."""
    page = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
    assert page == run("dialects", "-f", "markdown").stdout, "run: denominator dialects -f markdown > docs/dialects.md"


def test_scoring_without_a_dialect_imports_none():
    """The start of plain `score` is what it was."""
    code = (
        "import sys\nfrom denominator.cli import main\n"
        "try: main(['score', 'qrels/agri.qrels', 'runs/agri.run'])\nexcept SystemExit: pass\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert not [name for name in done.stdout.splitlines()[-1].split() if name.startswith("denominator.dialects")]


def test_ties_of_ranx_are_told(tmp_path):
    """A run with ties gets a note with the queries; one without gets none."""
    tied = run_of([("q1", "a", 1.0), ("q1", "b", 1.0)])
    (note,) = apply(QRELS, tied, "nDCG@10", "ranx").notes
    assert "1 judged queries have ties (q1)" in note.message
    assert apply(QRELS, RUN, "nDCG@10", "ranx").notes == ()


def test_a_file_with_a_document_twice_is_read_as_the_dialect_says(tmp_path):
    """Positional counting takes the rows as they stand; any other fault of the file is refused all the same."""
    path, bad = tmp_path / "twice.run", tmp_path / "bad.run"
    path.write_text("q1 Q0 a 1 3.0 t\nq1 Q0 a 2 2.0 t\nq1 Q0 b 3 1.0 t\n", encoding="utf-8")
    bad.write_text("q1 Q0 a 1 3.0 t\nq1 Q0 a 2 nan t\n", encoding="utf-8")
    base = dn.dialect("trec_eval-c")
    for value, precision in (("positional", 2 / 2 / 3), ("first", 2 / 2 / 3), ("last", 2 / 2 / 3)):
        (mean,) = dn.evaluate(QRELS, path, "P@2", dialect=base.using(duplicates=value)).means()
        assert mean.value == pytest.approx(precision)
    (mean,) = dn.evaluate(QRELS, path, "R@3", dialect=base.using(duplicates="positional")).means()
    assert mean.value == pytest.approx(3 / 3 / 3)
    with pytest.raises(dn.FormatError, match="nan"):
        dn.evaluate(QRELS, bad, "P@2", dialect=base.using(duplicates="positional"))


def test_the_list_says_in_a_line_how_each_dialect_is_known():
    """Every one has its line, none is cut, and those that were only read are told from those held to the tool."""
    lines = run("dialects").stdout.splitlines()[: len(DIALECTS)]
    for line, (name, one) in zip(lines, DIALECTS.items(), strict=True):
        assert re.match(rf"{name} +{'held to the tool' if one.held == 'run' else 'from source'} +\S", line)
        assert len(line) <= 80
        assert "…" not in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--no-relevant", "2"), "--no-relevant 2: expected 0, 1, dropped, unfound, error"),
        (("--break-ties", "averaged", "-m", "P@2"), "--break-ties averaged is defined for nDCG, RBP only"),
        (("--no-relevant", "error", "-m", "P@2"), "use --no-relevant 0 or --no-relevant dropped"),
    ],
)
def test_errors_of_choices_name_the_options(arguments, message, tmp_path):
    """What is typed is an option, and so is what an error tells to type."""
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 a 0\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 t\n")
    result = run("score", str(tmp_path / "qrels"), str(tmp_path / "run"), *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_the_queries_of_the_run_are_an_option(tmp_path):
    """--queries run is taken as the choice that `denominator dialects queries` lists; a level is said once."""
    (tmp_path / "qrels").write_text("q1 0 a 2\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 t\nq2 Q0 a 1 1.0 t\n")
    files = (str(tmp_path / "qrels"), str(tmp_path / "run"))
    assert "P@1      0.500" in run("score", *files, "-m", "P@1", "--queries", "run").stdout
    text = run("score", *files, "-m", "P@1", "-l", "2", "--gain", "exp").stdout
    assert "level=2" in text
    assert "relevance level 2" not in text


def test_the_default_measures_are_those_that_a_dialect_has(tmp_path):
    """MS MARCO's script has RR only: that is shown, and which are not; a measure that is asked for is refused."""
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 1.0 t\n")
    files = (str(tmp_path / "qrels"), str(tmp_path / "run"))
    result = run("score", *files, "--dialect", "msmarco")
    assert result.exit_code == 0
    assert result.stderr == "The dialect msmarco has no P@10, R@10, nDCG@10; shown is RR@10.\n"
    assert "RR@10" in result.stdout
    refused = run("score", *files, "--dialect", "msmarco", "-m", "RR@10 P@10")
    assert refused.exit_code == 2
    assert "the dialect msmarco has no P@10" in refused.stderr


def test_the_layout_of_trec_eval_refuses_bounds_before_it_reads():
    """No note of a file comes before the refusal, and no file is looked for."""
    result = run("score", "none.qrels", "none.run", "-f", "trec", "--ties")
    assert result.exit_code == 2
    assert "has no place for bounds" in result.stderr
    assert "none" not in result.stderr
