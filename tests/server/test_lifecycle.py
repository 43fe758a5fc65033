"""How the server process starts and ends, and what it leaves behind: nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.server.raw_client import Message, RawClient, is_running, raw_client, wait_until_gone

from seepage_lsp.framing import frame

BUSY = "// busy 60"


def analysing(client: RawClient) -> set[int]:
    """Bring a client to the point where an analysis runs that will not end by itself."""
    client.initialize()
    client.open(f"{BUSY}\nx := 1")
    return client.wait_until_analysing()


@pytest.mark.conforms(4)
def test_exit_after_shutdown_ends_everything_at_once_while_an_analysis_runs() -> None:
    with raw_client() as client:
        children = analysing(client)
        assert client.request(1, "shutdown")["result"] is None
        started = time.monotonic()

        client.send({"method": "exit"})

        assert client.exit_code() == 0
        assert (
            time.monotonic() - started < 30
        )  # the analysis would go on for minutes; a busy machine may take seconds to end a process
        wait_until_gone(children)


@pytest.mark.conforms(4)
def test_exit_without_shutdown_has_code_1() -> None:
    with raw_client() as client:
        children = analysing(client)

        client.send({"method": "exit"})

        assert client.exit_code() == 1
        wait_until_gone(children)


@pytest.mark.conforms(6)
def test_the_end_of_input_ends_everything() -> None:
    with raw_client() as client:
        children = analysing(client)
        assert client.process.stdin is not None

        client.process.stdin.close()

        assert client.exit_code() == 1
        wait_until_gone(children)


def test_messages_before_the_end_of_input_are_still_handled() -> None:
    with raw_client() as client:
        client.initialize()
        assert client.process.stdin is not None

        client.send({"id": 1, "method": "shutdown"}, {"method": "exit"})
        client.process.stdin.close()

        assert client.exit_code() == 0


@pytest.mark.conforms(6)
def test_a_dead_parent_ends_everything_though_the_input_stays_open() -> None:
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with raw_client() as client:
        client.initialize(processId=parent.pid)
        client.open(BUSY)
        children = client.wait_until_analysing()

        parent.kill()
        parent.wait(10)

        assert client.exit_code() == 1
        wait_until_gone(children)


@pytest.mark.conforms(6)
def test_a_process_id_of_another_machine_is_ignored() -> None:
    with raw_client() as client:
        client.initialize(processId=2**22 + 12345)

        assert client.request(1, "shutdown")["result"] is None


@pytest.mark.conforms(6)
def test_a_killed_server_leaves_no_analysis_behind() -> None:
    with raw_client() as client:
        children = analysing(client)

        client.process.send_signal(signal.SIGKILL)
        client.exit_code()

        wait_until_gone(children)


@pytest.mark.conforms(5)
def test_shutdown_cancels_requests_that_run() -> None:
    with raw_client() as client:
        analysing(client)
        params = {"command": "seepage.analyze", "arguments": ["untitled:a"]}
        client.send({"id": 1, "method": "workspace/executeCommand", "params": params}, {"id": 2, "method": "shutdown"})

        answers: dict[int, Message] = {}
        while set(answers) != {1, 2}:
            message = client.wait(jsonrpc="2.0")
            if "method" not in message:
                answers[message["id"]] = message

        assert answers[1]["error"]["code"] == -32800
        assert answers[2]["result"] is None


@pytest.mark.conforms(9)
def test_only_frames_reach_standard_output_whatever_is_printed() -> None:
    noisy = (
        "import os\n"
        "from seepage_lsp.__main__ import serve\n"
        "import seepage_lsp.stdio as stdio\n"
        "run = stdio.run\n"
        "def loud(*arguments, **more):\n"
        "    print('noise'); os.write(1, b'noise'); os.system('echo noise')\n"
        "    run(*arguments, **more)\n"
        "stdio.run = loud\n"
        "serve('tests.server.scripted_analysis:analyze')\n"
    )
    with raw_client(noisy) as client:
        client.initialize()
        client.open("// print noise\nx := 1")
        client.wait(method="window/logMessage")
        client.request(1, "shutdown")

        assert client.garbage == []


@pytest.mark.conforms(10)
def test_headers_may_come_in_any_case_and_order() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "shutdown"}).encode()
    with raw_client() as client:
        client.send_bytes(b"Content-Type: x/y; charset=utf-8\r\ncontent-LENGTH:%d\r\n\r\n" % len(body) + body)

        assert client.wait(id=0)["error"]["code"] == -32002


def test_a_stream_that_is_no_protocol_ends_the_server_with_one_line() -> None:
    with raw_client() as client:
        client.send_bytes(b"hello\r\n\r\n")

        assert client.exit_code() == 1
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b"seepage-lsp stops: the header of a message has no Content-Length\n"


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (b"9" * 5_000, "'99999999999999999999' …, expected at most 100000000"),
        (b"100000001", "'100000001', expected at most 100000000"),
        (b"-2", "'-2', expected a number of bytes"),
    ],
    ids=["5,000 digits", "too large", "negative"],
)
def test_a_length_that_is_none_ends_the_server_with_one_line(length: bytes, told: str) -> None:
    with raw_client() as client:
        client.send_bytes(b"Content-Length: " + length + b"\r\n\r\n")

        assert client.exit_code() == 1
        assert client.process.stderr is not None
        assert (
            client.process.stderr.read().decode() == f"seepage-lsp stops: the Content-Length of a message is {told}\n"
        )


@pytest.mark.conforms(7)
def test_a_failure_to_start_is_one_line() -> None:
    program = "import sys; sys.modules['pygls'] = None\nfrom seepage_lsp.__main__ import serve; serve()"
    with raw_client(program) as client:
        assert client.exit_code() == 1
        assert client.process.stderr is not None
        lines = client.process.stderr.read().decode().splitlines()

    assert len(lines) == 1
    assert lines[0].startswith("seepage-lsp cannot start: ")
    assert "pygls" in lines[0]


@pytest.mark.parametrize(("option", "start"), [("--version", "seepage-lsp "), ("--help", "usage: seepage-lsp")])
def test_options_that_only_tell(option: str, start: str) -> None:
    done = subprocess.run([sys.executable, "-m", "seepage_lsp", option], capture_output=True, text=True, timeout=100)

    assert done.returncode == 0
    assert done.stdout.startswith(start)


def test_an_unknown_option_is_told() -> None:
    done = subprocess.run([sys.executable, "-m", "seepage_lsp", "--tcp"], capture_output=True, text=True, timeout=100)

    assert done.returncode == 2
    assert done.stderr.startswith("seepage-lsp: unknown option '--tcp'")
    assert done.stdout == ""


def test_initialize_is_answered_before_the_library_is_loaded() -> None:
    program = (
        "import sys\n"
        "import seepage_lsp.stdio\n"
        "heavy = {'lark', 'numpy', 'flint'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)

    assert done.stderr == ""


def test_a_module_of_the_workspace_is_not_run(tmp_path: os.PathLike[str]) -> None:
    for name in ("seepage", "pickle", "numpy"):
        with open(os.path.join(tmp_path, f"{name}.py"), "w") as file:
            file.write("import os; os.write(2, b'HIJACKED')")
    program = "import sys; sys.path.remove('')\nfrom seepage_lsp.__main__ import serve\nserve('tests.server.scripted_analysis:analyze')"
    paths = os.pathsep.join(os.path.abspath(path) for path in os.environ["PYTHONPATH"].split(os.pathsep))
    with raw_client(program, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}) as client:
        client.initialize()
        client.open("x := 1")
        client.wait(method="window/logMessage")
        client.request(1, "shutdown")
        client.send({"method": "exit"})
        client.exit_code()
        assert client.process.stderr is not None

        assert b"HIJACKED" not in client.process.stderr.read()


def test_a_frame_larger_than_a_pipe_arrives() -> None:
    text = "// " + "x" * 300_000
    document = {"uri": "untitled:a", "languageId": "seep", "version": 1, "text": text}
    body = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}
    with raw_client() as client:
        client.initialize()

        client.send_bytes(frame(json.dumps(body).encode()))

        found = client.wait(method="textDocument/publishDiagnostics")["params"]["diagnostics"]
        assert [one["code"] for one in found] == ["SEEP981"]
        assert is_running(client.process.pid)


def test_the_end_of_input_ends_a_server_whose_output_nobody_reads() -> None:
    read, write = os.pipe()
    program = f"from seepage_lsp.stdio import run\nrun(0, {write})"
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, pass_fds=[write])
    try:
        assert process.stdin is not None
        broken = frame(b"{") * 2_000  # the answers fill the pipe
        process.stdin.write(broken)
        process.stdin.close()

        assert process.wait(100) == 1
    finally:
        process.kill()
        os.close(read)
        os.close(write)


def test_an_interrupt_while_the_server_is_loaded_is_one_line() -> None:
    lines = [
        "import os, signal, sys, importlib.abc",
        "class Interrupting(importlib.abc.MetaPathFinder):",
        "    def find_spec(self, name, path, target=None):",
        "        if name == 'seepage_lsp.server': os.kill(os.getpid(), signal.SIGINT)",
        "sys.meta_path.insert(0, Interrupting())",
        "from seepage_lsp.__main__ import main",
        "main()",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], input=b"", capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"interrupted\n")


def test_an_interrupt_while_a_process_starts_ends_the_server_and_what_it_started() -> None:
    with raw_client() as client:
        client.initialize()
        client.open("secret s\noutput o\ns ~ flip(1/2)\no := s\nshow I(s; o)\n")
        started = client.wait_until_analysing()
        client.process.send_signal(signal.SIGINT)

        assert client.exit_code() == 130
        wait_until_gone(started)
