"""A session of an editor with a real server process, for what is measured over the wire."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.server.raw_client import Message, RawClient, raw_client

EXAMPLE = Path(__file__).parents[1] / "examples" / "randomized-response.seep"
REAL = "from seepage_lsp.__main__ import serve; serve()"
# A worker that follows orders in comments; the server is the same.
SCRIPTED = f"""
import os
os.environ["PYTHONPATH"] = {str(Path(__file__).parents[1])!r}
from seepage_lsp.__main__ import serve
serve("tests.server.scripted_analysis:analyze")
"""
CAPABILITIES: dict[str, Any] = {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "codeLens": {}}}


@dataclass
class Session:
    """Documents by URI, changed and asked about; times are of the wall clock, seen from the editor."""

    client: RawClient
    versions: dict[str, int] = field(default_factory=dict)
    _next: int = 0

    def open(self, uri: str, text: str) -> None:
        """Open a document."""
        self.versions[uri] = 1
        self.client.open(text, uri)

    def change(self, uri: str, text: str) -> float:
        """Send a text whole and return when it was sent."""
        self.versions[uri] += 1
        identifier = {"uri": uri, "version": self.versions[uri]}
        return self._notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [{"text": text}]})

    def insert(self, uri: str, line: int, character: int, text: str) -> float:
        """Type into a line and return when it was sent."""
        return self.replace(uri, line, character, character, text)

    def replace(self, uri: str, line: int, start: int, end: int, text: str) -> float:
        """Replace a part of a line and return when it was sent."""
        self.versions[uri] += 1
        places = [{"line": line, "character": character} for character in (start, end)]
        change = {"range": {"start": places[0], "end": places[1]}, "text": text}
        identifier = {"uri": uri, "version": self.versions[uri]}
        return self._notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})

    def processor_seconds(self) -> float:
        """Return how long the threads of the server that run have had a processor (Linux)."""
        return processor_seconds(self.client.process.pid)

    def all_processor_seconds(self) -> float:
        """Return the same of the server and its workers together."""
        return sum(map(processor_seconds, [self.client.process.pid, *self.client.children()]))

    def save(self, uri: str) -> float:
        """Save and return when that was sent."""
        return self._notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri: str) -> None:
        """Close a document."""
        del self.versions[uri]
        self._notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def ask(self, method: str, uri: str, **more: object) -> tuple[float, Any]:
        """Return the seconds that an answer took, and the answer."""
        self._next += 1
        started = time.perf_counter()
        answer = self.client.request(self._next, method, {"textDocument": {"uri": uri}} | more)
        if "error" in answer:
            raise RuntimeError(str(answer["error"]))
        return time.perf_counter() - started, answer["result"]

    def analyse(self, uri: str) -> None:
        """Have a document analysed, though its results may be known, and wait for the end of it."""
        self._next += 1
        params = {"command": "seepage.analyze", "arguments": [uri]}
        self.client.send({"id": self._next, "method": "workspace/executeCommand", "params": params})
        while "method" in self.client.wait(id=self._next, seconds=120):
            pass

    def until_findings(self, uri: str) -> float:
        """Wait for the findings of the present version and return when they came."""
        while True:
            params = self.client.wait(method="textDocument/publishDiagnostics", seconds=60)["params"]
            if params["uri"] == uri and params.get("version") == self.versions[uri]:
                return time.perf_counter()

    def until_analysed(self) -> float:
        """Wait for the end of an analysis and return when it was told."""
        while True:
            message = self.client.wait(method="window/logMessage", seconds=120)["params"]["message"]
            if message.startswith("analysed "):
                return time.perf_counter()

    def _notify(self, method: str, params: Message) -> float:
        started = time.perf_counter()
        self.client.send({"method": method, "params": params})
        return started


@contextmanager
def session(program: str = REAL, **options: object) -> Iterator[Session]:
    """Start a server that is initialized; it and what it started are killed at the end."""
    with raw_client(program) as client:
        client.initialize(capabilities=CAPABILITIES, initializationOptions=options)
        yield Session(client)


def processor_seconds(pid: int) -> float:
    """Return how long the threads of a process that run have had a processor (Linux); 0 if it is gone."""
    used = 0
    for one in Path(f"/proc/{pid}/task").glob("*/schedstat"):
        with suppress(OSError):
            used += int(one.read_text(encoding="ascii").split()[0])
    return used / 1e9


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds, pages that it shares with others in parts; 0 if it is gone."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0
