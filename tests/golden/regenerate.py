"""Write what the audit says now into the golden folders that are named: ``python tests/golden/regenerate.py D101``.

Read what it wrote and work the numbers out by hand before you believe it.
"""

import json
import sys

from folders import HERE, audited, written


def main(codes: list[str]) -> None:
    """Rewrite `expected` in the folders of some codes."""
    if not codes:
        sys.exit(f"{__doc__}")
    for code in codes:
        folder = HERE / code
        lines = [json.dumps(one, ensure_ascii=True) for one in written(audited(folder), code)]
        (folder / "expected").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{code}: {len(lines)} findings", *lines, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
