"""Laws of continuous sources, one file a law: what every engine and measure knows of it stands there.

``law.py`` says what can be asked, and answers what follows from the rest; ``table.py`` lists the laws by the names of their families. A law that is added
needs a file, a row of that table, and a row of the vocabulary (:mod:`seepage.syntax.vocabulary.distributions`).
``normal.py``, ``laplace.py``, ``logistic.py``, ``student_t.py`` and with it ``cauchy.py`` are symmetric about 0 (``symmetric.py``), ``gumbel.py`` is not;
``exponential.py``, ``gamma.py``, ``weibull.py``, ``lognormal.py`` and ``pareto.py`` are positive; ``uniform.py``, ``triangular.py`` and ``beta.py`` are of
[0, 1] (``unit_interval.py``). ``continued.py`` continues distribution functions to complex balls, ``draws.py`` is
what a draw is: a location plus a scale times a source, and ``tails.py`` how a tail falls.
"""
