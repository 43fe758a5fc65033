"""A law is added by one file: the language, editors, samplers and engines find it there. The worked example, and the one that stayed."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

import seepage

# Lomax's law: a Pareto law moved to 0. All of it that the library is told.
LOMAX = """
from seepage import exact
from seepage.laws.draws import Draw, positive
from seepage.laws.named import POSITIVE, SCALE, SHAPE, NamedLaw, continuous
from seepage.laws.pareto import Pareto


def draw(values):
    scale = positive(values["scale"])
    return Draw(exact.neg(scale), scale, Pareto((positive(values["shape"]),)))


LAW = NamedLaw(
    continuous("lomax", "explicit", "a size with a heavy tail", "lomax(2, 1)", SHAPE, SCALE, values=POSITIVE),
    draw,
    lambda random, size, shape, scale: scale * random.pareto(shape, size=size),
)
"""

ASKED = """
import json, sys
import seepage.laws
seepage.laws.__path__.append(sys.argv[1])
import seepage
from release.editor_words import LISTING, renewed
from seepage.source import SourceFile
from seepage.pipeline import check
from seepage.symbols.completion import context_at, words_of
from seepage.syntax.vocabulary.table import WORDS, document

text = "secret s\\noutput o\\ns ~ uniform_int(0, 3)\\nn ~ lomax(3, 2)\\no := s + n\\n"
begun = check(SourceFile("a.seep", "x ~ lo"))
program = seepage.parse(text)
told = {
    "checked": [one.rule.code for one in check(SourceFile("a.seep", text)).diagnostics],
    "refused": [one.message for one in check(SourceFile("a.seep", "x ~ lomax(3)")).diagnostics],
    "completed": [word.name for word in words_of(context_at(begun, 6))],
    "hovered": document(WORDS["lomax"]),
    "editors": [path.name for path in LISTING if "lomax" not in renewed(path.read_text(encoding="utf-8"))],
    "chance": float(program.measure("P(n <= 2)").value),
    "mean": float(program.measure("E(n)").value),
    "leak": program.measure("I(s; o)").certainty,
    "drawn": program.sample(20_000, seed=5)["n"].mean().item(),
}
print(json.dumps(told))
"""


def test_a_law_that_is_added_as_a_file_is_known_everywhere(tmp_path: Path) -> None:
    (tmp_path / "lomax.py").write_text(LOMAX, encoding="utf-8")

    done = subprocess.run([sys.executable, "-c", ASKED, str(tmp_path)], check=True, capture_output=True, text=True)
    told = json.loads(done.stdout)

    assert told["checked"] == ["SEEP303"]
    assert len(told["refused"]) == 1
    assert "scale" in told["refused"][0]
    assert "lomax" in told["completed"]
    assert "`lomax(shape, scale)`: a size with a heavy tail" in told["hovered"]
    assert told["editors"] == []
    assert told["chance"] == pytest.approx(1 - 2**-3)  # P(n > t) = (1 + t / scale)^-shape
    assert told["mean"] == pytest.approx(2 / (3 - 1))
    assert told["leak"] == "certified"
    assert told["drawn"] == pytest.approx(1, abs=0.05)


# The number of the first success, of tries that end for certain with the last one. All of it that the library is told.
TRIES = """
from seepage.laws.discrete import SUCCESS, FiniteLaw, finite
from seepage.word import Domain, Parameter, Support


def masses(given):
    tries = given.count("n", "the number of tries of 'tries'")
    given.need(tries)
    ring, p = given.ring, given.probability("p")
    left = ring.one
    for k in range(1, tries):
        yield k, ring.multiply(left, p)
        left = ring.multiply(left, ring.complement(p))
    yield tries, left


LAW = FiniteLaw(
    finite(
        "tries",
        "the first success of at most `n` tries",
        "tries(3, 1/2)",
        Parameter(name="n", meaning="how many there are at most", domain=Domain.COUNT),
        SUCCESS,
        values=Support(1, "n", whole=True),
    ),
    lambda random, size, n, p: random.geometric(p, size=size).clip(max=n),
    masses,
)
"""

ASKED_OF_TRIES = """
import json, sys
import seepage.laws
seepage.laws.__path__.append(sys.argv[1])
import seepage
from release.editor_words import LISTING, renewed
from seepage.source import SourceFile
from seepage.pipeline import check
from seepage.symbols.completion import context_at, words_of
from seepage.syntax.vocabulary.table import WORDS, document

