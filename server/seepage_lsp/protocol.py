"""The protocol of pygls with the parts of it replaced that break the base protocol or the lifecycle.

pygls 2.1 as it comes: answers nothing to a request with bad parameters, to broken JSON and to requests after
``shutdown``; fails ``shutdown`` while requests run; keeps computing a request whose cancellation came with it; runs
commands that a cancellation cannot reach; shows a pop-up for each failed notification. Each override below has a test in
``tests/server/test_protocol.py``.
"""

from __future__ import annotations

import asyncio
import contextvars
import json
import logging
import time
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, InvalidStateError
from functools import partial
from math import isfinite
from typing import Any, TypeAlias  # Any: what JSON and pygls hand over

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from seepage.data_classes import dataclass
from seepage_lsp.asked import ANNOUNCED, REQUESTS
from seepage_lsp.framing import frame
from seepage_lsp.reading import MISSHAPEN, misshapen, strict_converter

logger = logging.getLogger(__name__)

MessageId: TypeAlias = int | str

# pygls keeps documents of its own, reads them from disk, cuts lines at U+2028, and breaks on documents that are not open:
# here they are kept in seepage_lsp.workspace alone.
_KEPT_BY_PYGLS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message as JSON has it, before its parameters are given types."""

    content: dict[str, Any]

    @property
    def method(self) -> str | None:
        """The method, or None for a response."""
        method = self.content.get("method")
        return method if isinstance(method, str) else None

    @property
    def is_request(self) -> bool:
        """Whether an answer is owed."""
        return "method" in self.content and "id" in self.content


class SeepageProtocol(LanguageServerProtocol):
    """Reads bodies of frames, keeps the lifecycle, and answers each request exactly once."""

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        self._waiting: deque[Incoming] = deque()
        self._cancelled: set[MessageId] = set()
        self._initialize_seen = False
        self._asked: dict[MessageId, tuple[str, float]] = {}
        self._strict: Converter | None = None
        self.finish: Callable[[int], None] = lambda code: None
        self.heard: Callable[[], None] = lambda: None
        self.asked_about: Callable[[str], None] = lambda uri: None
        for method in _KEPT_BY_PYGLS:
            self.fm.builtin_features.pop(method, None)

    # --- receiving ----------------------------------------------------------------------------------------------------

    def receive(self, bodies: list[bytes]) -> None:
        """Take in bodies that arrived together; they are handled one after the other, with the event loop free in between."""
        self.heard()
        idle = not self._waiting
        for body in bodies:
            message = self._decode(body)
            if message is None:
                continue
            if message.method == types.CANCEL_REQUEST:
                self._cancel(message.content)
            else:
                self._waiting.append(message)
        if idle and self._waiting:
            asyncio.get_running_loop().call_soon(self._handle_next)

    def when_idle(self, action: Callable[[], None]) -> None:
        """Call ``action`` once every message that has arrived is handled."""
        if self._waiting:
            asyncio.get_running_loop().call_soon(self.when_idle, action)
        else:
            action()

    def _decode(self, body: bytes) -> Incoming | None:
        try:
            content = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._answer_error(None, JsonRpcParseError(f"not JSON: {error}"))
            return None
        if not isinstance(content, dict) or not ("method" in content or "id" in content):
            self._answer_error(None, JsonRpcInvalidRequest("a message must be an object with a method or an id"))
            return None
        return Incoming(content)

    def _cancel(self, content: dict[str, Any]) -> None:
        params = content.get("params")
        msg_id: Any = params.get("id") if isinstance(params, dict) else None
        if not _is_id(msg_id):
            return
        if any(message.is_request and message.content["id"] == msg_id for message in self._waiting):
            self._cancelled.add(msg_id)
        elif (future := self._request_futures.get(msg_id)) is not None:
            future.cancel()

    def _handle_next(self) -> None:
        message = self._waiting.popleft()
        try:
            contextvars.copy_context().run(self._handle, message)
        finally:
            # After what the message set going: a request is answered from the text that it was sent for, not from that after the next change.
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._handle_next)

    def _handle(self, message: Incoming) -> None:
        content, method = message.content, message.method
        if "method" not in content:
            self._take_response(content)
        elif message.is_request:
            msg_id = content["id"]
            if not _is_id(msg_id):
                # With a fraction as it came, so that a client that counts so does not wait for ever; nothing else can be an id.
                shown = msg_id if isinstance(msg_id, float) and isfinite(msg_id) else None
                self._answer_error(
                    shown, JsonRpcInvalidRequest("the id of a request must be a whole number or a string")
                )
                return
            try:
                self._handle_request(msg_id, *self._request(msg_id, method, content))
            except JsonRpcException as error:
                self._answer_error(msg_id, error)
        elif method is not None:
            self._take_notification(method, content)

    def _request(self, msg_id: MessageId, method: str | None, content: dict[str, Any]) -> tuple[str, Any]:
        """Return method and typed parameters of a request that may be handled now; raise what must be answered otherwise."""
        if msg_id in self._cancelled:
            self._cancelled.discard(msg_id)
            raise JsonRpcRequestCancelled(f"request {msg_id!r} is cancelled")
        if method is None:
            raise JsonRpcInvalidRequest("the method of a request must be a string")
        if self._shutdown:
            raise JsonRpcInvalidRequest("the server was told to shut down")
        if method == types.INITIALIZE:
            if self._initialize_seen:
                raise JsonRpcInvalidRequest("the server is initialized already")
        elif not self._initialize_seen:
            raise JsonRpcServerNotInitialized("the first request must be initialize")
        self._get_handler(method)  # raises "method not found" before the parameters are looked at
        params = self._typed(method, content)
        if method == types.INITIALIZE:
            self._initialize_seen = True
        return method, params

    def _typed(self, method: str, content: dict[str, Any]) -> Any:
        if method in REQUESTS:
            return content.get("params")  # of the server's own requests, read where they are answered
        message_type = self.get_message_type(method)
        if message_type is None:
            raise JsonRpcMethodNotFound.of(method)
        try:
            return self._reader(method).structure({"jsonrpc": "2.0", **content}, message_type).params
        except MISSHAPEN as error:
            raise JsonRpcInvalidParams(f"bad parameters for {method}: {misshapen(error, content)}") from error

    def _reader(self, method: str) -> Converter:
        """Return what reads parameters: to the letter, but for what a client tells of itself, as a slip there would cost it the server."""
        if method == types.INITIALIZE:
            converter: Converter = self._converter
            return converter
        if self._strict is None:
            self._strict = strict_converter()
        return self._strict

    def _handle_request(self, msg_id: MessageId, method_name: str, params: Any) -> None:
        """Run the handler of a request; commands directly, so that a cancellation reaches them."""
        if method_name == types.WORKSPACE_EXECUTE_COMMAND:
            handler = self.fm.commands.get(params.command)
            if handler is None:
                raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        else:
            handler = self._get_handler(method_name)
        if (uri := _uri_of(params)) is not None:
            self.asked_about(uri)
        self._ctx_msg_id.set(msg_id)
        self._asked[msg_id] = method_name, time.monotonic()
        self._execute_handler(msg_id, handler, partial(self._send_handler_result, msg_id=msg_id), args=(params,))

    def _take_notification(self, method: str, content: dict[str, Any]) -> None:
        if method == types.EXIT:
            self.finish(0 if self._shutdown else 1)
            return
        if self._shutdown or not self._initialize_seen:
            return
        try:
            self._get_handler(method)
            params = self._typed(method, content)
        except JsonRpcMethodNotFound:
            return
        except JsonRpcInvalidParams as error:
            logger.warning("notification ignored: %s", error.message)
            return
        self._handle_notification(method, params)

    def _take_response(self, content: dict[str, Any]) -> None:
        msg_id = content["id"]
        if not _is_id(msg_id) or (future := self._request_futures.pop(msg_id, None)) is None:
            return
        self._result_types.pop(msg_id, None)
        error = content.get("error")
        try:
            if isinstance(error, dict):
                future.set_exception(JsonRpcException(str(error.get("message", "")), -32603))
            else:
                # As plain JSON: what a client answers is read leniently where it is used.
                future.set_result(content.get("result"))
        except InvalidStateError:
            pass  # cancelled by a shutdown

    def _send_handler_result(self, future: Future[Any], *, msg_id: MessageId) -> None:
        super()._send_handler_result(future, msg_id=msg_id)
        method, asked = self._asked.pop(msg_id, ("", 0.0))
        took = (time.monotonic() - asked) * 1000
        logger.debug("answered %s (%s) in %.1f ms", method, msg_id, took)
        self._trace(f"answered '{method}' in {took:.1f} ms", lambda: f"id {msg_id!r}")

    def _trace(self, message: str, details: Callable[[], str]) -> None:
        """Tell a client that set a trace what happens; details where it is verbose."""
        if self.trace is types.TraceValue.Off or self._shutdown:
            return
        verbose = details() if self.trace is types.TraceValue.Verbose else None
        self.notify(types.LOG_TRACE, types.LogTraceParams(message=message, verbose=verbose))

    # --- answering ----------------------------------------------------------------------------------------------------

    def _answer_error(self, msg_id: MessageId | float | None, error: JsonRpcException) -> None:
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "error": {"code": error.code, "message": error.message}})

    def _send_data(self, data: Any) -> None:
        if self.writer is None:
            return
        body = json.dumps(data, default=self._serialize_message, separators=(",", ":")).encode("utf-8")
        try:
            self.writer.write(frame(body))
        except OSError:
            self.finish(1)  # nobody reads any more

    # --- lifecycle ----------------------------------------------------------------------------------------------------

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Answer with the capabilities, the server's own requests among them."""
        self.trace = params.trace or types.TraceValue.Off
        result: types.InitializeResult = yield from super().lsp_initialize(params)
        result.capabilities.experimental = {"seepage": ANNOUNCED}
        return result

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Cancel what runs, each with its answer, and refuse what comes later."""
        if (handler := self.fm.features.get(types.SHUTDOWN)) is not None:
            yield handler, args, None
        self._shutdown = True
        current = self.msg_id
        for msg_id, future in list(self._request_futures.items()):
            if msg_id != current and not future.done():
                future.cancel()


def _uri_of(params: object) -> str | None:
    """Return the document that a request is about, read or as JSON has it."""
    document: object = (
        params.get("textDocument") if isinstance(params, dict) else getattr(params, "text_document", None)
    )
    uri: object = document.get("uri") if isinstance(document, dict) else getattr(document, "uri", None)
    return uri if isinstance(uri, str) else None


def _is_id(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)
