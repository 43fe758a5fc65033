"""A client of a real server process, in raw frames: for lifecycle and malformed messages."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from seepage_lsp.framing import FrameBuffer, FramingError, frame

Message = dict[str, Any]
_SCRIPTED = "from seepage_lsp.__main__ import serve; serve('tests.server.scripted_analysis:bare')"


@dataclass
class RawClient:
    """Everything waits with a time limit; nothing sleeps blindly."""

    process: subprocess.Popen[bytes]
    messages: queue.Queue[Message] = field(default_factory=queue.Queue)
    garbage: list[str] = field(default_factory=list)
    received: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        buffer = FrameBuffer()
        while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
            try:
                for body in buffer.feed(chunk):
                    self.messages.put(json.loads(body))
            except (FramingError, ValueError) as error:
                self.garbage.append(str(error))

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages: Message) -> None:
        bodies = (json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages)
        self.send_bytes(b"".join(map(frame, bodies)))

    def wait(self, seconds: float = 60.0, **wanted: object) -> Message:
        """Return the next message that has these members."""
        end = time.monotonic() + seconds
        while True:
            message = self.messages.get(timeout=max(0.01, end - time.monotonic()))
            self.received.append(message)
            if all(name in message and message[name] == value for name, value in wanted.items()):
                return message

    def request(self, msg_id: int, method: str, params: object = None) -> Message:
        self.send({"id": msg_id, "method": method, "params": params})
        while "method" in (answer := self.wait(id=msg_id)):
            pass
        return answer

    def initialize(self, **params: object) -> Message:
        result = self.request(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}} | params)
        self.send({"method": "initialized", "params": {}})
        return result

    def open(self, text: str, uri: str = "untitled:a") -> None:
        language = "python" if uri.endswith(".py") else "seep"
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def children(self) -> set[int]:
        """Return the processes that the server started and that run."""
        return {pid for pid in _descendants(self.process.pid) if is_running(pid)}

    def wait_until_analysing(self, seconds: float = 60.0) -> set[int]:
        """Wait for the analysis process."""
        end = time.monotonic() + seconds
        while not (children := self.children()):
            assert time.monotonic() < end, "no analysis process was started"
            time.sleep(0.01)
        return children

    def exit_code(self, seconds: float = 60.0) -> int:
        return self.process.wait(seconds)


def _descendants(parent: int) -> set[int]:
    found: set[int] = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found |= {int(entry)} | _descendants(int(entry))
    return found


def is_running(pid: int) -> bool:
    """Tell whether a process runs; one that has ended but was not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def wait_until_gone(pids: set[int], seconds: float = 30.0) -> float:
    """Wait until processes have ended and return how long that took."""
    started = time.monotonic()
    while any(map(is_running, pids)):
        assert time.monotonic() - started < seconds, f"still running: {pids}"
        time.sleep(0.01)
    return time.monotonic() - started


@contextmanager
def raw_client(program: str = _SCRIPTED, **options: Any) -> Iterator[RawClient]:
    """Start a server and kill it, with what it started, at the end."""
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )
    client = RawClient(process)
    try:
        yield client
    finally:
        children = client.children()
        process.kill()
        process.wait(10)
        for pid in filter(is_running, children):
            with suppress(ProcessLookupError):  # it may have ended meanwhile
                os.kill(pid, signal.SIGKILL)
        for stream in (process.stdin, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
