"""The language server: it holds documents and processes, and no mathematics.

``server.py`` wires; ``workspace.py`` holds documents; ``worker.py`` runs analyses in processes that can be killed, ``turns.py`` says which is next; ``reading.py`` takes parameters
strictly for what they are; ``positions.py`` alone counts UTF-16; ``projects.py`` finds the project file of a document, on a thread; ``closed.py`` reads programs that
are not open for what they share with open ones; ``garbage.py`` has collections wait for a pause; ``compiled.py`` loads the protocol's types with what was compiled before. Requests of our own (``docs/lsp-extensions.md``) are in ``panel.py`` and ``results.py``; questions of sliders and plots run
in processes (``explorations.py`` on the server's side, ``exploring.py`` on theirs); ``asked_once.py`` asks by itself what changed since the last commit
(``comparing.py``, in a process) and where it leaks (``locating.py``, too), whose answers ``kept.py`` holds. ``features`` has one file a feature of the protocol.

What may change stands in ``workspace.py``, ``schedule.py``, ``worker.py``, ``turns.py``, ``explorations.py``, ``kept.py``, ``projects.py``,
``python_files.py``, ``work_done.py``, ``pace.py`` and ``garbage.py``; all other values are frozen.
"""
