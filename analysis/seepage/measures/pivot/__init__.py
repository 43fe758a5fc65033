"""Measures of programs beyond SOGA's exactness, from the exact laws of their paths.

Chances of events are in ``events.py`` (of products of two variables in ``product_chance.py``), images of a value under exponentials, logarithms and
powers in ``images.py`` with their means in ``functions.py``, clamped and compared sums with noise in ``of_sum.py`` (``of_sum_integrals.py``), values that are singular together in ``singular.py``, parts
of sums in ``added.py``. Privacy is in ``privacy.py`` with its ratios in ``ratio.py`` and products of independent outputs in ``products.py``, losses of post-processed outputs in ``retold.py``, what bounds all pairs of neighbours in ``limits.py``. Densities that are sums of exponentials, as of the greatest of several Laplace values, are compared with
others in ``tiles.py``.
"""
