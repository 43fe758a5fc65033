"""Budgets over whole ranges of parameters: proved everywhere, or refuted at a point.

``required.py`` poses them, ``decide.py`` has one way for each kind of measure (``kinds.py``). ``problem.py`` makes the measure a function of the
parameters: from the engine's ``runs.py`` on polynomials, its ``terms.py`` and what stands beside them (``statics.py``) in ``letters.py``, under the
``conditions.py`` that a meaning needs; ``form.py`` encloses it and its slopes (of guesses: ``guessing.py`` with its ``maxima.py``), ``search.py`` halves the ranges (``touching.py``: where a bound is only touched, ``endless.py``:
ranges without an upper end); comparisons cut them into ``cells.py``. Noise whose size is a
parameter: ``noise.py`` and ``degrading.py``; infinite laws of such sizes: ``unending.py`` (a row each: ``unending_laws.py``), as far as values of theirs make a difference
(``settling.py``), with what is left out in ``slack.py``. What the hidden value alone tells bounds what is seen of it (``processed.py``) where the program has a
``meaning.py`` in the whole range. ``numbers.py`` tells where bounds have no value. Where nothing follows a measure, points are
tried by ``trial.py``; the worst of those that refute is found in ``worst.py``.
"""
