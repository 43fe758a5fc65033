"""The forms of V, Hmin, Guess, Lmin and G in programs: events, tuples, arrays, gains as written, budgets, and what is told of wrong ones."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import mpmath
import pytest

import seepage
from seepage.measures.result import Certainty, Result

DICE = """
secret a
output o
a[1] ~ uniform_int(1, 6)
a[2] ~ uniform_int(1, 6)
o := a[1] + a[2]
m := max(a[1], a[2])
"""


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure)


def fault(text: str, measure: str) -> tuple[str, str]:
    with pytest.raises(seepage.MeasureError) as caught:
        measured(text, measure)
    return caught.value.diagnostic.rule.name, caught.value.diagnostic.message


PAIRS = list(product(range(1, 7), repeat=2))


@pytest.mark.parametrize(
    ("measure", "truth"),
    [
        ("V(a)", Fraction(1, 36)),
        ("V(a | o)", Fraction(11, 36)),
        ("V(a[1] | o)", Fraction(1, 36) * 11),
        ("V(a[1], m | o)", Fraction(1, 36) * 11),
        ("V(a[1] | a[2])", Fraction(1, 6)),
        ("V(a | o == 3)", Fraction(1, 2)),
        ("V(a[1] | o == 7 and m == 6)", Fraction(1, 2)),
        ("V(m | o, a[1])", Fraction(1)),
        ("V(m)", Fraction(11, 36)),
        ("Guess(a)", Fraction(37, 2)),
        ("Guess(a[1] | o)", Fraction(sum(n * (n + 1) // 2 for n in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)), 36)),
        ("Guess(a | o == 3)", Fraction(3, 2)),
        ("Guess(a | a)", Fraction(1)),
    ],
)
def test_chances_of_dice(measure: str, truth: Fraction) -> None:
    """Among 36 pairs, each sum has 1 to 6 pairs, and as many first numbers."""
    found = measured(DICE, measure)

    assert found.exact == truth
    assert found.unit == ""
    assert found.certainty is Certainty.EXACT


def test_powers_of_two_are_whole_bits() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 63)\no := floor(s / 4)\n"

    assert [measured(text, measure).exact for measure in ("Hmin(s)", "Hmin(s | o)", "Lmin(s -> o)")] == [6, 2, 4]
    assert measured(text, "Hmin(s | o == 3)").exact == 2
    nats = seepage.parse(text).measure("Lmin(s -> o)", unit="nats")
    assert nats.unit == "nats"
    assert nats.lower <= 4 * mpmath.log(2) <= nats.upper
    assert (
        measured("s ~ uniform_int(1, 6)\n", "Hmin(s)").lower
        <= mpmath.log(6, 2)
        <= measured("s ~ uniform_int(1, 6)\n", "Hmin(s)").upper
    )


def test_the_numbers_before_stand_beside_those_after() -> None:
    found = measured(DICE, "V(a | o)")

    (before,) = found.companions
    assert before.name == "chance before"
    assert before.value == pytest.approx(1 / 36)
    leakage = measured(DICE, "G(a -> o, guess)")
    assert [(one.name, one.value) for one in leakage.companions] == [
        ("prior g-vulnerability", pytest.approx(1 / 36)),
        ("posterior g-vulnerability", pytest.approx(11 / 36)),
        ("multiplicative leakage", 11.0),
        ("additive leakage", pytest.approx(10 / 36)),
    ]
    assert leakage.value == measured(DICE, "Lmin(a -> o)").value
    assert measured(DICE, "V(a)").companions == ()


def test_gains_of_tables_are_those_of_named_guesses() -> None:
    """Guessing the pair (6, 6) for 3, or saying "unequal" for 1 if it is so: before 30/36, after o = 12 the former and else at best the latter."""
    pairs = ", ".join(f"(0, ({x}, {y})): 1" for x, y in PAIRS if x != y)
    found = measured(DICE, f"G(a -> o, {{(1, (6, 6)): 3, {pairs}}})")

    assert found.companions[0].value == pytest.approx(30 / 36)
    assert found.companions[1].value == pytest.approx(33 / 36)
    assert found.lower <= mpmath.log(mpmath.mpf(33) / 30, 2) <= found.upper


def test_gains_of_values_that_never_are_have_no_part_and_are_told() -> None:
    text = "x ~ bernoulli(1/2)\ny := x\n"

    found = measured(text, "G(x -> y, {(0, 0): 1, (1, 1): 1, (2, 2): 100})")

    assert found.exact == 1
    assert any("never" in note and "2" in note for note in found.notes)


def test_irrational_values_are_met_by_value() -> None:
    text = "b ~ bernoulli(1/2)\nx := if b then sqrt(2) else 2\ny := b\n"

    assert measured(text, "G(x -> y, {(1, 2 / sqrt(2)): 1, (0, sqrt(4)): 1})").exact == 1
    assert measured(text, "G(x -> y, distance)").lower >= 0.999999


def test_a_single_value_is_always_guessed() -> None:
    text = "x := 4\ny ~ bernoulli(1/2)\n"

    assert [
        measured(text, f"{m}(x -> y{g})").exact for m, g in (("Lmin", ""), ("G", ", distance"), ("G", ", tries(3)"))
    ] == [0, 0, 0]
    assert measured(text, "V(x)").exact == measured(text, "Guess(x | y)").exact == 1


@pytest.mark.parametrize(
    ("measure", "name", "words"),
    [
        ("V(z)", "unfit-measure", "continuous"),
        ("Guess(z | x)", "unfit-measure", "continuous"),
        ("Lmin(z -> x)", "unfit-measure", "'Lmin'"),
        ("G(z -> x, guess)", "unfit-measure", "continuous"),
        ("G(x -> y, guesses)", "unfit-measure", "'guesses'"),
        ("G(x -> y, tries)", "unfit-measure", "tries(k)"),
        ("G(x -> y, tries(0))", "unfit-measure", "0 tries"),
        ("G(x -> y, tries(3/2))", "unfit-measure", "3/2"),
        ("G(x, y -> y, distance)", "unfit-measure", "one number"),
        ("G(x -> y, {(0, (0, 1)): 1})", "unfit-measure", "2 numbers, expected 1"),
        ("G(x -> y, {(0, 0): 1, (0, 0): 2})", "unfit-measure", "second gain"),
        ("G(x -> y, {(0, 0): 0})", "undefined-measure", "prior g-vulnerability"),
        ("G(x -> y, {(0, 0): -1, (0, 1): -1})", "undefined-measure", "prior g-vulnerability"),
        ("G(x -> y, {(0, y): 1})", "malformed-measure", "'y' is a variable"),
        ("V(x | y == 2)", "impossible-event", "impossible"),
        ("V(nothing)", "unknown-name-in-measure", "nothing"),
    ],
)
def test_what_does_not_fit_is_told(measure: str, name: str, words: str) -> None:
    rule, message = fault("x ~ bernoulli(1/2)\ny := x\nz ~ normal(0, 1)\n", measure)

    assert rule == name
    assert words in message


@pytest.mark.parametrize(
    ("budget", "verdict"),
    [
        ("V(s | o) <= 0.9", "holds"),
        ("V(s | o) < 0.9", "violated"),
        ("V(s | o) == V0", "holds"),
        ("Lmin(s -> o) <= 0 bits", "holds"),
        ("Lmin(s -> o) < 0.001 bits", "holds"),
        ("Lmin(t -> u) <= 1 bits", "holds"),
        ("Lmin(t -> u) < 1 bits", "violated"),
        ("G(t -> u, guess) == 1", "holds"),
        ("G(t -> u, guess) >= 0.7 nats", "violated"),
        ("Guess(t | u) <= 3/2", "holds"),
        ("Hmin(t | u) >= 1", "holds"),
    ],
)
def test_budgets_at_the_boundary_are_judged_exactly(budget: str, verdict: str) -> None:
    """o is s through noise of irrational probability that never changes the best guess."""
    text = (
        "const V0 = 9/10\nsecret s, t\noutput o, u\ns ~ bernoulli(1/10)\nn ~ bernoulli(1 / (1 + exp(1)))\no := s xor n\n"
        f"t ~ uniform_int(0, 3)\nu := t % 2\nrequire {budget}\n"
    )

    (answer,) = seepage.parse(text).analyze().answers

    assert answer.verdict == verdict


def test_an_infinite_support_is_enclosed() -> None:
    """A fair bit plus geometric noise of ratio e⁻¹ᐟ²: the best guess is right with probability 1 / (1 + e⁻¹ᐟ²)."""
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\nn ~ discrete_laplace(2)\no := s + n\n"
    truth = 1 / (1 + math.exp(-0.5))

    chance, guesses = measured(text, "V(s | o)"), measured(text, "Guess(s | o)")

    assert chance.certainty is Certainty.CERTIFIED
    assert chance.value == pytest.approx(truth, rel=1e-15)
    assert chance.lower <= chance.number <= chance.upper
    assert guesses.upper == pytest.approx(2 - truth, rel=1e-15)
    assert measured(text, "G(s -> o, distance)").value == measured(text, "Lmin(s -> o)").value


def test_guesses_of_infinitely_many_values_are_bounded_where_those_are_whole() -> None:
    """Geometric of 1/2: 1, 2, 3, … guesses with probability 1/2, 1/4, …, which is 2 on average; else the bound from below is told."""
    text = "x ~ geometric(1/2)\ny := x % 2\nz := x / 3\n"

    found, other = measured(text, "Guess(x)"), measured(text, "Guess(z)")

    assert found.lower <= 2 <= found.upper
    assert found.upper - found.lower < 1e-9
    assert other.lower == pytest.approx(2, rel=1e-12)
    assert math.isinf(other.upper)
    assert "no upper bound" in other.notes[0]
    assert fault(text, "G(x -> y, distance)")[0] == "unfit-measure"
    assert measured(text, "V(x)").value == pytest.approx(0.5, rel=1e-15)
