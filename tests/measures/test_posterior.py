"""Priors, outputs and posteriors as tables, against enumeration by hand and Bayes' rule on other measures."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seepage import parse
from seepage.diagnostics import Fault
from seepage.exact import precision
from seepage.exploration import Explored
from seepage.measures.posterior import Posterior


def table(text: str, secret: str = "s", output: str = "o", **params: str) -> Posterior:
    program = parse(text)
    return Explored(program.checked).posterior(secret, output, program.read_params(params), 20.0)


def exact(found: Posterior) -> dict[str, dict[str, Fraction | None]]:
    return {seen.output.value: {one.value: one.probability.exact for one in seen.posterior} for seen in found.outputs}


WEIGHTS = st.lists(st.integers(1, 9), min_size=2, max_size=4)


@given(WEIGHTS, WEIGHTS, st.integers(2, 3))
def test_a_secret_and_noise_agree_with_enumeration(weights: list[int], noise: list[int], modulus: int) -> None:
    def law(name: str, numbers: list[int]) -> str:
        listed = ", ".join(f"{value}: {weight}/{sum(numbers)}" for value, weight in enumerate(numbers))
        return f"{name} ~ {{{listed}}}\n"

    found = table(law("s", weights) + law("n", noise) + f"o := (s + n) % {modulus}\n")

    joint: dict[tuple[int, int], Fraction] = {}
    for (s, p), (n, q) in itertools.product(enumerate(weights), enumerate(noise)):
        key = s, (s + n) % modulus
        joint[key] = joint.get(key, Fraction(0)) + Fraction(p * q, sum(weights) * sum(noise))
    seen = {o: sum(mass for (_, other), mass in joint.items() if other == o) for _, o in joint}
    assert exact(found) == {
        str(o): {str(s): joint.get((s, o), Fraction(0)) / seen[o] for s in range(len(weights))} for o in sorted(seen)
    }
    assert [one.probability.exact for one in found.prior] == [Fraction(each, sum(weights)) for each in weights]
    assert [one.output.probability.exact for one in found.outputs] == [seen[o] for o in sorted(seen)]


def test_an_observation_changes_the_prior() -> None:
    found = table("s ~ uniform_int(1, 4)\nobserve(s > 1)\no := s == 4\n")

    assert [(one.value, one.probability.exact) for one in found.prior] == [(v, Fraction(1, 3)) for v in "234"]
    assert exact(found)["1"] == {"2": 0, "3": 0, "4": 1}


def test_several_outputs_and_a_whole_array_are_taken_jointly() -> None:
    found = table("for i in 1..2 { s[i] ~ bernoulli(1/2) }\no := s[1]\na := s[2]\n", "s", "o, a")

    assert [one.value for one in found.prior] == ["0, 0", "0, 1", "1, 0", "1, 1"]
    assert exact(found)["1, 0"] == {"0, 0": 0, "0, 1": 0, "1, 0": 1, "1, 1": 0}


def test_irrational_probabilities_are_enclosed() -> None:
    text = "param eps in [0, 9] = 1\ns ~ bernoulli(1/2)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\n"
    found = table(text + "if t { o := s } else { o := !s }\n", eps="log(3)")

    chance = found.outputs[1].posterior[1].probability
    assert chance.lower <= 0.75 <= chance.upper
    assert chance.upper - chance.lower < 1e-30


def test_what_is_cut_off_an_infinite_support_is_inside_the_bounds() -> None:
    found = table("s ~ bernoulli(1/2)\nn ~ geometric(1/2)\nif n > 3 { o := 1 - s } else { o := s }\n")

    # P(n > 3) is the same for both values of s, so the posterior is that chance or one minus it.
    tail = parse("n ~ geometric(1/2)\n").measure("P(n > 3)")
    chance = found.outputs[1].posterior[0].probability
    assert chance.lower <= tail.upper
    assert tail.lower <= chance.upper
    with precision(192):
        assert 0 <= chance.upper - chance.lower < 1e-30


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("s ~ normal(0, 1)\nn ~ normal(0, 1)\no := s + n\n", "continuous"),
        ("s ~ uniform_int(1, 65)\no := s > 3\n", "the secret has 65 values, expected at most 64"),
        ("s ~ bernoulli(1/2)\nn ~ uniform_int(1, 257)\no := s * n + n * 300\n", "the outputs have 514 values"),
        ("s ~ bernoulli(1/2)\nobserve(s > 1)\no := s\n", "impossible"),
    ],
)
def test_what_cannot_be_listed_is_told(text: str, reason: str) -> None:
    with pytest.raises(Fault, match=reason):
        table(text)


@pytest.mark.parametrize("noise", ["normal(0, 1)", "laplace(0, 1)"])
def test_a_continuous_output_is_refused_as_such(noise: str) -> None:
    with pytest.raises(Fault, match="found a continuous variable"):
        table(f"s ~ bernoulli(1/2)\nn ~ {noise}\no := s + n\n")


def test_thousands_of_values_are_listed_without_those_that_are_impossible() -> None:
    """Of 3,000 numbers, which five it is among: each of them has a chance of 1/5 then."""
    program = parse("secret s\noutput o\ns ~ uniform_int(0, 2999)\no := floor(s / 5)\n")
    explored = Explored(program.checked)

    found = explored.posterior("s", "o", {}, 20.0, many=True)

    assert len(found.prior) == 3_000
    assert [each.output.value for each in found.outputs] == [str(one) for one in range(600)]
    for at, seen in enumerate(found.outputs):
        assert [chance.value for chance in seen.posterior] == [str(5 * at + one) for one in range(5)]
        assert all(chance.probability.exact == Fraction(1, 5) for chance in seen.posterior)
    with pytest.raises(Fault, match="expected at most 64"):
        explored.posterior("s", "o", {}, 20.0)
    wide = parse("secret s\noutput o\ns ~ uniform_int(0, 299)\nn ~ uniform_int(0, 99)\no := s + n\n")
    with pytest.raises(Fault, match="together 30,000 values"):
        Explored(wide.checked).posterior("s", "o", {}, 20.0, many=True)
