"""The mechanisms that Seepage brings: laws as computed without it, guarantees at many parameters, and a page that has them all."""

from __future__ import annotations

import itertools
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from tests.docs.blocks import blocks

import seepage
from seepage.syntax.shipped import SHIPPED, shipped_text

ROOT = Path(__file__).parents[2]
LIBRARY = shipped_text("seep:mechanisms")
DEFINED = dict(re.findall(r"^def (\w+)\(([^)]*)\)", LIBRARY, re.MULTILINE))
HELPERS = {"staircase_mass", "staircase_tail"}
PROGRAMS = {re.findall(r"m\.(\w+)", block.text)[-1]: block.text for block in blocks("docs/mechanisms.md", "seep")}
Law = Mapping[tuple[int, ...], float]


def test_every_mechanism_has_its_place_on_the_page() -> None:
    page = (ROOT / "docs" / "mechanisms.md").read_text(encoding="utf-8")

    headed = re.findall(r"^### (\w+)\n\n`(\w+)\(([^)]*)\)`:", page, re.MULTILINE)
    assert {heading: arguments for heading, _, arguments in headed} == {
        name: arguments for name, arguments in DEFINED.items() if name not in HELPERS
    }
    assert [heading for heading, name, _ in headed if heading != name] == []
    assert PROGRAMS.keys() == DEFINED.keys() - HELPERS


def test_every_definition_says_what_it_does() -> None:
    assert re.findall(r"(?<!\n)\n\ndef \w+|^def \w+", LIBRARY) == []
    assert [name for name in DEFINED if not re.search(rf"^/// .*\ndef {name}\(", LIBRARY, re.MULTILINE)] == []


@pytest.mark.parametrize("path", SHIPPED)
def test_a_shipped_module_has_no_findings_of_its_own(path: str) -> None:
    assert seepage.parse(shipped_text(path), path).diagnostics == ()


@pytest.mark.family(every=7)
@pytest.mark.parametrize("eps", ["1/10", "1/2", "1"])
@pytest.mark.parametrize("name", [name for name, text in PROGRAMS.items() if "param eps" in text])
def test_a_guarantee_holds_at_each_value_of_its_parameter(name: str, eps: str) -> None:
    program = seepage.parse(re.sub(r" over eps in \S+ \S+\]", "", PROGRAMS[name]))

    budgets = [one for one in program.analyze(params={"eps": eps}).answers if one.role == "require"]

    assert budgets
    assert {one.verdict for one in budgets} == {"holds"}


def randomized(x: int, k: int, eps: float) -> Law:
    return {(y,): (math.exp(eps) if y == x else 1) / (math.exp(eps) + k - 1) for y in range(k)}


def encoded(x: int, k: int, own: float, other: float) -> Law:
    return {
        sent: math.prod((p if bit else 1 - p) for i, bit in enumerate(sent) for p in [own if i == x else other])
        for sent in itertools.product((0, 1), repeat=k)
    }


def columns(x: int, size: int, eps: float) -> Law:
    weights = [math.exp(eps) if ((x + 1) & y).bit_count() % 2 == 0 else 1 for y in range(size)]
    return {(y,): weight / sum(weights) for y, weight in enumerate(weights)}


def hashed(x: int, prime: int, g: int, eps: float) -> Law:
    keys = [(a, b) for a in range(1, prime) for b in range(prime)]
    return {
        (a, b, y): p / len(keys) for a, b in keys for (y,), p in randomized((a * x + b) % prime % g, g, eps).items()
    }


def geometric(n: int, eps: float) -> float:
    return (1 - math.exp(-eps)) / (1 + math.exp(-eps)) * math.exp(-eps * abs(n))


def clamped(x: int, low: int, high: int, eps: float) -> Law:
    inner: Law = {(y,): geometric(y - x, eps) for y in range(low + 1, high)}
    ends: Law = {(y,): math.exp(-eps * abs(y - x)) / (1 + math.exp(-eps)) for y in (low, high)}
    return {**inner, **ends}


