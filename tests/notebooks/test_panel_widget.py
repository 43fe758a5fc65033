"""The Leakage panel as a widget: its page asks as the one of editors does, and a real language server answers."""

from __future__ import annotations

import math
import queue
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import seepage
from seepage_lsp.notebook import panel, widget

TEXT = "param p in [0, 1] = 1/2\nsecret r\noutput o\nr ~ bernoulli(1/2)\nn ~ bernoulli(p)\no := r xor n\nshow I(r; o)\n"


class Page:
    """What a page does: it sends messages to the widget, and gets others."""

    def __init__(self, shown: widget.LeakagePanel, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown = shown
        self.told: queue.Queue[dict[str, Any]] = queue.Queue()
        monkeypatch.setattr(shown, "send", self.told.put)

    def send(self, **message: object) -> None:
        self.shown._received(self.shown, message, [])

    def wait(self, **wanted: object) -> dict[str, Any]:
        while True:
            message = self.told.get(timeout=100)
            if all(message.get(name) == value for name, value in wanted.items()):
                return message


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    file = tmp_path / "notebook.js"
    file.write_text("export default { render() {} };", encoding="utf-8")
    monkeypatch.setattr(widget, "_PAGE", file)
    shown = panel(TEXT)
    yield Page(shown, monkeypatch)
    shown.close()


@pytest.mark.timeout(300)
def test_it_tells_its_program_and_answers_the_page(page: Page) -> None:
    page.send(kind="notification", method="panel/ready", params={})
    document = page.wait(kind="notification", method="panel/document")["params"]
    while True:  # as the page does: it asks whenever it is told of a change
        page.wait(method="seepage/resultsChanged")
        page.send(kind="request", id=1, method="seepage/results", params={"textDocument": {"uri": document["uri"]}})
        results = page.wait(kind="answer", id=1)["result"]
        if results["state"] == "current":
            break
    assert results["answers"][0]["result"]["value"] == 0  # noise of a fair coin

    asked = {"textDocument": {"uri": document["uri"]}, "measure": "I(r; o)", "parameters": {"p": "1/4"}}
    page.send(kind="request", id=2, method="seepage/measure", params=asked)
    found = page.wait(id=2)
    assert found["kind"] == "answer"
    h = 2 - 0.75 * math.log2(3)
    assert found["result"]["result"]["value"] == pytest.approx(1 - h, rel=1e-12)

    for number, (method, uri) in enumerate(
        [("seepage/measure", "file:///other.seep"), ("shutdown", document["uri"])], 3
    ):
        page.send(kind="request", id=number, method=method, params={"textDocument": {"uri": uri}})
        assert page.wait(id=number)["kind"] == "error"
    page.send(kind="reveal", uri=document["uri"])  # left
    page.shown.close()
    page.send(kind="request", id=9, method="seepage/measure", params=asked)
    assert "has ended" in page.wait(id=9)["error"]["message"]


def test_what_has_no_panel_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widget, "_PAGE", tmp_path / "none.js")
    with pytest.raises(FileNotFoundError, match="make page"):
        panel(TEXT)
    function = tmp_path / "f.py"
    function.write_text(
        "from seepage_marks import leakage\n\n@leakage(secret={'s': 'bernoulli(1/2)'}, output=['result'])\ndef f(s):\n    return s\n"
    )
    with pytest.raises(ValueError, match="seepage translate"):
        panel(seepage.load(f"{function}::f"))
