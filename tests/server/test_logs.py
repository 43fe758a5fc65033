"""Options of the server's own log, the trace of the protocol, and failures to start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.wire import Wire

from seepage_lsp.options import LEVELS, Serving, read_options


@pytest.mark.parametrize(
    ("arguments", "serving"),
    [
        ([], Serving()),
        (["--stdio", "--clientProcessId=12"], Serving()),
        (["--log-level", "debug"], Serving("debug")),
        (["--ahead"], Serving(ahead=True)),
        (["--log-level=info", "--log-file=/tmp/a.log"], Serving("info", "/tmp/a.log")),
    ],
)
def test_options_say_how_to_serve(arguments: list[str], serving: Serving) -> None:
    assert read_options(arguments) == serving


@pytest.mark.parametrize("arguments", [["--log-level", "loud"], ["--log-level"], ["--log-file"], ["--tcp"]])
def test_wrong_use_is_told_with_the_options_there_are(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        read_options(arguments)

    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("seepage-lsp: ")
    assert all(level in told for level in LEVELS)


def server(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "seepage_lsp", *arguments]
    return subprocess.run(command, input="", capture_output=True, text=True, timeout=60, check=False)


def test_a_log_file_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    ended = server("--log-file", str(tmp_path / "missing" / "a.log"))

    assert ended.returncode == 1
    assert ended.stderr.startswith("seepage-lsp cannot start: ")
    assert len(ended.stderr.splitlines()) == 1


def test_what_is_logged_reaches_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    program = (
        "from seepage_lsp.logs import start_log\n"
        f"start_log('info', {str(file)!r})\n"
        "from seepage_lsp.server import logger\n"
        "logger.info('told'); logger.debug('not told')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

    (line,) = file.read_text(encoding="utf-8").splitlines()
    assert line.endswith("INFO seepage_lsp.server: told")


def traces(wire: Wire) -> list[dict[str, str]]:
    return [one["params"] for one in wire.received if one.get("method") == "$/logTrace"]


def test_a_trace_tells_what_requests_took_from_when_it_is_set_until_it_is_off(wire: Wire) -> None:
    wire.initialize()
    wire.settle()
    assert traces(wire) == []

    wire.notify("$/setTrace", {"value": "verbose"})
    wire.settle()
    told = traces(wire)[-1]
    assert told["message"].startswith("answered 'textDocument/codeLens' in ")
    assert told["verbose"].startswith("id ")

    wire.notify("$/setTrace", {"value": "messages"})
    wire.settle()
    assert "verbose" not in traces(wire)[-1]
    wire.notify("$/setTrace", {"value": "off"})
    wire.settle()
    before = len(traces(wire))
    wire.settle()
    assert len(traces(wire)) == before


def test_a_trace_can_be_asked_for_at_the_start(wire: Wire) -> None:
    wire.initialize({"trace": "messages"})
    wire.settle()

    assert traces(wire)
