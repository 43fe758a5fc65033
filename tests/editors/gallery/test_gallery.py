"""A page of the gallery in Chromium, opened from a folder: its panel works without a server, and says so where no answer was kept.

``python -m tests.editors.gallery.test_gallery FOLDER`` leaves the page and the pictures in a folder.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from gallery.__main__ import copy_parts
from gallery.pages import headline, write_example, write_list
from gallery.recording import record
from tests.editors.installed import REPOSITORY, Browser, browser
from tests.editors.required import have

from seepage_play.gallery import Example

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.variation(
        of="tests/editors/panel/test_panel.py::test_the_table_has_leak_share_worst_output_and_guesses_in_one_line"
    ),
]

EXTENSION = REPOSITORY / "vscode-extension"
TEXT = """\
// A bit behind a coin, for `q` from 0 to 1.
//
// Look for: half a coin hides all & tells <nothing>.

param q in [0, 1] = 1/4
secret s
output o
s ~ flip(1/2)
n ~ flip(q)
o := s xor n
show I(s; o)
require I(s; o) <= 0.2 bits
"""


def use_page(parts: Browser, data: Path) -> dict[str, Any]:
    """Return what the page showed on the way; raise ``RuntimeError`` where the way ended early."""
    subprocess.run([str(parts.node), "build.mjs", "--gallery"], cwd=EXTENSION, check=True, capture_output=True)
    program = data / "coin.seep"
    program.write_text(TEXT, encoding="utf-8")
    kept = record(program, str(parts.node))
    example = Example("coin.seep", "A coin", "Mechanisms", "a bit behind a coin")
    copy_parts(data)
    write_example(data, [example], 0, TEXT, kept)
    write_list(data, [example], {"coin.seep": headline(kept)})
    given = {
        "modules": str(parts.modules),
        "executablePath": str(parts.chromium),
        "page": (data / "coin.html").as_uri(),
        "list": (data / "index.html").as_uri(),
        "report": str(data / "report.json"),
        "pictures": str(data),
    }
    journey = [str(parts.node), str(Path(__file__).parent / "journey.mjs"), json.dumps(given)]
    subprocess.run(journey, check=True, capture_output=True)
    found: dict[str, Any] = json.loads((data / "report.json").read_text(encoding="utf-8"))
    if "failure" in found:
        raise RuntimeError(f"{found['failure']}\nin the console: {found['errors']}")
    found["kept"] = kept
    return found


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return use_page(have(browser), tmp_path_factory.mktemp("gallery"))


def leaked(q: float) -> float:
    """I(s; o) in bits of a fair bit that is turned with chance q: 1 - h(q)."""
    return 1 + sum(p * math.log2(p) for p in (q, 1 - q) if p > 0)


def number(text: str) -> float:
    return float(text.split()[0])


def test_nothing_is_wrong_with_the_pages(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []
    assert seen["audit"] == {"light": [], "dark": [], "list": []}
    assert {address.partition(":")[0] for address in seen["requests"]} == {"file"}


def test_the_story_and_the_number_of_the_text_are_there(seen: dict[str, Any]) -> None:
    assert seen["story"] == "A bit behind a coin, for q from 0 to 1."
    assert seen["look"] == "Look for: half a coin hides all & tells <nothing>."
    assert seen["lines"][:2] == ["5", "param q in [0, 1] = 1/4"]
    assert number(seen["first"]) == pytest.approx(leaked(1 / 4), abs=1e-9)
    assert f"{leaked(1 / 4):.4g} bits of s" in seen["listed"]


def test_a_slider_moves_the_number_without_a_server(seen: dict[str, Any]) -> None:
    q = float(seen["moved"]["value"])

    assert q > 1 / 4
    assert number(seen["moved"]["figure"]) == pytest.approx(leaked(q), abs=1e-9)


def test_curves_are_those_of_the_formula(seen: dict[str, Any]) -> None:
    points = [(float(q), float(told)) for q, told in seen["curve"]]

    assert len(points) >= 20
    assert all(told == pytest.approx(leaked(q), abs=1e-4) for q, told in points)


def test_the_last_value_at_which_the_budget_holds_is_one_of_the_stops(seen: dict[str, Any]) -> None:
    assert number(seen["edge"]) == pytest.approx(0.2, abs=1e-5)
    assert number(seen["edge"]) <= 0.2


def test_a_value_without_answers_is_refused_in_words(seen: dict[str, Any]) -> None:
    assert "here are numbers for" in seen["refused"]


def test_a_click_on_a_line_asks_for_its_number(seen: dict[str, Any]) -> None:
    assert seen["clicked"] == "show I(s; o)"


def test_what_is_kept_names_no_place_of_this_machine(
    seen: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert str(tmp_path_factory.getbasetemp()) not in json.dumps(seen["kept"])


if __name__ == "__main__":
    pictures = Path(sys.argv[1])
    pictures.mkdir(parents=True, exist_ok=True)
    told = use_page(browser(), pictures)
    print(json.dumps({name: each for name, each in told.items() if name != "kept"}, indent=1))
