"""``seepage play``: the editor, the Leakage panel and the gallery as a page in the browser, served on this machine alone.

``command.py`` is the subcommand; ``serving.py`` listens and tells who is let in (``address.py``) what (``pages.py``: the files of the page). Each page that is
open has a ``session.py`` of its own: a WebSocket on one side, a language server as a child on the other. Between them stands ``door.py``, which lets pass what the
page needs of the protocol and about texts that the page may have; those are read and, when the user saves, written in ``shelves.py``: the programs of the folder, the
gallery (``gallery.py``), and a scratch file. Nothing here knows the language.
"""
