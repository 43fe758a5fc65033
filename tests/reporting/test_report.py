"""``seepage report``: the numbers of ``check``, in forms that their readers open, from programs of which some are hostile."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from tests.checking.trees import HOLDS, LEAKY, UNDECIDED, VIOLATED, run, tree

from seepage.checking.cache import VARIABLE

# Marks of each form, wherever a program may say something: in comments, in documentation, in texts, in names of files.
MARKS = r"<script>alert(1)</script> ![x](http://h/p.png) **b** `c` \input{/etc/passwd} \end{document} $x$ %& <img src=x onerror=y> {{ 7*7 }} {% raw %} << 7*7 >>"
HOSTILE = f'/// {MARKS}\nsecret s\noutput o\ns ~ uniform_of("<b>", "a|b`", "\\\\x")\no := s\n// {MARKS}\nshow H(s)\n'
RANGED = (
    "param p in [0, 1] = 1/4\nsecret s\noutput o\ns ~ flip(p)\no := s\nrequire I(s; o) <= 0.5 bits over p in [0, 1]\n"
)
TUNED = (
    "/// How far the answer may be trusted.\nparam eps in [0, 4] = 1\nsecret s\noutput o\ns ~ flip(1/2)\n"
    "t ~ flip(exp(eps) / (exp(eps) + 1))\no := if t then s else not s\nrequire I(s; o) <= 0.1 bits\n"
)
GAME = (
    "secret s\noutput o\ns ~ uniform_int(0, 3)\nfor i in 1..2 { attacker g[i] in 0..3; o[i] := s <= g[i] }\n"
    "require V(s | o) <= 1/2\n"
)
FUNCTION = (
    "from seepage_marks import leakage\n\n\ndef other():\n    return 1\n\n\n"
    '@leakage(secret={"pin": "uniform_int(0, 9)"}, output=["result"], require=["I(pin; result) <= 0.1"])\n'
    "def guess(pin):\n    # once\n    return pin == 3\n"
)
DATA = 'table people from "people.csv"\nsecret who\noutput age\nrow ~ people\nwho := row.name\nage := row.age\n'
FILES = {
    "a.seep": HOLDS,
    "b <&> _%.seep": VIOLATED,
    "c.seep": UNDECIDED,
    "data.seep": DATA,
    "empty.seep": "",
    "game.seep": GAME,
    "hostile.seep": HOSTILE,
    "mark.py": FUNCTION,
    "ranged.seep": RANGED,
    "tuned.seep": TUNED,
    "wrong.seep": "secret s\noutput o\ns ~ flip(1/2)\no := s + u\nshow I(s; o)\n",
    "people.csv": "age,name\n31,a\n31,b\n40,c\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tree(tmp_path_factory.mktemp("reports"), FILES)


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path_factory.getbasetemp() / "cache-of-reports"))


def rendered(made: Path, form: str, *paths: str) -> str:
    done = run("report", *(paths or (".",)), "--format", form, inside=made)
    assert done.exit_code == 1, done.stderr
    assert done.stderr == ""
    return done.stdout


# --- HTML -------------------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements of a page, its texts by element, and whether all that opens is closed."""

    VOID = frozenset({"meta", "br", "img", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("line", "polyline", "rect", "polygon", "circle"):  # of drawings, which close themselves
            assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    @property
    def words(self) -> str:
        return " ".join(" ".join(text for tag, text in self.texts if tag != "style").split())


def test_a_page_needs_nothing_else_and_holds_no_element_of_a_program(made: Path) -> None:
    page = Page(rendered(made, "html"))
    tags = {tag for tag, _ in page.elements}
    links = [
        value
        for _, attributes in page.elements
        for key, value in attributes.items()
        if key in ("src", "href", "style", "data")
    ]

    assert tags.isdisjoint({"script", "img", "link", "iframe", "object", "form", "input", "base"})
    assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on")]
    assert all(value is not None and re.fullmatch(r"#p\d+|width:[\d.]+%", value) for value in links)
    assert MARKS in page.words


def test_each_program_is_told_of_in_its_place(made: Path) -> None:
    page = Page(rendered(made, "html"))
    chapters = [
        attributes["id"]
        for tag, attributes in page.elements
        if tag == "section" and attributes.get("class") == "chapter"
    ]

    assert len(chapters) == len(FILES) - 1  # all but the data
    for told in (
        "This file could not be analysed: the file is empty, expected a Seep program.",
        "The program has an error",
        "The one budget that is set is kept.",
        "more than its budgets allow: the one that is set is violated",
        "Whether the budgets are kept is not known: the one that is set is undecided.",
        "numbers about it are facts about the people in this data, not about others",
        "Violated at p = 1/4",
    ):
        assert told in page.words


def test_the_numbers_are_those_of_check(made: Path) -> None:
    page = Page(rendered(made, "html")).words
    reports: list[dict[str, Any]] = json.loads(run("check", ".", "--format", "json", inside=made).stdout)
    checked = 0
    for report in reports:
        for row in report.get("table", ()):
            if row["information"] is not None:
                value = row["information"]["value"]
                assert value == 0 or f"{value:.6g}" in page
                checked += 1
        for answer in report.get("answers", ()):
            if answer["result"] is not None and answer["result"]["value"] is not None:
                assert f"{answer['result']['value']:.6g}" in page
                checked += 1
    assert checked > 12


def test_what_would_help_is_the_end_of_the_range(made: Path) -> None:
    """I = 1 - h(q) = 0.1 bits for q = e^eps / (e^eps + 1) at eps = 0.7713…, found by bisection here."""
    from math import exp, log2

    low, high = 0.0, 4.0
    for _ in range(60):
        middle = (low + high) / 2
        q = exp(middle) / (exp(middle) + 1)
        low, high = (middle, high) if 1 + q * log2(q) + (1 - q) * log2(1 - q) < 0.1 else (low, middle)

    told = re.search(r"Holds for eps from 0 to ([\d.]+)", Page(rendered(made, "html", "tuned.seep")).words)
    assert told is not None
    assert low - 1e-4 < float(told[1]) <= low


def test_a_strategy_is_shown_line_by_line(made: Path) -> None:
    words = Page(rendered(made, "html", "game.seep")).words

    assert "Who chooses g and sees o learns" in words
    assert "g[1] = " in words
    assert "if o[1]:" in words


def test_a_function_is_shown_without_the_rest_of_its_file(made: Path) -> None:
    words = Page(rendered(made, "html", "mark.py::guess")).words

    assert "guess: pin" in words
    assert "return pin == 3" in words
    assert "def other" not in words


# --- Markdown ---------------------------------------------------------------------------------------------------------


def test_markdown_has_headings_and_nothing_of_a_program_but_text(made: Path) -> None:
    text = rendered(made, "markdown", "hostile.seep", "a.seep", "wrong.seep")
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    inner = [child for token in tokens for child in token.children or ()]
    html = [token.content for token in (*tokens, *inner) if token.type in ("html_block", "html_inline")]

    assert [token.type for token in inner if token.type in ("link_open", "image")] == []
    assert all(
        re.fullmatch(r"(</?details>|<summary>Derivation of <code>[^<]*</code></summary>|\s)*", each) for each in html
    )
    assert sum(token.type == "table_open" for token in tokens) == 2
    assert sum(token.type == "heading_open" and token.tag == "h2" for token in tokens) == 4


def test_rows_of_markdown_have_the_cells_of_their_heading(made: Path) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(rendered(made, "markdown", "hostile.seep", "wrong.seep"))
    (headings,) = {sum(1 for token in tokens if token.type == "th_open")}
    rows = sum(1 for token in tokens if token.type == "tr_open") - 1

    assert sum(1 for token in tokens if token.type == "td_open") == headings * rows


# --- LaTeX ------------------------------------------------------------------------------------------------------------


def test_latex_is_balanced_and_has_no_command_of_a_program(made: Path) -> None:
    text = rendered(made, "latex")
    plain = re.sub(r"\\[\\{}%]", "", text)
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name

    assert opened == []
    assert plain.count("{") == plain.count("}")
    assert "\\input{" not in text
    assert text.count("\\end{document}") == 1
    assert "http://" not in text or "\\href" not in text


def test_each_character_beyond_ascii_is_declared(made: Path) -> None:
    text = rendered(made, "latex")
    declared = {chr(int(number, 16)) for number in re.findall(r"\\seepagecharacter\{([0-9A-F]+)\}", text)}

    assert {letter for letter in text if ord(letter) > 127} == declared


def test_a_function_of_python_has_curves_and_the_range_in_which_its_budget_holds(tmp_path: Path) -> None:
    marks = '(secret={"s": "flip(1/2)"}, output=["result"], param={"p": "3/4 in [1/2, 1]"}'
    body = "    if random.random() < p:\n        return s\n    return 1 - s\n"
    text = (
        f"import random\nfrom seepage_marks import leakage\n\n\n@leakage{marks})\ndef first(s, p):\n{body}\n\n"
        f'@leakage{marks}, require=["I(s; result) <= 0.1"])\ndef second(s, p):\n{body}'
    )
    tree(tmp_path, {"polls.py": text})

    words = run("report", "polls.py", inside=tmp_path).stdout

    for name in ("first", "second"):
        _, _, curve = words.partition(f"`{name}: I(s; result)` in bits over `p`:")
        told = [re.fullmatch(r"\| (\S+) \| (\S+) \|", line) for line in curve.strip().splitlines()[2:11]]
        points = [(float(each[1]), float(each[2])) for each in told if each is not None]
        assert [x for x, _ in points] == [1 / 2 + number / 16 for number in range(9)]
        for p, leak in points:  # a binary symmetric channel: 1 - h(p)
            surprise = sum(-each * math.log2(each) for each in (p, 1 - p) if each)
            assert leak == pytest.approx(1 - surprise, abs=1e-5)
        assert f"Derivation of <code>{name}: I(s; result)</code>" in words
    held = re.search(r"Holds for `p` from `0.5` to `([0-9.]+)`", words)
    assert held is not None
    end = float(held[1])
    assert 1 + end * math.log2(end) + (1 - end) * math.log2(1 - end) == pytest.approx(0.1, abs=1e-5)


def test_latex_compiles(made: Path, tmp_path: Path) -> None:
    latex = shutil.which("pdflatex")
    if latex is None:
        pytest.skip("there is no pdflatex: the structure is tested above, and all of it where editors are installed")
    document = tmp_path / "report.tex"
    document.write_text(rendered(made, "latex"), encoding="utf-8")

    done = subprocess.run(
        [latex, "-interaction=nonstopmode", "-halt-on-error", document.name],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-2000:].decode("utf-8", "replace")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")


def test_a_pdf_without_latex_says_what_to_install(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    done = run("report", "a.seep", "--output", "a.pdf", inside=made)

    assert done.exit_code == 1
    assert "texlive-latex-base" in done.stderr
    assert not (made / "a.pdf").exists()


# --- use --------------------------------------------------------------------------------------------------------------


def test_two_runs_write_the_same_and_a_date_only_where_one_is_given(made: Path) -> None:
    first = rendered(made, "html", "tuned.seep", "b <&> _%.seep")

    assert rendered(made, "html", "tuned.seep", "b <&> _%.seep") == first
    again = run("report", "tuned.seep", "--format", "html", "--no-cache", "--date", "1 March", inside=made).stdout
    assert "1 March" in again


def test_the_report_says_how_to_make_it_again(made: Path) -> None:
    words = rendered(made, "html", "tuned.seep")
    digest = __import__("hashlib").sha256(TUNED.encode()).hexdigest()

    assert digest in words
    assert "seepage report tuned.seep --format html" in words


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--output", "r.doc"), "expected .html, .htm, .md, .markdown, .tex, .pdf"),
        (("--output", "r"), "a name without an ending"),
        (("--output", "r.md", "--format", "html"), "found '.md' beside --format html"),
        (("--set", "nothing=1"), "no parameter 'nothing'"),
    ],
)
def test_wrong_use_is_told_before_anything_is_computed(made: Path, arguments: tuple[str, ...], expected: str) -> None:
    done = run("report", "a.seep", *arguments, inside=made)

    assert done.exit_code == 2
    assert expected in done.stderr


def test_values_of_parameters_are_those_of_the_options(made: Path) -> None:
    done = run("report", "tuned.seep", "--set", "eps=1/2", "--output", "t.html", inside=made)
    words = Page((made / "t.html").read_text(encoding="utf-8")).words

    assert done.exit_code == 0  # 0.0435 bits
    assert "at eps = 1/2" in words
    assert "set in place of 1" in words


def test_a_program_without_budgets_is_told_and_not_judged(made: Path) -> None:
    (made / "plain.seep").write_text(LEAKY, encoding="utf-8")
    done = run("report", "plain.seep", inside=made)
    (made / "plain.seep").unlink()

    assert done.exit_code == 0
    assert "No budget is set" in done.stdout


def test_the_example_of_the_page_is_what_is_printed() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    shown = page.partition("```\n$ seepage report examples/medical-test.seep\n")[2].partition("…\n```")[0]

    assert shown
    assert run("report", "examples/medical-test.seep", inside=root).stdout.startswith(shown)
