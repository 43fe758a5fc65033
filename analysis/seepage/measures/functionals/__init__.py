"""What the measures of one law are: which joints each asks for and which formula applies, one file a functional of the table of measures.

Discrete joints go to the formulas of ``discrete``, mixtures to those of ``gaussian``. Formulas work in nats; here they become the unit that was asked for,
rounded outward. A file that is added is found by its ``ANSWERS``
(``answers.py`` says what that is, ``table.py`` finds it); ``known.py`` has closed forms of single draws.
"""
