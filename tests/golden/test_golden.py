"""Each check says of its golden files what is written there, to the last bit of every number."""

from pathlib import Path

import pytest

from golden.folders import audited, expected, folders, written


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_golden(folder: Path) -> None:
    """A check finds in its golden files what is written down, no more and no less."""
    assert written(audited(folder), folder.name) == expected(folder)
