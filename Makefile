# What a person does here, one target each. Python 3.11 or newer, make and git are enough.
#
#   make demo          score the four sample queries
#   make test          all tests                      (make test ARGS="-k order")
#   make test-pandas2  the tests of frames with pandas 2.2, where the others have the newest
#   make check         formatting, lint, types
#   make format        put the code into its format
#   make docs          the pages that are made from tables in the code
#   make bench         time us and our peers          (make bench ARGS="--workloads C,E --runs 3")
#   make clean         remove what the other targets made

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
README_TEST := test_two_frames_with_whole_numbers_as_ids_become_a_tidy_result_in_five_lines
FRAME_TESTS := tests/unit/test_pandas.py tests/unit/test_evaluate_frames.py tests/unit/formats/test_framed.py \
  tests/unit/formats/test_frames.py tests/laws/test_frame_laws.py tests/cases/test_type_cases.py \
  tests/unit/audit/test_auditing.py tests/test_readme.py::$(README_TEST) src/denominator/pandas.py

.PHONY: help demo test test-pandas2 check format docs bench clean
.DELETE_ON_ERROR:

help:
	@sed -n 's/^#   //p' Makefile

demo: $(VENV)/.installed
	$(BIN)/denominator score qrels/agri.qrels runs/agri.run runs/agri-keep5.run runs/agri-reordered.run -k 5

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto $(ARGS)

test-pandas2: $(VENV)/pandas2/.installed
	PYTHONPATH=$(abspath $(VENV))/pandas2 $(BIN)/python -c 'import pandas; assert pandas.__version__ < "3", pandas.__version__'
	PYTHONPATH=$(abspath $(VENV))/pandas2 $(BIN)/python -m pytest -n auto $(FRAME_TESTS) $(ARGS)

check: $(VENV)/.installed-check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.installed-check
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.installed
	$(BIN)/denominator measures --all -f markdown > docs/measures.md
	$(BIN)/denominator rules -f markdown > docs/rules.md
	$(BIN)/denominator dialects -f markdown > docs/dialects.md

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/run.py $(ARGS)

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis benchmarks/data
	find src tests benchmarks qrels -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. Each set of extras has a stamp, so that nothing is installed twice until pyproject.toml changes.

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	@touch $@

# Only pandas itself, in a folder that comes before the environment: all else is the same.

$(VENV)/pandas2/.installed: $(VENV)/.installed-test
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(@D) 'pandas==2.2.*' pytz tzdata
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "denominator needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
