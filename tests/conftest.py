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
