"""The bound of what transforms of floats err by, against transforms in balls, which need no such bound."""

from collections.abc import Sequence

import numpy as np
import pytest
from flint import acb, arb

from seepage.exact import precision
from seepage.measures.accounting.compose import Tilted, composed


def _in_balls(parts: Sequence[Tilted], n: int) -> list[arb]:
    """Return the circular convolution of all parts, from index 0, as balls."""
    product = [acb(1)] * n
    for part in parts:
        values = [arb(0)] * n
        for index, mass in zip(part.index, part.mass, strict=True):
            values[int(index) % n] += arb(float(mass))
        transform = acb.dft([acb(value) for value in values])
        product = [a * b**part.count for a, b in zip(product, transform, strict=True)]
    return [value.real for value in acb.dft(product, inverse=True)]


@pytest.mark.parametrize("counts", [(1, 1), (40, 3), (1000, 17), (3, 1)])
def test_error_of_transforms_is_within_its_bound(counts: tuple[int, ...]) -> None:
    rng = np.random.default_rng(sum(counts))
    parts = []
    for count in counts:
        index = np.arange(-3, 9) * int(rng.integers(1, 4))
        mass = rng.random(len(index)) ** 4
        parts.append(Tilted(index.astype(np.int64), mass / mass.sum(), 0.0, count))
    found = composed(parts, 0.01, 1.0)
    n = len(found.bins)
    with precision(120):
        exact = _in_balls(parts, n)
        for k, value in enumerate(found.bins):
            difference = abs(arb(float(value)) - exact[(found.first + k) % n])
            assert difference <= found.error
