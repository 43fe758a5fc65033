"""How costs grow with the size of a program: ``python -m benchmarks.growth [FAMILY …]`` prints a table.

Each family is measured at three sizes within one process, in seconds of the processor, the faster of two runs. The exponent is that between the last two
sizes: the logarithm (base 2) of how many times longer twice as much takes.
"""

from __future__ import annotations

import sys
from math import log2
from time import process_time

from benchmarks.scale import FAMILIES, measured
from benchmarks.task import Job
from benchmarks.workloads import seep_lines

RUNS = 2


def main(names: list[str]) -> int:
    """Print the table of some families, or all; 2 on an unknown name."""
    unknown = [name for name in names if name not in FAMILIES]
    if unknown:
        print(f"unknown family '{unknown[0]}'; there are: {', '.join(FAMILIES)}", file=sys.stderr)
        return 2
    print("| Family | Sizes | Seconds | Exponent |\n|---|---|---|---:|")
    for name in names or FAMILIES:
        text, measure, sizes = FAMILIES[name]
        seconds = [min(_seconds(text, measure, size) for _ in range(RUNS)) for size in sizes]
        told = [" / ".join(map(str, sizes)), " / ".join(f"{each:.3f}" for each in seconds)]
        print(f"| {name} | {told[0]} | {told[1]} | {log2(seconds[-1] / seconds[-2]):.1f} |", flush=True)
    return 0


def _seconds(text: str | None, measure: str, size: int) -> float:
    job = checked(size) if text is None else measured(text, measure, size)()
    started = process_time()
    job()
    return process_time() - started


def checked(size: int) -> Job:
    """Prepare the check of so many plain statements, as at a key press after which all is new."""
    from seepage.semantics.check import check
    from seepage.source import SourceFile

    check(SourceFile("warm.seep", "x := 1\n"))
    source = SourceFile("long.seep", seep_lines(size).replace("x", f"x{size}_{process_time():.9f}".replace(".", "_")))
    return lambda: check(source)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
