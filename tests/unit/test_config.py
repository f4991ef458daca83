"""Settings from a file: found upwards, understood, refused with the nearest name, and named with their origin."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from denominator.audit import registry
from denominator.cli import main
from denominator.config import find, in_force
from denominator.errors import InputError, UsageError
from denominator.model import Severity

EVERYTHING = """
k = [5, 20]
level = 2
corpus-size = 24
grades = [0, 3]
min-coverage = 0.1
min-judged = 0.5
min-queries = 3
max-tied = 0.25
select = ["D", "R"]
ignore = ["D101"]
severities = { D101 = "error" }
per-file-ignores = { "runs/*.run" = ["D"], "*.old" = "R" }
"""


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def own(folder: Path, text: str) -> Path:
    (folder / "denominator.toml").write_text(text, encoding="utf-8")
    return folder / "denominator.toml"


def test_every_setting_is_read(tmp_path, monkeypatch):
    """Keys are the fields of AuditOptions with hyphens."""
    monkeypatch.setattr(registry, "CHECKS", {"D101": None, "R101": None})
    path = own(tmp_path, EVERYTHING)
    config = find(tmp_path)
    assert config.path == path
    assert config.settings == {
        "k": (5, 20),
        "level": 2,
        "corpus_size": 24,
        "grades": (0, 3),
        "min_coverage": 0.1,
        "min_judged": 0.5,
        "min_queries": 3,
        "max_tied": 0.25,
        "select": ("D", "R"),
        "ignore": ("D101",),
        "severities": {"D101": Severity.ERROR},
        "per_file_ignores": {f"{tmp_path}/runs/*.run": ("D",), "*.old": ("R",)},
    }


def test_the_nearest_file_counts(tmp_path):
    """A folder's own file goes before those above it; a pyproject.toml without our table is passed over."""
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find(deep).path is None
    above = own(tmp_path, "k = 1")
    assert find(deep).path == above
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nk = 3")
    assert find(deep).path == above
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.denominator]\nk = 2")
    assert find(deep).settings == {"k": (2,)}
    own(tmp_path / "a", "k = 4")
    assert find(deep).settings == {"k": (4,)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("corpussize = 3", r'denominator\.toml: "corpussize" is not a setting; did you mean corpus-size\?'),
        ("zzz = 3", "there are: k, level, corpus-size"),
        ("corpus_size = 3", "did you mean corpus-size"),
        ("k = 0", "k = 0: expected numbers of documents"),
        ("min-judged = 2", "min-judged = 2: expected a share"),
        ('ignore = ["Z"]', 'begins with "Z"'),
        ("severities = { D101 = 1 }", "each with error, warning or info"),
    ],
)
def test_what_is_no_setting_is_refused_with_its_file(tmp_path, text, words):
    """Unknown keys and impossible values name the file, the key, and what is near or expected."""
    own(tmp_path, text)
    with pytest.raises(UsageError, match=words):
        find(tmp_path)


@pytest.mark.parametrize("content", [b"k = [", b"k = '\xe9'"])
def test_what_is_no_toml_is_refused_with_its_file(tmp_path, content):
    """A syntax error and bytes that are not UTF-8 name the file."""
    (tmp_path / "denominator.toml").write_bytes(content)
    with pytest.raises(InputError, match=r"denominator\.toml"):
        find(tmp_path)


def test_a_table_must_be_a_table(tmp_path):
    """tool.denominator is settings, not a number."""
    (tmp_path / "pyproject.toml").write_text("[tool]\ndenominator = 3")
    with pytest.raises(UsageError, match="expected a table"):
        find(tmp_path)


def test_each_setting_knows_where_it_is_from(tmp_path):
    """The command line goes before the file, the file before the default."""
    path = own(tmp_path, "k = 5\ncorpus-size = 24")
    origin = {one.key: (one.value, one.origin) for one in in_force(find(tmp_path), {"k": (7,)})}
    assert origin["k"] == ((7,), "command line")
    assert origin["corpus-size"] == (24, str(path))
    assert origin["min-queries"] == (25, "default")


def run(*arguments):
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)


def test_the_verb_shows_what_is_in_force(tmp_path):
    """As text and as JSON, with the file."""
    path = own(tmp_path, "corpus-size = 24")
    lines = [line.split() for line in run("config", "-k", "5,10").stdout.splitlines()]
    assert ["file:", str(path)] in lines
    assert ["corpus-size", "24", str(path)] in lines
    assert ["k", "[5,", "10]", "command", "line"] in lines
    assert ["min-queries", "25", "default"] in lines
    document = json.loads(run("config", "-f", "json", "--grades", "0-3").stdout)
    assert document["file"] == str(path)
    assert document["settings"]["grades"] == {"value": [0, 3], "from": "command line"}


def test_the_audit_obeys_the_file_and_the_command_line_goes_first(tmp_path):
    """A severity of the file makes the audit fail; an option overrides a value of the file."""
    Path("a.qrels").write_text("q1 0 d1 1\nq1 0 d2 1\n")
    Path("a.run").write_text("q1 Q0 d1 1 2 x\n")
    command = ("audit", "a.qrels", "a.run", "--select", "D101", "-f", "json")
    assert run(*command).exit_code == 0
    own(tmp_path, 'k = 1\nseverities = { D101 = "error" }')
    result = run(*command)
    assert result.exit_code == 1
    assert json.loads(result.stdout)["findings"][0]["severity"] == "error"
    assert run(*command, "-k", "2").exit_code == 0
    own(tmp_path, 'k = 1\nseverities = { D101 = "error" }\nper-file-ignores = { "a.run" = "D" }')
    assert run(*command).exit_code == 0
    own(tmp_path, "typo = 1")
    result = run(*command)
    assert result.exit_code == 2
    assert "typo" in result.stderr
