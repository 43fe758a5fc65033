"""Measures of Gaussian mixtures, with guaranteed bounds.

Integrals have proofs: box by box (``quadrature.py``, ``quadrature_boxes.py``) and by rules with remainders (``quadrature_nodes.py``). ``entropy.py``,
``information.py`` and ``tuples.py`` take a mixture stratum by stratum (``densities.py``), ``guessing.py`` and privacy likewise; ``bounds.py`` bounds what is not integrated.
See ``docs/certainty.md`` for why the bounds hold.
"""
