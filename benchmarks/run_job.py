"""Runs one job in this process and prints its seconds and peak memory: ``python -m benchmarks.run_job TASK job|baseline``."""

from __future__ import annotations

import json
import resource
import sys
import time

from benchmarks.jobs import TASKS


def main(name: str, part: str) -> None:
    """Prepare, measure, print."""
    task = TASKS[name]
    job = (task.job if part == "job" else task.baseline)()
    start = time.perf_counter()
    job()
    seconds = time.perf_counter() - start
    kilobytes = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps({"seconds": seconds, "peak_mb": kilobytes / 1024}))


if __name__ == "__main__":
    main(*sys.argv[1:])
