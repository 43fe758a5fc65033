"""Second order Gaussian approximation (SOGA): the joint law as a mixture of normal laws, one file for each rule of the paper's Gaussian semantics.

Assign, sample, observe, branch and merge take a mixture to a mixture; they are exact for linear programs of normal draws, and keep the first
two moments of everything else.
"""
