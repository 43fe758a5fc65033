"""A language server for one panel, in a process of its own: requests go there, and answers come back on a thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from typing import Any, TypeAlias

from seepage.data_classes import dataclass
from seepage_lsp.framing import FrameBuffer, FramingError, frame

Message: TypeAlias = dict[str, Any]

# Not from the folder of the notebook: what lies there is read, never run.
_SERVER = (sys.executable, "-P", "-m", "seepage_lsp")
_CHUNK = 1 << 16
_GONE = {"code": -32803, "message": "the language server has ended: show the panel again"}


@dataclass(slots=True, eq=False)
class Kernel:
    """A server and who is told. Mutable: the calls that wait, by number; used by two threads, under its lock.

    Attributes:
        told: gets each notification of the server, on the thread that reads.
    """

    told: Callable[[str, Any], object]
    _process: subprocess.Popen[bytes] = field(init=False)
    _waiting: dict[int, Callable[[Message], object]] = field(default_factory=dict)
    _last: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._process = subprocess.Popen(
            _SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        threading.Thread(target=self._read, name="seepage-panel", daemon=True).start()

    def open(self, uri: str, text: str, **settings: object) -> None:
        """Begin a session with one program, under settings of the server that are not its own."""
        options: Message = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}

        def begin(_: Message) -> None:
            self.notify("initialized", {})
            document = {"uri": uri, "languageId": "seep", "version": 1, "text": text}
            self.notify("textDocument/didOpen", {"textDocument": document})

        self.request("initialize", {**options, "initializationOptions": {"panel": True, **settings}}, begin)

    def request(self, method: str, params: object, answered: Callable[[Message], object]) -> int:
        """Ask the server; ``answered`` gets the message with a result or an error, on the thread that reads. Return the number of the call."""
        with self._lock:
            self._last += 1
            number = self._last
            self._waiting[number] = answered
        if not self._send({"id": number, "method": method, "params": params}):
            self._answer({"id": number, "error": _GONE})
        return number

    def notify(self, method: str, params: object) -> None:
        """Tell the server."""
        self._send({"method": method, "params": params})

    def close(self) -> None:
        """End the server, which ends itself when its input does."""
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()

    def _send(self, message: Message) -> bool:
        body = frame(json.dumps({"jsonrpc": "2.0", **message}).encode())
        try:
            with self._lock:
                assert self._process.stdin is not None
                self._process.stdin.write(body)
                self._process.stdin.flush()
        except (OSError, ValueError):  # ended, or closed
            return False
        return True

    def _read(self) -> None:
        assert self._process.stdout is not None
        buffer = FrameBuffer()
        with suppress(FramingError, OSError):
            while received := os.read(self._process.stdout.fileno(), _CHUNK):
                for body in buffer.feed(received):
                    self._take(json.loads(body))
        self._process.wait()
        for number in list(self._waiting):
            self._answer({"id": number, "error": _GONE})

    def _take(self, message: Message) -> None:
        if "method" not in message:
            self._answer(message)
        elif "id" in message:  # the server may ask for settings, and we have none
            items = (message.get("params") or {}).get("items", ())
            self._send({"id": message["id"], "result": [None] * len(items) if items else None})
        else:
            self.told(message["method"], message.get("params"))

    def _answer(self, message: Message) -> None:
        with self._lock:
            answered = self._waiting.pop(message["id"], None)
        if answered is not None:
            answered(message)
