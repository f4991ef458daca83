"""The README tells the truth: its commands run and print what it shows, its Python runs, its links lead somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = [block for block in re.findall(r"```console\n(.*?)```", README, re.S) if "\n" in block]
SHOWN = [block.partition("\n") for block in CONSOLE if len(re.findall(r"^\$ ", block, re.M)) == 1]
LISTED = [line[2:].partition("#")[0] for block in CONSOLE for line in block.splitlines() if line.startswith("$ denom")]
PYTHON = re.findall(r"```python\n(.*?)```", README, re.S)


def without_versions(text: str) -> str:
    """Return a text that does not depend on the versions of engines."""
    return re.sub(r"\d+\.\d+\.\d+", "VERSION", text).strip("\n")


@pytest.mark.parametrize(("command", "output"), [(first[2:], rest) for first, _, rest in SHOWN if rest.strip()])
def test_a_command_prints_what_the_readme_shows(command: str, output: str) -> None:
    """The output in the README is the output of today."""
    words = shlex.split(command)
    program = str(Path(sys.executable).with_name(words[0]))
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [program, *words[1:]], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    assert without_versions(done.stdout) == without_versions(output)


def test_the_readme_shows_output() -> None:
    """At least one command is shown with what it prints."""
    assert any(rest.strip() for _, _, rest in SHOWN)


@pytest.mark.parametrize("command", LISTED)
def test_a_listed_command_runs_on_the_samples(command: str, tmp_path: Path) -> None:
    """Every other command of the README runs, with sample files in the places of QRELS, RUN and GROUPS."""
    samples = {
        "QRELS": "qrels/harvest.qrels",
        "RUN": "runs/harvest-bm25.run",
        "RUN...": "runs/harvest-bm25.run",
        "GROUPS": "qrels/harvest.groups",
        "run.json": str(tmp_path / "run.json"),
        "run.trec.gz": str(tmp_path / "run.trec.gz"),
        "scores.csv": str(tmp_path / "scores.csv"),
    }
    (tmp_path / "run.json").write_text('{"q1": {"d1": 1.0}}', encoding="utf-8")
    words = [samples.get(word, word) for word in shlex.split(command)]
    program = str(Path(sys.executable).with_name(words[0]))
    done = subprocess.run([program, *words[1:]], cwd=ROOT, capture_output=True, check=False)
    cannot_be = "recall@5=0.700" in words  # as the README says of it
    assert done.returncode == (1 if cannot_be else 0), done.stderr.decode()
    assert (b"not reachable" in done.stdout) == cannot_be


def test_the_python_of_the_readme_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks run one after another, as somebody who reads from the top would type them."""
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in PYTHON:
        exec(compile(block, "README.md", "exec"), names)
    # the block makes a frame
    assert len(names["frame"]) == 16  # type: ignore[arg-type]


def test_two_frames_with_whole_numbers_as_ids_become_a_tidy_result_in_five_lines() -> None:
    """The pandas example is five lines, and prints what the README shows, in every version of pandas."""
    (example,) = [block for block in PYTHON if "denominator.pandas" in block]
    assert len([line for line in example.splitlines() if line]) == 5
    names: dict[str, Any] = {}
    exec(compile(example, "README.md", "exec"), names)
    shown, table = re.findall(r"```text\n>>> print\((.*)\)\n(.*?)```", README, re.S)[0]
    assert str(eval(shown, names)).split() == table.split()
    assert names["tidy"]["query_id"].dtype == "string"


@pytest.mark.parametrize("target", re.findall(r"\]\((?!http)([^)#]+)", README))
def test_a_link_leads_to_a_file(target: str) -> None:
    """Every link inside the repository has its file."""
    assert (ROOT / target).is_file()
