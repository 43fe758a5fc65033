"""Chances of numpy's choice: they must sum to 1, as Python says with a ValueError; weights of random.choices need not."""

from __future__ import annotations

import math

import pytest
from tests.python.comparing import program_of

import seepage
from seepage.functions import FunctionProgram


def chosen(chances: str) -> FunctionProgram:
    return program_of(
        f"import math\nimport numpy as np\ndef f(x):\n    return np.random.choice([0, 1], p={chances})",
        "f",
        {"x": (0, 1)},
    )


def test_chances_that_do_not_sum_to_1_have_no_law() -> None:
    with pytest.raises(seepage.MeasureError) as told:
        chosen("[math.exp(-1), math.exp(-2)]").measure("P(result == 1)")

    assert told.value.diagnostic.rule.name == "probabilities-do-not-sum-to-one"


@pytest.mark.parametrize(
    ("chances", "right"),
    [
        ("[math.exp(1) / (1 + math.exp(1)), 1 / (1 + math.exp(1))]", 1 / (1 + math.e)),
        ("np.array([1.0, 2.0 + x]) / (3.0 + x)", (2 / 3 + 3 / 4) / 2),
    ],
)
def test_chances_that_sum_to_1_are_taken_as_they_are(chances: str, right: float) -> None:
    assert chosen(chances).measure("P(result == 1)").value == pytest.approx(right, abs=1e-12)


def test_weights_of_choices_are_divided_by_their_sum() -> None:
    text = "import math, random\ndef f(x):\n    return random.choices([0, 1], weights=[math.exp(1), 1])[0]"

    assert program_of(text, "f", {"x": (0, 1)}).measure("P(result == 1)").value == pytest.approx(1 / (1 + math.e))
