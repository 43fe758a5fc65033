"""What a release of Seepage is made of: ``python -m release`` walks the check-list of ``docs/releasing.md``.

A release is built from a copy of the committed files (``tree``), in which the address of the repository is filled in
(``address``); ``steps`` are the lines of the check-list, each a function that returns what it saw or raises ``Failed``.
"""
