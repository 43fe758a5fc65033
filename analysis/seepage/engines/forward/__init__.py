"""The forward machine: states with weights, pushed through a program statement by statement, generic in the ring of weights.

``run.py`` is the machine (``running.py``: as its parts see it) and ``coefficients.py`` its rings: rationals, balls, polynomials in the parameters, circuits (``circuits.py``).
Few states keep whole weights over one denominator (``denominators.py``), many stand in columns (``tables.py``, ``dense.py``), a counter
becomes the exponents of a polynomial (``counting.py``), and a huge uniform range a few classes of equally likely values (``classes.py`` for statements, ``class_reader.py`` for expressions,
``class_forms.py``, ``class_splits.py``, ``class_widths.py``, ``class_joint.py``, ``class_relations.py``, ``class_faults.py``). ``liveness.py`` tells what may be forgotten. Loops of
unknown length (``loops.py``) are finite chains (``chain.py``), over rationals, or over rational functions of the parameters and of what else stands in
chances (``quotients.py``); where those have too many states, they are followed round by round (``following.py``), and what runs beyond that leave behind is bounded where each round drifts
towards the end (``drift.py``). Of infinite supports ``spans.py``, ``growth.py`` (in ``polynomial_bounds.py``) and ``whole.py`` bound what is left out (``cutting.py``); ``never.py`` rules
out by ranges alone, ``remainders.py`` by what stands behind the whole number of a value, and
``defined.py`` tells functions of continuous values that may have no value.
"""
