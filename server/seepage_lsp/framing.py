"""Frames of the base protocol on file descriptors: headers, a blank line, a body of as many bytes as announced."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import field

from seepage.data_classes import dataclass

_CHUNK = 1 << 16
# A header block or a body past these is taken for garbage, so that a broken client cannot fill the memory.
_LONGEST_HEADER = 1 << 14
_SHOWN = 20
LONGEST_BODY = 100_000_000
# A line of a header that ends as lines of files do; what is blank before a header is passed over.
_BARE_END = re.compile(rb"[^\s]\n")


class FramingError(ValueError):
    """The stream holds something that is no frame, and no later frame can be found in it."""


@dataclass(slots=True)
class FrameBuffer:
    """Bytes received so far; :meth:`feed` yields the bodies of the frames that are complete.

    Header names are read in any case, order and spacing; headers other than ``Content-Length`` are ignored.
    """

    _bytes: bytearray = field(default_factory=bytearray)
    _length: int | None = None

    def feed(self, received: bytes) -> Iterator[bytes]:
        """Yield the bodies that ``received`` completes.

        Raises:
            FramingError: if a header block has no usable ``Content-Length``.
        """
        self._bytes += received
        while True:
            if self._length is None:
                end = self._bytes.find(b"\r\n\r\n")
                if end < 0:
                    if _BARE_END.search(self._bytes):
                        raise FramingError("a line of the header of a message ends with \\n, expected \\r\\n")
                    if len(self._bytes) > _LONGEST_HEADER:
                        raise FramingError("the header of a message does not end")
                    return
                self._length = _content_length(bytes(self._bytes[:end]))
                del self._bytes[: end + 4]
            if len(self._bytes) < self._length:
                return
            body = bytes(self._bytes[: self._length])
            del self._bytes[: self._length]
            self._length = None
            yield body


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return _length(value.strip())
    raise FramingError("the header of a message has no Content-Length")


def _length(value: bytes) -> int:
    if not value.isdigit():
        raise FramingError(f"the Content-Length of a message is {_shown(value)}, expected a number of bytes")
    # Python reads no number of thousands of digits, so their count is looked at first.
    digits = value.lstrip(b"0") or b"0"
    if len(digits) > len(str(LONGEST_BODY)) or int(digits) > LONGEST_BODY:
        raise FramingError(f"the Content-Length of a message is {_shown(value)}, expected at most {LONGEST_BODY}")
    return int(digits)


def _shown(value: bytes) -> str:
    """Return the start of a header's value in quotes, on one line whatever it holds."""
    text = repr(value[:_SHOWN])[1:]
    return text if len(value) <= _SHOWN else f"{text} …"


def frame(body: bytes) -> bytes:
    """Return a body with its header."""
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class DescriptorWriter:
    """Writes whole frames to a file descriptor, unbuffered, so that nothing is left behind when the process is stopped."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Write all of ``data``; raises ``BrokenPipeError`` when nobody reads."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    def close(self) -> None:
        """Leave the descriptor open: it ends with the process."""


def read_in_background(
    descriptor: int, received: Callable[[list[bytes]], object], ended: Callable[[str | None], object]
) -> threading.Thread:
    """Read frames on a thread of their own until the stream ends, so that nothing the server does can leave input unread.

    ``received`` gets the bodies that arrived together, in order; ``ended`` gets None at the end of the stream, or what
    is wrong with it. Both are called on the thread. It reads the descriptor without a lock, so the process can end while it waits.
    """

    def read() -> None:
        buffer = FrameBuffer()
        problem: str | None = None
        try:
            while chunk := os.read(descriptor, _CHUNK):
                bodies: list[bytes] = []
                try:
                    for body in buffer.feed(chunk):
                        bodies.append(body)
                finally:
                    if bodies:
                        received(bodies)
        except (OSError, FramingError) as error:
            problem = str(error)
        ended(problem)

    thread = threading.Thread(target=read, name="seepage-reader", daemon=True)
    thread.start()
    return thread
