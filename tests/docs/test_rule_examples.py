"""The example of each rule in the page on diagnostics shows the rule, and a rule without one cannot be shown in a few lines."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.docs.blocks import ROOT, blocks

import seepage
from seepage.diagnostics import Rule
from seepage.files import Folder
from seepage.functions import load_function
from seepage.rules import RULES

PAGE = "docs/diagnostics.md"
SHORT = 500  # characters: what a page can show


def found(text: str, seconds: float = 30.0, **params: str) -> set[str]:
    """Return the codes of everything that checking and analysing a program report, beside the modules of the fixtures."""
    program = seepage.parse(text, files=Folder(str(ROOT / "tests" / "fixtures" / "semantics" / "beside")))
    analysis = program.analyze(params=params, seconds=seconds)
    return {each.rule.code for each in (*program.diagnostics, *analysis.diagnostics)}


def long(text: str) -> set[str]:
    """Return what is found in a text that is too long for the page."""
    assert len(text) > SHORT
    return found(text)


def found_in_python(*lines: str) -> set[str]:
    """Return the codes of what is found in a function ``f`` that is marked to have one secret, ``x``."""
    mark = '@leakage(secret={"x": "bernoulli(1/2)"})'
    text = "\n".join(
        (
            "from seepage_marks import leakage",
            "import random",
            "from diffprivlib import mechanisms",
            mark,
            "def f(x):",
            *lines,
        )
    )
    return {each.rule.code for each in load_function(text, "module.py", "f").diagnostics}


def not_trusted(text: str) -> set[str]:
    """Return the codes of what is found in a text whose folder is not trusted."""
    return {each.rule.code for each in seepage.parse(text, files=Folder(str(ROOT), is_trusted=False)).diagnostics}


# Rules whose example would be no few lines that are simply analysed: how they come about instead.
MADE_OTHERWISE: dict[str, tuple[str, Callable[[], set[str]]]] = {
    "SEEP004": ("needs a text of more than a million characters", lambda: long("skip\n" * 250_000)),
    "SEEP005": ("needs a statement of more than 100,000 characters", lambda: long("x := 1" + " + 1" * 25_000)),
    "SEEP006": ("needs two hundred levels", lambda: long("x := " + "-(" * 200 + "1" + ")" * 200)),
    "SEEP506": (
        "needs a value given from outside",
        lambda: found("param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nshow H(x)", p="2"),
    ),
    "SEEP701": ("is of Python functions", lambda: found_in_python("    return open(x)")),
    "SEEP702": ("is of Python functions", lambda: found_in_python("    return x", "def f(x, y):", "    return x")),
    "SEEP703": ("is of Python functions", lambda: found_in_python("    return (")),
    "SEEP704": ("is of Python functions", lambda: found_in_python("    return 0.1 + 0.2 == 0.3")),
    "SEEP705": ("is of Python functions", lambda: found_in_python("    random.seed(1)", "    return x")),
    "SEEP707": ("is of Python functions", lambda: found_in_python("    raise ValueError", "    return x")),
    "SEEP706": (
        "is of Python functions",
        lambda: found_in_python("    return mechanisms.Laplace(epsilon=1, sensitivity=1).randomise(x)"),
    ),
    "SEEP904": ("needs a folder that is not trusted", lambda: not_trusted('import "noise.seep"')),
    "SEEP513": ("needs a time limit", lambda: found("x ~ bernoulli(1/2)\nshow H(x)", seconds=0.0)),
}
# Rules that only the command line or the language server reports: no program shows them to the library.
OF_THE_COMMAND_LINE = {
    "SEEP007": "needs a file that is no program",
    "SEEP590": "needs a baseline",
    "SEEP591": "needs a baseline",
    "SEEP592": "needs a baseline",
    "SEEP982": "needs a process that broke",
}
OF_THE_SERVER = {"SEEP981": "needs an editor"}


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.example], ids=lambda rule: rule.code)
def test_the_example_of_a_rule_shows_it(rule: Rule) -> None:
    assert len(rule.example) <= SHORT
    assert rule.code in found(rule.example)


@pytest.mark.parametrize("code", MADE_OTHERWISE)
def test_a_rule_without_an_example_comes_about_otherwise(code: str) -> None:
    _, make = MADE_OTHERWISE[code]

    assert code in make()


@pytest.mark.parametrize("code", OF_THE_SERVER)
def test_a_rule_of_the_server_is_used_by_the_server_only(code: str) -> None:
    registry = ROOT / "analysis" / "seepage" / "rules"
    text = "\n".join(path.read_text(encoding="utf-8") for path in registry.glob("*.py"))
    constant = re.search(rf"^(\w+) = rule\(\s*\"{code}\"", text, re.MULTILINE)
    library = [path for path in (ROOT / "analysis").rglob("*.py") if path.parent != registry]

    assert constant is not None
    assert not [path for path in library if re.search(rf"\b{constant[1]}\b", path.read_text(encoding="utf-8"))]


def test_only_rules_that_need_it_have_no_example() -> None:
    assert {code for code, rule in RULES.items() if not rule.example} == {
        *MADE_OTHERWISE,
        *OF_THE_COMMAND_LINE,
        *OF_THE_SERVER,
    }


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_rule_says_why_it_is_one_and_what_to_do(rule: Rule) -> None:
    reason, *rest = rule.explanation.split("\n\n")

    assert reason
    assert rest
    assert rest[-1].startswith("What to do: ")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_the_page_can_be_linked_to_a_rule(rule: Rule) -> None:
    page = (ROOT / PAGE).read_text(encoding="utf-8")

    assert page.count(f'<a id="{rule.code}"></a>') == 1
    assert f"({'#' + rule.code})" in page


def test_the_page_shows_the_examples() -> None:
    assert [block.text.rstrip("\n") for block in blocks(PAGE, "seep")] == [
        rule.example for _, rule in sorted(RULES.items()) if rule.example
    ]
