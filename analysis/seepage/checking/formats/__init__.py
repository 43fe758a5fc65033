"""What a run found, in the forms that people and machines read: one file a form, each a function of judged files.

``text.py`` is for terminals and ``plain.py`` for programs (the JSON of the command line); ``sarif.py``, ``junit.py``, ``github.py`` and ``gitlab.py`` are for
services that show findings where code is reviewed; ``markdown.py`` is a comment for a review, and ``html.py`` one page that needs nothing else.
``difference.py`` tells what differs between two versions. ``places.py`` names files as such services do, and ``rendering.py`` knows all forms by name.
"""
