"""A browser with windows of VS Code in it: keys, clicks, and waiting for what is to be seen."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.editors.installed import VSCode

HERE = Path(__file__).parent
LIMIT = 180.0  # seconds for one thing to be seen, while other tests compute
TRIES = 6  # of a key that opens a list


class NotSeen(Exception):
    """The browser could not do what was asked, or a condition did not come true."""


class Browser:
    """Chromium, driven by ``driver.mjs``."""

    def __init__(self, parts: VSCode, pictures: Path) -> None:
        """Start it; of what goes wrong, it leaves pictures in the folder ``pictures``."""
        self._pictures = pictures
        command = [str(parts.node), str(HERE / "driver.mjs"), str(parts.modules), str(parts.chromium)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True
        )

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, 9)
            self._process.wait()

    def open(self, name: str, address: str) -> Page:
        """Open a window and wait until its frame is there."""
        self.do("open", page=name, address=address, limit=LIMIT)
        return Page(self, name)

    def do(self, command: str, **details: object) -> Any:
        """Return the answer to one command; raises :class:`NotSeen` with what the browser says and a picture of the window."""
        try:
            return self._do(command, details)
        except NotSeen as error:
            picture = self._pictures / f"{details.get('page')}-{time.monotonic_ns()}.png"
            self._pictures.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(NotSeen):
                self._do("screenshot", {"page": details.get("page"), "path": str(picture)})
            raise NotSeen(f"{error}; the window then: {picture}") from None

    def _do(self, command: str, details: dict[str, object]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": command, **details}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise NotSeen(f"the browser ended at '{command}'")
        answer = json.loads(line)
        if "error" in answer:
            raise NotSeen(f"{command} {details}: {answer['error']}")
        return answer["value"]


@dataclass(frozen=True, slots=True)
class Page:
    """One window."""

    browser: Browser
    name: str

    def press(self, *keys: str) -> None:
        """Press keys one after the other, named as Playwright names them."""
        for key in keys:
            self.browser.do("press", page=self.name, key=key)

    def type(self, text: str) -> None:
        """Type a text, key by key."""
        self.browser.do("type", page=self.name, text=text)

    def click(self, selector: str, text: str = "") -> None:
        """Click on the first element that a selector finds, with ``text`` in it."""
        self.browser.do("click", page=self.name, selector=selector, text=text)

    def wait(self, condition: str, argument: object = None, limit: float = LIMIT) -> Any:
        """Wait until a function of the page, written in JavaScript, answers with something true; return that."""
        return self.browser.do("wait", page=self.name, condition=condition, argument=argument, limit=limit)

    def evaluate(self, function: str, argument: object = None) -> Any:
        """Return what a function of the page answers now."""
        return self.browser.do("evaluate", page=self.name, condition=function, argument=argument)

    def see(self, selector: str, text: str, limit: float = LIMIT) -> str:
        """Wait until an element that a selector finds has ``text`` in it; return all of its text."""
        return str(self.wait(_HAS_TEXT, [selector, text], limit))

    def press_until(self, key: str, selector: str, text: str) -> None:
        """Press a key, again after some seconds, until an element that a selector finds has ``text`` in it.

        A list that opens on a text that is being checked may close by itself, or have been made before the finding came.
        """
        for _ in range(TRIES - 1):
            self.press(key)
            try:
                self.see(selector, text, LIMIT / TRIES)
            except NotSeen:
                self.press("Escape")
            else:
                return
        self.press(key)
        self.see(selector, text, LIMIT / TRIES)

    def see_inside(self, text: str, limit: float = LIMIT) -> str:
        """Wait until a webview has ``text`` in it; return all of its text."""
        return str(self.browser.do("inside", page=self.name, text=text, limit=limit))

    def click_inside(self, selector: str, text: str) -> None:
        """Click on the first element of a webview that a selector finds, with ``text`` in it."""
        self.browser.do("clickInside", page=self.name, selector=selector, text=text, limit=LIMIT)

    def see_no_more(self, selector: str, text: str) -> None:
        """Wait until no element that a selector finds has ``text`` in it."""
        self.wait(f"(argument) => !({_HAS_TEXT})(argument)", [selector, text])

    def all(self, selector: str) -> list[str]:
        """Return the texts of all elements that a selector finds."""
        return list(self.evaluate(_TEXTS, selector))

    def point_at(self, line: str, on: str) -> None:
        """Rest the mouse on the text ``on`` in the first visible line that has ``line``."""
        place = self.wait(_PLACE_OF, {"line": line, "on": on})
        self.browser.do("point", page=self.name, x=place["x"], y=place["y"])

    def move_away(self) -> None:
        """Take the mouse where it points at nothing."""
        self.browser.do("point", page=self.name, x=1270, y=400)

    def screenshot(self, to: Path, clip: dict[str, int] | None = None) -> None:
        """Take a picture of the window, or of the part ``clip``."""
        self.browser.do("screenshot", page=self.name, path=str(to), clip=clip)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self.browser.do("resize", page=self.name, width=width, height=height)

    def reload(self) -> None:
        """Load the window again."""
        self.browser.do("reload", page=self.name)

    def said(self) -> list[str]:
        """Return the errors in the developer console so far."""
        return list(self.browser.do("said", page=self.name))

    def close(self) -> None:
        """Close the window."""
        self.browser.do("close", page=self.name)

    def run(self, command: str) -> None:
        """Run a command by its title, from the palette."""
        self.press("Escape", "F1")
        self.wait("() => document.activeElement?.closest('.quick-input-widget') !== null")
        self.type(command)
        self.wait(_FIRST_ROW, command)
        self.press("Enter")

    def pick(self, label: str) -> None:
        """Choose an entry of the list that is open by its label."""
        self.see(".quick-input-list .monaco-list-row", label)
        self.click(".quick-input-list .monaco-list-row", label)

    def open_file(self, name: str) -> None:
        """Open a file by its name, as with Ctrl+P; one that was there when the window was opened, for the list is made at times."""
        self.press("Escape", "Control+p")
        self.wait("() => document.activeElement?.closest('.quick-input-widget') !== null")
        self.type(name)
        self.wait(_FIRST_ROW, name)
        self.press("Enter")
        self.see(".tab.active", name)
        self.wait("() => document.querySelector('.monaco-editor.focused .view-line') !== null")


_TEXTS = """(selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent.replaceAll("\\u00a0", " "))"""
_HAS_TEXT = f"""([selector, text]) => ({_TEXTS})(selector).find((one) => one.includes(text))"""
_FIRST_ROW = """(text) => {
  const row = document.querySelector(".quick-input-list .monaco-list-row.focused");
  return row !== null && row.textContent.toLowerCase().includes(text.toLowerCase());
}"""
# The middle of the text `on` in the first visible line that has the text `line`.
_PLACE_OF = """({ line, on }) => {
  for (const element of document.querySelectorAll(".view-line")) {
    const text = element.textContent.replaceAll("\\u00a0", " ");
    if (!text.includes(line)) continue;
    let index = text.indexOf(line) + line.lastIndexOf(on);
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (index < node.length) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const box = range.getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
      }
      index -= node.length;
    }
  }
  return null;
}"""
