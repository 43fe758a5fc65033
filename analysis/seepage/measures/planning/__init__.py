"""The planner: which way answers this measure of this program?

A :class:`~seepage.measures.planning.question.Question` is resolved once; *reductions* take it to simpler questions, *ways* answer it, and what they say
meets (``claim.py``). All ways stand in one table (``ways.py``), all reductions in another (``reductions``), all facts about measures in a third
(``table.py``); ``planner.py`` goes through them, ``plan.py`` records what was tried and ``refusal.py`` why a way declined.

Independence is read from the text by ``semantics/separation.py``; ``parts.py`` makes parts of a question, ``likeness.py`` answers like ones once,
``folding.py`` puts the numbers of parts together, ``levels.py`` guesses. ``records.py`` tells records whose terms are added up from what hides them. ``elimination.py`` takes long tuples variable by variable, ``told_in_turn.py`` by a chain
that tells them; ``uniform_secrets.py`` counts guesses. The way "one law" is
``measures/one_law.py``: the functional of a measure (``measures/functionals``) on the joint law of all that is asked.
"""
