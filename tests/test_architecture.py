"""The arrow points down, and the small things stay small."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "denominator"

LAYERS = [
    {"cached", "errors", "fingerprints", "native", "quoting", "tables"},
    {"ids", "merged", "pinned", "fetching"},
    {"ciral"},
    {"model"},
    {"hits"},
    {"measures", "formats", "datasets"},
    {"engines"},
    {"averages", "collapse", "dialects", "engine_choice", "evaluate", "evaluation", "frames", "groups", "hints"}
    | {"bounds", "framefiles", "ledger", "noticed", "plots", "scores"},
    {"trec_eval", "findings", "audit", "benchmark", "repair", "crosscheck", "explain", "pandas"},
    {"outputs", "config"},
    {"cli"},
    {"__init__", "__main__"},
]
"""From the ground up: a part imports from its own layer and from those below."""

NEVER = {("measures", "formats"), ("formats", "measures"), ("formats", "engines"), ("engines", "formats")}
"""Pairs that know nothing of each other."""

EXCEPTIONS = {("engines", "measures"): {"denominator.measures"}}
"""Where only the public names of a part may be used."""

DOORS = {("model", "denominator.formats.framed")}
"""Methods of a noun that lead to a part above it: ``Run.from_pandas``. Such a part is imported when one is called."""

ABOUT = {("pandas.py", "pandas")}
"""Modules that are about a heavy library: whoever imports them has a use for it."""

HEAVY = {"pandas", "pyarrow.compute", "ir_datasets", "rich", "yaml", "polars", "pytrec_eval", "ir_measures"}


MODULES = [pytest.param(path, id=path.relative_to(PACKAGE).as_posix()) for path in sorted(PACKAGE.rglob("*.py"))]


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def layer_of(part: str) -> int:
    found = [number for number, layer in enumerate(LAYERS) if part in layer]
    assert found, f"{part} is in no layer: add it to LAYERS in this file"
    return found[0]


def names(node: ast.AST) -> list[str]:
    """Return the dotted names that an import statement brings in."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def at_load(tree: ast.Module) -> list[str]:
    """Return what a module imports when it is loaded."""
    return [name for node in tree.body if not is_for_types(node) for name in names(node)]


def ours(tree: ast.Module) -> set[str]:
    """Return every name of this package that a module imports anywhere, for types too."""
    found = {name for node in ast.walk(tree) for name in names(node)}
    return {name for name in found if name.split(".")[0] == "denominator"}


def ours_at_run_time(tree: ast.Module) -> set[str]:
    """Return the same without what is imported for types only."""
    return ours(ast.Module([node for node in tree.body if not is_for_types(node)], []))


@pytest.mark.parametrize("path", MODULES)
def test_imports_point_down(path):
    """A module uses its own layer and those below it; what must not know each other does not."""
    part = part_of(path)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    doors = {name for name in ours(tree) if (part, name) in DOORS}
    assert not doors & set(at_load(tree)), "a door is opened by a call"
    mentioned = ours_at_run_time(tree) if part == "errors" else ours(tree)  # an error may carry what it is about
    for name in mentioned - doors:
        other = [*name.split("."), "__init__"][1]
        if part == "__init__" or other == part or layer_of(other) == len(LAYERS) - 1:
            continue
        assert layer_of(other) <= layer_of(part), f"{part} uses {name}, which is above it"
        assert (part, other) not in NEVER, f"{part} uses {name}"
        if (part, other) in EXCEPTIONS:
            assert any(name.rsplit(".", 1)[0] == allowed for allowed in EXCEPTIONS[part, other]), f"{part} uses {name}"


@pytest.mark.parametrize("path", MODULES)
def test_heavy_libraries_are_imported_where_they_are_used(path):
    """Nothing heavy is imported by loading a module, so that a small file is scored in a moment."""
    loaded = at_load(ast.parse(path.read_text(encoding="utf-8")))
    heavy = [name for name in loaded if any(name == one or name.startswith(one + ".") for one in HEAVY)]
    assert not [name for name in heavy if (path.relative_to(PACKAGE).as_posix(), name.split(".")[0]) not in ABOUT]


@pytest.mark.parametrize("path", MODULES)
def test_files_can_be_read_in_one_sitting(path):
    """A few hundred lines at most."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450


def test_no_name_says_nothing():
    """No Manager, Helper, Utils, Processor, Base or common."""
    empty = {"manager", "helper", "helpers", "util", "utils", "processor", "base", "common", "misc"}
    assert [path for path in PACKAGE.rglob("*.py") if set(path.stem.lower().split("_")) & empty] == []


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_outputs_compute_nothing():
    """Whatever writes scores down takes every number from them: no numpy, and no mean of its own."""
    for path in (PACKAGE / "outputs").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "numpy" not in text, path
        assert "statistics" not in text, path


def test_scoring_a_small_file_imports_neither_pandas_nor_the_compute_kernels():
    """Their imports would cost more than the work."""
    folder = PACKAGE.parents[1]
    code = (
        "import sys\n"
        "from denominator.cli import main\n"
        f"sys.argv = ['denominator', 'score', r'{folder}/qrels/agri.qrels', r'{folder}/runs/agri.run']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(*sys.modules)"
    )
    modules = set(run(code).splitlines()[-1].split())
    assert "denominator.evaluation" in modules
    assert not modules & {"pandas", "pyarrow.compute", "ir_datasets", "yaml", "pyarrow.parquet"}


def test_help_imports_no_numpy():
    """--help answers at once."""
    code = (
        "import sys\n"
        "from denominator.cli import main\n"
        "try: main(['score', '--help'])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules)"
    )
    assert not set(run(code).splitlines()[-1].split()) & {"numpy", "pandas", "pyarrow", "rich"}
