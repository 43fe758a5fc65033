"""Measures over grids of parameters and constants, in processes, with results in a file from which a sweep goes on where it ended.

``study.py`` says what is asked and names each of its numbers by all that it depends on; ``study_file.py`` reads it from TOML. ``running.py`` cuts it
into tasks for processes (:mod:`seepage.checking.pool`) or a cluster (:mod:`seepage.checking.cluster`), in which ``work.py`` answers. ``rows.py`` is what is known of one number, as data, and
``results.py`` the file: CSV, JSON lines or Parquet (``parquet.py``), written as they come and put in order at the end.
"""
