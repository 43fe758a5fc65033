"""``python -m release``: walk the check-list of a release in a clean copy, and keep what was built in ``dist``."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from release import address, tree
from release.steps import STAND_IN, STEPS, Failed, Release, Step


def walk(release: Release, steps: tuple[Step, ...] = STEPS) -> list[str]:
    """Take each step, print what it saw, and return the names of those that fail."""
    failed = []
    for step in steps:
        name = step.__name__.replace("_", " ")
        try:
            print(f"  held    {name}: {step(release)}", flush=True)
        except Failed as problem:
            print(f"  failed  {name}: {problem}", flush=True)
            failed.append(step.__name__)
    return failed


def main(arguments: list[str] | None = None) -> int:
    """Walk the whole list.

    Returns:
        0 where all holds, 1 where something does not.
    """
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument("--output", type=Path, default=tree.ROOT / "dist", help="where the built files go")
    output: Path = parser.parse_args(arguments).output.resolve()
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "seepage"
        copy.mkdir()
        release = Release(tree.copy(copy), output, Path(scratch))
        address.fill(copy, address.of(copy) or STAND_IN, release.version)
        failed = walk(release)
    print(
        f"{len(failed)} of {len(STEPS)} do not hold" if failed else f"all {len(STEPS)} hold; the files are in {output}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
