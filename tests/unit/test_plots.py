"""Pictures of scores: what is drawn is what was evaluated, and texts from files are only texts."""

import sys

import numpy as np
import pytest

import denominator as dn
from denominator.dialects import DIALECTS
from denominator.plots import Plots, escaped
from inputs import judged, ranked

# in the extra [plot]
matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the backend was chosen)

QRELS = judged("q1 a 1\nq1 b 1\nq1 c 1\nq2 a 2\nq2 z 0\nq3 a 1\nq4 z 0")
RUNS = {"bm25": ranked("q1 x a y b\nq2 a\nq4 x"), "dense": ranked("q1 a b c\nq2 z a\nq3 x a")}


LONGEST = {"bm25": 4, "dense": 3}


@pytest.fixture(autouse=True)
def _closed():
    yield
    pyplot.close("all")


@pytest.fixture
def scores():
    return dn.evaluate(QRELS, RUNS, "R@2 nDCG@2 Unjudged@2")


def points(axes):
    return [line.get_xydata().tolist() for line in axes.get_lines()]


def heights(axes):
    return [bar.get_height() for bar in axes.patches]


def legend(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


@pytest.mark.parametrize(
    "options", [{}, {"queries": "answered"}, {"queries": ["q1", "q3"]}, {"depth": 3}, {"level": 2}]
)
@pytest.mark.parametrize(("picture", "measure"), [("recall", "R"), ("judged", "Judged")])
def test_a_curve_is_the_means_of_an_evaluation(picture, measure, options):
    """At every k the mean that evaluating R@k or Judged@k gives, over the same queries, and its ceiling."""
    cutoffs = range(1, options.get("depth", 4) + 1)
    scores = dn.evaluate(QRELS, RUNS, [f"{measure}@{k}" for k in cutoffs], **options)
    drawn = points(getattr(scores.plot, picture)())
    means = scores.means()
    for at, run in enumerate(RUNS):
        expected = [[k, mean.value] for k, mean in zip(cutoffs, [one for one in means if one.run == run], strict=True)]
        assert drawn[at] == expected[: LONGEST[run]]
    if picture == "recall" and options.get("queries") != "answered":
        assert drawn[2] == [[k, mean.ceiling] for k, mean in zip(cutoffs, means, strict=False)]


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_a_curve_in_another_dialect_is_its_means_or_is_refused(name):
    """No curve shows other means than the table beside it."""
    try:
        scores = dn.evaluate(QRELS, RUNS["bm25"], "R@2", dialect=name)
    except dn.DenominatorError:
        pytest.skip(f"{name} has no R@2 here")
    try:
        drawn = points(scores.plot.recall())
    except dn.UsageError:
        with pytest.raises(dn.UsageError, match=f"in the dialect {name} cannot be drawn"):
            scores.plot.recall()
    else:
        assert drawn[0][1] == [2, scores.means()[0].value]


def test_a_long_curve_has_fewer_points_and_ends_at_its_depth(scores):
    """A hundred at most, whatever the depth; one run where one is asked for."""
    run, ceiling = points(scores.plot.recall("bm25", depth=5000))
    assert 50 < len(ceiling) <= 100
    assert ceiling[0][0] == 1
    assert ceiling[-1][0] == 5000
    assert [k for k, _ in run] == [1, 2, 3, 4]
    assert [len(line) for line in points(scores.plot.judged(depth=2))] == [2, 2]


@pytest.mark.parametrize("depth", [None, 150, 1000])
def test_a_curve_ends_where_its_run_does(depth):
    """A run of 130 documents beside one of 1,000 is not drawn flat beyond its last, as if it were judged so deep."""
    deep = {"q1": {f"d{n:04}": 1000.0 - n for n in range(1000)}}
    short = {"q1": dict(list(deep["q1"].items())[:130])}
    plot = dn.evaluate({"q1": {"d0001": 1, "d0999": 1}}, {"deep": deep, "short": short}, "R@10").plot
    for draw in (plot.recall, plot.judged):
        assert [line[-1][0] for line in points(draw(depth=depth))[:2]] == [depth or 1000, 130]
        assert [line[-1][0] for line in points(draw("short", depth=50))][:1] == [50]


def test_bars_are_the_differences_largest_first(scores):
    """The second run less the first, query by query, each bar under its query's name."""
    axes = scores.plot.difference("bm25", "dense", "R@2")
    assert heights(axes) == [1.0, pytest.approx(1 / 3), 0.0, 0.0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["q3", "q1", "q2", "q4"]
    assert "dense − bm25\n2 better, 0 worse, 2 equal" in axes.get_title()
    assert heights(scores.plot.difference()) == heights(axes)
    assert heights(scores.plot.difference("dense", "bm25")) == [-height for height in reversed(heights(axes))]


def test_queries_without_a_value_are_counted_not_drawn(scores):
    """Unjudged@k has no value for an unanswered query."""
    axes = scores.plot.difference(measure="Unjudged@2")
    assert len(heights(axes)) == 2
    assert "2 without a value" in axes.get_title()
    answered = dn.evaluate(QRELS, RUNS, "R@2", queries="answered")
    assert len(heights(answered.plot.difference())) == 2


def test_many_bars_are_lines_without_names():
    """More than forty names would be a smear, and thousands of bars would take a minute."""
    qrels = {f"q{n}": {"d": 1} for n in range(41)}
    run = {query: {"d": 1.0} for query in qrels}
    other = {**run, "q3": {"x": 2.0, "d": 1.0}, "q5": {"x": 1.0}}
    axes = dn.evaluate(qrels, {"a": run, "b": other}, "RR").plot.difference()
    assert not axes.get_xticklabels()
    assert not axes.patches
    (lines,) = axes.collections
    assert [line[:, 1].tolist() for line in lines.get_segments()] == [[0, 0]] * 39 + [[0, -0.5], [0, -1]]
    assert [line[0, 0] for line in lines.get_segments()] == list(range(41))
    assert "0 better, 2 worse, 39 equal" in axes.get_title()


def test_points_stand_over_the_number_of_relevant_documents(scores):
    """For each query one, and a dash at each ceiling; no line claims what lies between two |Rel|."""
    drawn = points(scores.plot.against_rel("R@2", "bm25"))
    assert sorted(map(tuple, drawn[0])) == [(0, 0), (1, 0), (1, 1), (3, pytest.approx(1 / 3))]
    assert drawn[1] == [[0, 0], [1, 1], [3, pytest.approx(2 / 3)]]
    assert {line.get_linestyle() for line in pyplot.gca().get_lines()} == {"None"}
    assert legend(scores.plot.against_rel(run="dense")) == ["dense", "ceiling"]
    assert scores.plot.against_rel("Unjudged@2").get_legend() is None
    assert legend(dn.evaluate(QRELS, RUNS, "SetP").plot.against_rel(run="bm25")) == ["bm25", "ceiling"]


def test_of_several_runs_the_points_of_the_first_are_drawn_and_the_title_says_so(scores):
    """Those of all would lie on each other and hide what is beneath."""
    axes = scores.plot.against_rel()
    assert points(axes) == points(scores.plot.against_rel(run="bm25"))
    assert axes.get_title() == "bm25, the first of 2 runs"


@pytest.mark.parametrize("picture", ["against_rel", "recall", "judged"])
def test_a_picture_of_one_run_has_its_name_above(scores, picture):
    """Whether it was chosen or is the only one."""
    assert getattr(scores.plot, picture)(run="dense").get_title() == "dense"
    alone = dn.evaluate(QRELS, {"dense": RUNS["dense"]}, "R@2").plot
    assert getattr(alone, picture)().get_title() == "dense"


@pytest.mark.parametrize("picture", ["against_rel", "recall", "judged"])
def test_documents_are_counted_in_whole_numbers(scores, picture):
    """No tick stands at 2.5 documents."""
    axes = getattr(scores.plot, picture)()
    assert [tick for tick in axes.get_xticks() if tick != int(tick)] == []


@pytest.mark.parametrize("picture", ["recall", "judged"])
def test_a_legend_stands_beside_the_curves(scores, picture):
    """It covers none, and its figure holds all of it; in a figure that makes no room it stays within the axes."""
    axes = getattr(scores.plot, picture)()
    axes.figure.canvas.draw()
    beside, whole = axes.get_legend().get_window_extent(), axes.figure.bbox
    assert beside.x0 >= axes.bbox.x1
    assert beside.x1 <= whole.x1
    given = getattr(scores.plot, picture)(ax=pyplot.figure().add_subplot())
    given.figure.canvas.draw()
    assert given.get_legend().get_window_extent().x1 <= given.bbox.x1


def test_pictures_are_all_that_a_plot_offers(scores):
    """The scores behind them are no attribute of theirs, nor a page of numbers where they are shown."""
    offered = [name for name in dir(scores.plot) if not name.startswith("_")]
    assert offered == ["against_rel", "difference", "judged", "recall"]
    assert len(repr(scores.plot)) < 80


@pytest.mark.parametrize("name", [r"$\frac{1}{0}$", "a$b", r"\$x$", "_hidden", "x" * 999, "q\x1b[31m", "%s {0} ^_"])
def test_texts_from_files_are_only_texts(name):
    """No formula, no steering signs, nothing left out of the legend, nothing that fills the picture."""
    qrels, run = {name: {"d": 1}, "q": {"d": 1}}, {name: {"d": 1.0}}
    scores = dn.evaluate(qrels, {name: run, "b": run}, "R@1")
    for axes in (scores.plot.difference(), scores.plot.recall(), scores.plot.against_rel(), scores.plot.judged()):
        axes.figure.canvas.draw()
        texts = [text.get_text() for text in axes.figure.findobj(matplotlib.text.Text)]
        assert any(escaped(name) in text for text in texts)
        assert not any("\x1b" in text or len(text) > 200 for text in texts)
        for text in texts:
            assert not matplotlib.cbook.is_math_text(text)


def test_axes_that_are_given_are_drawn_into(scores):
    """And returned, so that pictures stand side by side; otherwise every picture has a figure of its own."""
    figure, two = pyplot.subplots(1, 2)
    assert scores.plot.recall(ax=two[0]) is two[0]
    assert scores.plot.difference(ax=two[1]).figure is figure
    assert scores.plot.judged().figure is not scores.plot.against_rel().figure


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda plot: plot.recall("bm52"), "no run 'bm52': there are bm25, dense"),
        (lambda plot: plot.recall(depth=0), "depth=0: expected a number of documents"),
        (lambda plot: plot.recall(depth=True), "depth=True: expected a number of documents"),
        (lambda plot: plot.difference("bm25"), "name both; there are bm25, dense"),
        (lambda plot: plot.difference(measure="AP"), "AP was not evaluated: there are R@2, nDCG@2"),
        (lambda plot: plot.against_rel("nDGC@2"), "nDGC"),
    ],
)
def test_what_is_not_there_is_said_with_what_is(scores, call, message):
    """Runs, measures and depths."""
    with pytest.raises(dn.UsageError) as caught:
        call(scores.plot)
    assert message in str(caught.value)


def test_a_single_run_has_nothing_to_differ_from():
    """Two are compared."""
    with pytest.raises(dn.UsageError, match="two runs are compared"):
        dn.evaluate(QRELS, RUNS["bm25"], "R@2").plot.difference()


def test_without_matplotlib_the_pip_line_is_said(scores, monkeypatch):
    """The extra is named, and nothing else fails before it."""
    for name in [one for one in sys.modules if one.split(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(dn.MissingExtraError, match=r"pip install 'denominator\[plot\]'"):
        scores.plot.recall()
    with pytest.raises(dn.MissingExtraError):
        Plots(scores).recall(ax=np.zeros(1))
