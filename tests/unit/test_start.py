"""What the process of a verb does before the verb: link large libraries early, and leave out what nobody needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAPPED = "print('libarrow.so' in open('/proc/self/maps').read())"


def python(code: str, *arguments: str, path: str = "") -> str:
    """Return what a process of its own prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [path, os.environ.get("PYTHONPATH")]))}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="only Linux says what is linked")
def test_the_library_that_is_linked_ahead_is_the_one_that_pyarrow_needs():
    """It is there before pyarrow is imported, and once: importing pyarrow links no other."""
    code = (
        "import sys\nfrom denominator import __main__\n__main__._link_ahead()\n"
        f"{MAPPED}\n"
        "linked = lambda: {line.split()[-1] for line in open('/proc/self/maps') if 'libarrow.so' in line}\n"
        "before = linked()\n"
        "print('pyarrow' in sys.modules)\nimport pyarrow\nprint(linked() == before)"
    )
    assert python(code).split() == ["True", "False", "True"]


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="only Linux says what is linked")
@pytest.mark.parametrize("lost", ["sys.path.clear()", "ctypes.CDLL = None", "os.path.exists = lambda path: True"])
def test_where_it_cannot_be_linked_ahead_nothing_happens(lost: str):
    """No pyarrow on the path, no C library to ask, a file that is not there."""
    code = f"import ctypes, importlib.machinery, os, sys\nfrom denominator import __main__\n{lost}\n"
    assert python(f"{code}__main__._link_ahead()\n{MAPPED}") == "False\n"


@pytest.mark.parametrize(
    ("arguments", "threads"), [(["--help"], 0), (["measures", "nDCG@10"], 0), (["score", "a.qrels", "a.run"], 1)]
)
def test_it_is_linked_ahead_for_files_only(arguments: list[str], threads: int):
    """Help does not need it."""
    code = (
        "import threading\nfrom denominator import __main__\n"
        "asked = []\n__main__._link_ahead = lambda: asked.append(1)\n"
        "def status(closed):\n"
        "    for thread in {*threading.enumerate()} - {threading.main_thread()}:\n        thread.join()\n"
        "    print(len(asked))\n    return 0\n"
        "__main__._status = status\n__main__.run()"
    )
    assert python(code, *arguments) == f"{threads}\n"


def test_cloudpickle_is_not_imported(tmp_path: Path):
    """pyarrow imports it where it is installed, with logging and platform, and nothing here pickles."""
    (tmp_path / "cloudpickle.py").write_text("print('imported')")
    score = ["score", "qrels/agri.qrels", "runs/agri.run", "-f", "json"]
    printed = python("from denominator.__main__ import run; run()", *score, path=str(tmp_path))
    assert "imported" not in printed
    assert '"value"' in printed
    assert "imported" in python("import pyarrow", path=str(tmp_path))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timers that signal")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_in_the_middle_of_an_import_waits_for_its_end(tmp_path: Path, number: int, status: int):
    """Not in vain: there Python forgets what is raised in its own calls, and the verb would go on to status 0."""
    (tmp_path / "slow.py").write_text(
        "import time\nprint('ready', flush=True)\nend = time.monotonic() + 0.5\n"
        "while time.monotonic() < end:\n    time.sleep(0.01)\nprint('imported', flush=True)\n"
    )
    code = (
        "import sys, time\nfrom denominator import __main__\n"
        "def verb(closed):\n    import slow\n    time.sleep(60)\n    return 0\n"
        "__main__._status = verb\n__main__.run()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # as a job in the background may have it ignored
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (status, b"imported\n", b"")
