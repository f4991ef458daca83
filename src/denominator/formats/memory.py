"""How much memory this process may still take, as far as the system says."""

from __future__ import annotations

from pathlib import Path

__all__ = ["available_memory"]


def available_memory(proc: Path = Path("/proc"), cgroups: Path = Path("/sys/fs/cgroup")) -> int | None:
    """Return the bytes that can still be taken, or None where the system does not say.

    The least of: what the kernel calls available, what the control groups (version 1 and 2) of the process leave, and
    what ``ulimit -v`` leaves. Page cache that a control group can give back counts as free.
    """
    limits = [_kernel(proc), *_cgroups(proc, cgroups), _address_space(proc)]
    known = [limit for limit in limits if limit is not None]
    return min(known) if known else None


def _kernel(proc: Path) -> int | None:
    return _field(proc / "meminfo", "MemAvailable:", 1024)


def _cgroups(proc: Path, root: Path) -> list[int | None]:
    """Return what each control group between the process and the root leaves."""
    left: list[int | None] = []
    for line in _text(proc / "self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, group = rest.partition(":")
        if controllers == "":
            top, names = root, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            top, names = root / "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        folder = top / group.strip("/")
        for place in [folder, *folder.parents]:
            left.append(_group_left(place, *names))
            if place == top:
                break
    return left


def _group_left(place: Path, limit_name: str, usage_name: str, cache_name: str) -> int | None:
    limit, usage = _text(place / limit_name).strip(), _text(place / usage_name).strip()
    if not limit.isdigit() or not usage.isdigit():
        return None
    cache = _field(place / "memory.stat", cache_name, 1) or 0
    return max(int(limit) - int(usage) + cache, 0)


def _address_space(proc: Path) -> int | None:
    try:
        import resource
    except ImportError:  # Windows has none
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    return max(limit - (_field(proc / "self/status", "VmSize:", 1024) or 0), 0)


def _field(path: Path, name: str, unit: int) -> int | None:
    """Return the number behind a name in a file of ``name number`` lines."""
    for line in _text(path).splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == name and words[1].isdigit():
            return int(words[1]) * unit
    return None


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
