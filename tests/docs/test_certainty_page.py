"""The page on certainty holds: its program runs, and what it says of limits and assumptions is what the code has."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from flint import arb
from tests.docs.blocks import ROOT, blocks

from seepage.exact import precision
from seepage.measures.gaussian import quadrature, quadrature_frame, quadrature_nodes, quadrature_rules, quadrature_tails

PAGE = (ROOT / "docs/certainty.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [block.text for block in blocks("docs/certainty.md", "python")])
def test_the_check_by_the_reader_succeeds(text: str) -> None:
    exec(compile(text, "docs/certainty.md", "exec"), {})


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    assert max(quadrature_rules.SIZES) == 24
    assert quadrature.TOLERANCE == 1e-9
    assert quadrature_frame.PRECISION == 192
    assert quadrature_frame.UNIT == 2.0**-53
    assert quadrature_tails.INFLATION == 1 + 1e-6
    for said in ("24 nodes", "10⁻⁹ nats", "192-bit", "u = 2^−53", "1 + 10⁻⁶"):
        assert said in PAGE


@pytest.mark.parametrize("name", ["exp", "log", "expm1", "log1p"])
def test_functions_of_numpy_are_within_the_assumed_error_here(name: str) -> None:
    rng = np.random.default_rng(7)
    points = rng.uniform(1e-3, 50, 4000) if name in ("log", "log1p") else rng.uniform(-50, 50, 4000)
    found = getattr(np, name)(points)
    with precision(120):
        worst = max(
            abs(float(arb(value) - getattr(arb(point), name)())) / np.spacing(abs(value))
            for point, value in zip(points.tolist(), found.tolist(), strict=True)
        )

    assert worst <= 4


def test_the_allowance_of_the_page_is_the_one_in_the_code() -> None:
    text = inspect.getsource(quadrature_nodes._relative_error)

    assert "(16 + components.slack[i]) * (2 + np.abs(components.log_amplitude[i]) + found.size" in text
    assert "count + 24 + 24 * np.abs(form.log_value) + 16 * size" in text
