"""``seepage play`` as a new user meets it: from an address to numbers, a slip and its fix, examples, saving, and a server that dies; and the panel as a widget of notebooks.

``python -m tests.editors.play.test_play FOLDER`` leaves the pictures in a folder.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.editors.installed import REPOSITORY, Browser, browser
from tests.editors.required import have

pytestmark = pytest.mark.timeout(600)

EXTENSION = REPOSITORY / "vscode-extension"


def use_page(parts: Browser, data: Path) -> dict[str, Any]:
    """Return what the page showed on the way; raise ``RuntimeError`` where the way ended early.

    Args:
        parts: Node and Chromium.
        data: a folder for pictures, the report, the program and the scratch file.
    """
    for page in ("--play", "--notebook"):
        subprocess.run([str(parts.node), "build.mjs", page], cwd=EXTENSION, check=True, capture_output=True)
    folder = data / "folder"
    folder.mkdir()
    text = (REPOSITORY / "examples" / "randomized-response-single.seep").read_text(encoding="utf-8")
    (folder / "poll.seep").write_text(text, encoding="utf-8")
    (folder / "widget.seep").write_text(text, encoding="utf-8")
    command = [sys.executable, "-P", "-m", "seepage", "play", str(folder), "--no-browser"]
    environment = {**os.environ, "XDG_STATE_HOME": str(data / "state")}
    serving = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert serving.stdout is not None
        address = re.search(r"http://\S+", serving.stdout.readline())
        assert address is not None
        given = {
            "modules": str(parts.modules),
            "executablePath": str(parts.chromium),
            "address": address[0],
            "folder": str(folder),
            "text": text,
            "process": serving.pid,
            "report": str(data / "report.json"),
            "pictures": str(data),
            "widget": [sys.executable, "-m", "tests.editors.play.widget_in_lines", str(folder / "widget.seep")],
        }
        journey = [str(parts.node), str(Path(__file__).parent / "journey.mjs"), json.dumps(given)]
        subprocess.run(journey, check=True, capture_output=True, cwd=REPOSITORY)
    finally:
        serving.terminate()
        serving.wait(20)
    found: dict[str, Any] = json.loads((data / "report.json").read_text(encoding="utf-8"))
    if "failure" in found:
        raise RuntimeError(f"{found['failure']}\nin the console: {found['errors']}\npictures: {data}")
    return found


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return use_page(have(browser), tmp_path_factory.mktemp("play"))


def leaked(eps: float) -> float:
    """I(r; o) in bits of one randomized response to a fair question: 1 - h(e^eps / (e^eps + 1))."""
    truth = math.exp(eps) / (math.exp(eps) + 1)
    return 1 + truth * math.log2(truth) + (1 - truth) * math.log2(1 - truth)


def number(text: str) -> float:
    """The number at the start of a text."""
    return float(text.split()[0])


def test_the_console_stays_free_of_errors(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []


def test_nothing_is_fetched_from_elsewhere(seen: dict[str, Any]) -> None:
    assert {host.rpartition(":")[0] for host in seen["requests"] if host} == {"127.0.0.1"}


def test_the_program_of_the_folder_is_open_with_its_numbers(seen: dict[str, Any]) -> None:
    first = seen["first"]

    assert first["name"] == "poll.seep"
    assert number(first["figure"]) == pytest.approx(leaked(1), abs=1e-9)
    assert f"{leaked(1):.3g} bits leak · exact" in first["lenses"]
    assert len(first["lenses"]) == 6  # a secret, an output, three shows and a budget
    assert first["signs"] == ["the budget holds"]
    assert first["state"].split("\n")[:2] == ["exact", "the budget holds"]


def test_an_audit_of_accessibility_finds_nothing(seen: dict[str, Any]) -> None:
    assert seen["audit"] == {"light": [], "dark": [], "heat": []}
    assert seen["narrow"]["audit"] == []
    assert seen["conflict"]["audit"] == []


def test_where_it_leaks_is_marked_once_it_is_switched_on(seen: dict[str, Any]) -> None:
    # Without 'o := r' a yes is never told as one: what is left of the leak is that of a Z-channel, 0.1496 bits of 0.1601.
    assert seen["heat"] == {"before": [], "on": ["heat low"], "beside": True, "pressed": "true false"}


def test_a_slider_is_moved_by_the_keyboard(seen: dict[str, Any]) -> None:
    assert float(seen["moved"]["value"]) > 1
    assert number(seen["moved"]["figure"]) == pytest.approx(leaked(float(seen["moved"]["value"])), abs=1e-9)


def test_a_key_goes_round_the_parts_of_the_page(seen: dict[str, Any]) -> None:
    assert seen["parts"] == ["MAIN", "foot", "Find a program", "Program", "MAIN"]


def test_a_slip_is_found_and_mended_by_keys(seen: dict[str, Any]) -> None:
    assert "unknown name 'oo'" in seen["finding"]
    assert "write 'o'" in seen["fixes"]
    assert "write 'o'" in seen["menu"]
    assert seen["mended"] == "show H(o)"


def test_nothing_is_written_before_the_user_saves(seen: dict[str, Any]) -> None:
    assert seen["unsaved"] == {"about": "not saved", "file": True}
    assert seen["saved"] == {"before": True, "after": True, "about": ""}


def test_a_killed_server_comes_back_with_all_that_was_typed(seen: dict[str, Any]) -> None:
    assert seen["killed"]["end"] == ["// before and after", "show I(o; r) * 1"]
    assert f"{leaked(1):.3g} bits · exact" in seen["killed"]["lenses"][-1]


def test_what_others_wrote_is_not_overwritten_unasked(seen: dict[str, Any]) -> None:
    assert "changed by another program" in seen["conflict"]["text"]
    assert seen["conflict"]["file"]
    assert seen["taken"]


def test_hovers_completion_signatures_and_the_one_style_work_by_keys(seen: dict[str, Any]) -> None:
    assert seen["hover"]
    assert "bernoulli" in seen["completions"]
    assert seen["signature"] == ["bernoulli(p)", "p"]
    assert seen["formatted"] == "z ~ bernoulli(1/2)"


def test_an_example_is_found_changed_and_saved_as_a_program(seen: dict[str, Any]) -> None:
    assert seen["example"] == {"about": "example, not saved", "focused": "Program"}
    assert seen["reloaded"]
    assert seen["own"] == {"text": True, "name": "own.seep"}


def test_a_narrow_window_has_the_programs_behind_a_button(seen: dict[str, Any]) -> None:
    narrow = seen["narrow"]

    assert narrow["hidden"]
    assert narrow["focused"] == "Find a program"
    assert narrow["back"] == "programs"
    assert narrow["sideways"] <= 0
    assert {"F6", "Ctrl+S"} <= {*seen["keys"]}


def test_the_panel_in_a_notebook_has_the_numbers_of_its_kernel(seen: dict[str, Any]) -> None:
    shown = seen["notebook"]

    assert number(shown["first"]) == pytest.approx(leaked(1), abs=1e-9)
    assert float(shown["moved"]["value"]) == 2
    assert number(shown["moved"]["figure"]) == pytest.approx(leaked(2), abs=1e-9)
    assert (shown["light"], shown["dark"]) == ([], [])
    assert "eps" in shown["kept"]  # of the slider, for when the notebook is shown again


if __name__ == "__main__":
    pictures = Path(sys.argv[1])
    pictures.mkdir(parents=True, exist_ok=True)
    print(json.dumps(use_page(browser(), pictures), indent=1))
