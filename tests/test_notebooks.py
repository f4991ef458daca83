"""The notebooks run from top to bottom, without a network or a folder beside the checkout, and say what we say."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

# the tools of notebooks are in the extra [test]
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LIMIT = 250
"""Seconds after which a cell is taken to hang. How long a notebook takes is for a quiet machine to say, not a test."""

ALONE = """
import os, socket
def refuse(*given, **more):
    raise OSError("a notebook asked for the network")
socket.socket.connect = socket.getaddrinfo = refuse
for name in [name for name in os.environ if name.startswith("DENOMINATOR_")]:
    del os.environ[name]
"""
"""Run first: nothing is fetched, and no folder of this machine is known. The kernel's own sockets are not Python's."""

SAID = {
    "the-denominator-is-the-metric": [
        *("0.625", "0.700", "0.500", "0.741", "0.735", "0.536", "0.811", "0.880"),  # means, and nDCG@5 by query
        *("4/8", "4/5", "5/8", "3/5"),  # q_broad's two recalls, its ceiling, and the ceiling of P@5
        *("0.417", "12.5%", "33.3%"),  # recall with true judgments; coverage
        *("hits by position 3, distinct hits 2", "already appeared on line 1"),
        *("0.333", "0.481"),  # lost between the stages, RR and nDCG of the reordered ranking
        *("textbook: ", "D101"),
    ],
    "benchmarking-on-ciral": [
        *("made-up look-alike", "0.9912", "so    214", "Hausa, Swahili are never merged"),
        *("named like CIRAL v1.0 Swahili test-a", "left out: what is published", "[unjudged 0."),
    ],
    "who-is-right": [
        *("0.5989", "0.6594", "llama-index: ", "our engines agree", "all explained"),
        *("as scikit-learn has it", "recall capped at k", "impossible", "[ties 0."),
    ],
    "scoring-trec-runs-in-pandas": ["every cell and type came back", "queries lost something", "macro", "318"],
}
"""What has to be among the outputs: the article's numbers, and what the others show."""


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def executed(path: Path, tmp_path: Path, monkeypatch, before: str = ALONE) -> Any:
    """Run a notebook beside copies of the samples, in the Python that runs the tests."""
    for folder in ("notebooks", "qrels", "runs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    notebook = read(path)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(before))
    nbclient.NotebookClient(
        notebook, timeout=LIMIT, kernel_name="python3", resources={"metadata": {"path": str(tmp_path / "notebooks")}}
    ).execute()
    return notebook


def texts(notebook: Any) -> str:
    """Return all that the cells printed or showed as text."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "\n".join(output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path):
    """Nor with counts of executions: what git holds is what somebody wrote."""
    for cell in read(path).cells:
        assert not cell.get("outputs"), cell.source
        assert cell.get("execution_count") is None
        assert set(cell.metadata) <= {"tags"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_alone_and_says_its_numbers(path, tmp_path, monkeypatch):
    """With the samples and nothing else, in the Python that runs the tests, every picture drawn."""
    pictures = sum(cell.source.count("plt.show()") for cell in read(path).cells)
    notebook = executed(path, tmp_path, monkeypatch)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [one for one in outputs if one.get("name") == "stderr"] == []
    assert sum("image/png" in output.get("data", {}) for output in outputs) == pictures
    said = texts(notebook)
    assert [words for words in SAID.get(path.stem, []) if words not in said] == []


@pytest.mark.shared
def test_the_notebook_on_ciral_takes_the_real_files_and_sets_what_is_published_beside_real_runs(
    shared, tmp_path, monkeypatch
):
    """The published BM25-DT is met where it is; without runs there is nothing to set beside, and the rest is shown."""
    path = ROOT / "notebooks" / "benchmarking-on-ciral.ipynb"
    (tmp_path / "bare").mkdir()
    for folder in ("qrels", "topics"):
        (tmp_path / "bare" / folder).symlink_to(shared / "data" / "ciral" / folder)
    for name, given in (("with runs", shared / "data" / "ciral"), ("without", tmp_path / "bare")):
        setting = f"import os\nos.environ['DENOMINATOR_CIRAL'] = {str(given)!r}\n"
        said = texts(executed(path, tmp_path / name, monkeypatch, ALONE + setting))
        assert "the published judgments" in said
        assert "tau" in said
        assert "0.7174" in said  # the ceiling of R@20 by the pools of Swahili
        assert "perfect" in said if name == "without" else "BM25-DT top100" in said
        assert ("no runs here: nothing to set beside" in said) == (name == "without")


def test_every_notebook_is_named_where_they_are_listed():
    """In notebooks/README.md, and only those that are there."""
    named = set(re.findall(r"\]\(([\w-]+\.ipynb)\)", (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")))
    assert named == {path.name for path in NOTEBOOKS}
    assert {path.stem for path in NOTEBOOKS} >= set(SAID)
