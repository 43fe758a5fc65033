"""The two case studies at several privacy levels, through the Python library: ``python examples/case_studies.py``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import seepage

EXAMPLES = Path(__file__).parent

POLL_OF_ONE = ("H(r)", "H(o)", "H(r | o)", "I(r; o)")
POLL = ("H(r[1] | o)", "I(r[1]; o)")
MECHANISM = (
    "H(inc[1])",
    "H(inc[1] | out)",
    "I(inc[1]; out)",
    "H(inc[1] | out == 9)",
    "KL(inc[1] | out == 9 || inc[1])",
)


def main() -> None:
    """Print the tables."""
    table(
        "Randomized response, one answer, p = 1/2",
        "randomized-response-single.seep",
        POLL_OF_ONE,
        ("0", "1/10", "1", "10"),
        "bits",
    )
    table(
        "Randomized response, a poll of six, p = 1/2",
        "randomized-response.seep",
        POLL,
        ("0", "1/10", "1", "10"),
        "bits",
    )
    table(
        "Gaussian mechanism, incomes with a range of 10",
        "gaussian-mechanism.seep",
        MECHANISM,
        ("1/10", "1", "100"),
        "nats",
    )
    table(
        "The same after the output 9 was seen", "gaussian-mechanism-observed.seep", ("H(inc[1])",), ("5", "100"), "nats"
    )


def table(title: str, file: str, measures: Sequence[str], levels: Sequence[str], unit: Literal["bits", "nats"]) -> None:
    """Print measures of a program by rows, privacy levels by columns."""
    program = seepage.load(EXAMPLES / file)
    print(f"\n{title}, in {unit}\n")
    width = max(map(len, measures))
    print(f"{'':{width}}  " + "  ".join(f"{'eps = ' + level:>16}" for level in levels))
    for measure in measures:
        numbers = [cell(program.measure(measure, params={"eps": level}, unit=unit)) for level in levels]
        print(f"{measure:{width}}  " + "  ".join(f"{number:>16}" for number in numbers))


def cell(result: seepage.Result) -> str:
    """Return the value, or the bounds where they are too far apart to speak of one."""
    if result.upper - result.lower > 1e-6:
        return f"[{result.lower:.6f}, {result.upper:.6f}]"
    return f"{result.value:.10f}"


if __name__ == "__main__":
    main()
