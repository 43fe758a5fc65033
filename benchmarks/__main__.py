"""Prints one JSON object a line: task, seconds, peak_mb, baseline (seconds), ratio (seconds / baseline), and what the baseline is.

Each job runs in a process of its own, so that its peak memory is its own; of three runs the fastest counts.
"""

from __future__ import annotations

import json
import subprocess
import sys

from benchmarks.jobs import TASKS

RUNS = 3


def main(names: list[str]) -> int:
    """Run the named tasks, or all; 2 on an unknown name."""
    unknown = [name for name in names if name not in TASKS]
    if unknown:
        print(f"unknown task '{unknown[0]}'; there are: {', '.join(TASKS)}", file=sys.stderr)
        return 2
    for name in names or TASKS:
        seconds, peak = best(name, "job")
        baseline, _ = best(name, "baseline")
        line = {
            "task": name,
            "seconds": round(seconds, 6),
            "peak_mb": round(peak, 1),
            "baseline": round(baseline, 6),
            "ratio": round(seconds / baseline, 4),
            "against": TASKS[name].against,
        }
        print(json.dumps(line), flush=True)
    return 0


def best(name: str, part: str) -> tuple[float, float]:
    """Return seconds and peak memory in MB of the fastest of a few runs."""
    return min(once(name, part) for _ in range(RUNS))


def once(name: str, part: str) -> tuple[float, float]:
    """Run one part of a task in a new process; returns its seconds, without start-up, and its peak memory in MB."""
    command = [sys.executable, "-m", "benchmarks.run_job", name, part]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    return measured["seconds"], measured["peak_mb"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
