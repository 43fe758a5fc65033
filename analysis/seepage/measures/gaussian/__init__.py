"""Measures of Gaussian mixtures, with guaranteed bounds.

Integrals have proofs: box by box (``quadrature.py``, ``quadrature_boxes.py``) and by rules with remainders (``quadrature_nodes.py``). ``entropy.py``,
``information.py`` and ``tuples.py`` take a mixture stratum by stratum (``densities.py``), ``guessing.py`` and privacy likewise; ``bounds.py`` bounds what is not integrated.
In three and more dimensions ``noisy_means.py`` finds mixtures of which all but one coordinate share one law, and ``lattice.py`` sums over the points of a lattice, one
for each orbit of ``lattice_symmetry.py``, with the remainder of ``lattice_remainder.py``.
See ``docs/certainty.md`` for why the bounds hold.
"""
