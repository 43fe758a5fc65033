"""Functions as people write them: the analysis against executions of the function itself.

Inputs are equally likely, and there are 10^5 executions of each in the deep profile. Of a result with few values, each chance of inputs with a result is held to its
frequency by Chernoff's bound: a frequency f of n runs is as far from its chance p with probability exp(-n KL(f || p)) on each side at most, so that all of them together
raise a false alarm with a chance below one in a million. Of others, mean and variance lie within six standard errors, which is as rare as far as they are normal.
"""

from __future__ import annotations

import os
import random
import secrets
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, inf, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.python.comparing import measured, program_of
from tests.python.enumeration import frozen

HEAD = "import math\nimport random\nimport numpy as np\n"
RUNS = 100_000 if os.environ.get("SEEPAGE_DEEP") == "1" else 2_000
SIGMAS = 6.0
MOST = 12  # results whose chances are asked, the most frequent ones
ALARM = 1e-9  # the chance that a right probability is taken for wrong: there are fewer than a thousand
FUNCTIONS: dict[str, dict[str, Any]] = {
    one["name"]: one
    for one in tomllib.loads((Path(__file__).parent / "written.toml").read_text(encoding="utf-8"))["function"]
}


def executed(code: str, inputs: Mapping[str, Sequence[int]]) -> list[tuple[dict[str, int], Any]]:
    """Return inputs and results of runs; an exception is a result."""
    random.seed(11)
    np.random.seed(11)  # the legacy interface is one of those analysed
    chooser, names = random.Random(5), dict[str, Any]()
    exec(compile(HEAD + code, "<written>", "exec"), names)  # a text of this test
    names["random"], runs = random, list[tuple[dict[str, int], Any]]()
    for _ in range(RUNS):
        values = {name: chooser.choice(each) for name, each in inputs.items()}
        try:
            result = names["f"](**values)
        except Exception as error:  # noqa: BLE001  # the exception is the result
            result = f"raise {type(error).__name__}"
        runs.append((values, result))
    return runs


def divergence(one: float, other: float) -> float:
    """Return the divergence of a coin from another one, in nats."""
    parts = ((one, other), (1 - one, 1 - other))
    return sum(a * log(a / b) if b else inf for a, b in parts if a)


def named(kind: str) -> list[str]:
    """Return the functions that are compared in one way."""
    return [name for name, one in FUNCTIONS.items() if one["kind"] == kind]


@pytest.fixture(autouse=True)
def secrets_of_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs can be repeated, those of ``secrets``, too."""
    drawn = random.Random(3)
    monkeypatch.setattr(secrets, "randbits", drawn.getrandbits)
    monkeypatch.setattr(secrets, "randbelow", drawn.randrange)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", named("chances"))
def test_chances_are_those_of_executions(name: str) -> None:
    one = FUNCTIONS[name]
    program = program_of(HEAD + one["code"], "f", one["inputs"])
    counts = Counter((tuple(values.items()), frozen(result)) for values, result in executed(one["code"], one["inputs"]))

    assert not [each.message for each in program.diagnostics if each.is_error]
    for (values, result), count in counts.most_common(MOST):
        found = measured(program, dict(values), result)
        expected = None if found is None else found.value
        assert expected is not None, (values, result)
        assert 2 * exp(-RUNS * divergence(count / RUNS, expected)) >= ALARM, (values, result)


@pytest.mark.parametrize("name", named("moments"))
def test_moments_are_those_of_executions(name: str) -> None:
    one = FUNCTIONS[name]
    program = program_of(HEAD + one["code"], "f", one["inputs"])
    drawn = np.array([float(result) for _, result in executed(one["code"], one["inputs"])])

    assert not [each.message for each in program.diagnostics if each.is_error]
    mean, variance = program.measure("E(result)").value, program.measure("Var(result)").value

    fourth = float(((drawn - drawn.mean()) ** 4).mean())
    assert mean == pytest.approx(float(drawn.mean()), abs=SIGMAS * float(drawn.std()) / sqrt(RUNS))
    assert variance == pytest.approx(float(drawn.var()), abs=SIGMAS * sqrt((fourth - float(drawn.var()) ** 2) / RUNS))


def test_there_are_as_many_as_are_wanted() -> None:
    assert len(named("chances")) + len(named("moments")) >= 90
