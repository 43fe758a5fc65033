"""Random calls: each has the mean and the variance of draws of the function itself, of CPython and numpy."""

from __future__ import annotations

import math
import random
import secrets
from typing import Any

import numpy as np
import pytest

from seepage.functions import FunctionProgram, load_function
from seepage.python.marks import Mark
from seepage.source import Span

DRAWS = 5_000
SIGMAS = 6.0
CALLS = [
    "random.randint(2, 5)",
    "random.randrange(4)",
    "random.randrange(1, 4)",
    "random.randrange(1, 10, 4)",
    "random.getrandbits(3)",
    "int(random.random() * 5)",
    "random.uniform(1, 3)",
    "random.gauss(1, 2)",
    "random.gauss()",
    "random.normalvariate(-1, 3)",
    "random.expovariate(4)",
    "random.gammavariate(3, 2)",
    "random.betavariate(2, 3)",
    "random.lognormvariate(0.5, 0.5)",
    "random.triangular(0, 4, 1)",
    "random.triangular(1, 4)",
    "random.choice([1, 5, 6])",
    "random.choices([1, 5], [3, 1])[0]",
    "random.choices([1, 5, 2], k=2)[1]",
    "random.sample([1, 2, 3, 9], 2)[1]",
    "sum(random.sample(range(5), 3))",
    "secrets.randbelow(5)",
    "secrets.randbits(2)",
    "secrets.choice((1, 7))",
    "np.random.randint(2, 5)",
    "np.random.randint(3)",
    "np.random.rand()",
    "np.random.rand(2)[1]",
    "np.random.random_sample()",
    "np.random.uniform(2, 5)",
    "np.random.normal(1, 2)",
    "np.random.normal(loc=1, scale=2, size=3)[2]",
    "np.random.normal([0, 5], 2)[1]",
    "np.random.laplace(1, 2)",
    "np.random.exponential(3)",
    "np.random.gamma(3, 2)",
    "np.random.chisquare(3)",
    "np.random.beta(2, 3)",
    "np.random.lognormal(0.5, 0.5)",
    "np.random.standard_t(9)",
    "np.random.triangular(0, 1, 4)",
    "np.random.gumbel(1, 2)",
    "np.random.logistic(1, 2)",
    "np.random.weibull(2)",
    "np.random.binomial(5, 0.25)",
    "np.random.geometric(0.25)",
    "np.random.poisson(3)",
    "np.random.hypergeometric(4, 3, 2)",
    "np.random.choice(4)",
    "np.random.choice([1, 5], p=[0.25, 0.75])",
    "np.random.choice([1, 5, 9], size=2, replace=False)[1]",
    "np.random.permutation(4)[2]",
    "np.random.geometric(0.5) - np.random.geometric(0.5)",
    "rng.integers(2, 5)",
    "rng.integers(3, endpoint=True)",
    "rng.integers(1, 3, endpoint=True)",
    "rng.random()",
    "rng.standard_normal()",
    "rng.binomial(4, 0.5)",
    "rng.choice([2, 8])",
    "rng.laplace(scale=0.5)",
    "max(rng.normal(size=(2, 2))[1][0], 0) * 0 + 1",
]


def program_of(call: str) -> FunctionProgram:
    """Return a function that returns the value of a call."""
    text = f"import random, secrets, math\nimport numpy as np\ndef f():\n    rng = np.random.default_rng()\n    return {call}\n"
    return load_function(text, "draw.py", "f", Mark(Span(0, 0)))


@pytest.mark.parametrize("call", CALLS)
def test_a_call_has_mean_and_variance_of_its_draws(call: str) -> None:
    random.seed(7)
    np.random.seed(7)  # the legacy interface is one of those analysed
    names: dict[str, Any] = {
        "random": random,
        "secrets": secrets,
        "np": np,
        "math": math,
        "rng": np.random.default_rng(7),
    }
    code = compile(call, "<call>", "eval")
    drawn = np.array([float(eval(code, names)) for _ in range(DRAWS)])  # a call of this test
    program = program_of(call)

    mean, variance = program.measure("E(result)"), program.measure("Var(result)")

    spread = float(drawn.std()) / math.sqrt(DRAWS)
    assert mean.value == pytest.approx(float(drawn.mean()), abs=SIGMAS * spread + 1e-12)
    fourth = float(((drawn - drawn.mean()) ** 4).mean())
    error = math.sqrt(max(fourth - float(drawn.var()) ** 2, 0.0) / DRAWS)
    assert variance.value == pytest.approx(float(drawn.var()), abs=SIGMAS * error + 1e-9)
