"""Python functions as programs: a function that carries a mark is read, never run, and becomes a Seep program.

``reading.py`` takes a file, ``module.py`` knows its names and ``marks.py`` what is secret and seen (``mark_keys.py``); ``marking.py`` writes a mark, with laws
that ``guessing.py`` guesses. ``excerpts.py`` cuts out what a function reaches, and ``occurrences.py`` says where it names what its mark is about.
The function is followed from its first statement to its ends: ``statements.py`` (``assignments.py``, ``loops.py``, ``endless.py`` for loops without a bound, ``exits.py``, ``patterns.py``,
``definitions.py``), ``expressions.py`` (``truths.py``, ``arithmetic.py``, ``number_operators.py``, ``comparisons.py``, ``comprehensions.py``, ``iteration.py`` for what is walked over, ``any_order.py`` for sets, ``own_methods.py`` for what classes define by the names in ``vocabulary.py``, ``contexts.py`` for ``with``, ``sequences.py``, ``subscripts.py``, ``keyed.py`` for dictionaries and sets by ``known_keys.py``, ``records.py``, ``enums.py``, ``arrays.py``, ``array_parts.py``, ``indices.py``) and ``calls.py``, over
*worlds* (``world.py``): what is known before any run (shapes of lists, which names share one, constants) is kept as it is, and what is random becomes variables of
the program (``values.py``, ``constants.py``, ``terms.py``). One such walk is a ``run.py``; it is one recursion, whose parts call each other through ``following.py``. It draws by ``uniforms.py`` and writes by ``writer.py``. ``names.py`` and ``module_values.py`` say what a name holds
(``module_scopes.py``: which names a statement binds; ``module_changes.py``: which of them the file changes itself), ``library.py`` what functions of Python, numpy and scipy do (``builtin_functions.py``,
``numeric_functions.py``, ``numpy_functions.py``, ``keyed_functions.py``, ``methods.py``, ``plain.py`` for texts of known values, ``iterables.py`` for ``itertools``, ``written_functions.py`` for those that are written in Python, ``random_calls.py``, ``permutations.py`` for orders that are drawn, ``printing.py``, ``queues.py``, ``numpy_shapes.py``; ``calling.py``; ``arguments.py``: how many arguments each takes), ``draws.py`` is the table
of random calls, ``mechanisms.py`` that of mechanisms of libraries and of project files (``mechanism_calls.py`` follows their calls). ``marked_arguments.py`` says what the function starts with,
``outputs.py`` says how a result becomes variables, ``questions.py`` what a measure asks of them, ``places.py`` where things stand in the
file; ``translation.py`` puts it together, and ``program.py`` is what users hold.
"""
