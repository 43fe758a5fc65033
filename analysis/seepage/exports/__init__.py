"""Programs in the languages of other tools, to check a number with them; what a language lacks is refused at its line.

``plain.py`` takes the core program apart into what they have in common: variables with plain names, assignments, draws, branches, observations and loops.
``walk.py`` says what statements write, ``formulas.py`` writes expressions; ``webppl.py``, ``psi.py`` and ``prism.py`` the programs, ``tree.py`` the tree as data,
and ``latex.py`` the algorithm of papers, both of the program as it is written.
"""
