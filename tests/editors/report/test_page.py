"""The page of a report as people see it: accessible, light and dark, wide and narrow, on paper, and with nothing fetched."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.checking.trees import run, tree
from tests.editors.installed import browser
from tests.editors.required import have
from tests.reporting.test_report import FILES

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.variation(
        of="tests/reporting/test_report.py::test_a_page_needs_nothing_else_and_holds_no_element_of_a_program"
    ),
]

_NAMES = ", ".join(f"whether_the_person_number_{number}_takes_medication" for number in range(10))
_MANY = (
    f"secret {_NAMES}\noutput a, b, c, d, the_noisy_answer_of_the_first_person\n"
    + "".join(f"{name} ~ flip(1/{2 + number})\n" for number, name in enumerate(_NAMES.split(", ")))
    + "a := whether_the_person_number_0_takes_medication\nb := 1 - a\nc := a * 2\nd := 3\nthe_noisy_answer_of_the_first_person := a\n"
)
_PAGES = {
    "one.html": ("tuned.seep",),
    "wrong.html": ("wrong.seep",),
    "function.html": ("mark.py::guess",),
    "many.html": ("many.seep", "--time-limit", "5"),
    "several.html": ("b <&> _%.seep", "c.seep", "data.seep", "empty.seep", "game.seep", "hostile.seep", "ranged.seep"),
}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    parts = have(browser)
    folder = tree(tmp_path_factory.mktemp("pages"), {**FILES, "many.seep": _MANY})
    for page, arguments in _PAGES.items():
        run("report", *arguments, "--output", page, "--no-cache", inside=folder)
    report = folder / "seen.json"
    given = {
        "modules": str(parts.modules),
        "executablePath": str(parts.chromium),
        "pages": [str(folder / page) for page in _PAGES],
        "report": str(report),
    }
    done = subprocess.run(
        [str(parts.node), str(Path(__file__).parent / "look.mjs"), json.dumps(given)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_is_accessible_in_light_and_dark(seen: dict[str, Any], page: str) -> None:
    assert seen[page]["faults"] == {"light": [], "dark": []}


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_fetches_nothing_and_complains_of_nothing(seen: dict[str, Any], page: str) -> None:
    assert [url.rpartition("/")[2] for url in seen[page]["requests"]] == [page, page]  # once in each scheme
    assert seen[page]["messages"] == []


@pytest.mark.parametrize("page", _PAGES)
def test_a_page_is_as_wide_as_the_window(seen: dict[str, Any], page: str) -> None:
    assert (seen[page]["width at 900"], seen[page]["width at 360"]) == (900, 360)


def test_paper_is_white_whatever_the_screen_is(seen: dict[str, Any]) -> None:
    assert seen["one.html"]["colours"] == {
        "light": "rgb(255, 255, 255)",
        "dark": "rgb(31, 31, 31)",
        "paper": "rgb(255, 255, 255)",
    }
    assert seen["one.html"]["pdf"] == "%PDF-"
