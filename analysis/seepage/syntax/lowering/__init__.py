"""From the language as people write it to its core: every construct of the second part is a transformation to assignments, draws, branches and loops.

``lower.py`` does whole texts, ``again.py`` what a change leaves to do: texts are lowered in groups of statements (``groups.py``), of which it is known
what they name; ``sayings.py`` finds what pieces say;
``bodies.py`` lowers procedures by themselves. ``statements.py`` does blocks, ``loops.py`` loops, ``draws.py`` draws (of ``rows.py``, ``vectors.py``, ``laws.py``), ``calls.py`` calls of
procedures, ``values.py`` expressions (``aggregates.py`` sums and their kind); all of them write with ``writing.py``. Of the core, ``symbolic.py`` tells
where symbols are taken for numbers, ``unequal.py`` which cells of tables are compared with what none of them is, ``missing.py`` where missing ones are met.
"""
