"""The command ``seepage``: one file a subcommand, and no mathematics.

``start.py`` is the entry point and loads ``main.py``; ``files.py`` and ``project.py`` read programs, options and project files and say in one
line what is wrong with them; ``writing.py`` alone writes files of users, whole or not at all.
"""
