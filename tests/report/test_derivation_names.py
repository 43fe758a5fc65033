"""A derivation of a program that calls something ``e``, ``pi`` or ``log`` is that of the program with an innocent name, with each name written as code."""

from __future__ import annotations

import re

import pytest

from seepage import parse
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.letters import OWN
from seepage.measures.formulas.tree import Symbol
from seepage.report.derivation import Form, derivation_text

PROGRAM = """param h in (0, 1) = 1/2
param NAME in (0, 1) = 1/3
secret m
output n
m ~ flip(NAME)
k ~ flip(1 / (1 + exp(h)))
n := m * k
"""
VARIABLE = """param h in (0, 1) = 1/2
secret NAME
output n
NAME ~ uniform_int(0, 2)
k ~ flip(1 / (1 + exp(h)))
n := k * NAME
"""
CASES = [
    *((PROGRAM, measure) for measure in ("P(m and n == 1)", "E(n)", "H(m)", "H(m | n)", "I(m; n)")),
    *((VARIABLE, measure) for measure in ("P(NAME == 1 and n == 1)", "E(n * NAME)", "H(NAME | n)", "I(NAME; n)")),
]
WORDS = tuple(name for name in OWN if name not in ("sqrt", "max", "min", "log", "ln"))  # others may be reserved
FORMS: tuple[Form, ...] = ("text", "latex", "markdown")


def derived(program: str, measure: str, name: str, form: Form) -> str:
    found = parse(program.replace("NAME", name)).explain(measure.replace("NAME", name))
    return derivation_text(found, form)


@pytest.mark.family(every=5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize(("program", "measure"), CASES)
def test_a_name_that_formulas_have_on_their_own_is_written_as_code(
    program: str, measure: str, name: str, form: Form
) -> None:
    innocent = f"{name}b"  # at the same place in the alphabet, by which terms are ordered
    told = written(derived(program, measure, name, form), name)
    expected = written(derived(program, measure, innocent, form), innocent)

    assert told == expected
    assert "NAME" in told


def written(text: str, name: str) -> str:
    """Return a derivation with NAME where a name is written so that nobody can misread it, and in lines of code and titles wherever it stands."""
    below = "".join(letter + "\N{COMBINING LOW LINE}" for letter in name)
    formulas = [f"'{name}'", f"'{below}'", latex_of(Symbol(name))] if name in OWN else [latex_of(Symbol(name)), below]
    lines: list[str] = []
    for line in text.splitlines():
        for each in formulas:
            line = line.replace(each, "NAME")
        is_code = re.search(r":=|~|sim|^(% )?[PEHI]\(|^#|^\*\*|<code>", line) and not re.search(
            r"⟦|llbracket|wp of", line
        )
        if name not in OWN or is_code:
            line = re.sub(rf"(?<![^\W_]){re.escape(name)}(?![\w{'' if is_code else '^'}])", "NAME", line)
        lines.append("".join(line.split()))
    return "".join(lines)
