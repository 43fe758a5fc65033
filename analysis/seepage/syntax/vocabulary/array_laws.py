"""Laws of the second part of the language: those that are drawn, and those that this version refuses."""

from __future__ import annotations

# Laws of arrays: how many elements a value has stands in their arguments.
ARRAY_LAWS = frozenset({"permutation", "sample", "multinomial"})
NEW_LAWS = ARRAY_LAWS | {"weights", "negative_binomial", "zipf"}
# Continuous ones, of which there are no engines yet.
LATER_LAWS = frozenset({"gumbel", "logistic", "cauchy", "weibull", "pareto", "dirichlet", "planar_laplace"})
