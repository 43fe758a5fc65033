"""The sentences that the server keeps. A test shows that it keeps number n by the mark ``@pytest.mark.conforms(n)``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence; ``elsewhere`` names files of tests that are not pytest's."""

    number: int
    sentence: str
    elsewhere: tuple[str, ...] = ()


_SENTENCES = """\
# Lifecycle
a request before initialize is refused with -32002
a second initialize is refused with -32600
after shutdown every request is refused with -32600
exit ends the server within a second, with code 0 after shutdown and 1 without, even while an analysis runs
shutdown answers and cancels the requests in flight
when the input is closed or the parent is dead, the server and its children end at once; the parent may be null
a failure to start is one clear line on standard error
an initialize without capabilities, root and client information works
# Framing
nothing but frames reaches standard output
headers may come in any case and order, with others beside them
broken JSON is answered with -32700, and the server goes on
an unknown request is answered with -32601, an unknown notification ignored
bad or missing parameters are answered with -32602 and the same id
ids may be 0, negative or strings
an exception in a handler fails its request only
# Documents
every range is in the agreed encoding: UTF-8, UTF-16 or UTF-32, with emoji, CJK, combining marks, positions inside a character
only \\n, \\r\\n and \\r end lines
CRLF is kept by edits and by formatting
texts without final newline and empty ones work, and positions past the end are moved to it
several changes in one notification apply one after the other, ranges and whole texts mixed
changes, saves and closes of documents that are not open are ignored
a second open replaces the document
random edits agree with a reference
any scheme is analysed from the open text, the disk untouched, and answered in the client's own spelling
percent-encoding, drive letters and spaces in addresses do not matter
files of 2 MB and lines of 1 MB are answered in bounded time and told by an information
nesting 10,000 deep is a finding and no fault of the server
byte-order marks, NUL, tabs and right-to-left marks are texts like others
# Analysis
no result of an older version is told after a newer one came, and findings carry their version
hover, lenses and completion are answered while an analysis runs
cancelling gives each request exactly one answer, whether it runs, waits, has ended or is unknown, and the work stops
closing clears the findings; a rename and an outside change are analysed again
no bound is shown of a run that failed
a time-out is told at its place, and other results stay
the same input gives the same output in the same order
findings are pulled by clients that can, pushed to others, never both
there is one refresh of lenses and of hints for a finished analysis, where the client knows it
# Capabilities
what a client cannot do is left out or folded into what it can do
settings that are absent, null, of wrong types or never answered mean the defaults, and the start does not wait
progress is shown only with a token or the capability, and begins and ends exactly once
unknown and malformed commands are answered with -32602
folders come and go
# Extension
in an untrusted workspace nothing that the workspace names is executed
a missing interpreter, a wrong version and a missing package are one message with one button each
start, stop and restart may be repeated, and read the settings again
no process is left after the window was loaded again
in a virtual workspace highlighting works, and a message says why nothing is analysed"""

# The extension keeps its part, in its own tests.
_ELSEWHERE: dict[int, tuple[str, ...]] = {
    43: ("vscode-extension/test",),
    44: ("vscode-extension/test",),
    45: ("vscode-extension/test",),
    46: ("vscode-extension/test",),
    47: ("vscode-extension/test",),
}


def _items() -> tuple[Item, ...]:
    sentences = [line for line in _SENTENCES.splitlines() if not line.startswith("#")]
    return tuple(
        Item(number, sentence, _ELSEWHERE.get(number, ())) for number, sentence in enumerate(sentences, start=1)
    )


ITEMS = _items()
