"""ir_datasets ids: read where the files are on the machine, and never downloaded unasked."""

import os
import subprocess
import sys

import pytest

READ = """
import sys
from denominator.formats import read_qrels, read_run
try:
    rows = {call}
    print(rows.source.name, rows.source.read_as, list(rows.queries), rows.doc_id.to_pylist())
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def read(tmp_path):
    """Return what reads in a process of its own: ir_datasets looks up its folder once, at import."""
    (tmp_path / "cranfield").mkdir()

    def run(call: str, **environment: str) -> str:
        own = {"IR_DATASETS_HOME": str(tmp_path), "IR_DATASETS_TMP": str(tmp_path / "tmp")}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", READ.format(call=call)],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, **own, **environment},
            check=True,
        )
        return done.stdout.strip() + done.stderr

    run.home = tmp_path
    return run


def test_qrels_that_are_on_the_machine_are_read(read):
    """The files of an earlier use of ir_datasets are enough."""
    (read.home / "cranfield" / "qrels.txt").write_text("1 184 2\n1 29 2\n")
    assert read("read_qrels('ir_datasets:cranfield')") == (
        "ir_datasets:cranfield ir_datasets qrels, 2 rows ['1'] ['184', '29']"
    )


def test_nothing_is_downloaded_unasked(read):
    """The message names what is missing, and the ways to get it; no file is left behind."""
    told = read("read_qrels('ir_datasets:cranfield')")
    assert told.startswith("AbsentError ir_datasets:cranfield: not on this machine (http")
    assert "denominator datasets cranfield --download" in told
    assert "DENOMINATOR_DOWNLOAD=1" in told
    assert "ir_datasets export cranfield qrels" in told
    assert list((read.home / "cranfield").iterdir()) == []


def test_a_download_is_tried_when_it_is_allowed(read):
    """With the variable set ir_datasets goes to the network; where there is none, that is said."""
    told = read(
        "read_qrels('ir_datasets:cranfield')",
        DENOMINATOR_DOWNLOAD="1",
        http_proxy="http://127.0.0.1:9",
        https_proxy="http://127.0.0.1:9",
        no_proxy="",
        IR_DATASETS_DL_TRIES="1",
    )
    assert "InputError ir_datasets:cranfield: ir_datasets could not provide it" in told


def test_an_unknown_id_has_its_nearest_named(read):
    """A slip of the finger."""
    assert "knows no such data set; did you mean cranfield?" in read("read_qrels('ir_datasets:cranfeld')")


def test_a_data_set_without_scored_documents_is_no_run(read):
    """What it has instead is listed."""
    assert "has no scoreddocs; it has docs, queries, qrels" in read("read_run('ir_datasets:cranfield')")


def test_the_network_is_open_again_afterwards(read):
    """What keeps ir_datasets from the network for one reading is taken away after it, also when the reading failed."""
    after = subprocess.run(
        [
            sys.executable,
            "-c",
            "from ir_datasets.util.download import RequestsDownload as download\n"
            "from denominator.formats import read_qrels\nbefore = download.stream\n"
            "try:\n    read_qrels('ir_datasets:cranfield')\nexcept ValueError:\n    print(download.stream is before)",
        ],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "IR_DATASETS_HOME": str(read.home)},
        check=True,
    )
    assert after.stdout.strip() == "True"


def test_what_ir_datasets_tries_is_not_told_before_the_error(capsys):
    """Its news of what it opens, and fails to, stays off the terminal; its warnings do not, nor what it says later."""
    from ir_datasets.log import Logger

    from denominator.formats.irds import without_network

    logger = Logger("ir_datasets.made")
    with without_network("made"):
        logger.info("[starting] opening zip file")
        logger.warn("take care")
    logger.info("later")
    assert capsys.readouterr().err.splitlines() == ["[WARNING] take care", "[INFO] later"]
