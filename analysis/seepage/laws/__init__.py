"""Laws with a density, one file a law: what texts, editors, samplers, engines and measures know of it stands there.

A law that is added is a file, found by its ``LAW`` (``named.py`` says what that holds, ``table.py`` finds it): its word, of which checks, completion, hovers
and the lists of other editors are made, what a draw is, and how it is drawn at random; with it the law of its source. ``law.py`` says what can be asked of
that, and answers what follows from the rest.

``normal.py``, ``laplace.py``, ``logistic.py``, ``student_t.py`` and with it ``cauchy.py`` are symmetric about 0 (``symmetric.py``), ``gumbel.py`` is not;
``exponential.py``, ``gamma.py``, ``weibull.py``, ``lognormal.py`` and ``pareto.py`` are positive; ``uniform.py``, ``triangular.py`` and ``beta.py`` are of
[0, 1] (``unit_interval.py``). ``branching.py`` is for distribution functions with a branch point, ``continued.py`` continues them to complex balls,
``draws.py`` is what a draw is: a location plus a scale times a source, by values as ``forms.py`` has them; ``tails.py`` is how a tail falls.
"""
