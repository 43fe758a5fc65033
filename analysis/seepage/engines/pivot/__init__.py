"""Programs beyond the exact fragment of SOGA: paths whose values are polynomials of independent sources, and the exact laws of these.

``paths.py`` follows the program (values are compared in ``parting.py``, paths become one in ``joining.py``, sources in ``merging.py``); its values and the laws of its sources are of :mod:`seepage.laws`.
``inputs.py`` follows programs once for all of their discrete inputs.
Equalities are observed in ``conditioning.py``, inequalities passed with noise in ``windows.py``, with moments behind them in ``guarded.py``.
``cells.py`` rounds values, as far as what reads them tells them apart (``wanted.py``), and ``infinite.py`` says what is left
out. ``densities.py`` gives the law of one value on a path: sums (``sums.py``, with normal noise ``blurred.py``, of any law with Laplace noise ``smoothed.py``), squares (``squares.py``),
distribution functions over complex balls (``cumulative.py``), exact sums of exponentials (``exponentials.py``). Measures of what comes out are in ``measures/pivot``.
"""
