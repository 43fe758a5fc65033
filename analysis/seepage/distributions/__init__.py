"""What a distribution is in a state: finite ones as tables, infinite ones as windows with certified tails, Gaussians as affine forms.

``told.py`` reads a draw's arguments for the files of the laws (``laws/``), ``families.py`` what they say in any ring of weights, and the chances of the cells of a law with a density. ``rational.py`` cuts the laws of what loops count. ``kinds.py`` tells laws
with a density, infinite and Gaussian ones apart, ``supports.py`` reads where values lie from the words of the laws.
"""
