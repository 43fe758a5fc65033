"""The planner: which way answers this measure of this program?

A :class:`~seepage.measures.planning.question.Question` is resolved once; *reductions* take it to simpler questions, *ways* answer it, and what they say
meets. All ways stand in one table (``ways.py``), all reductions in another (``reductions``), all facts about measures in a third (``table.py``).
"""
