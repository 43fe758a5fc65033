"""Python functions as programs: a function that carries a mark is read, never run, and becomes a Seep program.

The function is followed from its first statement to its ends by :mod:`interpreter` over *worlds* (:mod:`world`): what is known before any
run (shapes of lists, which names share one, constants) is kept as it is, and what is random becomes variables of the program
(:mod:`values`, :mod:`terms`). :mod:`draws` is the table of random calls, :mod:`marks` says what is secret and seen, :mod:`outputs` how
a result becomes variables, :mod:`translation` puts it together, and :mod:`program` is what users hold.
"""
