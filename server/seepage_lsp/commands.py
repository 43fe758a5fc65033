"""The names of commands: those of the server, and those that a client may have."""

from __future__ import annotations

# Of the server; takes the URI of an open document. Answered when the analysis has ended.
ANALYSE = "seepage.analyze"
# Of the server; each takes the parameters of the request of its name, as one object.
COMMAND_EXPLAIN = "seepage.explain"
COMMAND_MEASURE = "seepage.measure"
COMMAND_PLOT = "seepage.plotData"
# Of the server; takes the URI of an open document, the analysis of which it stops.
COMMAND_CANCEL = "seepage.cancel"
# Of a client that names it in ``initializationOptions.commands``; gets the URI of a document and a range in it.
SHOW_RESULT = "seepage.showResult"
# The same, without arguments: behind completions that insert a call.
SHOW_SIGNATURE = "seepage.showSignature"
