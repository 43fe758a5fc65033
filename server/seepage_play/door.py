"""What passes from the page to the language server: the messages that the page needs, about texts that it may have."""

from __future__ import annotations

import os
from typing import Any

from seepage.data_classes import dataclass
from seepage_lsp.asked import REQUESTS
from seepage_lsp.paths import path_of
from seepage_play.shelves import Shelves

_INITIALIZE, _OPEN = "initialize", "textDocument/didOpen"
_PASS = frozenset(
    {
        _INITIALIZE,
        "initialized",
        "shutdown",
        "$/cancelRequest",
        "workspace/didChangeConfiguration",
        "workspace/executeCommand",
        _OPEN,
        *(f"textDocument/did{what}" for what in ("Change", "Save", "Close")),
        *(f"textDocument/{what}" for what in ("codeAction", "codeLens", "completion", "formatting", "hover")),
        *(f"textDocument/{what}" for what in ("inlayHint", "semanticTokens/full", "signatureHelp")),
        "completionItem/resolve",
        *REQUESTS,
    }
)
METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602


@dataclass(frozen=True, slots=True)
class Stopped:
    """A message that does not pass: the code of the protocol, and why."""

    code: int
    why: str


def passed(message: dict[str, Any], shelves: Shelves) -> dict[str, Any] | Stopped:
    """Return a message as the language server gets it, or why it does not.

    Other messages about a text are about one that is open, and so has passed here; what programs name is read by the server as in any editor, in the folder of the workspace alone.
    """
    method = message.get("method")
    if method is None:
        return message  # an answer
    if method not in _PASS:
        return Stopped(METHOD_NOT_FOUND, f"'{str(method)[:100]}' is nothing that a page asks for")
    params = message.get("params")
    if method == _INITIALIZE:
        # Where the server looks around is not for the page to say.
        folders = [{"uri": root.as_uri(), "name": shelf} for shelf, root in shelves.roots()]
        given = params if isinstance(params, dict) else {}
        ours = {"processId": os.getpid(), "rootPath": None, "rootUri": folders[0]["uri"], "workspaceFolders": folders}
        return {**message, "params": {**given, **ours}}
    if method == _OPEN:
        document = params.get("textDocument") if isinstance(params, dict) else None
        uri = document.get("uri") if isinstance(document, dict) else None
        path = path_of(uri) if isinstance(uri, str) else None
        if path is None or not shelves.has(path):
            return Stopped(INVALID_PARAMS, "this text is none that a page may open")
    return message
