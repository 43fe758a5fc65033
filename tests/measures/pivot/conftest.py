"""What the tests of explicit laws share."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import pytest


@pytest.fixture(autouse=True)
def enough_digits(one_precision: None) -> Iterator[None]:
    """Integrate oracles to 30 digits: none is compared more closely than to 25, and 60 take half as long again."""
    with mpmath.workdps(30):
        yield
