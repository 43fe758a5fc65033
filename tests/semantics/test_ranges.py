"""Ranges of products, against the products of many values in them."""

from __future__ import annotations

import itertools

import pytest

from seepage.semantics.ranges import Range, of_operation

ENDS = (None, -2, -1, 0, 1, 3)
RANGES: list[Range] = [(low, high) for low in ENDS for high in ENDS if low is None or high is None or low <= high]
FAR = 1_000


def values(one: Range) -> set[int]:
    """Return values of a range, its ends among them; -1000 and 1000 stand for those that lie beyond all others."""
    low, high = (-FAR if one[0] is None else one[0]), (FAR if one[1] is None else one[1])
    return {int(each) for each in (low, high, *range(-3, 4)) if low <= each <= high}


@pytest.mark.parametrize("pair", itertools.product(RANGES, repeat=2), ids=str)
def test_a_product_lies_in_its_range_and_reaches_its_ends(pair: tuple[Range, Range]) -> None:
    products = {a * b for a in values(pair[0]) for b in values(pair[1])}
    low, high = of_operation("*", *pair)

    assert (low is None) == (min(products) < -FAR / 2)
    assert (high is None) == (max(products) > FAR / 2)
    assert low is None or low == min(products)
    assert high is None or high == max(products)
