"""Checking many files: which they are, what is told of each, and whether they pass. Loads no engine but where something must be computed.

``walk.py`` finds files and keeps ``.gitignore``; ``running.py`` tells of each: from ``cache.py`` where its text was analysed before, else by ``work.py``,
in processes (``pool.py`` and ``process.py`` here, ``worker.py`` there, ``order.py`` what they say to each other), which may be on a Dask cluster (``cluster.py``). What is told is a report (``file_report.py``), data with
its words, which ``codec.py`` writes and reads back with every part checked. ``judging.py`` says what of it is shown and whether the program passes, with
``selecting.py`` (``--select``, ``--ignore``), ``baseline.py`` (leaks that are accepted as they are) and ``fingerprints.py`` (what a finding is known by);
``summary.py`` counts. ``differing.py`` says what two reports differ in, ``revisions.py`` has the texts of a revision of git, and ``renames.py`` tells which program was called what there. The forms that people and machines read are in ``formats/``.
"""
