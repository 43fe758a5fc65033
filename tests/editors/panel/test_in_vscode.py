"""The panel in real VS Code: it opens beside the program, follows a slider, and survives reloads and restarts of the server."""

from __future__ import annotations

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.editors.installed import VSIX, vscode
from tests.editors.required import have
from tests.editors.vscode.running import code_server, workspace

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.variation(
        of="tests/editors/panel/test_panel.py::test_the_table_has_leak_share_worst_output_and_guesses_in_one_line"
    ),
]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    parts = have(vscode)
    data = tmp_path_factory.mktemp("vscode-panel")
    report = data / "report.json"
    folder = workspace(data / "project")
    with code_server(parts, folder, data, (VSIX,)) as window:
        given = {
            "modules": str(parts.modules),
            "executablePath": str(parts.chromium),
            "address": window.address,
            "report": str(report),
            "pictures": str(data),
        }
        command = [str(parts.node), str(Path(__file__).parent / "in_vscode.mjs"), json.dumps(given)]
        subprocess.run(command, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    if "failure" in found:
        raise RuntimeError(f"{found['failure']}\npictures: {data}")
    return found


def leaked(eps: float) -> float:
    """I(r; o) in bits of one randomized response to a fair question: 1 - h(e^eps / (e^eps + 1))."""
    truth = math.exp(eps) / (math.exp(eps) + 1)
    return 1 + truth * math.log2(truth) + (1 - truth) * math.log2(1 - truth)


def number(text: str) -> float:
    """The number at the start of a text."""
    return float(text.split()[0])


def test_it_opens_with_the_numbers_of_the_program(seen: dict[str, Any]) -> None:
    assert number(seen["figure"]) == pytest.approx(leaked(1), abs=1e-9)


def test_a_slider_shows_where_the_budget_holds(seen: dict[str, Any]) -> None:
    end = float(seen["holding"].split("[0, ")[1].split("]")[0])

    assert seen["holding"].startswith("the budgets hold for eps in [0, ")
    assert leaked(end) <= 0.2 < leaked(end + 2e-5)


def test_a_slider_moves_the_numbers(seen: dict[str, Any]) -> None:
    assert float(seen["moved"]["value"]) > 1
    assert number(seen["moved"]["figure"]) == pytest.approx(leaked(float(seen["moved"]["value"])), abs=1e-9)


def test_the_worst_output_follows_the_slider(seen: dict[str, Any]) -> None:
    # Both answers tell as much of a fair question; the first value is long gone.
    divergence, output = seen["worst"]

    assert output in ("o = 0", "o = 1")
    assert divergence == f"{leaked(float(seen['moved']['value'])):.3g}"


def test_a_statement_of_the_derivation_leads_to_its_line(seen: dict[str, Any]) -> None:
    assert seen["place"] == "17"


def test_a_reload_of_the_window_brings_it_back_as_it_was(seen: dict[str, Any]) -> None:
    assert seen["reloaded"] == seen["moved"]


def test_a_restart_of_the_server_brings_the_numbers_back(seen: dict[str, Any]) -> None:
    assert seen["restarted"] == seen["moved"]["figure"]


def test_the_console_has_no_errors_of_the_panel(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []
