"""Tables of data: what ``table people from "people.csv"`` reads, and what a draw from it is.

``reading.py`` goes through the one door for files and keeps what it read; ``comma_separated.py`` makes columns of the bytes of a file, ``columnar.py`` of those of Parquet and Arrow; ``table.py`` is
what is known of a table, ``spellings.py`` how people write what is then no number; ``drawn.py`` is the law of a row: distinct rows of the columns that are used, with their
weights (``grouping.py``).
"""
