"""What a budget allows: where it holds, with proof, and the best that is left there.

``ranges.py`` looks for the widest range of one parameter, ``whole.py`` of one whole-numbered constant, ``regions.py`` for the part of a rectangle of two
parameters; ``segments.py`` tells of all values of one parameter whether budgets hold. ``budgets.py`` puts a budget into a program and judges it; ``goal.py`` is what is best within it; ``tradeoff.py`` has what leaks beside what is lost.
"""
