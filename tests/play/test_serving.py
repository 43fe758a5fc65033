"""What is served to whom, over real connections: the page with its rules, the language server, and nothing to anybody else."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import queue
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from seepage.cli.main import cli
from seepage_play import pages
from seepage_play.serving import Serving
from seepage_play.session import SERVER_GONE
from seepage_play.shelves import Shelves

FILES = {"index.html": b'<meta content="{nonce}">', "play.js": b"//", "play.css": b"", "icon.png": b""}


@dataclass(frozen=True)
class Served:
    url: str
    folder: Path
    serving: Serving

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    def get(self, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    @contextmanager
    def socket(self, path: str = "", origin: str | None = "") -> Iterator[ClientConnection]:
        """A page's connection: with the path and the origin that it has, or with others."""
        given: Any = f"http://127.0.0.1:{self.port}" if origin == "" else origin
        address = f"ws://127.0.0.1:{self.port}{path or urlsplit(self.url).path + 'socket'}"
        connection = connect(address, origin=given, compression=None, close_timeout=5, max_size=None, legacy=True)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def running(serving: Serving) -> Iterator[str]:
    """Serve on a thread, and tell the address; everything has ended afterwards."""
    addresses: queue.Queue[str] = queue.Queue()
    loop = asyncio.new_event_loop()
    task = loop.create_task(serving.run(0, addresses.put))

    def run() -> None:
        with pytest.raises(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run)
    thread.start()
    yield addresses.get(timeout=10)
    loop.call_soon_threadsafe(task.cancel)
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    built, folder = tmp_path_factory.mktemp("page"), tmp_path_factory.mktemp("folder").resolve()
    for name, body in FILES.items():
        (built / name).write_bytes(body)
    (folder / "a.seep").write_text("secret x\noutput y\nx ~ flip(1/2)\ny := z\n")
    serving = Serving(Shelves(folder, folder.parent / "scratch"), most_pages=2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pages, "FOLDER", built)
        with running(serving) as url:
            found = Served(url, folder, serving)
            with found.socket() as socket:  # takes the language server that was started ahead
                ask(socket, "play/list", {})
            yield found


@pytest.fixture(autouse=True)
def alone(served: Served) -> Iterator[None]:
    """Each test leaves no page and no language server behind."""
    yield
    wait_until_alone(served)


def wait_until_alone(served: Served) -> None:
    """Wait until the pages and their language servers are gone, so that their places are free again."""
    for _ in range(600):
        if not children() and not served.serving.open_pages:
            return
        time.sleep(0.05)
    pytest.fail("a language server has not ended")


def ask(socket: ClientConnection, method: str, params: Any, msg_id: int = 1) -> dict[str, Any]:
    socket.send(json.dumps({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params}))
    while True:
        found: dict[str, Any] = json.loads(socket.recv(timeout=20))
        if found.get("id") == msg_id and "method" not in found:
            return found


def refusal(socket: ClientConnection) -> tuple[int, str] | None:
    """How a connection was closed; None for one that is answered."""
    try:
        ask(socket, "play/list", {})
    except ConnectionClosed as closed:
        return (0, "") if closed.rcvd is None else (closed.rcvd.code, closed.rcvd.reason)
    return None


def initialize(socket: ClientConnection, **params: Any) -> dict[str, Any]:
    return ask(socket, "initialize", {"capabilities": {}, **params})


def test_the_page_comes_with_rules_that_nothing_else_is_loaded_or_shown_in(served: Served) -> None:
    path = urlsplit(served.url).path
    status, headers, body = served.get(path)

    policy = headers["Content-Security-Policy"]
    assert status == 200
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    nonce = body.split(b'"')[1].decode()
    assert f"'nonce-{nonce}'" in policy
    assert served.get(path)[2] != body  # another nonce each time
    assert headers["Referrer-Policy"] == "no-referrer"
    assert served.get(f"{path}play.js")[0] == 200


@pytest.mark.parametrize(
    "name",
    [
        "../command.py",
        "..%2fcommand.py",
        "%2e%2e/command.py",
        "/etc/passwd",
        "socket",
        "play.js/..",
        "page/play.js",
        "play.js%00",
    ],
)
def test_there_are_no_other_files(served: Served, name: str) -> None:
    assert served.get(urlsplit(served.url).path + name)[0] == 404


def test_a_stranger_gets_nothing(served: Served) -> None:
    path = urlsplit(served.url).path
    evil = "http://evil.example"

    assert served.get("/")[0] == 403
    assert served.get(path, Host=f"evil.example:{served.port}")[0] == 421
    assert served.get(path, Origin=evil)[0] == 403
    for refused in (
        {"path": "/wrong/socket"},
        {"origin": evil},
        {"origin": None},
        {"origin": "null"},
        {"path": f"{path}other"},
    ):
        with pytest.raises(InvalidStatus) as status, served.socket(**refused):
            pass
        assert status.value.response.status_code in (403, 404)


