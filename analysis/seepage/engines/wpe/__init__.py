"""Weakest pre-expectations (WPE), rule by rule as in Table 1 of the paper: the definition that every other engine is tested against.

``derivation.py`` writes the steps down for people, shortened by ``simplify.py`` with expressions made tidy by ``tidying.py``; the transformer
itself stays the definition.
"""