def staircase(x: int, low: int, high: int, width: int, r: int, eps: float) -> Law:
    """Sum the law of the noise as far out as floats tell."""

    def mass(n: int) -> float:
        return math.exp(-eps * (abs(n) // width)) * (1 if abs(n) % width < r else math.exp(-eps))

    reach = range(-400, 401)
    total = sum(map(mass, reach))
    made = dict.fromkeys(range(low, high + 1), 0.0)
    for n in reach:
        made[min(max(x + n, low), high)] += mass(n) / total
    return {(y,): p for y, p in made.items()}


def softmax(scores: list[int], eps: float) -> Law:
    weights = [math.exp(eps * score / 2) for score in scores]
    return {(i,): weight / sum(weights) for i, weight in enumerate(weights)}


def peeled(scores: list[int], k: int, eps: float) -> Law:
    made: dict[tuple[int, ...], float] = {}
    for best in itertools.permutations(range(len(scores)), k):
        left, p = set(range(len(scores))), 1.0
        for one in best:
            weights = {i: math.exp(eps * scores[i] / (2 * k)) for i in left}
            p *= weights[one] / sum(weights.values())
            left.remove(one)
        made[best] = p
    return made


def near(x: int, low: int, high: int, eps: float) -> Law:
    weights = {y: math.exp(-eps * abs(x - y) / 2) for y in range(low, high + 1)}
    return {(y,): weight / sum(weights.values()) for y, weight in weights.items()}


def ordered(values: list[int]) -> Law:
    orders = list(itertools.permutations(values))
    return {one: orders.count(one) / len(orders) for one in orders}


COIN = math.exp(0.5) / (1 + math.exp(0.5))
# The call, how many values it returns one by one (None: an array), and its law by its own formula; eps is 1.
LAWS: dict[str, tuple[str, int | None, Callable[[], Law]]] = {
    "randomized response": ("randomized_response(1, eps)", 1, lambda: randomized(1, 2, 1)),
    "of k values": ("k_randomized_response(2, 4, eps)", 1, lambda: randomized(2, 4, 1)),
    "symmetric unary": ("symmetric_unary_encoding(1, 3, eps)", None, lambda: encoded(1, 3, COIN, 1 - COIN)),
    "optimized unary": ("optimized_unary_encoding(0, 3, eps)", None, lambda: encoded(0, 3, 0.5, 1 / (1 + math.e))),
    "RAPPOR": ("rappor(1, 2, 1/2, 1/4, 3/4)", None, lambda: encoded(1, 2, 5 / 8, 3 / 8)),
    "RAPPOR's memo": ("rappor(1, 2, 1/2, 0, 1)", None, lambda: encoded(1, 2, 3 / 4, 1 / 4)),
    "Hadamard": ("hadamard_response(2, 8, eps)", 1, lambda: columns(2, 8, 1)),
    "local hashing": ("local_hash(2, 3, 2, eps)", 3, lambda: hashed(2, 3, 2, 1)),
    "subsampled": (
        "subsampled_response(1, 1/4, eps)",
        1,
        lambda: {(1,): (math.e / 4 + 3 / 4) / (1 + math.e), (0,): (1 / 4 + 3 * math.e / 4) / (1 + math.e)},
    ),
    "clamped geometric": ("clamped_geometric_noise(1, 0, 3, 2, 2*eps)", 1, lambda: clamped(1, 0, 3, 1)),
    "threshold": (
        "noisy_threshold(1, 3, 1, eps)",
        1,
        lambda: {(1,): clamped(1, 0, 3, 1)[3,], (0,): 1 - clamped(1, 0, 3, 1)[3,]},
    ),
    "bounded noise": ("bounded_noise(5, 1)", 1, lambda: {(y,): 1 / 3 for y in (4, 5, 6)}),
    "bounded geometric": ("bounded_geometric_noise(4, 2, 5, 1, eps)", 1, lambda: near(4, 2, 5, 1)),
    "staircase": ("clamped_staircase_noise(3, 1, 6, 3, 2, eps)", 1, lambda: staircase(3, 1, 6, 3, 2, 1)),
    "staircase of one step": ("clamped_staircase_noise(2, 0, 4, 1, 1, eps)", 1, lambda: staircase(2, 0, 4, 1, 1, 1)),
    "exponential": ("exponential_choice([3, 1, 2], 1, eps)", 1, lambda: softmax([3, 1, 2], 1)),
    "top k": ("top_k([3, 1, 2], 2, 1, eps)", None, lambda: peeled([3, 1, 2], 2, 1)),
    "shuffled": ("shuffled([3, 1, 1])", None, lambda: ordered([3, 1, 1])),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_law_of_a_mechanism_is_that_of_its_formula(name: str) -> None:
    call, width, law = LAWS[name]
    right = law()
    several = len(next(iter(right)))
    places = [f"y[{i}]" for i in range(several)] if width is None else [f"y{i}" for i in range(several)]
    targets = "y" if width is None else ", ".join(places)
    program = seepage.parse(f'import "seep:mechanisms" as m\nparam eps = 1\n{targets} ~ m.{call}\n')

    assert math.isclose(sum(right.values()), 1, rel_tol=1e-9)
    for values, p in right.items():
        event = " and ".join(f"{place} == {value}" for place, value in zip(places, values, strict=True))
        result = program.measure(f"P({event})")
        assert result.lower - 1e-9 <= p <= result.upper + 1e-9, (event, result)


@pytest.mark.parametrize(
    ("call", "variance"),
    [
        ("geometric_noise(7, 2, 1)", 2 * math.exp(-0.5) / (1 - math.exp(-0.5)) ** 2),
        ("laplace_noise(7, 2, 1/2)", 2 * 4.0**2),
        ("normal_noise(7, 2, 1/2, 1/100)", 16 * 2 * math.log(125)),
    ],
)
def test_noise_has_the_variance_of_its_formula(call: str, variance: float) -> None:
    program = seepage.parse(f'import "seep:mechanisms" as m\ny ~ m.{call}\n')

    result = program.measure("Var(y)")

    assert result.lower * (1 - 1e-9) <= variance <= result.upper * (1 + 1e-9)
    assert math.isclose(program.measure("E(y)").lower, 7, rel_tol=1e-9)


def test_a_probability_of_one_half_is_the_limit_of_no_budget() -> None:
    program = seepage.parse('import "seep:mechanisms" as m\ns ~ flip(1/2)\no ~ m.randomized_response(s, 0)\n')

    assert program.measure("I(s; o)").exact == Fraction(0)


def test_the_modules_are_in_the_wheel() -> None:
    """Everything below the packages is packed that git does not leave out."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8")

    wheel = build["targets"]["wheel"]
    assert {"analysis/seepage", "server/seepage_lsp"} <= set(wheel["only-include"])
    assert not any("mechanisms" in path or ".seep" in path for path in wheel["exclude"])
    assert ".seep" not in ignored
    assert "mechanisms" not in ignored
    for path in SHIPPED:
        name = path.partition(":")[2]
        assert (ROOT / "analysis" / "seepage" / "mechanisms" / f"{name}.seep").read_text("utf-8") == shipped_text(path)
