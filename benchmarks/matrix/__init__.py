"""What is computed exactly, certified, bounded, or not: every law with every measure in the shapes that programs have.

``python -m benchmarks.matrix`` asks all questions anew and says which cells got worse than the frozen ones in ``cells.json``;
``--freeze`` keeps what is found there, and writes the page ``docs/coverage.md``.
"""
