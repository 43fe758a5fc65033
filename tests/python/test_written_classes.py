"""Properties, counters and laws that are kept, as people write them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}
HEAD = "import random\nfrom collections import Counter\n"
SURVEY = (
    "class S:\n    def __init__(self, x):\n        self.x = x\n        self.a = [x, 1]\n    @property\n    def rate(self):\n"
    "        return sum(self.a) / len(self.a)\n    @property\n    def is_high(self):\n        return self.rate * 2 > 1\n"
    "    @property\n    def acts(self):\n        self.x += 1\n        return self.x\n"
)

RIGHT: dict[str, str] = {
    "properties": f"{SURVEY}def f(x):\n    s = S(x)\n    s.a.append(random.randint(0, 1))\n    return s.rate >= 0.5, s.is_high, x and s.rate > 0.4",
    "a property of nothing": f"{SURVEY}def f(x):\n    s = S(x)\n    s.a.clear()\n    try:\n        return x and s.rate\n    except ZeroDivisionError:\n        return 'none'",
    "pairs of equal length": "def f(x):\n    return list(zip([x, 1], (2, 3), strict=True)), list(zip(range(2), [x, x], strict=True))",
    "most common": "def f(x):\n    c = Counter([x, 1, random.randint(0, 2), 2, 1])\n    return c.most_common(), c.most_common(1)[0], c.most_common(0), Counter('aab').most_common(None)[0][0]",
}

REFUSED: dict[str, str] = {
    "a property that changes something": f"{SURVEY}def f(x):\n    return x and S(x).acts",
    "a property that is written": f"{SURVEY}def f(x):\n    s = S(x)\n    s.rate = 5\n    return s.rate",
    "pairs of unequal length": "def f(x):\n    try:\n        return list(zip([x, 1], [2], strict=True))\n    except ValueError:\n        return 0",
    "a law that is asked for more": "from scipy.stats import norm\ndef f(x):\n    return norm(0, 1).pdf(x)",
}


@pytest.mark.parametrize("name", RIGHT)
def test_they_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(HEAD + RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    found = program_of(HEAD + REFUSED[name], "f", INPUTS).diagnostics

    assert {one.rule.code for one in found if one.is_error} == {"SEEP701"}


def test_a_law_of_scipy_that_is_kept_draws_as_the_law_does() -> None:
    text = "from scipy.stats import norm, binom\ndef f(x):\n    noise, count = norm(loc=1, scale=2), binom(3, 0.5)\n    return x + noise.rvs() + count.rvs(size=2).sum()\n"
    program = program_of(text, "f", {"x": (0, 2)})

    assert program.measure("E(result)").value == pytest.approx(1 + 1 + 3, abs=1e-9)
    assert program.measure("Var(result)").value == pytest.approx(1 + 4 + 1.5, abs=1e-9)


def test_a_function_that_goes_many_ways_is_followed() -> None:
    text = "import random\nfrom collections import Counter\ndef f(x):\n    return len(Counter(random.randint(1, 5) for _ in range(4))) == x\n"

    assert program_of(text, "f", {"x": (1,)}).measure("P(result == True)").exact == Fraction(5, 5**4)