text = "param p in [0, 1] = 1/4\\nsecret s\\noutput o\\ns ~ uniform_int(0, 1)\\nn ~ tries(3, p)\\no := s + n\\n"
begun = check(SourceFile("a.seep", "x ~ tri"))
program = seepage.parse(text)
told = {
    "checked": [one.rule.code for one in check(SourceFile("a.seep", text)).diagnostics],
    "refused": [one.message for one in check(SourceFile("a.seep", "x ~ tries(3)")).diagnostics],
    "wrong": [one.message for one in check(SourceFile("a.seep", "x ~ tries(-1, 2)")).diagnostics],
    "completed": [word.name for word in words_of(context_at(begun, 7))],
    "hovered": document(WORDS["tries"]),
    "editors": [path.name for path in LISTING if "tries" not in renewed(path.read_text(encoding="utf-8"))],
    "chance": str(program.measure("P(n == 3)").exact),
    "formula": program.measure("E(n)").formula.text,
    "paths": float(seepage.parse("n ~ tries(3, 1/4)\\nx ~ normal(n, 1)\\n").measure("Var(x)").value),
    "leak": float(program.measure("V(s | o)").value),
    "drawn": program.sample(20_000, seed=5)["n"].mean().item(),
}
print(json.dumps(told))
"""


def test_a_discrete_law_that_is_added_as_a_file_is_known_everywhere(tmp_path: Path) -> None:
    (tmp_path / "tries.py").write_text(TRIES, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-c", ASKED_OF_TRIES, str(tmp_path)], check=True, capture_output=True, text=True
    )
    told = json.loads(done.stdout)
    law = {1: 1 / 4, 2: 3 / 16, 3: 9 / 16}
    mean = sum(value * chance for value, chance in law.items())
    seen = [max(law.get(o, 0), law.get(o - 1, 0)) / 2 for o in range(1, 5)]

    assert told["checked"] == []
    assert "'p'" in told["refused"][0]
    assert len(told["wrong"]) == 2
    assert "tries" in told["completed"]
    assert "`tries(n, p)`: the first success of at most `n` tries" in told["hovered"]
    assert told["editors"] == []
    assert told["chance"] == "9/16"
    assert told["formula"] is not None
    assert told["paths"] == pytest.approx(1 + sum(chance * (value - mean) ** 2 for value, chance in law.items()))
    assert told["leak"] == pytest.approx(sum(seen))
    assert told["drawn"] == pytest.approx(mean, abs=0.03)


def test_the_beta_binomial_law_is_that_of_tries_that_share_a_chance() -> None:
    one = seepage.parse("s ~ uniform_int(1, 3)\nk ~ beta_binomial(4, s, 3/2)\n")
    irrational = seepage.parse("k ~ beta_binomial(3, sqrt(2), 1)\n").measure("P(k == 0)")

    for shape in (1, 2, 3):
        other = seepage.parse(f"p ~ beta({shape}, 3/2)\nk ~ binomial(4, p)\n")
        for hits in (0, 2):
            assert one.measure(f"P(k == {hits} | s == {shape})").exact == other.measure(f"P(k == {hits})").exact
    assert irrational.value == pytest.approx(6 / math.prod(math.sqrt(2) + 1 + step for step in range(3)))


def test_the_rayleigh_law_is_that_of_a_length() -> None:
    program = seepage.parse("n ~ rayleigh(2)\n")
    euler = 0.57721566490153286

    assert program.measure("P(n <= 3)").value == pytest.approx(1 - math.exp(-9 / 8))
    assert program.measure("E(n)").value == pytest.approx(2 * math.sqrt(math.pi / 2))
    assert program.measure("Var(n)").value == pytest.approx((4 - math.pi) / 2 * 4)
    assert program.measure("H(n)").value == pytest.approx((1 + math.log(math.sqrt(2)) + euler / 2) / math.log(2))
