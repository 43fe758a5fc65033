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


SPELLINGS = {
    "a draw around 0": "u = random.uniform(-0.5, 0.5)\nreturn x - 2 * np.sign(u) * math.log(1 - 2 * abs(u))",
    "fractions and copysign": "u = random.uniform(-1/2, 1/2)\nreturn x - 2 * math.copysign(1, u) * math.log(1 - 2 * math.fabs(u))",
    "numpy": "u = np.random.uniform(-0.5, 0.5)\nreturn x - 2 * np.sign(u) * np.log(1 - 2 * np.abs(u))",
    "log1p": "u = np.random.rand() - 0.5\nreturn x - 2 * np.sign(u) * np.log1p(-2 * abs(u))",
    "copysign of the size": "u = random.random() - 0.5\nreturn x + math.copysign(-2 * math.log(1 - 2 * abs(u)), u)",
    "branches on the sign": "u = random.random() - 0.5\nif u < 0:\n    return x + 2 * math.log(1 + 2 * u)\nreturn x - 2 * math.log(1 - 2 * u)",
    "branches on the half": "u = random.random()\nif u < 0.5:\n    return x + 2 * math.log(2 * u)\nreturn x - 2 * math.log(2 * (1 - u))",
    "a conditional expression": "u = random.uniform(-0.5, 0.5)\nreturn x + (2 * math.log(1 - 2 * -u) if u < 0 else -2 * math.log(1 - 2 * u))",
    "distances in branches": "u = random.random() - 0.5\nif u >= 0:\n    return x - 2 * math.log(1 - 2 * abs(u))\nreturn x + 2 * math.log(1 - 2 * abs(u))",
    "the sign by comparisons": "u = random.random() - 0.5\nreturn x - 2 * ((u > 0) - (u < 0)) * math.log(1 - 2 * abs(u))",
    "a sign that is drawn": "return x + random.choice([-1, 1]) * -2 * math.log(random.random())",
    "an array": "u = np.random.uniform(-0.5, 0.5, size=2)\nreturn x - (2 * np.sign(u) * np.log(1 - 2 * np.abs(u)))[1]",
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_laplace_noise_is_recognised_however_it_is_spelled(name: str) -> None:
    body = "".join(f"    {line}\n" for line in SPELLINGS[name].split("\n"))
    text = f"import math\nimport random\nimport numpy as np\ndef f(x):\n{body}"

    program = load_function(text, "noise.py", "f", Mark(Span(0, 0), {"x": "flip(1/2)"}))

    assert program.measure("DP(x -> result)").value == pytest.approx(1 / 2)
    assert program.measure("Var(result)").value == pytest.approx(8 + 1 / 4)
    assert program.measure("P(result < -3 | x == 0)").value == pytest.approx(math.exp(-3 / 2) / 2)


@pytest.mark.parametrize(
    ("line", "mean", "variance"),
    [
        ("return 3 * u ** 0.5", 2, 9 * (1 / 2 - 4 / 9)),
        ("return math.sqrt(u)", 2 / 3, 1 / 2 - 4 / 9),
        ("return (2 * u) ** 2", 4 / 3, 16 * (1 / 5 - 1 / 9)),
        ("return 5 - 2 * u", 4, 4 / 12),
    ],
)
def test_powers_of_a_draw_have_its_moments(line: str, mean: float, variance: float) -> None:
    program = program_of(line)

    assert program.measure("E(result)").value == pytest.approx(mean)
    assert program.measure("Var(result)").value == pytest.approx(variance)


def test_a_draw_between_other_ends_is_compared_with_known_numbers_exactly() -> None:
    program = program_of("v = random.uniform(-1, 3)", "return [v < 0, v > 2, int(v) == 0]")

    assert [program.measure(f"P(result[{place}] == 1)").value for place in range(3)] == [1 / 4, 1 / 4, 1 / 2]


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
        ("return math.log(u + 1)",),
        ("v = u < 0.75", "return math.log(u) if v else x"),
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
