"""The Leakage panel as a widget of notebooks: what its page asks, a language server answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from seepage.program import Program
from seepage_lsp.asked import QUESTIONS, RESULTS
from seepage_lsp.notebook.kernel import Kernel, Message

_PAGE = Path(__file__).parent / "page" / "notebook.js"
_ASKED = frozenset({RESULTS, *QUESTIONS})
_REFUSED = {"code": -32601, "message": "the panel asks for results of its program only"}


class LeakagePanel(anywidget.AnyWidget):
    """The panel of one program. Mutable, as widgets are; belongs to the kernel's thread, but for what the server sends.

    Attributes:
        state: what the page keeps: values of sliders, and what is open.
    """

    state = traitlets.Any(None, allow_none=True).tag(sync=True)
    _kernel: Kernel | None = None  # before it is begun

    def __init__(self, program: Program) -> None:
        if not _PAGE.is_file():
            message = "the page of the panel is not part of this copy of Seepage: run 'make page' in the clone, and install it again"
            raise FileNotFoundError(message)
        super().__init__(_esm=_PAGE.read_text(encoding="utf-8"))
        path = Path(program.source.name)
        self._title = path.name if path.suffix else "program"
        self._uri = path.resolve().as_uri() if path.is_file() else "untitled:program.seep"
        self._calls: dict[int, int] = {}
        kernel = self._kernel = Kernel(self._told)
        kernel.open(self._uri, program.source.text)
        self.on_msg(self._received)

    def close(self) -> None:
        """End the panel and its server."""
        if self._kernel is not None:
            self._kernel.close()
        super().close()

    def _told(self, method: str, params: Any) -> None:
        if method == "seepage/resultsChanged":
            self.send({"kind": "notification", "method": method, "params": params})

    def _received(self, _: object, message: Message, buffers: object) -> None:
        """Take a message of the page; what is none of its own is left."""
        kernel = self._kernel
        assert kernel is not None
        match message:
            case {"kind": "request", "id": int(number), "method": str(method), "params": dict(params)}:
                self._request(kernel, number, method, params)
            case {"kind": "cancel", "id": int(number)} if number in self._calls:
                kernel.notify("$/cancelRequest", {"id": self._calls.pop(number)})
            case {"kind": "notification", "method": "panel/ready"}:
                self._tell("panel/server", {"health": "ok", "message": None, "action": None})
                self._tell("panel/document", {"uri": self._uri, "name": self._title})
            case {"kind": "notification", "method": "panel/command", "params": {"name": "analyse"}}:
                command = {"command": "seepage.analyze", "arguments": [self._uri]}
                kernel.request("workspace/executeCommand", command, lambda _: None)
            case _:
                pass

    def _request(self, kernel: Kernel, number: int, method: str, params: dict[str, Any]) -> None:
        document = params.get("textDocument")
        if method not in _ASKED or not isinstance(document, dict) or document.get("uri") != self._uri:
            self.send({"kind": "error", "id": number, "error": _REFUSED})
            return

        def answered(message: Message) -> None:
            self._calls.pop(number, None)
            if "error" in message:
                self.send({"kind": "error", "id": number, "error": message["error"]})
            else:
                self.send({"kind": "answer", "id": number, "result": message["result"]})

        self._calls[number] = kernel.request(method, params, answered)

    def _tell(self, method: str, params: Message) -> None:
        self.send({"kind": "notification", "method": method, "params": params})