def test_programs_are_read_checked_and_saved(served: Served) -> None:
    with served.socket() as socket:
        assert "result" in initialize(socket, rootUri="file:///etc")
        assert ask(socket, "play/list", {})["result"]["names"] == ["a.seep"]
        place = {"shelf": "folder", "name": "a.seep"}
        read = ask(socket, "play/read", {"place": place})["result"]
        opened = {"uri": read["uri"], "languageId": "seep", "version": 1, "text": read["text"]}
        socket.send(json.dumps({"method": "initialized", "params": {}}))
        socket.send(json.dumps({"method": "textDocument/didOpen", "params": {"textDocument": opened}}))
        while (told := json.loads(socket.recv(timeout=20))).get("method") != "textDocument/publishDiagnostics":
            pass
        assert [one["message"] for one in told["params"]["diagnostics"]] == [
            "unknown name 'z': no statement assigns it"
        ]

        saved = ask(socket, "play/save", {"place": place, "text": "// saved\n", "stamp": read["stamp"]})["result"]
        assert (served.folder / "a.seep").read_text() == "// saved\n"
        conflict = ask(socket, "play/save", {"place": place, "text": "// again\n", "stamp": read["stamp"]})["error"]
        assert conflict["code"] == -32804
        ask(socket, "play/save", {"place": place, "text": read["text"], "stamp": saved["stamp"]})


def test_what_a_page_may_not_ask_is_refused_and_the_session_goes_on(served: Served) -> None:
    (served.folder / "secret.txt").write_text("mine")
    with served.socket() as socket:
        initialize(socket)
        for name in ("../a.seep", "secret.txt", "/etc/passwd"):
            assert "error" in ask(socket, "play/read", {"place": {"shelf": "folder", "name": name}})
        malformed: tuple[Any, ...] = ({}, None, [], {"place": "a.seep"}, {"place": {"shelf": 1, "name": 2}})
        for params in malformed:
            assert ask(socket, "play/read", params)["error"]["code"] == -32602
        assert ask(socket, "play/remove", {})["error"]["code"] == -32601
        for method in (
            "workspace/didChangeWorkspaceFolders",
            "workspace/symbol",
            "notebookDocument/didOpen",
            "textDocument/rename",
        ):
            assert ask(socket, method, {})["error"]["code"] == -32601
        for uri in ("file:///etc/a.seep", (served.folder / "secret.txt").as_uri(), "untitled:a.seep", None, 1):
            opened = {"textDocument": {"uri": uri, "languageId": "seep", "version": 1, "text": ""}}
            assert ask(socket, "textDocument/didOpen", opened)["error"]["code"] == -32602
        socket.send("[" * 100_000)
        assert json.loads(socket.recv(timeout=10))["error"]["code"] == -32700
        assert "result" in ask(socket, "play/list", {}, 7)


def test_a_huge_message_ends_its_page_alone(served: Served) -> None:
    with served.socket() as other, served.socket() as socket:
        socket.send("x" * 5_000_000)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert "result" in ask(other, "play/list", {})


def test_of_fifty_pages_as_many_work_as_may_and_then_others(served: Served) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(served.socket()) for _ in range(50)]
        found = [refusal(socket) for socket in sockets]

    assert found.count(None) == 2
    for code, why in filter(None, found):
        assert (code, "close one of them" in why) == (1013, True)
    wait_until_alone(served)
    with served.socket() as socket:
        assert "result" in ask(socket, "play/list", {})


def test_a_language_server_that_is_killed_is_told_and_another_one_comes(served: Served) -> None:
    before = children()
    with served.socket() as socket:
        initialize(socket)
        (server,) = children() - before
        os.kill(server, signal.SIGKILL)
        while (found := refusal(socket)) is None:
            pass
        assert found == (SERVER_GONE, "the language server has ended")
    with served.socket() as socket:
        assert "result" in initialize(socket)


def children() -> set[int]:
    """The language servers that this process has started; of Linux alone."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread, or a child, that has ended meanwhile
            for child in (task / "children").read_text().split():
                if b"seepage_lsp" in Path(f"/proc/{child}/cmdline").read_bytes():
                    found.add(int(child))
    return found


def test_a_language_server_is_there_before_the_first_page_and_ends_without_one(tmp_path: Path) -> None:
    before = children()
    with running(Serving(Shelves(tmp_path, tmp_path / "scratch"))):
        for _ in range(600):
            if children() - before:
                break
            time.sleep(0.05)
        assert len(children() - before) == 1
    assert children() == before


def test_without_its_page_the_command_says_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "FOLDER", tmp_path)
    done = CliRunner().invoke(cli, ["play", "--no-browser"])

    assert done.exit_code == 1
    assert "make page" in done.stderr


def test_what_is_no_program_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "is_built", lambda: True)
    (tmp_path / "notes.txt").touch()
    done = CliRunner().invoke(cli, ["play", str(tmp_path / "notes.txt")])

    assert done.exit_code == 2
    assert "neither a folder nor a program" in done.stderr
