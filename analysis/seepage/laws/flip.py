"""A coin, by its other name."""

from __future__ import annotations

from seepage.laws.bernoulli import masses, sample
from seepage.laws.discrete import CHANCE, TRUTH, FiniteLaw, finite

LAW = FiniteLaw(
    finite("flip", "1 with probability `p`, else 0; the same as `bernoulli`", "flip(1/2)", CHANCE, values=TRUTH),
    sample,
    masses,
)
