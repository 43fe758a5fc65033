"""Mechanisms of libraries: each row of the table has the moments and the loss of the law that the library documents, in closed form.

``diffprivlib`` 0.6.6 was run by hand beside these numbers, 20,000 draws each of ``Laplace``, ``Gaussian``, ``Geometric``, ``Uniform`` and ``Binary``;
``opendp`` 0.16 for its types, errors and integers only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from seepage.cli.main import cli
from seepage.configuration import read_configuration
from seepage.functions import FunctionProgram, load_function
from seepage.python.marks import Mark
from seepage.python.mechanisms import MECHANISMS, problem_of
from seepage.source import Span

HEAD = """\
import opendp.prelude as dp
from diffprivlib import mechanisms
from diffprivlib.mechanisms import Binary, Gaussian, Geometric, GeometricTruncated, Laplace, LaplaceTruncated, Uniform
from company.noise import add, Adder
dp.enable_features("contrib")
floats = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
"""
SCALE = 2 / (0.5 - math.log(0.9))
STD = 2 * math.sqrt(2 * math.log(12.5)) / 0.5
RATIO = math.exp(-1 / 4)
SPREAD = 2 * RATIO / (1 - RATIO) ** 2  # variance of a discrete Laplace law with this ratio
HALF = math.exp(-1 / 2)
CALLS = [
    ("Laplace(epsilon=0.5, delta=0.1, sensitivity=2).randomise(x)", 0.5, 2 * SCALE**2, 1 / SCALE),
    ("mechanisms.Laplace(epsilon=1, sensitivity=2).randomise(x)", 0.5, 8.0, 1 / 2),
    ("mechanisms.laplace.Laplace(epsilon=1, sensitivity=2).randomise(value=x)", 0.5, 8.0, 1 / 2),
    ("Gaussian(epsilon=0.5, delta=0.1, sensitivity=2).randomise(x)", 0.5, STD**2, math.inf),
    ("Geometric(epsilon=0.5, sensitivity=2).randomise(x)", 0.5, SPREAD, 1 / 4),
    ("Uniform(delta=0.25, sensitivity=2).randomise(x)", 0.5, 64 / 12, math.inf),
    ("(floats >> dp.m.then_laplace(scale=2.0))(x)", 0.5, 8.0, 1 / 2),
    ("dp.m.make_laplace(*floats, 2.0)(x)", 0.5, 8.0, 1 / 2),
    ("(floats >> dp.m.then_gaussian(scale=3.0))(x)", 0.5, 9.0, math.inf),
    ("(dp.space_of(int) >> dp.m.then_laplace(scale=4.0))(x)", 0.5, SPREAD, 1 / 4),
    (
        "((dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)) >> dp.m.then_laplace(4.0))([5, x])[1]",
        0.5,
        SPREAD,
        1 / 4,
    ),
    ("add(x, 2)", 0.5, 8.0, 1 / 2),
    ("add(scale=2, value=x)", 0.5, 8.0, 1 / 2),
    ("Adder(2)(x)", 0.5, 8.0, 1 / 2),
]
ROWS: Mapping[str, Mapping[str, object]] = {
    "company.noise.add": {"parameters": ["value", "scale = 1"], "draw": "laplace(0, scale)"},
    "company.noise.Adder": {"parameters": ["scale"], "draw": "laplace(0, scale)", "method": "__call__"},
}


def program_of(*lines: str, param: Mapping[str, str] | None = None) -> FunctionProgram:
    """Return a function of a secret bit, and of parameters."""
    extra = "".join(f", {name}" for name in param or {})
    text = f"{HEAD}def f(x{extra}):\n" + "".join(f"    {line}\n" for line in lines)
    return load_function(text, "noise.py", "f", Mark(Span(0, 0), {"x": "flip(1/2)"}, param=param or {}), ROWS)


@pytest.mark.parametrize(("call", "mean", "variance", "loss"), CALLS)
def test_a_mechanism_has_the_law_that_is_documented(call: str, mean: float, variance: float, loss: float) -> None:
    program = program_of(f"return {call}")

    assert program.measure("E(result)").value == pytest.approx(mean)
    assert program.measure("Var(result)").value == pytest.approx(variance + 1 / 4)  # and that of the secret
    assert program.measure("DP(x -> result)").value == pytest.approx(loss)


def test_a_flipped_label_keeps_its_ratio() -> None:
    program = program_of("return Binary(epsilon=1, value0='no', value1='yes').randomise('yes' if x else 'no')")

    assert program.measure("P(result == 'yes' | x == 0)").value == pytest.approx(1 / (1 + math.e))
    assert program.measure("DP(x -> result)").value == pytest.approx(1)


def test_truncated_noise_has_its_mass_at_the_ends() -> None:
    whole = program_of("return GeometricTruncated(epsilon=0.5, lower=0, upper=1).randomise(x)")
    real = program_of("return LaplaceTruncated(epsilon=1, sensitivity=1, lower=0, upper=1).randomise(x)")

    assert whole.measure("P(result == 0 | x == 0)").value == pytest.approx(1 / (1 + HALF))
    assert real.measure("P(result == 1 | x == 0)").value == pytest.approx(math.exp(-1) / 2)


def test_a_mechanism_with_a_parameter_has_a_formula() -> None:
    program = program_of(
        "m = Laplace(epsilon=eps, sensitivity=1)", "return m.randomise(x)", param={"eps": "1 in [0.1, 4]"}
    )

    assert program.measure("DP(x -> result)", params={"eps": 3}).value == pytest.approx(3)
    assert program.translation is not None
    assert "if " not in program.translation.text  # that a delta of 0 is allowed is known before the run


def test_a_mechanism_is_chosen_by_a_branch_and_used_twice() -> None:
    program = program_of(
        "m = Geometric(epsilon=1) if x else Geometric(epsilon=0.5)", "return [m.randomise(0), m.randomise(0)]"
    )

    chances = [(1 - ratio) / (1 + ratio) for ratio in (HALF, math.exp(-1))]
    expected = sum(chance**2 for chance in chances) / 2
    assert program.measure("P(result[0] == 0 and result[1] == 0)").value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "exception"),
    [
        ("Gaussian(epsilon=1.5, delta=0.1, sensitivity=1)", "ValueError"),
        ("GeometricTruncated(epsilon=1, lower=2, upper=1).randomise(x)", "ValueError"),
        ("Binary(epsilon=1, value0='a', value1='b').randomise('c')", "ValueError"),
        ("Binary(epsilon=1, value0='a', value1='b').randomise(x)", "TypeError"),
        ("Geometric(epsilon=1).randomise(0.5)", "TypeError"),
        ("Laplace(1, 1).randomise(x)", "TypeError"),
        ("Laplace(epsilon=1).randomise(x)", "TypeError"),
        ("(dp.space_of(int) >> dp.m.then_laplace(scale=1.0))(0.5)", "TypeError"),
    ],
)
def test_wrong_use_raises_as_it_does_in_the_library(call: str, exception: str) -> None:
    lines = ("try:", f"    {call}", f"except {exception}:", "    return 1", "return 0")

    assert program_of(*lines).measure("P(result == 1)").value == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("mechanisms.Snapping(epsilon=1, sensitivity=1, lower=0, upper=1).randomise(x)", "not in the table"),
        ("mechanisms.GaussianAnalytic(epsilon=1, delta=0.1, sensitivity=1).randomise(x)", "not in the table"),
        ("dp.m.make_randomized_response_bool(prob=0.75)(x)", "not in the table"),
        ("dp.m.make_laplace(dp.atom_domain(bounds=(0, 1)), dp.absolute_distance(T=int), 1.0)(x)", "type of these data"),
        ("Laplace(epsilon=1, sensitivity=1).bias(x)", "'bias' of a mechanism"),
        ("Laplace(epsilon=1, sensitivity=1, random_state=x).randomise(x)", "not a constant"),
    ],
)
def test_what_has_no_certain_law_is_refused(call: str, words: str) -> None:
    program = program_of(f"return {call}")

    assert [one.rule.code for one in program.diagnostics if one.is_error] == ["SEEP701"]
    assert words in program.diagnostics[0].message


def test_a_constant_random_state_is_told_and_one_given_twice_is_refused() -> None:
    one = program_of("return Laplace(epsilon=1, sensitivity=1, random_state=7).randomise(x)")
    two = program_of("a = Geometric(epsilon=1, random_state=7)", "b = Geometric(epsilon=1, random_state=7)", "return x")

    assert [each.rule.code for each in one.diagnostics] == ["SEEP705", "SEEP706"]
    assert "SEEP701" in [each.rule.code for each in two.diagnostics]


def test_what_a_library_draws_otherwise_is_told_once() -> None:
    program = program_of("m = Laplace(epsilon=1, sensitivity=1)", "return m.randomise(x) + m.randomise(x)")

    assert [each.rule.code for each in program.diagnostics] == ["SEEP706"]


def test_the_table_holds_no_row_that_is_wrong() -> None:
    assert [problem_of(row) for row in MECHANISMS.values()] == [None] * len(MECHANISMS)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('draw = "laplace(0, scale)"', "reads 'scale'"),
        ('parameters = ["scale"]', "'draw' is missing"),
        ('draw = "laplace(0"', "'draw' is a named law"),
        ('draw = "laplace(0, 1)"\nresult = "1 +"', "'result' is an expression"),
        ('draw = "laplace(0, 1)"\nresult = "noise"', "reads 'noise'"),
        ('draw = "laplace(0, 1)"\ntype = "real"', "'type' is one of"),
        ('draw = "laplace(0, 1)"\nparameters = ["a b"]', "no parameter"),
        ('draw = "laplace(0, 1)"\nlaw = "x"', "unknown key"),
        ("draw = 3", "expected a text"),
    ],
)
def test_a_wrong_row_of_a_project_file_is_told_at_its_line(row: str, words: str) -> None:
    found, problems = read_configuration(f'[mechanisms."company.noise.add"]\n{row}\n', "seepage.toml")

    assert not found.mechanisms
    assert words in problems[0].message


def test_a_project_file_adds_mechanisms_to_what_is_checked(tmp_path: Path) -> None:
    (tmp_path / "seepage.toml").write_text(
        '[mechanisms."company.noise.add"]\nparameters = ["value", "epsilon"]\ndraw = "laplace(0, 1 / epsilon)"\n'
        '[python."release.py::release"]\nsecret = { x = "flip(1/2)" }\nshow = ["DP(x -> result)"]\n'
    )
    path = tmp_path / "release.py"
    path.write_text("from company.noise import add\ndef release(x):\n    return add(x, epsilon=0.75)\n")

    checked = CliRunner().invoke(cli, ["check", str(path), "--no-cache"])
    measured = CliRunner().invoke(cli, ["measure", f"{path}::release", "DP(x -> result)"])

    assert "show DP(x -> result) = 0.75" in checked.output
    assert measured.output.startswith("DP(x -> result) = 0.75")
