"""Programs from what people have at hand: texts in, the text of a Seep program out, and nothing is run.

``channel.py`` reads channel matrices (CSV, JSON), ``bif.py`` Bayesian networks in BIF; ``writing.py`` has what both write: names, values and laws.
"""
