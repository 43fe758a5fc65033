"""The promises of ``SECURITY.md``, each with its test; a test makes sure that every one is there."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.raw_client import raw_client

import seepage
import seepage_lsp
from seepage.source import SourceFile
from seepage_lsp.analysis_process import Job
from seepage_lsp.settings import Settings
from seepage_lsp.worker import Workers

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PACKAGES = [Path(package.__file__).parent for package in (seepage, seepage_lsp) if package.__file__]
FORBIDDEN = {"eval", "exec", "compile", "__import__", "sympify"}
# What attrs writes for the types of the protocol while they are loaded, before any message is read.
NOT_OF_USERS = {"compiled.py": {"compile"}}

# Records what this process opens, connects to and starts, from here on.
WATCH = """
import json, sys
def watch(event, arguments):
    if event in ("open", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn") or event.startswith("socket."):
        if event not in ("socket.__new__",):
            try:
                with_path = arguments[0] if arguments else ""
                told.append([event, str(with_path), str(arguments[1]) if len(arguments) > 1 else ""])
            except Exception as error:
                told.append([event, repr(error), ""])
told = []
sys.addaudithook(watch)
"""
NETWORK = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "socket.gethostbyname")
EVIL = 'secret s\noutput o\ns ~ flip(1/2)\no := s\nshow I(s; o)\nx := __import__("os").system("touch evil")\n'
PROGRAM = "secret s\noutput o\ns ~ flip(1/2)\no := s\nshow I(s; o)\nshow I(s; o) / H(s)\n"


def test_every_promise_names_tests_that_exist() -> None:
    here = Path(__file__).parent.parent
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)

    assert len(named) >= 8
    for file, test in named:
        assert f"def {test}(" in (here.parent / file).read_text(encoding="utf-8"), f"{file}::{test}"
    promises = re.split(r"\n\d+\. ", PAGE)[1:]
    assert all("`tests/" in promise for promise in promises)


@pytest.mark.parametrize(
    "file", sorted(file for package in PACKAGES for file in package.rglob("*.py")), ids=lambda file: file.name
)
def test_nothing_in_the_packages_runs_text(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))

    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert called & FORBIDDEN == NOT_OF_USERS.get(file.name, set())


def watched(tmp_path: Path, program: str) -> list[list[str]]:
    """Run a program under the watch, in a folder; return what it did."""
    script = f"{WATCH}\n{program}\nprint(json.dumps(told))"
    ended = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True, timeout=100
    )
    found: list[list[str]] = json.loads(ended.stdout.splitlines()[-1])
    return found


def test_an_analysis_reads_nothing_starts_nothing_and_speaks_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "seepage.toml").write_text("unit = 'nats'\n", encoding="utf-8")
    work = (
        "from seepage_lsp.analysis import analyze_job\n"
        "from seepage_lsp.analysis_process import Job\n"
        "from seepage_lsp.exploring import explore\n"
        "from seepage.source import SourceFile\n"
        f"for text in ({EVIL!r}, {PROGRAM!r}):\n"
        "    analyze_job(Job(SourceFile('file:///etc/passwd', text), 'bits', {'p': '1/2'}, 20.0))\n"
    )

    told = watched(tmp_path, work)

    assert [one for one in told if one[0] in NETWORK or one[0] not in ("open",)] == []
    python = (
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        str(ROOT),
        "/usr",
        "/lib",
        "/proc",
        "/dev",
        "/sys",
        "/etc/ld",
    )
    opened = {one[1] for one in told if one[0] == "open" and not one[1].isdigit()}
    assert [path for path in sorted(opened) if not path.startswith(python)] == []
    assert not (tmp_path / "evil").exists()
    assert "/etc/passwd" not in opened


def test_the_server_reads_no_file_but_project_files_of_the_workspace_and_opens_no_connection(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("outside", encoding="utf-8")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / "seepage.toml").write_text("unit = 'nats'\n", encoding="utf-8")
    (tmp_path / "seepage.toml").write_text("unit = 'dits'\n", encoding="utf-8")
    log = tmp_path / "watched"
    program = (
        f"{WATCH}\nimport atexit, os\n"
        "real = os._exit\n"
        "def leave(code):\n"
        f"    open({str(log)!r}, 'w').write(json.dumps(told)); real(code)\n"
        "os._exit = leave\n"
        "from seepage_lsp.__main__ import serve\nserve('tests.server.scripted_analysis:analyze')"
    )
    with raw_client(program) as client:
        client.send({"id": 0, "method": "initialize", "params": {
            "processId": None, "capabilities": {}, "workspaceFolders": [{"uri": workspace.as_uri(), "name": "w"}],
            "rootUri": None,
        }})  # fmt: skip
        client.wait(id=0)
        client.send({"method": "initialized", "params": {}})
        for uri in (
            (workspace / "a.seep").as_uri(),
            (tmp_path / "secret.txt").as_uri(),
            "file:///etc/passwd",
            "http://localhost/a",
        ):
            document = {"uri": uri, "languageId": "seep", "version": 1, "text": EVIL}
            client.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
            client.send({"id": uri, "method": "textDocument/hover", "params": {
                "textDocument": {"uri": uri}, "position": {"line": 0, "character": 8},
            }})  # fmt: skip
            client.wait(id=uri)
        client.request(1, "shutdown")
        client.send({"method": "exit"})
        client.process.wait(60)

    told = json.loads(log.read_text(encoding="utf-8"))
    assert [one for one in told if one[0] in NETWORK] == []
    assert {one[1] for one in told if one[0] == "subprocess.Popen"} <= {sys.executable}
    opened = {one[1] for one in told if one[0] == "open" and one[1].startswith(str(tmp_path))}
    assert opened <= {str(workspace / "seepage.toml"), str(log)}
    assert str(workspace / "seepage.toml") in opened
    assert not [one for one in told if one[1] == "/etc/passwd"]


def test_a_file_of_the_workspace_does_not_stand_in_for_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "seepage", "flint", "pickle", "queue"):
        (tmp_path / f"{name}.py").write_text("open('evil', 'w')\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)

    async def run() -> int:
        workers = Workers()
        try:
            return (await workers.run(Job(SourceFile("untitled:a", PROGRAM, 3), "bits", {}, 20.0))).version
        finally:
            workers.close()
            await workers.ended()

    assert asyncio.run(run()) == 3
    assert not (tmp_path / "evil").exists()


def test_limits_are_on_by_default() -> None:
    assert Settings().time_limit == 30
    assert Settings().memory_limit == 2048
    assert Workers().memory == 2 << 30
