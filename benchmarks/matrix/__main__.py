"""Ask every question of the matrix: ``python -m benchmarks.matrix [--freeze] [--only TEXT] [--processes N]``."""

from __future__ import annotations

import argparse
import sys

from benchmarks.matrix.answers import Found, find_all, freeze, frozen, worse
from benchmarks.matrix.page import PAGE, page
from benchmarks.matrix.questions import cells


def main(arguments: list[str]) -> int:
    """Return 1 if some cell got worse, else 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matrix", description=__doc__)
    parser.add_argument("--freeze", action="store_true", help="keep what is found, and write the page")
    parser.add_argument("--only", default="", metavar="TEXT", help="ask only questions whose key holds this")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    before = {} if options.freeze and not options.only else frozen()
    after: dict[str, Found] = {}
    bad = 0
    for cell, found in find_all((each for each in cells() if options.only in each.key), options.processes):
        after[cell.key] = found
        if cell.key in before and (how := worse(before[cell.key], found)):
            bad += 1
            print(f"{cell.key}: {how}", flush=True)
    compared = [key for key in after if key in before]
    old, new = (sum(each[key].seconds for key in compared) for each in (before, after))
    print(f"{len(after):,} questions, {bad} worse; processor time {new:.1f} s, before {old:.1f} s")
    if options.freeze:
        known = {**before, **after}
        kept = {cell.key: known[cell.key] for cell in cells() if cell.key in known}
        freeze(kept)
        PAGE.write_text(page(kept), encoding="utf-8")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
