"""Public runs with everything odd about them: what other tools say of them is explained, query by query."""

import importlib.util

import pytest

from denominator.crosscheck import crosscheck

MEASURES = "P@10 R@100 RR AP nDCG@10 nDCG Success@5 Rprec Bpref"


def needs(*modules):
    """Skip where a library is not installed."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}: pip install 'denominator[peers]'")


def files(shared, name, run):
    return shared / "data" / "runs" / f"{name}.qrels.gz", shared / "data" / "runs" / name / f"{run}.run.gz"


@pytest.mark.shared
@needs("ir_measures")
@pytest.mark.parametrize(
    ("name", "run"), [("robust03", "rutcor03100"), ("sigtrec", "result_to_compare2"), ("cast21", "org_manual_bm25")]
)
def test_what_pytrec_eval_and_ir_measures_say_is_explained(shared, name, run):
    """99% tied lines, all scores equal, more queries than judgments: no difference without a choice that gives it."""
    result = crosscheck(*files(shared, name, run), MEASURES, tools=["ours", "pytrec_eval-raw", "ir_measures"])
    assert result.agree
    assert all(line.answer.answered for line in result.lines)
    assert result.unexplained == 0
    assert sum(line.compared for line in result.lines) == 5 * 9 * len(result.queries) - sum(
        len(result.queries) for line in result.lines if line.answer.status == "lacking"
    )


@pytest.mark.shared
@needs("ir_measures", "trectools", "sklearn")
def test_a_run_with_a_document_twice_has_a_result_of_each_tool(shared):
    """Ours, pytrec_eval's parser and trectools refuse; ir_measures keeps the last row, scikit-learn counts both."""
    given = files(shared, "codec", "document_bm25+rm3-tuned")
    result = crosscheck(
        *given, "AP nDCG@10", tools=["ours", "pytrec_eval-raw", "ir_measures", "trectools", "scikit-learn"]
    )
    status = {line.tool: line.answer.status for line in result.lines}
    assert status == {
        **dict.fromkeys(("columnar", "pytrec_eval", "reference", "pytrec_eval-raw", "trectools"), "refused"),
        **dict.fromkeys(("ir_measures", "scikit-learn"), "answered"),
    }
    assert "duplicates=first" in result.dialect
    assert result.unexplained == 0
    causes = {cause.choice for line in result.of("ir_measures") for cause in line.causes}
    assert causes <= {"duplicates", "order", "queries"}
    assert {one.code for one in result.findings} >= {"X102", "X107"}


@pytest.mark.shared
@pytest.mark.timeout(900)  # ranx compiles, and takes minutes where others work too
@needs("ranx")
def test_ranx_is_explained_where_scores_tie_and_equal_where_they_do_not(shared):
    """Its order of ties is no rule: such a value lies inside the interval of all orders."""
    result = crosscheck(*files(shared, "dl19", "bm25"), "nDCG@10 AP", tools=["columnar", "ranx"], limit=200)
    (ndcg, ap) = result.of("ranx")
    assert (ndcg.answer.status, ap.answer.status) == ("answered", "answered")
    assert result.unexplained == 0
    assert {cause.theirs for line in (ndcg, ap) for cause in line.causes} <= {"unstable"}
