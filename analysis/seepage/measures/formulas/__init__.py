"""Closed forms of measures in the parameters of a program, and how they are written.

``closed_form.py`` and ``discrete.py`` run a program on polynomials, ``discrete_forms.py`` writes the measure of what comes out in all its forms, ``form.py`` is what a search ends with; ``unbounded_ratios.py`` compares tails;
``infinite_laws.py`` knows single draws from infinite laws (means of their exponentials: ``exponential_means.py``), ``gaussian.py`` and ``gaussian_ways.py`` Gaussian programs. ``inlining.py`` puts in place of names what holds parameters.
Cases are kept by ``guards.py``, conditions by ``conditions.py`` and ``ends.py``, forms by ``symbolic.py``; a tree is printed by ``text.py``,
``latex.py`` and ``mathml.py``, with names that no letter of a formula can be taken for (``letters.py``), and becomes objects of SymPy by ``as_sympy.py``; ``condition.py`` holds what conditions state. ``circuit.py`` names probabilities where all
is too long.
"""
