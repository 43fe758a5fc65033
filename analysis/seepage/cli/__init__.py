"""The command ``seepage``: one file a subcommand, and no mathematics.

``start.py`` is the entry point and loads ``main.py``, which loads a subcommand when it is used; ``reading.py`` reads texts, ``files.py`` programs and
values of parameters, ``project.py`` project files, and each says in one line what is wrong with them; ``options.py`` has the options that commands share; ``check.py`` has the options of ``seepage check``, ``check_run.py`` one run of it, with ``progress.py``, ``fixed.py`` and ``watching.py``; ``writing.py`` alone writes files of users, whole or not at all.
"""
