"""The names of commands: those of the server, and those that a client may have."""

from __future__ import annotations

# Of the server; takes the URI of an open document. Answered when the analysis has ended.
ANALYSE = "seepage.server.analyse"
# Of a client that names it in ``initializationOptions.commands``; gets the URI of a document and a range in it.
SHOW_RESULT = "seepage.showResult"
