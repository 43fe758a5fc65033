"""Seepage beside other tools, on questions that both answer: ``python -m benchmarks.peers --python OTHER/bin/python``.

``tasks.py`` has the questions. Each side is a process of its own, ours in this interpreter and theirs in one that has the other tools, so that nobody's
dependencies are another's; both have the same work, and their numbers stand beside each other.
"""
