"""denominator datasets: search, show, fetch what was asked for, and ask before anything else."""

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from denominator import fetching
from denominator.cli import asking, failures, main
from denominator.cli import datasets as verb
from small_ciral import QRELS, TOPICS

BODIES = {"qrels": QRELS, "topics": TOPICS}


@pytest.fixture
def cached(ciral_cache, monkeypatch):
    """Return the folder that downloads of CIRAL go to; what would be fetched is made here."""

    def fetch(known, path, progress=None):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(BODIES[known.path.split("/")[0]])
        if progress is not None:
            progress(known.size, known.size)

    monkeypatch.setattr(fetching, "fetch", fetch)
    return ciral_cache


def run(*arguments, answer=None):
    return CliRunner().invoke(main, arguments, input=answer)


@pytest.fixture
def terminal(monkeypatch):
    """Let the verbs believe that a person is there."""
    for module in (failures, asking, verb):
        monkeypatch.setattr(module, "may_ask", lambda: True)


def test_words_list_ids_with_what_they_have(cached):
    """One line each; a JSON list for programs; no id is an answer too, with status 1."""
    done = run("datasets", "ciral/sw/test", "pools")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[1:3]] == [
        "ciral/sw/test-a-pools",
        "ciral/sw/test-a-pools/native",
    ]
    listed = json.loads(run("datasets", "ciral/sw/test", "pools", "-f", "json").stdout)
    assert [one["parts"]["qrels"]["state"] for one in listed] == ["away", "away"]
    none = run("datasets", "ciral", "nowhere")
    assert (none.exit_code, none.stdout) == (1, "")
    assert "no id has ciral and nowhere in it" in none.stderr
    assert "no id has nfcorpsu in it; did you mean nfcorpus" in run("datasets", "nfcorpsu").stderr
    assert "With words, only the ids that have them all are listed" in run("datasets").stdout
    assert json.loads(run("datasets", "nowhere", "-f", "json").stdout) == []


def test_a_whole_id_is_shown_with_its_files(cached, tmp_path):
    """Where each is or is from, its size, the terms, and what is known to be odd."""
    done = run("datasets", "ciral/sw/test-a")
    assert done.exit_code == 0
    assert (
        "qrels.ciral-v1.0-sw-test-a.tsv: from https://github.com/castorini/anserini-tools/raw/5b819c1a" in done.stdout
    )
    assert "Apache License 2.0" in done.stdout
    assert "1 more below it: denominator datasets ciral/sw/test-a/" in done.stdout
    own = run("datasets", "ciral/sw/test-a", "--ciral-dir", str(tmp_path / "mine"))
    assert own.stdout.count("as published") == 2


def test_nothing_is_fetched_without_being_asked_for(cached):
    """No terminal, no --download: nothing."""
    run("datasets", "ciral/sw/test-a")
    assert not cached.exists()


def test_download_fetches_after_a_notice(cached):
    """How many files, how large, from where to where, on whose terms; a second time there is nothing to do."""
    done = run("datasets", "ciral/sw/test-a", "--download")
    assert done.exit_code == 0
    assert "2 files to fetch, " in done.stderr
    assert "Terms: CIRAL is published under the Apache License 2.0" in done.stderr
    assert "2 files fetched." in done.stderr
    assert done.stdout.count("as published") == 2
    again = run("datasets", "ciral/sw/test-a", "--download")
    assert (again.exit_code, again.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--download"], "name the data sets to fetch"),
        (["--download", "ciral/sw/test-c"], "no such data set; did you mean ciral/sw/test-"),
        (["ciral/sw/test-a", "--ciral-dir", "no/such"], "--ciral-dir no/such: no such folder"),
        (["ciral/sw/test-a", "--docs"], "--docs says what --download fetches"),
    ],
)
def test_what_makes_no_sense_is_refused(cached, arguments, said):
    """With status 2, and before anything is fetched."""
    done = run("datasets", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not cached.exists()


@pytest.mark.parametrize(("answer", "fetched"), [("y\n", True), ("\n", False)])
def test_a_person_is_asked(cached, terminal, answer, fetched):
    """The notice first, then the question; without a yes nothing is fetched."""
    done = run("datasets", "ciral/sw/test-a", answer=answer)
    assert done.exit_code == 0
    assert "2 files to fetch" in done.stderr
    assert cached.exists() == fetched
    assert ("as published" in done.stdout) == fetched


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("n\n", 2)])
def test_every_verb_asks_for_what_it_lacks_and_goes_on(cached, terminal, tmp_path, answer, status):
    """Scoring against qrels that are not here: yes fetches and scores, no is the error."""
    (tmp_path / "a.run").write_text("1 Q0 VOA#1#0 1 2.0 r\n2 Q0 VOA#2#0 1 1.0 r\n", encoding="utf-8")
    done = run("score", "ir_datasets:ciral/sw/test-a", str(tmp_path / "a.run"), "-m", "P@1", answer=answer)
    assert done.exit_code == status
    assert "1 file to fetch" in done.stderr
    assert ("1.000" in done.stdout) == (status == 0)
    assert ("is not on this machine" in done.stderr) == (status == 2)


def test_a_failed_download_is_told_with_status_2(cached, monkeypatch):
    """And what else was wanted is not there either."""

    def fail(known, path, progress=None):
        raise fetching.InputError(f"{known.url}: the server answers 404")

    monkeypatch.setattr(fetching, "fetch", fail)
    done = run("datasets", "ciral/sw/test-a", "--download")
    assert done.exit_code == 2
    assert "the server answers 404" in done.stderr


def test_start_up_does_not_import_ir_datasets(tmp_path):
    """The help of the verb, and scoring files, do without."""
    code = (
        "import sys\nfrom denominator.cli import main\n"
        "try: main(['datasets', '--help'])\nexcept SystemExit: pass\n"
        "import denominator.ciral\nprint('ir_datasets' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert done.stdout.splitlines()[-1] == "False"
