"""Text to tree, whatever the text: nothing here raises, and every fault is reported where it stands.

``pieces.py`` cuts a text where an edit cannot reach beyond; ``piece.py`` reads one by the saved table of ``grammar.lark`` (``lalr.py``; made by
``table_maker.py``), ``convert.py`` makes leaves of the tree (``tree.py``, with what stands within them in ``terms.py``), ``assemble.py`` blocks. ``incremental.py`` does the same after a change, at
the cost of the change; what stands behind it is moved when somebody looks (``strip.py``). Slips that have a name are in ``slips``, fixes that need the
whole text in ``offers.py``. ``printer.py`` is the formatter; ``spacing.py`` says what stands between neighbours on a line.
"""
