"""Writes the pages: one of each example, and one that lists them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter

from gallery.recording import Kept
from seepage.pygments_lexer import SeepLexer
from seepage_play.gallery import Example

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, undefined=StrictUndefined
)
_COMMENT = re.compile(r"//(?!/) ?(.*)")
_LOOK = "Look for: "
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Story:
    """The comment that a program begins with.

    Attributes:
        told: its paragraphs.
        look: what to look for.
        lines: how many lines of the text it takes.
    """

    told: tuple[Markup, ...]
    look: Markup
    lines: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a program: its number from 1, its markup, and whether the panel has a number for it."""

    number: int
    markup: Markup
    asks: bool


@dataclass(frozen=True, slots=True)
class Headline:
    """What the list says of an example: a number in words, and which part of the secret it is where that is known."""

    text: str
    percent: float | None


def story(text: str) -> Story:
    """Return what a program says of itself before it begins."""
    found: list[str] = []
    for line in text.splitlines():
        comment = _COMMENT.fullmatch(line)
        if comment is None:
            break
        found.append(comment[1])
    paragraphs = [" ".join(part.split("\n")) for part in "\n".join(found).split("\n\n")]
    looks = [each.removeprefix(_LOOK) for each in paragraphs if each.startswith(_LOOK)]
    others = tuple(_prose(each) for each in paragraphs if each and not each.startswith(_LOOK))
    return Story(others, _prose(" ".join(looks)), len(found))


def _prose(text: str) -> Markup:
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def lines(text: str, kept: Kept, skipped: int) -> list[Line]:
    """Return the lines of a program after its story, in colours."""
    results = kept["results"]
    ranges = [each["range"] for each in results["answers"]]
    ranges += [each[end] for each in results["table"] for end in ("secretRange", "outputRange") if each[end]]
    asking = {at for each in ranges for at in range(each["start"]["line"], each["end"]["line"] + 1)}
    marked = highlight(text, SeepLexer(stripnl=False, ensurenl=False), HtmlFormatter(nowrap=True)).split("\n")
    while marked and not marked[-1]:
        marked.pop()
    shown = list(enumerate(marked))[skipped:]
    while shown and not shown[0][1]:
        shown.pop(0)
    return [Line(at + 1, Markup(each), at in asking) for at, each in shown]


def headline(kept: Kept) -> Headline:
    """Return the first number of a program: of its table, else of what it shows."""
    results = kept["results"]
    for row in results["table"]:
        if row["information"] is not None:
            percent = row["percent"] and row["percent"]["value"]
            told = f"{_number(row['information'])} of {row['secret']}"
            return Headline(told, float(percent) if percent not in (None, "inf") else None)
    for answer in results["answers"]:
        if answer["result"] is not None:
            return Headline(f"{answer['measure']} = {_number(answer['result'])}", None)
    return Headline("", None)


def _number(result: dict[str, Any]) -> str:
    unit = f" {result['unit']}" if result["unit"] else ""
    if result["value"] is not None:
        return f"{float(result['value']):.4g}{unit}"
    return f"{float(result['lower']):.3g} to {float(result['upper']):.3g}{unit}"


def write_example(folder: Path, examples: list[Example], at: int, text: str, kept: Kept) -> None:
    """Write the page of one example, which leads to those before and after it."""
    example = examples[at]
    told = story(text)
    page = _TEMPLATES.get_template("example.html").render(
        example=example,
        story=told,
        lines=lines(text, kept, told.lines),
        kept=kept,
        embedded=_embedded(kept),
        before=examples[at - 1] if at > 0 else None,
        after=examples[at + 1] if at + 1 < len(examples) else None,
    )
    (folder / address(example)).write_text(page, encoding="utf-8")


def write_list(folder: Path, examples: list[Example], headlines: dict[str, Headline]) -> None:
    """Write the page that lists all examples in their groups."""
    groups: dict[str, list[Example]] = {}
    for each in examples:
        groups.setdefault(each.group, []).append(each)
    page = _TEMPLATES.get_template("index.html").render(groups=groups, headlines=headlines, count=len(examples))
    (folder / "index.html").write_text(page, encoding="utf-8")


def address(example: Example) -> str:
    """Return the name of the page of an example."""
    return f"{example.name.removesuffix('.seep')}.html"


_TEMPLATES.globals["address"] = address


def _embedded(kept: Kept) -> Markup:
    """Return what the panel is given, as data for an element of the page, which nothing in it can end."""
    text = json.dumps({name: kept[name] for name in ("results", "answers")}, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
