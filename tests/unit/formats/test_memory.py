"""What the system says of its memory."""

from pathlib import Path

import pytest

from denominator.formats.memory import available_memory


def system(tmp_path: Path, groups: str, files: dict[str, str]) -> tuple[Path, Path]:
    """Make a small /proc and /sys/fs/cgroup: 1,000 kB available to the kernel, and what `files` say."""
    proc, root = tmp_path / "proc", tmp_path / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 1000 kB\n")
    (proc / "self/cgroup").write_text(groups)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return proc, root


def test_without_groups_it_is_what_the_kernel_calls_available(tmp_path: Path) -> None:
    """MemAvailable, in bytes."""
    assert available_memory(*system(tmp_path, "", {})) == 1_024_000


@pytest.mark.parametrize("group", ["/", "/job", "/job/step"])
def test_a_control_group_of_version_2_limits_it_wherever_it_stands(tmp_path: Path, group: str) -> None:
    """The limit of a parent binds its children; page cache that can be given back counts as free."""
    place = f"{group.strip('/')}/" if group != "/" else ""
    files = {
        f"{place}memory.max": "500000",
        f"{place}memory.current": "300000",
        f"{place}memory.stat": "inactive_file 50000\n",
    }
    assert available_memory(*system(tmp_path, "0::/job/step\n", files)) == 250_000


def test_a_control_group_without_a_limit_does_not_count(tmp_path: Path) -> None:
    """`max` is no number."""
    files = {"job/memory.max": "max", "job/memory.current": "300000"}
    assert available_memory(*system(tmp_path, "0::/job\n", files)) == 1_024_000


def test_a_control_group_of_version_1_limits_it(tmp_path: Path) -> None:
    """The memory controller of version 1 has its own folder and names."""
    files = {"memory/job/memory.limit_in_bytes": "400000", "memory/job/memory.usage_in_bytes": "100000"}
    assert available_memory(*system(tmp_path, "5:cpu,memory:/job\n3:pids:/job\n", files)) == 300_000


def test_a_full_group_leaves_nothing(tmp_path: Path) -> None:
    """Never less than nothing."""
    files = {"memory.max": "1000", "memory.current": "3000"}
    assert available_memory(*system(tmp_path, "0::/\n", files)) == 0


def test_a_system_that_says_nothing_sets_no_limit(tmp_path: Path) -> None:
    """Without /proc there is nothing to know."""
    assert available_memory(tmp_path / "none", tmp_path / "none") is None
