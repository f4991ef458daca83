"""What every test can ask for."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("denominator", deadline=None)  # a busy machine is no mistake in the code
settings.load_profile("denominator")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of public runs and qrels beside the checkout; without it the test is skipped."""
    folder = Path(os.environ.get("DENOMINATOR_SHARED") or Path(__file__).resolve().parents[2] / "shared")
    if not (folder / "data").is_dir():
        pytest.skip(f"needs the public runs and qrels in {folder} (or DENOMINATOR_SHARED), which are not there")
    return folder


@pytest.fixture
def ciral_folder(tmp_path, monkeypatch) -> Path:
    """Return a folder with a made CIRAL, which is in use."""
    from small_ciral import made

    monkeypatch.setenv("DENOMINATOR_CIRAL", str(tmp_path / "mine"))
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("DENOMINATOR_DOWNLOAD", raising=False)
    return made(tmp_path / "mine", monkeypatch)


@pytest.fixture
def ciral_cache(ciral_folder, monkeypatch) -> Path:
    """Return the folder that downloads of CIRAL go to, empty; that with the made CIRAL is there, and not in use."""
    monkeypatch.delenv("DENOMINATOR_CIRAL")
    return ciral_folder.parent / "home" / "ciral"
