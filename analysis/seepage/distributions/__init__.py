"""Every named distribution with its exact values: finite ones as tables, infinite ones as windows with certified tails, Gaussians as affine forms.

``families.py`` says what each law is, in any ring of weights. ``infinite.py`` cuts infinite supports and bounds what is left out, ``rational.py`` those of what loops count. ``kinds.py`` tells laws
with a density, infinite and Gaussian ones apart, ``supports.py`` reads where values lie from the words of the laws, ``sizes.py`` how one parameter decides how far noise spreads. The names, parameters and domains of the laws stand in
``syntax/vocabulary``; here is what they mean.
"""
