"""Programs as algorithms in LaTeX: expressions read back as the same trees, every program of the gallery compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from tests.checking.trees import run, tree
from tests.syntax.test_spell import bare, trees

import seepage
from seepage.exports.latex import latex, latex_text
from seepage.syntax.parse import parse_expression
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

EXAMPLES = Path(__file__).parents[2] / "examples"
# Names beyond ASCII, a power of a power, symbols, a mixture, a procedure, every kind of block, and an empty one.
MANY = """\
param eps in [0, 10] = log(3)
param λ in (0, 1]
const n = 3
def noisy(b, q) { t ~ flip(q)
  return if t then b else !b }
secret initial r[1]
output o, größe, я_1, À
for i in 1..n { r[i] ~ bernoulli(1/2) }
o ~ noisy(r[1], 1/3)
x := (2 ^ 3) ^ 2 + 2 ^ 2 ^ -o * (1 - 3 % 2)
À := 1
größe ~ mixture(1/2: {1: 1/2, 2: 1/2}, 1/2: uniform_int(1, 2))
я_1 ~ uniform_of("a_b", "é%$#&~{}^")
repeat {
  y ~ uniform_int(1, 3)
  if r[y] == 1 or x > 2 and not o == 1 { skip }
  else if exp(-eps * abs(x - y)) < 1 { z ~ normal(0, std=2) } else { observe x != 1 }
} until y > 1
while y < 3 { y ~ uniform_int(1, 3) } never { y := 3 }
show I(r; o)
"""
WORDS = {
    r"\cdot ": " * ", r"\bmod ": " % ", r"\land ": " and ", r"\lor ": " or ", r"\oplus ": " xor ", r"\neg ": " !", r"\neq ": " != ",
    r"\leq ": " <= ", r"\geq ": " >= ", r"\infty ": " inf ", r"\ ": " ", r"\varepsilon": " eps",
}  # fmt: skip


def read_back(written: str) -> str:
    """Return Seep's text of an expression in LaTeX."""
    written = re.sub(
        r"\\(?:mathit|mathrm|textbf)\{([^}]*)\}", lambda found: f" {found[1]}".replace("\\_", "_"), written
    )
    written = re.sub(r"(?<![!<>:])=", " == ", written)
    for word, meant in WORDS.items():
        written = written.replace(word, meant)
    closing: list[str] = []
    made = ""
    for sign in written.replace("\\", ""):
        match sign:
            case "{" if made.endswith("_"):
                made = f"{made[:-1]}["
                closing.append("]")
            case "{":
                made += "("
                closing.append(")")
            case "}":
                made += closing.pop()
            case _:
                made += sign
    return made


@settings(max_examples=150, deadline=None, derandomize=True)
@given(trees)
def test_any_expression_reads_back_as_the_same_tree(written: Expression) -> None:
    meant, _ = parse_expression(spell(written))
    assume(meant is not None and spell(meant).isascii())  # no chain of comparisons; other letters are commands of LaTeX
    assert meant is not None

    made, _ = parse_expression(read_back(latex(written)))

    assert made is not None, latex(written)
    assert bare(made) == bare(meant)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("many")
    tree(folder, {"odd %name_.seep": MANY})
    found = run("export", "odd %name_.seep", "--to", "latex", inside=folder)
    assert found.exit_code == 0, found.output
    return found.stdout


@pytest.mark.parametrize(
    "line",
    [
        r"\textbf{parameter} $\varepsilon \in [0, 10]$, \textbf{here} $\log(3)$",
        r"\textbf{secret initial} $r_{1}$",
        r"\textbf{for} $i = 1, \ldots, n$ \textbf{do}",
        r"$x := {({2}^{3})}^{2}+{2}^{{2}^{-o}}\cdot (1-3\bmod 2)$",
        r"\textbf{else if} $\exp(-\varepsilon\cdot \mathrm{abs}(x-y))<1$ \textbf{then}",
        r"$z \sim \mathrm{normal}(0,\mathit{std}=2)$",
        r"\textbf{observe} $x\neq 1$",
        r"\textbf{where it never ends}",
    ],
)
def test_statements_are_lines_as_they_are_written(many: str, line: str) -> None:
    assert [each for each in many.splitlines() if each.endswith(rf"em}}{line}\par")]
    assert r"\textbf{show}" not in many


def test_a_program_with_an_error_has_no_algorithm(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": "x := y +\n"})
    found = run("export", "a.seep", "--to", "latex", inside=tmp_path)
    assert (found.exit_code, found.stdout) == (1, "")
    assert found.stderr.startswith("a.seep:1: ")


def test_every_program_of_the_gallery_compiles_without_packages(many: str, tmp_path: Path) -> None:
    compiler = shutil.which("pdflatex")
    if compiler is None:
        pytest.skip("there is no pdflatex: the lines are tested above, and all of it where editors are installed")
    programs = [seepage.load(each) for each in sorted(EXAMPLES.glob("*.seep"))]
    written = [many, *(latex_text(each.checked.tree, {}, each.source.name) for each in programs)]
    body = "\n\n".join(written)
    (tmp_path / "all.tex").write_text(
        f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\\end{{document}}\n", encoding="utf-8"
    )

    command = (compiler, "-interaction=nonstopmode", "-halt-on-error", "all.tex")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)

    assert done.returncode == 0, done.stdout[-2000:].decode("utf-8", "replace")
    assert (tmp_path / "all.pdf").read_bytes().startswith(b"%PDF")
