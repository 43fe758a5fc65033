"""When a claim is as good as anybody asks for."""

from __future__ import annotations

import pytest
from flint import arb

from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import is_settled
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty


@pytest.mark.parametrize(
    ("lower", "upper", "settled"),
    [
        (1.0, 1.0005, True),
        (1.0, 1.01, False),
        (1000.0, 1000.5, True),
        (0.0, 1e-4, False),  # narrow beside 1, and nothing is known of it
        (1e-5, 1.0005e-5, True),
        (1e-8, 1e-7, False),
        (0.0, 1e-18, True),
        (0.0, float("inf"), False),
    ],
)
def test_bounds_are_narrow_beside_the_number_itself(lower: float, upper: float, settled: bool) -> None:
    enclosure = Enclosure.bounded(arb(lower), arb(lower), arb(upper), Certainty.CERTIFIED)

    assert is_settled(Quantity(enclosure, 0, "discrete")) is settled
