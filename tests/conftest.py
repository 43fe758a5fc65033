"""What every test may rely on."""

from __future__ import annotations

import mpmath

# One precision for all oracles: a module that set its own would change the truth that others compare with.
mpmath.mp.dps = 60
