"""The laws of the language, one file a law: what texts, editors, samplers, engines and measures know of it stands there.

A law that is added is a file, found by its ``LAW`` (``table.py`` finds it): its word, of which checks, completion, hovers and the lists of other editors are
made, what a draw is, and how it is drawn at random; with it the law of its source. ``named.py`` says what the ``LAW`` of one with a density holds,
``discrete.py`` that of a discrete one. ``law.py`` says what can be asked of a density, and answers what follows from the rest; ``infinite.py`` says what can
be asked of a discrete law without end, and ``windows.py``, which no check needs, cuts it and bounds what is left out.

``normal.py``, ``laplace.py``, ``logistic.py``, ``student_t.py`` and with it ``cauchy.py`` are symmetric about 0 (``symmetric.py``), ``gumbel.py`` is not;
``exponential.py``, ``gamma.py``, ``weibull.py``, ``lognormal.py`` and ``pareto.py`` are positive; ``uniform.py``, ``triangular.py`` and ``beta.py`` are of
[0, 1] (``unit_interval.py``). ``branching.py`` is for distribution functions with a branch point, ``continued.py`` continues them to complex balls,
``draws.py`` is what a draw is: a location plus a scale times a source, by values as ``forms.py`` has them; ``tails.py`` is how a tail falls.

Discrete ones with finitely many values give these and their weights, in any ring (``bernoulli.py``, ``uniform_int.py``, ``categorical.py``, ``uniform_of.py``,
``binomial.py``, ``beta_binomial.py``, ``hypergeometric.py``); those without end a window (``geometric.py``, ``poisson.py``, ``discrete_laplace.py``, ``discrete_gaussian.py``).
"""
