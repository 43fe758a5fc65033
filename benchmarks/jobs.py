"""What is measured, and against what. Each part prepares (imports, texts) and returns the job that is timed."""

from __future__ import annotations

from benchmarks import (
    attackers,
    baselines,
    checking,
    formulas,
    laws,
    mixtures,
    python_files,
    scale,
    tables,
    workloads,
)
from benchmarks.task import Task

TASKS = {
    "parse 5000 lines": Task(
        workloads.parse_lines, baselines.parse_python, "Python's own parser on as many assignments"
    ),
    "a key press in 5000 lines": Task(workloads.edit_lines, workloads.parse_lines, "parsing the text whole"),
    "a key press in a block of 5000 lines": Task(workloads.edit_block, workloads.parse_block, "parsing the text whole"),
    "check 5000 lines": Task(workloads.check_lines, workloads.parse_lines, "parsing the same text"),
    "a key press in 5000 lines, with findings": Task(
        workloads.type_in_lines, workloads.check_lines, "parsing and checking as much from the start"
    ),
    "a key press in a block of 5000 lines, with findings": Task(
        workloads.type_in_block, workloads.check_lines, "parsing and checking as much from the start"
    ),
    "a key press in a block of 5000 lines that is not closed, with findings": Task(
        workloads.type_in_open_block, workloads.check_lines, "parsing and checking as much from the start"
    ),
    "a key press in 5000 lines of small blocks, with findings": Task(
        workloads.type_in_blocks, workloads.check_blocks, "parsing and checking the text from the start"
    ),
    "a key press in 2000 lines of Python with five marks, with findings": Task(
        python_files.edit, python_files.read, "reading as much of which nothing is known"
    ),
    "a key press in 5000 lines with arrays and procedures, with findings": Task(
        workloads.type_in_constructs, workloads.check_constructs, "parsing and checking the text from the start"
    ),
    "randomized response, n = 100": Task(
        workloads.poll_of_100, baselines.enumerate_poll_of_10, "enumerating all 2^20 runs of n = 10"
    ),
    "gaussian mechanism": Task(
        workloads.gaussian_mechanism,
        baselines.gaussian_grid,
        "a 4001 × 1601 trapezoidal sum of the same information in numpy",
    ),
    "start the server": Task(workloads.start_server, baselines.start_python, "starting Python with pygls"),
    **attackers.TASKS,
    **checking.TASKS,
    **formulas.TASKS,
    **laws.TASKS,
    **mixtures.TASKS,
    **scale.TASKS,
    **tables.TASKS,
}
