"""Programs from what people have at hand: texts in, the text of a Seep program out, and nothing is run.

``channel.py`` reads channel matrices (CSV, JSON), ``bif.py`` Bayesian networks in BIF, ``psi.py`` programs of PSI, ``prism.py`` chains of PRISM, which
``prism_chain.py`` explores and ``prism_text.py`` writes; ``jani.py`` those of JANI, as models of PRISM. ``formulas.py`` has the tokens and expressions of these two; ``writing.py`` names, values and laws.
"""
