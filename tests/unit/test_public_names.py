"""The public face of the package is what it says it is, and costs next to nothing to look at."""

import subprocess
import sys

import pytest

import denominator


def python(code: str) -> str:
    """Run code in a new interpreter and return what it prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_all_is_sorted_and_without_repeats():
    """A reader finds a name where the alphabet puts it."""
    assert sorted(set(denominator.__all__)) == denominator.__all__


@pytest.mark.parametrize("name", denominator.__all__)
def test_every_name_exists_and_has_words(name):
    """What is promised can be imported, and says what it is."""
    thing = getattr(denominator, name)
    assert name == "__version__" or thing.__doc__


def test_every_exception_is_public():
    """Whoever can raise it lets it be caught."""
    from denominator import errors

    assert set(errors.__all__) <= set(denominator.__all__)


def test_dir_lists_the_names_before_they_are_imported():
    """Completion in a shell shows them."""
    assert python("import denominator; print({*denominator.__all__} <= {*dir(denominator)})").strip() == "True"


def test_an_unknown_name_is_an_attribute_error():
    """As of any module."""
    with pytest.raises(AttributeError, match="module 'denominator' has no attribute 'nope'"):
        # reading the attribute is the test
        denominator.nope  # noqa: B018


@pytest.mark.parametrize("first", ["import denominator.evaluate", "from denominator import Scores", "pass"])
def test_evaluate_is_the_function_whatever_was_imported_before(first):
    """A module of the same name does not take its place."""
    assert python(f"{first}\nimport denominator\nprint(callable(denominator.evaluate))").strip() == "True"


def test_importing_the_package_imports_nothing_heavy():
    """Not pandas, pyarrow, pytrec_eval or numpy, nor the command line's libraries."""
    code = "import sys, denominator; print(*sys.modules)"
    modules = set(python(code).split())
    assert not modules & {"numpy", "pandas", "pyarrow", "pytrec_eval", "rich", "click", "ir_datasets", "yaml"}


def test_the_version_is_the_installed_one():
    """One place says it."""
    from importlib.metadata import version

    assert denominator.__version__ == version("denominator")
