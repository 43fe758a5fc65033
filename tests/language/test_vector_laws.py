"""``dirichlet`` and ``normal`` of arrays, against closed forms in numpy and the exact test of minors."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

import seepage

Matrix = list[list[int]]


def _gram(chance: random.Random, size: int, rank: int) -> Matrix:
    """Return a random covariance matrix of some rank, at most."""
    factor = [[chance.randint(-2, 2) for _ in range(rank)] for _ in range(size)]
    return [[sum(a * b for a, b in zip(one, other, strict=True)) for other in factor] for one in factor]


def _program(means: list[int], matrix: Matrix) -> str:
    return f"x ~ normal({means}, {matrix})\n"


@pytest.mark.parametrize("seed", range(10))
def test_moments_and_informations_are_those_of_the_matrix(seed: int) -> None:
    chance = random.Random(seed)
    size = chance.randint(2, 4)
    matrix, means = _gram(chance, size, size), [chance.randint(-3, 3) for _ in range(size)]
    full = np.array(matrix, dtype=float)
    determinant = round(np.linalg.det(full))
    program = seepage.parse(_program(means, matrix))

    assert not [one for one in program.diagnostics if one.is_error]
    for i in range(size):
        for j in range(i, size):
            moment = program.measure(f"E(x[{i}] * x[{j}])")
            assert moment.value == pytest.approx(matrix[i][j] + means[i] * means[j], abs=1e-12)
            assert moment.certainty is not seepage.Certainty.APPROXIMATE
    if determinant:
        entropy = program.measure("H(x)", unit="nats").value
        assert entropy == pytest.approx(math.log((2 * math.pi * math.e) ** size * determinant) / 2, abs=1e-9)
    if matrix[0][0] and matrix[1][1] and (pair := matrix[0][0] * matrix[1][1] - matrix[0][1] ** 2):
        told = program.measure("I(x[0]; x[1])", unit="nats").value
        assert told == pytest.approx(math.log(matrix[0][0] * matrix[1][1] / pair) / 2, abs=1e-9)


def test_values_that_are_functions_of_others_are() -> None:
    program = seepage.parse(_program([0, 0, 0], [[1, 1, 2], [1, 1, 2], [2, 2, 4]]))

    assert program.measure("Var(x[0] - x[1])").exact == 0
    assert program.measure("Var(2 * x[0] - x[2])").exact == 0
    assert program.measure("I(x[0]; x[2])").lower == math.inf


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    return sum(
        (
            (-1) ** at * rows[0][at] * _determinant([[*row[:at], *row[at + 1 :]] for row in rows[1:]])
            for at in range(len(rows))
        ),
        Fraction(0),
    )


def _is_semidefinite(matrix: Matrix) -> bool:
    """All principal minors are at least 0 (Sylvester)."""
    size = len(matrix)
    return all(
        _determinant([[Fraction(matrix[i][j]) for j in chosen] for i in chosen]) >= 0
        for count in range(1, size + 1)
        for chosen in combinations(range(size), count)
    )


def test_semidefinite_matrices_are_told_from_others() -> None:
    chance, found = random.Random(7), set[bool]()
    for _ in range(60):
        size = chance.randint(2, 4)
        matrix = _gram(chance, size, chance.randint(1, size))
        row, column = chance.randrange(size), chance.randrange(size)
        matrix[row][column] += (step := chance.choice([-1, 0, 1]))
        if row != column:
            matrix[column][row] += step
        wrong = [one for one in seepage.parse(_program([0] * size, matrix)).diagnostics if one.is_error]
        found.add(not wrong)
        assert (not wrong) == _is_semidefinite(matrix), matrix
        assert all(one.rule.code == "SEEP422" for one in wrong)
    assert found == {True, False}


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ("normal([0, 0], [[1, 2], [1, 1]])", "expected a symmetric matrix"),
        ("normal([0, 0], [[1, 0]])", "a matrix of 2 times 2"),
        ("normal([0, 0], 1)", "a matrix of 2 times 2"),
        ("normal(0, [[1, 0], [0, 1]])", "an array of at most"),
        ("normal([0, 0], [[1, 0], [0, p]])", "known before the analysis"),
        ("normal([0, 0])", "an array and a matrix"),
        ("dirichlet(1)", "2 to 64"),
        ("dirichlet()", "2 to 64"),
    ],
)
def test_what_is_no_such_law_is_told(drawn: str, said: str) -> None:
    program = seepage.parse(f"param p in [0, 1] = 1/2\nx ~ {drawn}\n")

    assert any(said in one.message for one in program.diagnostics if one.is_error), program.diagnostics


@pytest.mark.parametrize(
    ("text", "said", "at"),
    [
        ("a, b ~ planar_laplace(0, 1, 0)\n", "scale 0 of 'planar_laplace' is not positive", "0)"),
        ("p[0], p[1] ~ planar_laplace(0, 1, -2)\ny := p[0] + p[1]\n", "scale -2 of 'planar_laplace'", "-2"),
        ("const s = -1/2\na, b ~ planar_laplace(0, 0, 2*s)\n", "scale -1 of 'planar_laplace'", "2*s"),
        ("a, b ~ planar_laplace(0, 0, -exp(1))\n", "scale -exp(1) of 'planar_laplace'", "planar_laplace"),
        ("d ~ dirichlet(0, 1)\ny := d[1]\n", "a[0] 0 of 'dirichlet' is not positive", "0, 1"),
        ("d ~ dirichlet([1, 2, 0])\ny := d[2]\n", "a[2] 0 of 'dirichlet' is not positive", "0])"),
        ("d ~ dirichlet(1, -exp(1))\n", "an argument -exp(1) of 'dirichlet' is not positive", "dirichlet"),
        ("d ~ dirichlet(1)\ny := d[0]\n", "2 to 64", "dirichlet"),
        ("param r in (0, 1) = 1/2\nx ~ normal([0, 0], [[1, r], [r, 1]])\ny := x[0] + x[1]\n", "known before", "r], [r"),
    ],
)
def test_a_wrong_argument_is_told_once_of_the_law_that_is_written(text: str, said: str, at: str) -> None:
    (error,) = (one for one in seepage.parse(text).diagnostics if one.is_error)

    assert said in error.message
    assert error.span.start == text.index(at)


@pytest.mark.parametrize(
    ("draw", "law"), [("d ~ dirichlet(1, 2, 3)", "dirichlet"), ("d, e ~ planar_laplace(s, 0, 2)", "planar_laplace")]
)
def test_findings_are_about_the_law_that_is_written_and_tell_nothing_of_its_making(draw: str, law: str) -> None:
    found = seepage.parse(f"secret s\noutput o\ns ~ flip(1/2)\n{draw}\no := 1\n").diagnostics
    told = {one.rule.code: one for one in found}

    assert len([one for one in found if one.rule.code in ("SEEP301", "SEEP303")]) == 2
    assert told["SEEP303"].message.startswith(f"'{law}' is no Gaussian mixture: ")
    assert told["SEEP301"].message.startswith(f"'{law}' multiplies continuous values")
    assert not told["SEEP301"].labels
    assert not any(word in f"{one.message}{one.notes}" for one in found for word in ("beta", "weibull", "@"))


def test_what_nothing_depends_on_is_told_by_its_law() -> None:
    found = seepage.parse("secret s\noutput o\ns ~ flip(1/2)\na, b ~ planar_laplace(0, 0, 2)\no := a\n").diagnostics
    (told,) = (one for one in found if one.rule.code == "SEEP251")

    assert told.notes == ("'s' depends on 's', and 'o' on 'planar_laplace'",)


@pytest.mark.parametrize("asked", ["H(d)", "H(d | d[0])"])
def test_shares_have_no_density_together_which_is_told(asked: str) -> None:
    found = seepage.parse("d ~ dirichlet(1, 2, 3)\n").measure(asked)

    assert found.value == -math.inf
    assert any("without volume" in note for note in found.notes)


@pytest.mark.parametrize("shapes", [(1, 2, 3), (2, 2), (1, 1, 1, 1), (Fraction(1, 2), 3, 2)])
def test_shares_have_the_moments_of_the_dirichlet_law(shapes: tuple[Fraction, ...]) -> None:
    program = seepage.parse(f"const a = [{', '.join(map(str, shapes))}]\nx ~ dirichlet(a)\n")
    total = sum(shapes)

    for i, a in enumerate(shapes):
        mean = program.measure(f"E(x[{i}])")
        spread = program.measure(f"Var(x[{i}])")
        assert mean.value == pytest.approx(float(a / Fraction(total)), abs=1e-12)
        assert spread.value == pytest.approx(float(a * (total - a) / Fraction(total**2 * (total + 1))), abs=1e-12)
        assert mean.certainty is not seepage.Certainty.APPROXIMATE
    product = program.measure("E(x[0] * x[1])").value
    assert product == pytest.approx(float(shapes[0] * shapes[1] / Fraction(total * (total + 1))), abs=1e-12)
    assert program.measure("E(" + " + ".join(f"x[{i}]" for i in range(len(shapes))) + ")").exact == 1


def test_shares_of_a_flat_law_are_broken_off_uniformly() -> None:
    """Of dirichlet(1, 1, 1) a share is above t with chance (1 − t)², whichever it is, and the first entropy is that of 2(1 − t)."""
    program = seepage.parse("x ~ dirichlet(1, 1, 1)\n")

    for i in range(3):
        assert program.measure(f"P(x[{i}] > 1/4)").value == pytest.approx(9 / 16, abs=1e-9)
    assert program.measure("H(x[0])", unit="nats").value == pytest.approx(0.5 - math.log(2), abs=1e-9)
    assert program.measure("P(x[0] < x[1])").value == pytest.approx(0.5, abs=1e-9)


def test_what_is_given_conditions_the_draw() -> None:
    """A share of dirichlet(1, 1) is uniform; of two independent normal values with a known sum each keeps half of its variance."""
    shares = seepage.parse("x ~ dirichlet(1, 1) given x[0] > 1/2\n")
    values = seepage.parse("y ~ normal([0, 0], [[1, 0], [0, 1]]) given y[0] + y[1] == 1\n")

    assert shares.measure("E(x[0])").value == pytest.approx(3 / 4, abs=1e-9)
    assert values.measure("Var(y[0])").value == pytest.approx(1 / 2, abs=1e-9)


def test_means_may_be_random() -> None:
    program = seepage.parse("s ~ flip(1/2)\nx ~ normal([4 * s, s], [[1, 0], [0, 1]])\n")

    assert program.measure("Var(x[0])").value == pytest.approx(5, abs=1e-12)
    told = program.measure("I(s; x)")
    alone = seepage.parse("s ~ flip(1/2)\nn ~ normal(0, 1)\no := s * 17^(1/2) + n").measure("I(s; o)")
    assert told.lower is not None
    assert alone.value is not None
    assert told.lower - 1e-6 <= alone.value <= (told.upper or math.inf) + 1e-6
