"""Noise by inverse transform: logarithms, distances and signs of uniform draws that nothing else reads, against closed forms and executions."""

from __future__ import annotations

import math

import pytest

from seepage.functions import FunctionProgram, load_function
from seepage.python.marks import Mark
from seepage.source import Span


def program_of(*lines: str) -> FunctionProgram:
    """Return a function of a secret bit that has drawn ``u`` from [0, 1)."""
    text = "import math\nimport random\nimport numpy as np\ndef f(x):\n    u = random.random()\n"
    return load_function(
        text + "".join(f"    {line}\n" for line in lines), "noise.py", "f", Mark(Span(0, 0), {"x": "flip(1/2)"})
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("u = u - 0.5", "return x - 2 * np.sign(u) * math.log(1 - 2 * abs(u))"),
        ("v = 0.5 - u", "noise = 2 * math.log(1 - abs(v) * 2)", "return x + noise if v < 0 else x - noise"),
        ("v = 2 * u - 1", "return x + 2.0 * (1 if v >= 0 else -1) * np.log(1 - np.abs(v))"),
    ],
)
def test_laplace_noise_is_recognised_in_several_spellings(lines: tuple[str, ...]) -> None:
    program = program_of(*lines)

    assert program.measure("DP(x -> result)").value == pytest.approx(1 / 2)
    assert program.measure("E(result)").value == pytest.approx(1 / 2)
    assert program.measure("Var(result)").value == pytest.approx(8 + 1 / 4)
    # Both tails: by the law, P(result > 3 | x == 0) is exp(-3/2) / 2 at both ends.
    assert program.measure("P(result > 3 | x == 0)").value == pytest.approx(math.exp(-3 / 2) / 2)
    assert program.measure("P(result < -3 | x == 0)").value == pytest.approx(math.exp(-3 / 2) / 2)


@pytest.mark.parametrize(
    ("line", "mean"),
    [("return -math.log(u) / 4", 1 / 4), ("return -math.log(1 - u)", 1), ("return math.log(3 * u)", math.log(3) - 1)],
)
def test_a_logarithm_is_an_exponential_draw(line: str, mean: float) -> None:
    assert program_of(line).measure("E(result)").value == pytest.approx(mean)


def test_a_distance_is_one_draw_however_often_it_is_read() -> None:
    program = program_of("v = u - 0.5", "return [abs(v) < 0.25, abs(v) < 0.125, v < 0]")

    assert program.measure("P(result[0] == 1 and result[1] == 1)").value == pytest.approx(1 / 4)
    assert program.measure("P(result[0] == 1 and result[1] == 0 and result[2] == 1)").value == pytest.approx(1 / 8)


@pytest.mark.parametrize(
    "lines",
    [
        ("a = math.log(u)", "return a if u < 0.5 else x"),
        ("v = u - 0.5", "a = abs(v)", "return a + v"),
        ("v = u - 0.5", "a = abs(v)", "return [a < 0.1, u < 0.3]"),
    ],
)
def test_a_draw_that_is_read_otherwise_is_refused(lines: tuple[str, ...]) -> None:
    assert [one.rule.code for one in program_of(*lines).diagnostics] == ["SEEP701"]


def test_a_distance_of_another_middle_is_no_such_draw() -> None:
    program = program_of("return abs(u - 0.25)")

    # The integral of |t - 1/4| over [0, 1].
    assert program.measure("E(result)").value == pytest.approx(5 / 16)
